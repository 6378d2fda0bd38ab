import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeskRow } from "../../../skills/talk/gate/record.ts";
import type { StoredRow } from "../../../storage/store.ts";
import { optionsFor, sendOn, takeOptions } from "./follow.ts";
import { commitsOf, openTalker, type Said, type Talker } from "./talker.ts";

interface Group {
  readonly name: string;
  readonly start: string;
  readonly commits: readonly string[];
  readonly says: readonly string[];
}

interface SafetySet {
  readonly starts: Readonly<Record<string, readonly string[]>>;
  readonly groups: readonly Group[];
}

const setOf = (file: string): SafetySet =>
  JSON.parse(readFileSync(join(import.meta.dirname, "sets", file), "utf8")) as SafetySet;

const cases = ["commit-safety.json", "commit-safety-buyers.json", "commit-safety-consents.json"].flatMap((file) => {
  const { starts, groups } = setOf(file);
  return groups.map((group) => ({ ...group, before: starts[group.start] ?? [] }));
});

let talker: Talker;
beforeAll(async () => {
  // More prices are named here than a buyer may name in an hour.
  talker = await openTalker({ settings: { priceProbeLimit: 0 } });
});
afterAll(() => talker.close());

describe.each(cases)("$name", ({ before, commits, says }) => {
  test.each(says)("%s", async (text) => {
    let contextId: string | undefined;
    for (const first of before) ({ contextId } = await sendOn(talker, first, { caller: "agency", contextId }));
    let said: readonly Said[] = [];
    const done = await commitsOf(talker, async () => {
      ({ said } = await talker.send("agency", text, { contextId }));
    });
    // What is done at once is what was ordered; what is only shown is taken.
    expect(commits).toEqual(expect.arrayContaining([...done]));
    const options = done.length === commits.length ? [] : optionsFor(said, commits.slice(done.length));
    const taken =
      options.length === 0
        ? []
        : await commitsOf(talker, async () => {
            await takeOptions(talker, options, { caller: "agency", contextId });
          });
    expect([...done, ...taken]).toStrictEqual(commits);
  });
});

test("a commit leaves what was agreed: the option, its terms and digest, how it was taken, and when", async () => {
  const takenIn = async (contextId: string) => {
    const rows = await talker.world.store.list({ kind: "talk_desk", terms: [], order: "newest", limit: 500 });
    const row = rows.find(({ id }) => id.includes(contextId)) as StoredRow<DeskRow> | undefined;
    return row?.body.taken;
  };
  const shown = await talker.send("agency", "quote 500k native PD June");
  const [option] = shown.said[0]?.options ?? [];
  await talker.send("agency", "book it", { contextId: shown.contextId });
  const quoteId = String(shown.said[0]?.result["quote_id"]);
  const proof = { option: option?.option, digest: option?.digest, input: { quote_id: quoteId }, by: "order" };
  expect(await takenIn(shown.contextId)).toMatchObject([{ ...proof, at_ms: talker.world.nowMs() }]);
  const other = await talker.send("agency", "quote 600k native PD July");
  const id = String(other.said[0]?.result["quote_id"]);
  const named = await talker.send("agency", `book ${id}`);
  expect(await takenIn(named.contextId)).toMatchObject([{ operation: "book_deal", input: { quote_id: id }, by: "id" }]);
});
