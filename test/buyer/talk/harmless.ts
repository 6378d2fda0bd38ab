import { expect } from "vitest";
import { harmlessSentences, type Words } from "../../talk/seller/sentences.ts";
import { settledJob } from "../world.ts";
import { type FakeTalker, jobsOf, openTalk, sayAll } from "./talker.ts";

/** Around what a planner can order of a campaign. */
export const ofBuyer: Words = {
  verbs:
    "approve,book,buy,take,order,confirm,accept,go ahead with,start,launch,cancel,drop,reject,remove,kill," +
    "call off,undo",
  things:
    "it,this,all,everything,line 1,the CTV line,both lines,the campaign,the deal,lines 1 and 2,the cheapest,the job," +
    "the display one,all but line 2",
  conditions:
    "the total is under 20k,the client agrees,it is still available,the CPM falls to 5,nobody else wants it," +
    "the flight moves to July,we get a discount,my boss says so,legal is fine with it,yes",
  changes:
    "with 2M impressions,but in July,at $5 CPM,for two months,in euros,with 10% off,on audio instead,twice,half of it",
};

const brief = "Spend 50k on display and CTV in March 2027 for sports fans, brand awareness, max 25 CPM";

/** What is open for a yes when the sentence comes; null is nothing. */
const openings = ["approve all", "drop 1", "cancel", null] as const;

/** These ask for no booking; what they ask to end is asked about, and a polite question is an order. */
const opensNothing: ReadonlySet<string> = new Set(["questions", "conditions", "other times"]);
const mayOpen = /\b(?:cancel|drop|reject|remove|kill|call off|undo)\b|\byou\b.*\bplease\b/;

const inOneTalk = 20;

const unchanged = async (talker: FakeTalker, said: readonly string[]): Promise<void> => {
  const jobs = await jobsOf(talker);
  expect(jobs, said.join("\n")).toHaveLength(1);
  const job = await settledJob(talker.world.buyer, String(jobs[0]?.job_id));
  const lines = job.recommendations.map(({ status }) => status);
  const state = { status: job.status, deals: talker.seller.deals.size, lines };
  expect(state, said.join("\n")).toStrictEqual({
    status: "awaiting_approval",
    deals: 0,
    lines: ["pending_approval", "pending_approval"],
  });
};

/** Each sentence while something is open, and while nothing is, then with a yes behind it. */
export const checkHarmless = async (count: number, seed: number): Promise<void> => {
  const talker = await openTalk();
  try {
    await sayAll(talker, [brief, "yes"]);
    const sentences = harmlessSentences(count, seed, ofBuyer);
    for (let at = 0; at < sentences.length; at += inOneTalk) {
      const batch = sentences.slice(at, at + inOneTalk);
      for (const [place, { kind, text }] of batch.entries()) {
        const opening = openings[place % openings.length] ?? null;
        if (opening !== null) await sayAll(talker, ["no", opening]);
        await talker.say(text);
        if (opening === null && opensNothing.has(kind) && !mayOpen.test(text)) await talker.say("yes");
        await talker.say(brief, { context: `brief-${at}` });
        await talker.say(text, { context: `brief-${at}` });
      }
      await unchanged(
        talker,
        batch.map(({ text }) => text),
      );
    }
  } finally {
    await talker.close();
  }
};
