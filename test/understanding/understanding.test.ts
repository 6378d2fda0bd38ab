import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTalker, type Said, type Talker } from "./talker.ts";

/** Absent members are not checked. */
interface Expected {
  readonly say: readonly string[];
  readonly product?: string;
  readonly impressions?: number;
  readonly flight?: readonly [string, string];
  readonly cpm?: number;
  readonly budget?: number;
  readonly absent?: readonly string[];
  /** Several are parted by a bar. */
  readonly skill?: string | null;
  readonly outcome?: string;
  readonly skills?: readonly string[];
  readonly outcomes?: readonly string[];
  readonly unused?: string;
  readonly text?: string;
  readonly never?: string;
}

interface UnderstandingSet {
  readonly products: Readonly<Record<string, string>>;
  readonly groups: readonly { readonly name: string; readonly cases: readonly Expected[] }[];
}

const setOf = (file: string): UnderstandingSet =>
  JSON.parse(readFileSync(join(import.meta.dirname, "sets", file), "utf8")) as UnderstandingSet;

const groups = ["understanding.json", "media-buyers.json"].flatMap((file) => {
  const { products, groups: own } = setOf(file);
  return own.map((group) => ({ ...group, products }));
});

let talker: Talker;
beforeAll(async () => {
  talker = await openTalker();
});
afterAll(() => talker.close());

const lastReply = async (texts: readonly string[]): Promise<readonly Said[]> => {
  let contextId: string | undefined;
  let said: readonly Said[] = [];
  for (const text of texts) ({ contextId, said } = await talker.send("agency", text, { contextId }));
  return said;
};

const slotsOf = (products: UnderstandingSet["products"], { product, impressions, flight, cpm, budget }: Expected) => ({
  ...(product === undefined ? {} : { product_id: products[product] }),
  ...(impressions === undefined ? {} : { impressions }),
  ...(flight === undefined ? {} : { flight_start: flight[0], flight_end: flight[1] }),
  ...(cpm === undefined ? {} : { target_cpm: cpm }),
  ...(budget === undefined ? {} : { budget }),
});

const oneOf = (names: string): RegExp => new RegExp(`^(?:${names})$`);

describe.each(groups)("$name", ({ cases, products }) => {
  test.each(cases.map((one) => [one.say.join(" / "), one] as const))("%s", async (_, expected) => {
    const said = await lastReply(expected.say);
    const [first] = said;
    expect(first?.understood).toMatchObject(slotsOf(products, expected));
    for (const name of expected.absent ?? []) expect(first?.understood).not.toHaveProperty(name);
    if (expected.skill === null) expect(first?.skill).toBeNull();
    if (typeof expected.skill === "string") expect(first?.skill).toMatch(oneOf(expected.skill));
    if (expected.outcome !== undefined) expect(first?.outcome).toMatch(oneOf(expected.outcome));
    if (expected.skills !== undefined) expect(said.map(({ skill }) => skill)).toStrictEqual(expected.skills);
    if (expected.outcomes !== undefined) expect(said.map(({ outcome }) => outcome)).toStrictEqual(expected.outcomes);
    if (expected.unused !== undefined) expect(first?.not_used?.join("; ")).toMatch(new RegExp(expected.unused));
    if (expected.text !== undefined) expect(first?.text).toMatch(new RegExp(expected.text));
    if (expected.never !== undefined) expect(first?.text).not.toMatch(new RegExp(expected.never));
  });
});
