import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groupsOf, hearLast, problemsWithPick } from "./expected.ts";
import { openTalker, type Talker } from "./talker.ts";

const groups = [
  "understanding.json",
  "media-buyers.json",
  "inbox.json",
  "inbox-later.json",
  "dialogues.json",
  "chat-buyer.json",
  "own-terms.json",
  "own-price.json",
  "own-records.json",
  "hurried.json",
  "tables.json",
].flatMap(groupsOf);

let talker: Talker;
beforeAll(async () => {
  talker = await openTalker();
});
afterAll(() => talker.close());

describe.each(groups)("$name", ({ cases }) => {
  test.each(cases.map((one) => [one.say.join(" / "), one] as const))("%s", async (_, expected) => {
    expect(await problemsWithPick(talker, expected, await hearLast(talker, expected.say))).toStrictEqual([]);
  });
});
