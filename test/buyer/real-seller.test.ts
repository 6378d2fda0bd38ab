import { readFile } from "node:fs/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Agent } from "../../agents/server/agent.ts";
import { bookBrief, type BuyerDoor } from "../../agents/buyer/jobs/book.ts";
import { renderBookingTable } from "../../agents/buyer/jobs/booking-table.ts";
import { contextual, type Ref, standard } from "../protocol/audience-plan/refs.ts";
import { covers } from "../requirements.ts";
import { keyFor, sellerHere, type SellerHere } from "./seller-here.ts";
import { callAgent, openBuyer, settledJob } from "./world.ts";

const startSeller = async (): Promise<SellerHere> => {
  const seller = await sellerHere();
  onTestFinished(() => seller.close());
  return seller;
};

const doorOf =
  (buyer: Agent): BuyerDoor =>
  async (contract, input, key) => {
    const reply = await callAgent(buyer, contract.name, input, contract.effect !== "read" ? key : undefined);
    return reply.code === null ? { ok: true, output: reply.output } : { ok: false, text: reply.code };
  };

const sample = async (): Promise<unknown> =>
  JSON.parse(await readFile(new URL("../examples/brief.json", import.meta.url), "utf8")) as unknown;

describe("buyer and seller over HTTP", () => {
  test("booking: the sample brief becomes deals of the seller at its prices, within the budget", async () => {
    covers("buyer.client.book-deal", "buyer.client.request-quote", "buyer.service.books-approved-lines");
    const seller = await startSeller();
    const key = await keyFor(seller, { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" });
    const world = await openBuyer({ sellers: [{ url: seller.url, key, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const brief = { ...((await sample()) as object), advertiser: "Acme Shoes" };
    const report = await bookBrief(doorOf(world.buyer), brief, { autoApprove: true, pollMs: 10 });
    expect(report).toMatchObject({ status: "completed", budget: 250_000, errors: [] });
    expect(report.spent).toBeLessThanOrEqual(250_000);
    expect(report.spent).toBeGreaterThan(240_000);
    expect(new Set(report.deals.map((deal) => deal.channel))).toEqual(new Set(["branding", "ctv", "mobile_app"]));
    expect(new Set(report.deals.map((deal) => `${deal.flight_start} ${deal.flight_end}`))).toEqual(
      new Set(["2027-03-01 2027-03-31", "2027-04-12 2027-05-31"]),
    );
    expect(new Set(report.deals.map((deal) => deal.buyer_tier))).toEqual(new Set(["advertiser"]));
    for (const line of report.deals) {
      const { output } = await callAgent(seller.agent, "get_deal", { deal_id: line.deal_id });
      expect(output).toMatchObject({
        pricing: { final_cpm: line.cpm },
        terms: { impressions: line.impressions, flight_start: line.flight_start, flight_end: line.flight_end },
        deal_type: line.deal_type,
        notes: expect.stringMatching(/^Acme Shoes, .+, booking [\da-f-]{36}$/) as string,
      });
    }
    const table = renderBookingTable(report);
    expect(table).toMatch(/^deal +product +channel +flight +type +tier +impressions +CPM USD +cost USD\n-/);
    expect(table.split("\n")).toHaveLength(report.deals.length + report.warnings.length + 4);
    expect(table).toContain("budget 250,000.00 USD, spent 24");
  });

  test("booking: a caller without a key buys at the public tier, its prices learnt by quotes alone", async () => {
    const seller = await startSeller();
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const report = await bookBrief(doorOf(world.buyer), await sample(), { autoApprove: true, pollMs: 10 });
    expect(report.status).toBe("completed");
    expect(new Set(report.deals.map((deal) => deal.buyer_tier))).toEqual(new Set(["public"]));
    expect(report.spent).toBeLessThanOrEqual(250_000);
  });

  test("booking: a key that the seller does not know fails the job with the seller's answer", async () => {
    const seller = await startSeller();
    const world = await openBuyer({ sellers: [{ url: seller.url, key: "ask_live_wrong", headerType: "bearer" }] });
    onTestFinished(() => world.close());
    const { output } = await callAgent(world.buyer, "create_booking", { brief: await sample(), auto_approve: true });
    const job = await settledJob(world.buyer, String(output["job_id"]));
    expect(job.status).toBe("failed");
    expect(job.errors).toEqual([`Seller API error 401 at ${seller.url}: invalid_api_key - Invalid API key`]);
    expect(JSON.stringify([job, world.lines])).not.toContain("ask_live_wrong");
  });

  test("booking: guaranteed inventory is bought up to what is left, and what is sold is not bought again", async () => {
    const seller = await startSeller();
    const key = await keyFor(seller, { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" });
    const world = await openBuyer({ sellers: [{ url: seller.url, key, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const rich = { ...((await sample()) as object), budget: 900_000, channels: ["ctv"], flights: null };
    const once = { autoApprove: true, pollMs: 10 };
    const first = await bookBrief(doorOf(world.buyer), { ...rich, budget: 400_000 }, once);
    expect(first.deals).toMatchObject([{ product_name: "CTV Premium Streaming", deal_type: "PG" }]);
    const second = await bookBrief(doorOf(world.buyer), rich, once);
    const sold = [...first.deals, ...second.deals].reduce((sum, deal) => sum + deal.impressions, 0);
    expect(second.status).toBe("completed");
    expect(sold).toBe(20_000_000);
    const third = await bookBrief(doorOf(world.buyer), rich, once);
    expect(third).toMatchObject({
      status: "failed",
      deals: [],
      spent: 0,
      errors: ["no bookable inventory for channel ctv"],
    });
  });

  test("booking: the same idempotency key books a brief once", async () => {
    const seller = await startSeller();
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const once = { autoApprove: true, pollMs: 10, idempotencyKey: "first-run" };
    const first = await bookBrief(doorOf(world.buyer), await sample(), once);
    const second = await bookBrief(doorOf(world.buyer), await sample(), once);
    expect(second).toEqual(first);
    const { output } = await callAgent(world.buyer, "list_bookings", {});
    expect(output["total"]).toBe(1);
  });
});

const sampleFor = async (targetAudience: unknown): Promise<unknown> => ({
  ...((await sample()) as object),
  target_audience: targetAudience,
});

const planIdsOf = (lines: readonly string[]): ReadonlyMap<unknown, unknown> =>
  new Map(
    lines
      .map((line) => JSON.parse(line) as [string, Ref, string])
      .filter(([message, , level]) => message === "deal_booking" && level === "info")
      .map(([, fields]) => [fields["quote_id"], fields["audience_plan_id"]] as const),
  );

describe("buyer and seller over HTTP: audience plans", () => {
  const primary = standard("3-7");
  const [first, second] = [contextual("IAB1-2"), contextual("IAB3-7")];
  const known = "sha256:33454641ea77176648b8ae5b44d688b4da4a5830bcc25dbcb584e2abc80d5f6c";

  test("booking: a plan that the seller takes is frozen with each deal, both logs hold its one id", async () => {
    covers("seller.plan.hash-logged-by-buyer");
    const seller = await startSeller();
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const plan = { primary, constraints: [first, second], rationale: "Car buyers" };
    const given = { ...plan, audience_plan_id: "sha256:00" };
    const report = await bookBrief(doorOf(world.buyer), await sampleFor({ audience_plan: given }), {
      autoApprove: true,
      pollMs: 10,
    });
    expect(report).toMatchObject({ status: "completed", errors: [] });
    for (const { deal_id } of report.deals) {
      const { output } = await callAgent(seller.agent, "get_deal", { deal_id });
      expect(output["audience_plan_snapshot"]).toEqual({ ...plan, audience_plan_id: known });
    }
    const logged = planIdsOf(world.lines);
    expect(logged).toEqual(planIdsOf(seller.lines));
    expect([...logged.values()]).toEqual(report.deals.map(() => known));
    expect(world.lines.filter((line) => line.includes("audience_plan_id_mismatch"))).toHaveLength(1);
    expect(seller.lines.filter((line) => line.includes("audience_plan_id_mismatch"))).toEqual([]);
  });

  test("booking: exactly what the seller lists is left out of the plan, and what is left is booked", async () => {
    covers("seller.plan.rejection.buyer-retries", "seller.plan.hash-logged-by-buyer");
    const seller = await startSeller();
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const old = { ...contextual("IAB9-9"), version: "2.2" };
    const plan = { primary, constraints: [first, old, second], extensions: [standard("3-8")] };
    const brief = await sampleFor(plan);
    const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    const job = await settledJob(world.buyer, String(output["job_id"]));
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(job.booked_lines).toHaveLength(job.recommendations.length);
    const left = { primary, constraints: [first, second], extensions: [], audience_plan_id: known };
    for (const line of job.booked_lines) {
      const { output: deal } = await callAgent(seller.agent, "get_deal", { deal_id: line.deal_id });
      expect(deal["audience_plan_snapshot"]).toEqual(left);
      const { audience_match_summary, openrtb_params } = deal;
      expect(line).toMatchObject({ audience_plan_id: known, audience_match_summary, openrtb_params });
    }
    expect(planIdsOf(world.lines)).toEqual(planIdsOf(seller.lines));
    expect(new Set(planIdsOf(seller.lines).values())).toEqual(new Set([known]));
  });

  test("booking: a primary audience that the seller does not take fails the lines and says why", async () => {
    const seller = await startSeller();
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const brief = await sampleFor({ primary: { ...primary, version: "9.9" }, extensions: [standard("3-8")] });
    const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    const job = await settledJob(world.buyer, String(output["job_id"]));
    expect(job).toMatchObject({ status: "failed", booked_lines: [] });
    expect(job.errors).toHaveLength(new Set(job.recommendations.map((line) => line["product_id"])).size);
    expect(job.errors[0]).toContain(
      "(primary.taxonomy: standard taxonomy version '9.9' not supported; accepted: ['1.1']; " +
        "extensions: extensions not supported by this seller)",
    );
  });
});
