import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

const cases = ["commit-safety.json", "commit-safety-buyers.json"].flatMap((file) => {
  const { starts, groups } = setOf(file);
  return groups.map((group) => ({ ...group, before: starts[group.start] ?? [] }));
});

let talker: Talker;
beforeAll(async () => {
  talker = await openTalker();
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
