import { afterAll, beforeAll, expect, test } from "vitest";
import { commitsOf, openTalker, type Talker } from "./talker.ts";

let talker: Talker;
beforeAll(async () => {
  talker = await openTalker({ settings: { priceProbeLimit: 0 } });
});
afterAll(() => talker.close());

const quote = "quote Pre-Roll 600k May 2027 PG";
const booked = ["quote native 300k PD May 2027", "book it"];
const spend = "i've 25k to spend over CTV and standard display in april 2027, what can I get";

/* People who met the seller for the first time were booked, changed or cancelled what they had not ordered. */
test.each<readonly [readonly string[], readonly string[]]>([
  // A figure that the reply does not hold.
  [[quote], ["not 600k, 60k", "yes"]],
  [[quote], ["we have 10k for this. yes?", "ok"]],
  [[quote], ["we only have 10k", "ok book it"]],
  [
    [quote, "21.8 cpm", "no wait 21.2"],
    ["yes", "ok deal"],
  ],
  [booked, ["make it 200k at 9 cpm", "yes"]],
  [[spend], ["split it 15/10", "book both"]],
  // A question.
  [booked, ["has my colleague already cancelled this?", "ok"]],
  [booked, ["is this one paused or cancelled or what?", "yes"]],
  [booked, ["did we move it to november?", "yes"]],
  [booked, ["how much would it cost to cancel it?", "ok"]],
  [booked, ["is it possible to cancel it free of charge?", "ok"]],
  [booked, ["does a change to 600,000 impressions cost more?", "ok"]],
  // "It" is something else by then.
  [["quote 2M CTV PG for March 2027", "what does native cost?"], ["book it"]],
  [["quote 1M CTV PG for March 2027", "28"], ["book it. would native be the smarter choice?"]],
])("%j, then %j: nothing is done", async (before, says) => {
  let contextId: string | undefined;
  const say = async (text: string): Promise<void> => {
    ({ contextId } = await talker.send("agency", text, { contextId }));
  };
  for (const text of before) await say(text);
  const done = await commitsOf(talker, async () => {
    for (const text of says) await say(text);
  });
  expect(done).toStrictEqual([]);
});

test("what was just requested is taken back by 'take that back', and nothing is bought again", async () => {
  let contextId: string | undefined;
  const say = async (text: string) => {
    const reply = await talker.send("agency", text, { contextId });
    ({ contextId } = reply);
    return reply.said[0];
  };
  for (const text of [...booked, "up it to 450,000 pls", "yes"]) await say(text);
  expect(await say("take that back please")).toMatchObject({ options: [{ operation: "withdraw_change_request" }] });
  expect(await say("yes")).toMatchObject({ outcome: "rejected" });
});
