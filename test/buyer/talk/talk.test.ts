import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { applied, missingIn, type Term } from "../../../skills/buyer/talk/brief/form.ts";
import { grammar } from "../../../skills/buyer/talk/reader/grammar.ts";
import type { Reading } from "../../../skills/buyer/talk/reader/request.ts";
import { forgottenTalk, newMemory } from "../../../skills/buyer/talk/record.ts";

import { type FakeTalker, jobsOf, openTalk as newTalk, sayAll, talkWith } from "./talker.ts";
import { answerJson } from "../../client/loopback.ts";
import { startFakeSeller } from "../fake-seller.ts";
import { callAgent, settledJob } from "../world.ts";

const openTalk = async (): Promise<FakeTalker> => {
  const talker = await newTalk();
  onTestFinished(() => talker.close());
  return talker;
};

const full = "Spend 50k on display and CTV in March 2027 for sports fans, brand awareness, max 25 CPM";

const started = async (): Promise<FakeTalker & { readonly jobId: string }> => {
  const talker = await openTalk();
  await sayAll(talker, [full, "yes"]);
  const [job] = await jobsOf(talker);
  const jobId = String(job?.job_id);
  expect(await settledJob(talker.world.buyer, jobId)).toMatchObject({ status: "awaiting_approval" });
  return { ...talker, jobId };
};

describe("a brief in words", () => {
  test("every figure is read back, and a plain yes starts exactly that", async () => {
    const talker = await openTalk();
    const shown = await talker.say(full);
    for (const figure of ["50,000.00 USD", "2027-03-01", "2027-03-31", "display", "ctv", "sports fans", "25.00 USD"]) {
      expect(shown.text).toContain(figure);
    }
    expect(shown.data).toMatchObject({ outcome: "clarify", not_used: [] });
    expect(await jobsOf(talker)).toEqual([]);
    expect((await talker.say("Yes, please.")).data).toMatchObject({ outcome: "started" });
    const [job] = await jobsOf(talker);
    const { output } = await callAgent(talker.world.buyer, "get_booking", { job_id: job?.job_id });
    expect(output["brief"]).toMatchObject({
      budget: 50_000,
      start_date: "2027-03-01",
      end_date: "2027-03-31",
      channels: expect.arrayContaining(["display", "ctv"]) as unknown,
      objectives: ["brand_awareness"],
      target_audience: { description: "sports fans" },
      kpis: { max_cpm: 25 },
    });
    expect(talker.seller.deals.size).toBe(0);
  });

  test("what is not understood is listed", async () => {
    const talker = await openTalk();
    const shown = await talker.say(`${full}, purple unicorns`);
    expect(shown.data["not_used"]).toEqual(["purple unicorns"]);
    expect(shown.text).toContain('"purple unicorns"');
  });

  test("what is missing is asked for, and the next messages add it", async () => {
    const talker = await openTalk();
    expect((await talker.say("Spend $20,000 on audio for commuters")).text).toContain("first day");
    expect((await talker.say("from 2027-04-01 to 2027-04-30")).text).toContain("objective");
    expect((await talker.say("traffic")).text).toContain("Shall I start it?");
    await talker.say("go ahead");
    expect(await jobsOf(talker)).toHaveLength(1);
  });

  test("of two answers at once, and of a repeated message, one starts it", async () => {
    const talker = await openTalk();
    await talker.say(full);
    await Promise.all([talker.say("yes"), talker.say("yes"), talker.say("ok")]);
    expect(await jobsOf(talker)).toHaveLength(1);
    await talker.say(full, { messageId: "brief-2" });
    const first = await talker.say("yes", { messageId: "yes-2" });
    const again = await talker.say("yes", { messageId: "yes-2" });
    expect(again).toEqual(first);
    expect(await jobsOf(talker)).toHaveLength(2);
  });

  test("a conversation is forgotten after its days", async () => {
    const talker = await openTalk();
    await talker.say(full);
    const [row] = await talker.world.store.list({ kind: "talk", terms: [], order: "oldest", limit: 5 });
    expect(row === undefined ? null : forgottenTalk(row)?.changes).toHaveLength(1);
  });
});

const nowMs = Date.UTC(2027, 0, 15, 12);

describe("reading", () => {
  test.each([
    ["invest 1.5 million USD in video, 2027-05-01 to 2027-05-31, for gamers, conversions", { budget: 1_500_000 }],
    ["budget of $75,000 for CTV in Q2 2027, reach, for parents, CPM 18", { kpis: { target_cpm: 18 } }],
    [
      "run native for foodies in April 2027 with a budget of 9k, not more than 12 CPM, leads",
      { kpis: { max_cpm: 12 } },
    ],
    ["$5k on podcasts from 1 June 2027 to 15 June 2027 for commuters, traffic", { end_date: "2027-06-15" }],
    ['called "Spring", spend 10k in May 2027 on dooh for adults 18-49, awareness', { name: "Spring" }],
  ])("%s", (text, expected) => {
    const situation = { nowMs, memory: newMemory, jobs: [], job: null, shown: [], asked: null };
    const { requests } = grammar.read(text, situation, {}) as Reading;
    const { brief, notes } = applied({}, requests[0]?.input["terms"] as readonly Term[]);
    expect(notes).toEqual([]);
    expect(missingIn(brief)).toEqual([]);
    expect(brief).toMatchObject(expected);
  });
});

describe("nothing starts on", () => {
  test.each([
    ["a yes without anything shown", ["yes"]],
    ["a brief alone", [full]],
    ["a question after the terms", [full, "yes?"]],
    ["a yes with a condition", [full, "yes if it is under 20k"]],
    ["a yes with a change", [full, "yes but make it 60k"]],
    ["a yes that comes later", [full, "status", "yes"]],
    ["a yes after no", [full, "no", "yes"]],
    ["an order word that is no yes", [full, "book it"]],
    ["a report", [full, "my boss said yes"]],
    ["two budgets", [`${full}, or rather $60,000`, "yes"]],
    ["a foreign currency", [full.replace("50k", "€50,000"), "yes"]],
    ["an exclusion", [`${full}, no gambling sites`, "yes"]],
    ["a condition in the brief", [`${full}, if the weather is fine`, "yes"]],
    ["a volume that a brief does not take", [`${full}, 3 million impressions`, "yes"]],
    ["a second period", [`${full}, and again in May`, "yes"]],
    ["a brief that lacks its days", ["spend 50k on display for sports fans, awareness", "yes"]],
    ["a budget per week", [full.replace("50k", "50k per week"), "yes"]],
    ["two prices", [`${full} on CTV and 10 CPM on display`, "yes"]],
    ["a least price", [full.replace("max", "not less than"), "yes"]],
    ["days that do not exist", ["spend 5k on display from 2027-02-30 to 2027-03-10 for fans, reach", "yes"]],
    ["a quoted yes", [full, '"yes"']],
    ["cancel after the terms", [full, "cancel", "yes"]],
  ])("%s", async (_, texts) => {
    const talker = await openTalk();
    await sayAll(talker, texts);
    expect(await jobsOf(talker)).toEqual([]);
  });

  test("a yes in another conversation", async () => {
    const talker = await openTalk();
    await talker.say(full);
    await talker.say("yes", { context: "talk-2" });
    expect(await jobsOf(talker)).toEqual([]);
  });
});

describe("a job that waits", () => {
  test("status shows lines and totals; approve all shows the total, and a yes books just that", async () => {
    const { say, seller, world, jobId } = await started();
    const status = await say("What did you find?");
    for (const shown of ["1. Product", "2. Product", "CPM", "Budget 50,000.00 USD"])
      expect(status.text).toContain(shown);
    const shown = await say("approve all");
    const total = /Total: ([\d,.]+ USD)/.exec(shown.text)?.[1];
    expect(seller.deals.size).toBe(0);
    const booked = await say("yes");
    expect(booked).toMatchObject({ data: { outcome: "booked", result: { booked: 2 } } });
    expect(booked.text).toContain(String(total));
    expect(seller.deals.size).toBe(2);
    expect(await settledJob(world.buyer, jobId)).toMatchObject({ status: "completed" });
    expect((await say("status")).text).toContain("Booked:");
    expect((await say("yes")).text).toContain("Nothing waits for a yes");
  });

  test("all but the most expensive: the other line keeps waiting, and is booked by its number", async () => {
    const { say, seller, world, jobId } = await started();
    const shown = await say("approve all but the most expensive");
    expect(shown.text).toContain("still waiting: 2. Product p-display");
    await say("yes, book it");
    expect(seller.deals.size).toBe(1);
    const { recommendations } = await settledJob(world.buyer, jobId);
    const left = recommendations.findIndex(({ status }) => status === "pending_approval");
    expect(recommendations[left]).toMatchObject({ product_id: "p-display" });
    await say(`approve ${left + 1}`);
    await say("yes");
    expect(seller.deals.size).toBe(2);
  });

  test("the other one is never both", async () => {
    const { say, seller } = await started();
    await say("approve 1");
    expect((await say("no, the other one")).text).toContain("Which of the 2 lines?");
    await say("yes");
    expect(seller.deals.size).toBe(0);
  });

  test("a question about a cancellation asks for no yes", async () => {
    const { say, world, jobId } = await started();
    for (const text of ["cancel everything? never!", "ok", "cancel everything?", "fine"]) await say(text);
    expect(await settledJob(world.buyer, jobId)).toMatchObject({ status: "awaiting_approval" });
  });

  test("1 and 2 by number", async () => {
    const { say, seller } = await started();
    expect((await say("Please approve 1 and 2.")).text).toContain("Total:");
    await say("go ahead");
    expect(seller.deals.size).toBe(2);
  });

  test("cancel asks, and cancels on a yes", async () => {
    const { say, world, jobId, seller } = await started();
    expect((await say("cancel")).text).toContain("Shall I cancel");
    expect(await settledJob(world.buyer, jobId)).toMatchObject({ status: "awaiting_approval" });
    expect((await say("yes, cancel it")).data).toMatchObject({ outcome: "cancelled" });
    expect(await settledJob(world.buyer, jobId)).toMatchObject({ status: "failed", errors: ["cancelled"] });
    expect((await say("approve all")).text).toContain("No line waits");
    expect(seller.deals.size).toBe(0);
  });

  test("a job that changed since is shown again and not booked", async () => {
    const { say, world, jobId, seller } = await started();
    await say("approve all");
    const { recommendations } = await settledJob(world.buyer, jobId);
    const reject = [String(recommendations[0]?.["recommendation_id"])];
    const input = { job_id: jobId, recommendation_ids: reject, keep_rest: true };
    expect(await callAgent(world.buyer, "approve_booking", input)).toMatchObject({ code: null });
    expect((await say("yes")).text).toContain("has changed since");
    expect(seller.deals.size).toBe(1);
  });

  test("nothing is booked or cancelled on anything but the yes to what was shown", async () => {
    const { say, world, jobId, seller } = await started();
    const harmless: readonly (readonly string[])[] = [
      ["approve all"],
      ["approve all?", "yes"],
      ["don't approve all", "yes"],
      ["approve all if the total is under 20k", "yes"],
      ["approve 7", "yes"],
      ["approve 1 not 2", "yes"],
      ["approve all", "yes, but not the CTV one"],
      ["approve all", "what was the total?", "yes"],
      ["approve all", "maybe yes"],
      ["approve all but 1 and 2", "yes"],
      ["my client approved everything", "yes"],
      ["don't cancel", "yes"],
      ["cancel", "cancel something"],
      ["cancel", "no", "yes"],
      ["cancel", "yes?"],
    ];
    for (const texts of harmless) {
      for (const text of texts) await say(text);
      expect(seller.deals.size, texts.join(" / ")).toBe(0);
      expect((await settledJob(world.buyer, jobId)).status, texts.join(" / ")).toBe("awaiting_approval");
      await say("no");
    }
  });
});

describe("a job that found nothing", () => {
  const withoutAnswer = (response: ServerResponse): boolean => {
    answerJson(response, 503, { error: "unavailable", detail: "The catalog is down" });
    return true;
  };

  test("names a seller that failed, instead of calling a channel unsold", async () => {
    const seller = await startFakeSeller({ products: withoutAnswer });
    onTestFinished(() => seller.close());
    const talker = await talkWith({ url: seller.url, key: null });
    onTestFinished(() => talker.close());
    await sayAll(talker, [full, "yes"]);
    const [job] = await jobsOf(talker);
    expect(await settledJob(talker.world.buyer, String(job?.job_id))).toMatchObject({ status: "failed" });
    for (const question of ["found anything?", "why nothing?"]) {
      const { text } = await talker.say(question);
      expect(text).toContain(`Problem: Seller API error 503 at ${seller.url}`);
      expect(text).toContain("no seller that answered offers it");
    }
  });
});

test("a budget in another currency is refused by its code, and is none", async () => {
  const talker = await openTalk();
  const { data } = await talker.say("Spend 40k EUR on display in March 2027 for sports fans, brand awareness");
  expect(data).toMatchObject({
    result: { error: "currency_mismatch", status: 422 },
    not_used: [expect.stringContaining("40k EUR")],
  });
  expect(data["understood"]).not.toHaveProperty("budget");
});

test("a deal that was booked directly is told apart from those of campaigns, and denied by no reply", async () => {
  const { world, seller, say } = await started();
  const { output: found } = await callAgent(world.buyer, "search_products", { channel: "display" });
  const [product] = found["results"] as readonly { readonly product_id: string }[];
  const quote = { seller_url: seller.url, product_id: product?.product_id, impressions: 200_000 };
  const days = { flight_start: "2027-05-01", flight_end: "2027-05-31" };
  const quoted = await callAgent(world.buyer, "request_quote", { ...quote, ...days });
  const { quote_id } = quoted.output;
  const { output: deal } = await callAgent(world.buyer, "book_deal", { seller_url: seller.url, quote_id });
  expect(deal["deal_id"]).toEqual(expect.any(String));
  const cancelled = await say(`cancel deal ${String(deal["deal_id"])}`);
  expect(cancelled.text).toContain("was booked directly, for no campaign");
  expect(cancelled.data).toMatchObject({ outcome: "clarify" });
  await sayAll({ world, say } as never, [
    "New campaign: 20k on display in May 2027 for gardeners, awareness, call it May",
    "start",
  ]);
  const told = await say("how much have we booked in total over all campaigns?");
  expect(told.text).toContain("Beside the campaigns 1 deal is booked directly:");
});
