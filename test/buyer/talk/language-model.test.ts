import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson, type Loopback, type Respond, startLoopback } from "../../client/loopback.ts";
import { settledJob } from "../world.ts";
import { type FakeTalker, jobsOf, openTalk } from "./talker.ts";

type Members = Readonly<Record<string, unknown>>;

interface Called {
  readonly operation: string;
  readonly input: Members;
  readonly evidence?: Members;
}

const secret = "canary-language-model-40d2b7";
/** The grammar finds no command in it. */
const odd = "qwertz flumph the wonga";

const completion = (response: ServerResponse, content: unknown): void =>
  answerJson(response, 200, { id: "c1", choices: [{ index: 0, message: { role: "assistant", content } }] });

const calling = (calls: readonly Called[], more: Members = {}) => ({
  calls: calls.map((one) => ({ evidence: {}, ...one })),
  unanswered: [],
  doubt: false,
  ...more,
});

interface Talk extends FakeTalker {
  readonly model: Loopback;
}

const openWith = async (respond: Respond, allow = true): Promise<Talk> => {
  const model = await startLoopback(respond);
  const talker = await openTalk({
    languageModel: { baseUrl: `${model.url}/v1`, model: "small", apiKey: secret, timeoutMs: 10_000 },
    ...(allow ? {} : { outboundAllow: [] }),
  });
  onTestFinished(async () => {
    await talker.close();
    await model.close();
  });
  return { ...talker, model };
};

/** It answers the messages that are named, and to others that it found nothing. */
const recorded =
  (answers: Readonly<Record<string, unknown>>): Respond =>
  ({ body }, response) => {
    const { messages } = JSON.parse(body) as { messages: readonly { content: string }[] };
    const { message } = JSON.parse(messages[1]?.content ?? "{}") as { message: string };
    const answer = answers[message] ?? calling([]);
    completion(response, typeof answer === "string" ? answer : JSON.stringify(answer));
  };

const brief = "Spend 50k on display and CTV in March 2027 for sports fans, brand awareness, max 25 CPM";
const wonga = "flumph 40k wonga in May 2027 for cat lovers on the big telly";
const wongaCall: Called = {
  operation: "create_booking",
  input: {
    budget: 40_000,
    start_date: "2027-05-01",
    end_date: "2027-05-31",
    channels: ["ctv"],
    target_audience: "cat lovers",
    objectives: ["reach"],
  },
  evidence: { budget: "40k", start_date: "May 2027", end_date: "May 2027", target_audience: "cat lovers" },
};

const waiting = async (talk: Talk): Promise<string> => {
  for (const text of [brief, "yes"]) await talk.say(text);
  const id = String((await jobsOf(talk))[0]?.job_id);
  await settledJob(talk.world.buyer, id);
  return id;
};

describe("a language model reads for the buyer", () => {
  test("a brief is shown as the grammar's, and started by the yes alone", async () => {
    const talk = await openWith(recorded({ [wonga]: calling([wongaCall]) }));
    const shown = await talk.say(wonga);
    expect(shown.data).toMatchObject({
      read_by: "model",
      understood: { brief: { budget: 40_000, start_date: "2027-05-01", end_date: "2027-05-31", channels: ["ctv"] } },
    });
    expect(shown.data["armed"]).not.toBeNull();
    expect(await jobsOf(talk)).toEqual([]);
    const asked = talk.model.seen.length;
    expect((await talk.say("yes")).data).toMatchObject({ outcome: "started" });
    expect(talk.model.seen).toHaveLength(asked);
    expect(await jobsOf(talk)).toHaveLength(1);
  });

  test("lines are shown for approval, and booked by the yes", async () => {
    const said = "qwertz number 1 it shall be";
    const approve = { operation: "approve_booking", input: { lines: [1] }, evidence: { lines: "number 1" } };
    const talk = await openWith(recorded({ [said]: calling([approve]) }));
    await waiting(talk);
    const { data, text } = await talk.say(said);
    expect(data).toMatchObject({ read_by: "model", options: [{ operation: "approve_booking" }] });
    expect(text).toContain("Shall I book exactly this?");
    expect(talk.seller.deals.size).toBe(0);
    await talk.say("yes");
    expect(talk.seller.deals.size).toBe(1);
  });

  test("a question that the grammar does not know is answered", async () => {
    const talk = await openWith(
      recorded({
        [odd]: calling([{ operation: "get_booking", input: {} }]),
        "flumph all": calling([{ operation: "list_bookings", input: {} }]),
      }),
    );
    await waiting(talk);
    expect((await talk.say(odd)).data).toMatchObject({ read_by: "model", outcome: "answer" });
    expect((await talk.say("flumph all")).text).toContain("display and ctv");
  });

  test("a doubt, words that were not used and a field without words leave nothing to a yes", async () => {
    const doubted = `maybe ${wonga}`;
    const unused = `${wonga}, three a day`;
    const talk = await openWith(
      recorded({
        [doubted]: calling([wongaCall]),
        [wonga]: calling([wongaCall], { doubt: true }),
        [unused]: calling([wongaCall]),
        [odd]: calling([{ ...wongaCall, evidence: { budget: "wonga" } }]),
      }),
    );
    for (const text of [doubted, wonga, unused, odd]) {
      const { data } = await talk.say(text, { context: text });
      expect(data, text).toMatchObject({ read_by: "model", armed: null });
      await talk.say("yes", { context: text });
    }
    expect(await jobsOf(talk)).toEqual([]);
  });

  test("of what is open only the label goes out, and no name, line, seller or key", async () => {
    const talk = await openWith(recorded({}));
    await waiting(talk);
    await talk.say("approve all");
    await talk.say(odd);
    const body = String(talk.model.seen.at(-1)?.body);
    const { messages } = JSON.parse(body) as { messages: readonly { content: string }[] };
    const user = JSON.parse(messages[1]?.content ?? "") as Members;
    expect(Object.keys(user)).toEqual(["today", "shown", "message"]);
    expect(user["shown"]).toMatchObject([expect.stringMatching(/^Book 2 lines of campaign/)]);
    expect(messages[0]?.content).not.toMatch(/^products:|127\.0\.0\.1/m);
    expect([body, ...talk.world.lines].join()).not.toContain(secret);
  });

  test("without the host in the permitted ones nothing is asked", async () => {
    const talk = await openWith(recorded({ [odd]: calling([{ operation: "list_bookings", input: {} }]) }), false);
    expect((await talk.say(odd)).data).toMatchObject({ read_by: "grammar", reason: "menu" });
    expect(talk.model.seen).toEqual([]);
  });
});

describe("a language model that lies to the buyer", () => {
  test.each<[string, unknown]>([
    ["a yes", "yes"],
    ["an unknown operation", calling([{ operation: "create_operator_key", input: { label: "x" } }])],
    ["ids of its own", calling([{ operation: "approve_booking", input: { recommendation_ids: ["r-1"] } }])],
    ["a field of its own", calling([{ operation: "get_booking", input: { owner: "other" } }])],
    ["prose", "I started the campaign."],
    ["a member more", { ...calling([]), booked: true }],
    ["nine calls", calling(Array.from({ length: 9 }, () => ({ operation: "get_booking", input: {} })))],
    ["a bomb", "[".repeat(20_000)],
  ])("%s is discarded, and the grammar answers", async (_name, content) => {
    const talk = await openWith(recorded({ [brief]: content, [odd]: content }));
    expect((await talk.say(brief)).data).toMatchObject({ read_by: "grammar", armed: expect.any(String) });
    expect((await talk.say(odd)).data).toMatchObject({ read_by: "grammar" });
    expect(talk.world.lines.filter((line) => line.includes("is not used"))).toHaveLength(2);
    await talk.say("yes");
    expect(await jobsOf(talk)).toEqual([]);
  });

  test.each<[string, Called]>([
    [
      "a budget that nobody said",
      { operation: "create_booking", input: { budget: 900_000 }, evidence: { budget: "wonga" } },
    ],
    ["days that nobody said", { operation: "create_booking", input: { start_date: "2027-05-01" }, evidence: {} }],
    ["a line that nobody named", { operation: "approve_booking", input: { lines: [2] }, evidence: { lines: "wonga" } }],
    [
      "a foreign deal",
      { operation: "cancel_booked_line", input: { deal_id: "DEMO-FFFFFFFFFFFF" }, evidence: { deal_id: odd } },
    ],
  ])("%s: it is asked about, and nothing is offered", async (_name, call) => {
    const talk = await openWith(recorded({ [odd]: calling([call]) }));
    await waiting(talk);
    const { data, text } = await talk.say(odd);
    expect(data).toMatchObject({ read_by: "model", reason: "no_evidence", options: [], armed: null });
    expect(text).not.toMatch(/900|FFFF/);
    for (const yes of ["yes", "do it", "go ahead"]) await talk.say(yes);
    expect(talk.seller.deals.size).toBe(0);
    expect(await jobsOf(talk)).toHaveLength(1);
  });

  test("a write that it calls an answer is shown, and not done", async () => {
    const talk = await openWith(
      recorded({
        [odd]: calling([
          { operation: "cancel_booking", input: {} },
          { operation: "approve_booking", input: { all: true } },
        ]),
      }),
    );
    const id = await waiting(talk);
    await talk.say(odd);
    expect((await settledJob(talk.world.buyer, id)).status).toBe("awaiting_approval");
    expect(talk.seller.deals.size).toBe(0);
  });

  test("one that fails is left alone for a while", async () => {
    const talk = await openWith((_request, response) => answerJson(response, 500, {}));
    expect((await talk.say(odd)).data).toMatchObject({ read_by: "grammar" });
    expect((await talk.say(brief)).data).toMatchObject({ read_by: "grammar", armed: expect.any(String) });
    expect(talk.model.seen).toHaveLength(1);
  });
});
