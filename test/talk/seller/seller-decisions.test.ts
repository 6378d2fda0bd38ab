import { expect, onTestFinished, test } from "vitest";
import { openTalker, type Said, type Talker } from "./talker.ts";

/** What an operator of the seller does between two messages of one conversation. */
const openTalk = async (options: Parameters<typeof openTalker>[0] = {}) => {
  const talker = await openTalker(options);
  onTestFinished(() => talker.close());
  let contextId: string | undefined;
  const say = async (text: string): Promise<Said> => {
    const reply = await talker.send("agency", text, { contextId });
    contextId = reply.contextId;
    return reply.said[0] as Said;
  };
  const operator = (operation: string, input: unknown) => operated(talker, operation, input);
  return { say, operator };
};

const operated = async ({ world }: Talker, operation: string, input: unknown) => {
  const reply = await world.send({ caller: "senior", operation, input });
  expect(reply.status, operation).toBeLessThan(300);
  return reply.body;
};

const bookedId = ({ result }: Said): string => String(result["deal_id"]);

test("an approved booking is not said to wait for its approval, but for its activation", async () => {
  const gate = { enabled: true, flows: ["deal"], aboveMicros: 0 } as const;
  const { say, operator } = await openTalk({ settings: { approvalGate: gate } });
  await say("quote 500k native PD 1 to 20 June 2027");
  const booked = await say("book it");
  expect(booked.text).toContain("waits for a person's approval");
  const { approval_id: id } = booked.result;
  await operator("approve_or_reject", { approval_id: id, decision: "approve" });
  const approved = await say(`what is the status of deal ${bookedId(booked)}?`);
  expect(approved.text).toMatch(/not active yet/);
  expect(approved.text).not.toContain("waits for a person's approval");
  await operator("transition_deal", { deal_id: bookedId(booked), to_status: "active" });
  expect((await say("is it live now?")).text).toMatch(/active/i);
});

test("a rejected deal is neither cancelled nor changed, and its reason is told", async () => {
  const { say, operator } = await openTalk();
  await say("quote 500k native PD 1 to 20 June 2027");
  const id = bookedId(await say("book it"));
  await operator("transition_deal", { deal_id: id, to_status: "rejected", reason: "The creative breaks our policy" });
  const asked = await say("please cancel that deal");
  expect(asked).toMatchObject({ outcome: "answer", text: expect.stringContaining("breaks our policy") as string });
  expect(asked.text).not.toMatch(/Shall I/);
  expect((await say(`change deal ${id} to 600k impressions`)).text).not.toMatch(/Shall I/);
});

test("what became of a change request is told by its id, and without one", async () => {
  const { say, operator } = await openTalk();
  await say("quote 500k native PD 1 to 20 June 2027");
  const id = bookedId(await say("book it"));
  await say(`cancel deal ${id}`);
  const asked = await say("yes, cancel");
  const { change_request_id: requestId } = asked.result;
  await operator("review_change_request", { cr_id: requestId, decision: "reject", reason: "The ads are trafficked" });
  const named = await say(`what happened to change request ${String(requestId)}?`);
  expect(named.text).toMatch(/Rejected: The ads are trafficked/);
  expect((await say("any news on my change request?")).text).toMatch(/The ads are trafficked/);
});

test("a flight that is over is quoted without an offer to book it", async () => {
  const { say } = await openTalk();
  const past = await say("quote 1M CTV PG 1 to 31 March 2024");
  expect(past.text).toMatch(/The flight ended on 2024-03-31[^]*cannot be sold/);
  expect(past.text).not.toMatch(/Shall I book/);
  expect((await say("book it")).outcome).not.toBe("booked");
});
