import fc, { type Arbitrary } from "fast-check";
import type { JsonSchema } from "../../protocol/seam/json-schema.ts";
import type { DeclaredOperation, Parameter, ReadDocument } from "./document.ts";
import { alive, fitting, hostile, hostileMembers, Repeated, spoilt } from "./values.ts";

export const actors = ["anonymous", "buyer", "other buyer", "operator", "senior", "stranger"] as const;
export type Actor = (typeof actors)[number];

/** Known values and long texts are filled in later. */
export interface Plan {
  readonly operation: DeclaredOperation;
  readonly method: string;
  readonly actor: Actor;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly json: unknown } | { readonly text: unknown } | null;
}

const memberOf = (name: string) => (value: unknown) => (value as Readonly<Record<string, unknown>>)[name];

type Values = Arbitrary<Readonly<Record<string, unknown>>>;

const named = (parameters: readonly Parameter[], document: ReadDocument, isHostile: boolean): Values =>
  fc.record(
    Object.fromEntries(
      parameters.map(({ name, required, schema, example }) => {
        const generated = fitting(schema, document.resolve, name);
        const fits =
          example === undefined ? generated : fc.oneof(generated, alive({ [name]: example }).map(memberOf(name)));
        const value = isHostile ? fc.oneof(fits, hostile) : fits;
        return [name, required ? value : fc.option(value, { nil: undefined, freq: 1 })];
      }),
    ),
  );

const rarely = (...values: readonly string[]): Arbitrary<string | undefined> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

const jsonTypes = [
  "application/vnd.iab.agentic-audiences+json; v=1",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
];

const headers: Arbitrary<Readonly<Record<string, string>>> = fc
  .record({
    "idempotency-key": rarely("key-1", "key-2", "key-3", "k".repeat(256), "\u00e9"),
    "if-match": rarely('"1"', '"2"', 'W/"1"', "*", '"x"', "1"),
    "if-none-match": rarely('"1"', "*", '"2"'),
    accept: rarely("application/problem+json", "*/*", "text/html"),
    "request-id": rarely("request-1", "r".repeat(200)),
    traceparent: rarely("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-junk"),
    "content-type": rarely(...jsonTypes, "text/plain"),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never);

const brokenTexts: Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...["{", "[]", "null", "7", '"text"', '{"a":1e400}', '{"a":NaN}', "", " ", "\ufffd", '{"a":1,"a":2}', "[[[["],
  new Repeated("[", 5000),
  new Repeated(" ", 1_100_000),
);

const memberNames = (schema: JsonSchema, document: ReadDocument): readonly string[] => {
  const own = document.resolve(schema);
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => (own[key] ?? []) as readonly JsonSchema[]);
  return [...Object.keys((own["properties"] ?? {}) as object), ...inner.flatMap((one) => memberNames(one, document))];
};

const bodies = (operation: DeclaredOperation, document: ReadDocument): Arbitrary<Plan["body"]> => {
  const { body, examples } = operation;
  if (body === null) return fc.constant(null);
  const fits = fitting(body, document.resolve, "");
  const shown = examples.length === 0 ? fits : fc.oneof(fits, ...examples.map(alive), ...examples.map(alive));
  const json = (value: Arbitrary<unknown>): Arbitrary<Plan["body"]> => value.map((one) => ({ json: one }));
  return fc.oneof(
    { weight: 11, arbitrary: json(shown) },
    { weight: 6, arbitrary: json(spoilt(shown)) },
    { weight: 2, arbitrary: json(hostileMembers(memberNames(body, document))) },
    { weight: 1, arbitrary: brokenTexts.map((text) => ({ text })) },
  );
};

const methods = (operation: DeclaredOperation): Arbitrary<string> =>
  fc.oneof(
    { weight: 60, arbitrary: fc.constant(operation.method) },
    { weight: 1, arbitrary: fc.constantFrom("PATCH", "OPTIONS") },
  );

const actorOf: Arbitrary<Actor> = fc.oneof(
  ...([2, 14, 2, 5, 9, 1] as const).map((weight, at) => ({ weight, arbitrary: fc.constant(actors[at] as Actor) })),
);

const planOf = (operation: DeclaredOperation, document: ReadDocument): Arbitrary<Plan> => {
  const at = (place: Parameter["in"]) => operation.parameters.filter((parameter) => parameter.in === place);
  return fc.boolean().chain((isHostile) =>
    fc.record({
      operation: fc.constant(operation),
      method: methods(operation),
      actor: actorOf,
      path: named(at("path"), document, isHostile),
      query: named(at("query"), document, isHostile),
      headers,
      body: bodies(operation, document),
    }),
  );
};

/** The same seed plans the same requests. */
export const planRequests = (document: ReadDocument, seed: number, count: number): readonly Plan[] =>
  fc.sample(fc.oneof(...document.operations.map((operation) => planOf(operation, document))), { seed, numRuns: count });
