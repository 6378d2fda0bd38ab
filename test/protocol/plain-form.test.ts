import { expect, test } from "vitest";
import { z } from "zod";
import { buyerOperations } from "../../agents/buyer/operations.ts";
import { sellerExamples } from "../../agents/seller/examples.generated.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { plainForm } from "../../protocol/plain-form.ts";

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const odd: readonly unknown[] = [null, undefined, "", "x".repeat(3000), -1, 0.5, Number.NaN, 1e300, true, [], { a: 1 }];

/** The value, and it again for each of its members: without it, with odd ones in its place, with one more beside. */
const variants = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return [value, ...value.slice(0, 1).flatMap((item) => variants(item).map((one) => [one]))];
  if (!isMembers(value)) return [value];
  const others = Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _left, ...without } = value;
    const inner = [...odd, ...variants(member)].map((one) => ({ ...value, [name]: one }));
    return [without, ...inner];
  });
  return [value, { ...value, more: 1 }, ...others];
};

/** Compares with what the schema itself says of a value; tells whether the plain form was sure. */
const agrees = (schema: z.core.$ZodType, value: unknown, name: string): boolean => {
  const { test: isSure, copy } = plainForm(schema);
  if (!isSure(value)) return false;
  const read = z.safeParse(schema, value);
  expect(read.success, `${name} ${JSON.stringify(value)}`).toBe(true);
  if (copy === null) return true;
  const copied = copy(value);
  expect(copied).toStrictEqual(read.data);
  expect(JSON.stringify(copied)).toBe(JSON.stringify(read.data));
  return true;
};

/** A value of the schema for every member that a JSON schema tells of. */
const filled = (schema: z.ZodType): unknown => {
  const shape = (schema as { shape?: Readonly<Record<string, z.ZodType>> }).shape ?? {};
  const candidates: readonly unknown[] = [...odd.slice(2), "2027-01-01", "USD", "PG", 3, ["a"], [{}]];
  const entries = Object.entries(shape).map(([name, member]) => {
    const fit = candidates.find((one) => z.safeParse(member, one).success);
    return [name, fit] as const;
  });
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
};

test("plain form: what it is sure of, the schema reads in the same way, for every input and output", () => {
  let [sure, unsure] = [0, 0];
  const count = (schema: z.ZodType, value: unknown, name: string): void => {
    if (agrees(schema, value, name)) sure += 1;
    else unsure += 1;
  };
  for (const { contract } of [...sellerOperations, ...buyerOperations]) {
    const { name, input, output } = contract;
    const example = sellerExamples[name];
    for (const value of variants(example?.response)) count(output, value, name);
    for (const value of [...variants(example?.request), ...variants(filled(input))]) count(input, value, name);
  }
  expect(sure).toBeGreaterThan(2000);
  expect(unsure).toBeGreaterThan(2000);
});

test("plain form: it is sure of each example's output, so that no schema has to run for one", () => {
  const unsure = sellerOperations
    .filter(({ contract: { name } }) => sellerExamples[name]?.response !== undefined)
    .filter(({ contract: { name, output } }) => !plainForm(output).test(sellerExamples[name]?.response));
  expect(unsure.map(({ contract }) => contract.name)).toEqual([]);
});

test("plain form: a quote and a booking are read without their schemas", () => {
  const plain = {
    quote_id: "qt-1",
    product_id: "prod-1",
    deal_type: "PG",
    impressions: 5,
    buyer_identity: { seat_id: "s" },
  };
  for (const name of ["request_quote", "book_deal", "get_quote"]) {
    const input = sellerOperations.find(({ contract }) => contract.name === name)?.contract.input ?? z.never();
    expect([name, plainForm(input).copy !== null, agrees(input, plain, name)]).toEqual([name, true, true]);
  }
});

test.each<[string, z.ZodType, readonly unknown[], readonly unknown[]]>([
  ["a text of some length", z.string().min(1).max(3), ["a", "abc"], ["", "abcd", 1, null, undefined]],
  ["a text by a pattern", z.string().regex(/^[A-Z]{3}$/), ["USD"], ["usd", "", null]],
  ["a text that is trimmed", z.object({ a: z.string().trim() }), [], []],
  ["a number", z.number().positive().max(5), [0.1, 5], [0, 5.1, Number.NaN, Infinity, "1"]],
  ["an integer", z.int().min(0), [0, 7], [-1, 0.5, 2 ** 60]],
  ["a word of some", z.enum(["a", "b"]), ["a", "b"], ["c", null, undefined]],
  ["one literal", z.literal([1, "x"]), [1, "x"], ["1", null]],
  ["what may be left out", z.object({ a: z.string().nullish() }), [{}, { a: null }, { a: undefined }], [{ a: 1 }]],
  ["what is changed where it is there", z.object({ a: z.string().trim().nullish() }), [{}, { a: " b " }], [{ a: 1 }]],
  ["what must not be undefined", z.object({ a: z.exactOptional(z.string()) }), [{ a: "x" }], [{ a: undefined }]],
  ["what must be there", z.object({ a: z.unknown() }), [{ a: 1 }, { a: null }], []],
  ["a member left out for a default", z.object({ a: z.string().default("x") }), [{ a: "y" }], []],
  ["a default within what may be left out", z.object({ a: z.string().default("x").optional() }), [{ a: "y" }], []],
  ["a closed object", z.strictObject({ a: z.string() }), [{ a: "x" }], [{ a: "x", b: 1 }, { b: 1 }]],
  ["an open object", z.looseObject({ a: z.string() }), [{ a: "x", b: 1 }], [{ b: 1 }, [], null, "x"]],
  ["a coerced number", z.coerce.number(), [], []],
  ["a list", z.array(z.int()), [[], [1, 2]], [[1, "2"], {}, null]],
  ["a number of some values", z.number().multipleOf(3), [3], [4]],
])("plain form: %s", (name, schema, good, bad) => {
  for (const value of [...good, ...bad, ...odd, { a: " b " }, { a: undefined }, {}, "1"]) agrees(schema, value, name);
  expect(good.filter((value) => !plainForm(schema).test(value))).toEqual([]);
  expect(bad.filter((value) => plainForm(schema).test(value))).toEqual([]);
});

test("plain form: a rule over a whole object still sees members that its schema does not name", () => {
  const ruled = z.looseObject({ a: z.number() }).refine((value) => value["b"] === 1);
  const { test: isSure } = plainForm(z.looseObject({ inner: ruled }));
  expect([isSure({ inner: { a: 1, b: 1 } }), isSure({ inner: { a: 1 } })]).toEqual([true, false]);
});

test("plain form: a schema within itself is followed only so deep", () => {
  const node: z.ZodType = z.looseObject({
    get next() {
      return node.nullish();
    },
  });
  const chain = (length: number): unknown => (length === 0 ? null : { next: chain(length - 1) });
  expect([plainForm(node).test(chain(20)), plainForm(node).test({ next: { next: 1 } })]).toEqual([true, false]);
});
