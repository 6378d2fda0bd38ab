import fc, { type Arbitrary } from "fast-check";
import type { JsonSchema } from "../../protocol/seam/json-schema.ts";

/** `otherwise` where no answer has shown one yet. */
export class Known {
  readonly name: string;
  readonly place: number;
  readonly otherwise: unknown;

  constructor(name: string, place: number, otherwise: unknown) {
    this.name = name;
    this.place = place;
    this.otherwise = otherwise;
  }
}

/** Expanded only when it is sent. */
export class Repeated {
  readonly text: string;
  readonly times: number;

  constructor(text: string, times: number) {
    this.text = text;
    this.times = times;
  }
}

type Resolve = (schema: JsonSchema) => JsonSchema;

/** So that an id of another kind is at hand. */
const idNames = [
  ...["quote_id", "deal_id", "order_id", "product_id", "package_id", "session_id", "proposal_id", "key_id"],
  ...[
    "negotiation_id",
    "change_request_id",
    "cr_id",
    "approval_id",
    "event_id",
    "agent_id",
    "webhook_id",
    "delivery_id",
  ],
];

const place = fc.double({ min: 0, max: 0.999, noNaN: true });

const known = (name: string, otherwise: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.tuple(place, otherwise).map(([at, value]) => new Known(name, at, value));

/** Each has broken a parser, an index, a number or a log somewhere. */
export const hostile: Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 1.5, 1e308, -1e-7, 9_007_199_254_740_992, "", " ", "0", "null", "undefined"],
      ...["\u0000", "\ud800", "\u202e", "a\r\nSet-Cookie: a=b", "../../etc/passwd", "' OR 1=1 --", "<script>", "💩"],
      ...["2027-02-30", "0000-00-00", "9999-12-31T23:59:59Z", "{{7*7}}", "%00", "constructor", "__proto__"],
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom<unknown>([], {}, [[[]]], [null], { a: { b: [] } }) },
  { weight: 1, arbitrary: fc.constant(Object.fromEntries([["__proto__", { tier: "advertiser", role: "senior" }]])) },
  { weight: 1, arbitrary: fc.constant({ constructor: { prototype: { isAdmin: true } }, toString: 1 }) },
  { weight: 1, arbitrary: fc.constantFrom(...[300, 5000, 70_000].map((times) => new Repeated("x", times))) },
  { weight: 1, arbitrary: fc.constantFrom(new Repeated("é💩", 400), new Repeated("\u0000", 65)) },
  { weight: 2, arbitrary: fc.constantFrom(...idNames).chain((name) => known(name, fc.constant("id-00000000"))) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const limits = (schema: JsonSchema, whole: boolean): Arbitrary<unknown> => {
  const least = Number(schema["minimum"] ?? schema["exclusiveMinimum"] ?? 0) + ("exclusiveMinimum" in schema ? 1 : 0);
  const most = Number(schema["maximum"] ?? Number.MAX_SAFE_INTEGER);
  const top = Math.max(Math.ceil(least), Math.min(most, 20_000_000));
  const integers = fc.oneof(
    fc.integer({ min: Math.ceil(least), max: Math.min(Math.floor(top), Math.ceil(least) + 100) }),
    fc.integer({ min: Math.ceil(least), max: Math.floor(top) }),
  );
  return whole
    ? integers
    : fc.oneof(
        integers,
        fc.integer({ min: 100, max: 9900 }).map((cents) => cents / 100),
      );
};

const texts = (schema: JsonSchema): Arbitrary<unknown> => {
  if (typeof schema["pattern"] === "string") return fc.stringMatching(new RegExp(schema["pattern"], "u"));
  const minLength = Number(schema["minLength"] ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema["maxLength"] ?? 24), 24));
  const day = fc.integer({ min: 0, max: 900 }).map((days) => new Date(Date.UTC(2026, 11, 1 + days)));
  return fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength }) },
    { weight: 1, arbitrary: day.map((date) => date.toISOString().slice(0, 10)) },
  );
};

const branches = (schema: JsonSchema): readonly JsonSchema[] =>
  ["anyOf", "oneOf"].flatMap((key) => (schema[key] ?? []) as readonly JsonSchema[]);

const objects = (schema: JsonSchema, resolve: Resolve, depth: number): Arbitrary<unknown> => {
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const shown = properties.map(([name, member]) => {
    const value = fitting(member, resolve, name, depth + 1);
    return [name, required.has(name) ? value : fc.option(value, { nil: undefined, freq: 1 })] as const;
  });
  return fc.record(Object.fromEntries(shown));
};

const typed = (schema: JsonSchema, resolve: Resolve, name: string, depth: number): Arbitrary<unknown> => {
  const type = schema["type"];
  if (type === "object") return objects(schema, resolve, depth);
  if (type === "integer" || type === "number") return limits(schema, type === "integer");
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "string") return texts(schema);
  if (type !== "array") return fc.jsonValue({ maxDepth: 2 });
  const places = schema["prefixItems"] as readonly JsonSchema[] | undefined;
  if (places !== undefined) return fc.tuple(...places.map((one) => fitting(one, resolve, "", depth + 1)));
  const minLength = Number(schema["minItems"] ?? 0);
  const items = fitting((schema["items"] ?? {}) as JsonSchema, resolve, name.replace(/s$/, ""), depth + 1);
  return fc.array(items, { minLength, maxLength: Math.max(minLength, Math.min(3, Number(schema["maxItems"] ?? 3))) });
};

/** Mostly taken from earlier answers. */
export const fitting = (given: JsonSchema, resolve: Resolve, name: string, depth = 0): Arbitrary<unknown> => {
  const schema = resolve(given);
  if (depth > 6) return fc.constant(null);
  if ("const" in schema) return fc.constant(schema["const"]);
  const choices = schema["enum"] as readonly unknown[] | undefined;
  if (choices !== undefined) return fc.constantFrom(...choices);
  const inner = branches(schema);
  if (inner.length > 0) return fc.oneof(...inner.map((branch) => fitting(branch, resolve, name, depth)));
  const value = typed(schema, resolve, name, depth);
  const isScalar = schema["type"] === "string" || schema["type"] === undefined;
  if (name === "" || !isScalar) return value;
  return fc.oneof({ weight: 7, arbitrary: known(name, value) }, { weight: 1, arbitrary: value });
};

/** Products stay: they are on sale, and the other members suit them. */
export const alive = (example: unknown): Arbitrary<unknown> =>
  fc.array(place, { minLength: 8, maxLength: 8 }).map((places) => {
    let at = 0;
    const living = (value: unknown, name: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => living(item, name.replace(/s$/, "")));
      if (typeof value === "object" && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, living(member, key)]));
      }
      at += 1;
      return name !== "product_id" && idNames.includes(name)
        ? new Known(name, places[at % places.length] ?? 0, value)
        : value;
    };
    return living(example, "");
  });

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !(value instanceof Known) && !(value instanceof Repeated);

const pathsIn = (value: unknown, at: readonly string[] = []): readonly (readonly string[])[] =>
  isMembers(value) ? [at, ...Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...at, name]))] : [at];

const replaced = (value: unknown, at: readonly string[], by: unknown): unknown => {
  const [name, ...rest] = at;
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? replaced(item, rest, by) : item));
  const entries = Object.entries(value as Members);
  return Object.fromEntries(entries.map(([key, member]) => [key, key === name ? replaced(member, rest, by) : member]));
};

/** One member, anywhere, is missing or hostile. */
export const spoilt = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.tuple(value, place, fc.oneof(hostile, fc.constant(undefined))).map(([whole, at, by]) => {
    const paths = pathsIn(whole);
    return replaced(whole, paths[Math.floor(at * paths.length)] ?? [], by);
  });

export const hostileMembers = (names: readonly string[]): Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names, "__proto__", "constructor"), hostile), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries));
