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

const { starts, groups } = JSON.parse(
  readFileSync(join(import.meta.dirname, "sets", "commit-safety.json"), "utf8"),
) as SafetySet;

let talker: Talker;
beforeAll(async () => {
  talker = await openTalker();
});
afterAll(() => talker.close());

describe.each(groups)("$name", ({ start, commits, says }) => {
  test.each(says)("%s", async (text) => {
    let contextId: string | undefined;
    for (const first of starts[start] ?? []) {
      contextId = (await talker.send("agency", first, { contextId })).contextId;
    }
    const done = await commitsOf(talker, async () => {
      await talker.send("agency", text, { contextId });
    });
    expect(done).toStrictEqual(commits);
  });
});
