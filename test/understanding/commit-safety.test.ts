import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Memory } from "../../skills/understanding/memory.ts";
import type { StoredRow } from "../../storage/store.ts";
import { commitsOf, openTalker, type Talker } from "./talker.ts";

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
    for (const first of before) {
      contextId = (await talker.send("agency", first, { contextId })).contextId;
    }
    const done = await commitsOf(talker, async () => {
      await talker.send("agency", text, { contextId });
    });
    expect(done).toStrictEqual(commits);
  });
});

test("a commit leaves what was agreed in the conversation's record: the offer, its digest, who it came from, and when", async () => {
  const digestOf = async (contextId: string) => {
    const rows = await talker.world.store.list({ kind: "conversation", terms: [], order: "newest", limit: 500 });
    const row = rows.find(({ id }) => id.includes(contextId)) as StoredRow<{ memory: Memory }> | undefined;
    return row?.body.memory.life.context.taken;
  };
  const shown = await talker.send("agency", "quote 500k native PD June");
  const booked = await talker.send("agency", "book it", { contextId: shown.contextId });
  const id = String(shown.said[0]?.result["quote_id"]);
  const digest = booked.said[0]?.result["terms_digest"];
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await digestOf(shown.contextId)).toMatchObject([
    { kind: "quote", id, digest, by: "order", atMs: talker.world.nowMs() },
  ]);
  const other = await talker.send("agency", "quote 600k native PD July");
  const named = await talker.send("agency", `book ${String(other.said[0]?.result["quote_id"])}`);
  expect(await digestOf(named.contextId)).toMatchObject([{ digest: named.said[0]?.result["terms_digest"] }]);
  const haggled = await talker.send("agency", "PG quote for pre-roll, 1M imps, April");
  await talker.send("agency", "could you do 20?", { contextId: haggled.contextId });
  const agreed = await talker.send("agency", "agreed", { contextId: haggled.contextId });
  const taken = [{ kind: "counter", id: agreed.said[0]?.result["negotiation_id"], digest: "21.38" }];
  expect(await digestOf(haggled.contextId)).toMatchObject(taken);
});
