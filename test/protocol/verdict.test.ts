import { expect, test } from "vitest";
import { z } from "zod";
import { sellerExamples } from "../../agents/seller/examples.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { verdictSchema } from "../../protocol/neutral/validation.ts";

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Each member missing, null, of a wrong type, with one more beside; in lists that of the first. */
const variants = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) {
    const [first, ...others] = value as readonly unknown[];
    return [value, ...(value.length === 0 ? [] : variants(first).map((one) => [one, ...others]))];
  }
  if (!isMembers(value)) return [value];
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _left, ...without } = value;
    const inner = variants(member).map((one) => ({ ...value, [name]: one }));
    return [
      without,
      { ...value, [name]: null },
      { ...value, [name]: { wrong: true } },
      { ...value, more: 1 },
      ...inner,
    ];
  });
};

const flaws = (schema: z.core.$ZodType, value: unknown): unknown => {
  const checked = z.safeParse(schema, value);
  return checked.success ? null : checked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
};

test("output check: the cheap schema finds the flaws that the contract's own finds, and no other", () => {
  const examples = sellerExamples();
  let flawed = 0;
  for (const { contract } of sellerOperations) {
    const verdict = verdictSchema(contract.output);
    for (const output of variants(examples[contract.name]?.response)) {
      const found = flaws(contract.output, output);
      expect(flaws(verdict, output), contract.name).toEqual(found);
      if (found !== null) flawed += 1;
    }
  }
  expect(flawed).toBeGreaterThan(500);
});

test("output check: a rule over a whole object still sees members that its schema does not name", () => {
  const ruled = z.looseObject({ a: z.number() }).refine((value) => value["b"] === 1);
  const verdict = verdictSchema(z.looseObject({ inner: ruled }));
  expect([flaws(verdict, { inner: { a: 1, b: 1 } }), flaws(verdict, { inner: { a: 1 } })]).toEqual([
    null,
    ["inner: Invalid input"],
  ]);
});
