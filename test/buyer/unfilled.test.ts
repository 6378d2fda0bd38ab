import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson } from "../client/loopback.ts";
import { type Bends, startFakeSeller } from "./fake-seller.ts";
import { callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const brief = { ...sampleBrief, channels: ["branding"], budget: 1000, flights: null };

const bookAt = async (bends: Bends, more: object = {}): Promise<{ job: Job; url: string }> => {
  const seller = await startFakeSeller(bends);
  onTestFinished(() => seller.close());
  const { url } = seller;
  const world = await openBuyer({ sellers: [{ url, key: null, headerType: "api_key" }] });
  onTestFinished(() => world.close());
  const input = { brief: { ...brief, ...more }, auto_approve: true };
  const { output } = await callAgent(world.buyer, "create_booking", input);
  return { job: await settledJob(world.buyer, String(output["job_id"])), url };
};

describe("money that a job does not spend", () => {
  test("booking: a quote below the list price buys more, not less of the budget", async () => {
    const { job } = await bookAt({
      quote: (response, quote) => {
        Object.assign(quote, { pricing: { ...(quote["pricing"] as object), final_cpm: 8 } });
        answerJson(response, 201, quote);
        return true;
      },
    });
    expect(job).toMatchObject({ status: "completed", totals: { booked: 1000, unspent: 0 } });
    expect(job.booked_lines).toMatchObject([{ cpm: 8, impressions: 125_000, cost: 1000 }]);
  });

  test("booking: a channel that nobody sells is named with the money that it leaves", async () => {
    const { job } = await bookAt({}, { channels: ["branding", "audio"] });
    expect(job).toMatchObject({ status: "completed", errors: ["no bookable inventory for channel audio"] });
    const unspent = job.totals.unspent.toFixed(2);
    const message = `the seller that answered does not sell audio; its ${unspent} USD stays unspent`;
    expect(job.warnings).toContainEqual({ field: "channels", message });
  });

  test("booking: a seller that refuses every quote is named with its reasons", async () => {
    const { job, url } = await bookAt({
      quote: (response) => (answerJson(response, 404, { error: "product_not_found", detail: "Gone." }), true),
    });
    expect(job).toMatchObject({ status: "failed", errors: ["no bookable inventory for channel branding"] });
    const message = `${url} offers nothing: it refused each quote with product_not_found`;
    expect(job.warnings).toContainEqual({ field: "sellers", message });
  });

  test("booking: a replan that finds only what was rejected before says so", async () => {
    const seller = await startFakeSeller();
    onTestFinished(() => seller.close());
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const { output } = await callAgent(world.buyer, "create_booking", { brief });
    const job_id = String(output["job_id"]);
    const first = await settledJob(world.buyer, job_id);
    expect(first).toMatchObject({ status: "awaiting_approval", status_text: "1 line waits for a decision." });
    const replan = { job_id, reject: ["p-display"] };
    expect(await callAgent(world.buyer, "replan_booking", replan)).toMatchObject({ output: { free_budget: 1000 } });
    const job = await settledJob(world.buyer, job_id);
    expect(job).toMatchObject({ status: "failed", errors: ["no further bookable inventory for channel branding"] });
    const message = "all that is sold for branding was offered before, and is not offered again";
    expect(job.warnings).toContainEqual({ field: "channels", message });
  });
});
