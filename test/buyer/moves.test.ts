import { describe, expect, onTestFinished, test } from "vitest";
import { covers } from "../requirements.ts";
import { type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import type { SellerHere } from "./seller-here.ts";
import { buyerAtSeller, smallBrief as brief, waiting } from "./waiting.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const typesOf = async (world: BuyerWorld): Promise<readonly unknown[]> =>
  (await world.events()).map((event) => event["event_type"]);

const idOf = (job: Job, place: number): string => String(job.recommendations[place]?.["recommendation_id"]);

describe("cancelling a job", () => {
  test("cancel: a job that waits ends as failed and cancelled, nothing is booked and no approval comes after", async () => {
    const { world, seller, job } = await waiting();
    const reply = await callAgent(world.buyer, "cancel_booking", { job_id: job.job_id });
    expect(reply.output).toEqual({ job_id: job.job_id, status: "failed", errors: ["cancelled"] });
    for (const operation of ["approve_all_bookings", "replan_booking", "cancel_booking"]) {
      const after = await callAgent(world.buyer, operation, { job_id: job.job_id });
      expect(after).toMatchObject({ code: "invalid_status", status: 409 });
    }
    expect(seller.deals.size).toBe(0);
    const ended = { status: "failed", is_cancelled: true, progress: 0.9 };
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject(ended);
    const { output } = await callAgent(world.buyer, "list_bookings", {});
    expect(output["jobs"]).toMatchObject([{ status: "failed", is_cancelled: true }]);
  });

  test("cancel: a job in the middle of its research stops; what its worker still hears changes nothing", async () => {
    covers("buyer.jobs.pending-running");
    let told: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (told = resolve));
    const seller = await startFakeSeller({ quote: () => (told(), true) });
    onTestFinished(() => seller.close());
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(() => world.close());
    const created = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    const jobId = String(created.output["job_id"]);
    await asked;
    expect((await callAgent(world.buyer, "get_booking", { job_id: jobId })).output).toMatchObject({
      status: "running",
      progress: 0.4,
    });
    expect((await callAgent(world.buyer, "cancel_booking", { job_id: jobId })).code).toBeNull();
    expect(await settledJob(world.buyer, jobId)).toMatchObject({
      status: "failed",
      errors: ["cancelled"],
      progress: 0.4,
    });
    expect(seller.deals.size).toBe(0);
  });

  test("cancel: once booking has begun it is refused", async () => {
    const { world, job } = await waiting();
    await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    const reply = await callAgent(world.buyer, "cancel_booking", { job_id: job.job_id });
    expect(reply).toMatchObject({ code: "invalid_status", status: 409 });
  });
});

describe("approvals in turn", () => {
  test("approval: with keep_rest the others go on waiting, and a second approval books them", async () => {
    const { world, seller, job } = await waiting();
    const first = { job_id: job.job_id, recommendation_ids: [idOf(job, 0)], keep_rest: true };
    const one = await callAgent(world.buyer, "approve_booking", first);
    expect(one.output).toMatchObject({ status: "success", booked: 1, waiting_count: 1 });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "awaiting_approval", progress: 0.95 });
    const repeated = await callAgent(world.buyer, "approve_booking", first);
    expect(repeated).toMatchObject({
      code: "invalid_products",
      status: 400,
      message: `Nothing was done. Booked already: ${idOf(job, 0)} as deal D-1.`,
    });
    const two = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(two.output).toMatchObject({
      status: "success",
      booked: 1,
      waiting_count: 0,
      totals: { booked: 1000, unspent: 0 },
    });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "completed", progress: 1 });
    expect([...seller.bookings.values()]).toEqual([1, 1]);
  });

  test("approval: all but what except names; one that names nothing is refused and nothing is booked", async () => {
    const { world, seller, job } = await waiting();
    const wrong = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id, except: ["p-cvt"] });
    expect(wrong).toMatchObject({ code: "invalid_products", status: 400 });
    expect(seller.deals.size).toBe(0);
    const reply = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id, except: ["p-ctv"] });
    expect(reply.output).toMatchObject({ booked: 1, total_cost: 555.56 });
    const after = await settledJob(world.buyer, job.job_id);
    expect(after.recommendations.map(({ status }) => status)).toEqual(["rejected", "approved"]);
    expect(after.totals).toEqual({
      budget: 1000,
      recommended: 555.56,
      booked: 555.56,
      unconfirmed: 0,
      unspent: 444.44,
    });
  });

  test("approval: two flights of one product are two lines, approved one by one", async () => {
    covers("buyer.bookings.approve.ids-required");
    const { world, job } = await waiting({}, { ...brief, channels: ["display"], flights: sampleBrief.flights });
    expect(new Set(job.recommendations.map((line) => line["product_id"]))).toEqual(new Set(["p-display"]));
    expect((await callAgent(world.buyer, "approve_booking", { job_id: job.job_id })).code).toBe("validation_error");
    const input = { job_id: job.job_id, recommendation_ids: [idOf(job, 1)] };
    const reply = await callAgent(world.buyer, "approve_booking", input);
    expect(reply.output).toMatchObject({ approved_count: 1, booked: 1 });
    const { booked_lines } = await settledJob(world.buyer, job.job_id);
    expect(booked_lines).toMatchObject([{ recommendation_id: idOf(job, 1), flight_start: "2027-04-12" }]);
  });
});

describe("planning again", () => {
  test("replan: the money of a rejected line is offered anew, without the product that was rejected", async () => {
    const { world } = await buyerAtSeller({ seat_id: "s1" });
    const given = { ...brief, channels: ["display"], budget: 20_000 };
    const { output } = await callAgent(world.buyer, "create_booking", { brief: given });
    const job = await settledJob(world.buyer, String(output["job_id"]));
    const [first] = job.recommendations;
    expect(job.recommendations).toHaveLength(1);
    const reject = [String(first?.["product_id"])];
    const reply = await callAgent(world.buyer, "replan_booking", { job_id: job.job_id, reject });
    expect(reply.output).toMatchObject({ status: "running", rejected_count: 1, free_budget: 20_000 });
    const again = await settledJob(world.buyer, job.job_id);
    expect(again.status).toBe("awaiting_approval");
    expect(again.recommendations.map(({ status }) => status)).toEqual(["rejected", "pending_approval"]);
    expect(again.recommendations[1]?.["product_id"]).not.toBe(reject[0]);
    expect(again.totals.recommended).toBeLessThanOrEqual(20_000);
    const booked = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(booked.output).toMatchObject({ status: "success", booked: 1 });
  });

  test("replan: a limit of a channel is kept, and the money that stays unplanned is said", async () => {
    const limits = { ctv: { max_share: 0.2 }, display: { max_amount: 500 } };
    const { world, job } = await waiting({}, { ...brief, target_audience: {}, channel_limits: limits });
    const spentOn = ({ recommendations }: Job, channel: string): number =>
      recommendations
        .filter((line) => line["channel"] === channel && line.status !== "rejected")
        .reduce((sum, { cost }) => sum + cost, 0);
    expect(job.budget_allocations).toMatchObject({ ctv: { budget: 200 }, display: { budget: 500 } });
    const unplanned = { field: "channel_limits", message: expect.stringContaining("300.00 USD of 1,000.00 USD") };
    expect(job.warnings).toEqual([unplanned]);
    const only = { job_id: job.job_id, approved_product_ids: ["p-display"] };
    await callAgent(world.buyer, "approve_booking", only);
    const rejected = await settledJob(world.buyer, job.job_id);
    const free = "200.00 USD of 200.00 USD for ctv are in no line; they can be planned again";
    expect(rejected.warnings).toEqual(expect.arrayContaining([unplanned, { field: "budget", message: free }]));
    const reply = await callAgent(world.buyer, "replan_booking", { job_id: job.job_id });
    expect(reply.output).toMatchObject({ free_budget: 200 });
    const again = await settledJob(world.buyer, job.job_id);
    expect(spentOn(again, "ctv")).toBeLessThanOrEqual(200);
    expect(spentOn(again, "display")).toBeLessThanOrEqual(500);
  });

  test("replan: a completed job spends what was left, never more than the budget, and without anything new ends as it was", async () => {
    const { world, seller, job } = await waiting();
    const only = { job_id: job.job_id, approved_product_ids: ["p-ctv"] };
    await callAgent(world.buyer, "approve_booking", only);
    const reply = await callAgent(world.buyer, "replan_booking", { job_id: job.job_id });
    expect(reply.output).toMatchObject({ free_budget: 555.56 });
    const after = await settledJob(world.buyer, job.job_id);
    expect(after).toMatchObject({ status: "completed", progress: 1, totals: { booked: 444.44 } });
    expect(seller.deals.size).toBe(1);
  });

  test("replan: a job whose whole money is bound is refused, and so is one that is going on", async () => {
    const { world, job } = await waiting();
    expect(await callAgent(world.buyer, "replan_booking", { job_id: job.job_id })).toMatchObject({
      code: "invalid_status",
    });
    const unknown = await callAgent(world.buyer, "replan_booking", { job_id: job.job_id, reject: ["nothing"] });
    expect(unknown).toMatchObject({ code: "invalid_products", status: 400 });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "awaiting_approval" });
  });
});

const atRealSeller = async (): Promise<{ world: BuyerWorld; seller: SellerHere; job: Job }> => {
  const { world, seller } = await buyerAtSeller({ seat_id: "s1", agency_id: "a1" });
  const given = { ...brief, channels: ["display"], budget: 20_000 };
  const { output } = await callAgent(world.buyer, "create_booking", { brief: given, auto_approve: true });
  return { world, seller, job: await settledJob(world.buyer, String(output["job_id"])) };
};

describe("orders and cancelled lines", () => {
  test("order: each booked deal has an order at its seller, and the events of the spec", async () => {
    covers("buyer.events.type.campaign-created", "buyer.events.type.budget-allocated");
    covers("buyer.events.type.inventory-discovered", "buyer.events.type.quote-requested");
    covers("buyer.events.type.quote-received", "buyer.events.type.deal-booked", "buyer.events.type.booking-submitted");
    const { world, seller, job } = await atRealSeller();
    expect(job).toMatchObject({ status: "completed", errors: [] });
    for (const line of job.booked_lines) {
      const { output: order } = await callAgent(seller.agent, "get_order", { order_id: line["order_id"] });
      expect(order).toMatchObject({
        deal_id: line.deal_id,
        quote_id: line["quote_id"],
        metadata: { job_id: job.job_id },
      });
      expect(line).toMatchObject({ line_id: line.deal_id, total_cost: line.cost });
      expect(Object.keys(line["activation"] as object).length).toBeGreaterThan(0);
    }
    const events = await world.events();
    const submitted = events.filter((event) => event["event_type"] === "booking.submitted");
    expect(submitted.map((event) => event["payload"])).toMatchObject(
      job.booked_lines.map(({ deal_id, order_id }) => ({ deal_id, line_id: deal_id, order_id })),
    );
    const types = new Set(events.map((event) => event["event_type"]));
    for (const type of ["campaign.created", "budget.allocated", "inventory.discovered", "quote.requested"]) {
      expect(types).toContain(type);
    }
    expect(events.filter((event) => event["event_type"] === "deal.booked")).toHaveLength(job.booked_lines.length);
    for (const event of events) expect(event).toMatchObject({ flow_id: job.job_id, flow_type: "deal_booking" });
  });

  test("line: its cancellation is a change request that the seller decides; once applied its money is free", async () => {
    covers("buyer.events.type.deal-cancelled");
    const { world, seller, job } = await atRealSeller();
    const [line] = job.booked_lines;
    const input = { job_id: job.job_id, line_id: line?.deal_id, reason: "The launch moved" };
    const dry = await callAgent(world.buyer, "cancel_booked_line", { ...input, dry_run: true });
    const stays = `The seller is asked to cancel deal ${line?.deal_id}, which stays booked until the seller agrees.`;
    expect(dry.output).toMatchObject({
      status_text: `Without dry_run: ${stays}`,
      cancellation: { state: "asked", reason: "The launch moved" },
    });
    const asked = await callAgent(world.buyer, "cancel_booked_line", input);
    expect(asked.output).toMatchObject({
      deal_id: line?.deal_id,
      cancellation: { state: "waiting", reason: "The launch moved" },
    });
    const { change_request_id: id } = asked.output["cancellation"] as { change_request_id: string };
    expect(await typesOf(world)).not.toContain("deal.cancelled");
    await callAgent(seller.agent, "review_change_request", { cr_id: id, decision: "approve" });
    await callAgent(seller.agent, "apply_change_request", { cr_id: id });
    const done = await callAgent(world.buyer, "cancel_booked_line", input);
    expect(done.output).toMatchObject({ cancellation: { state: "done", change_request_id: id } });
    const { output: deal } = await callAgent(seller.agent, "get_deal", { deal_id: line?.deal_id });
    expect(deal["status"]).toBe("rejected");
    const after = await settledJob(world.buyer, job.job_id);
    expect(after.totals.booked).toBe(Math.round((job.totals.booked - Number(line?.cost)) * 100) / 100);
    const cancelled = (await world.events()).filter((event) => event["event_type"] === "deal.cancelled");
    expect(cancelled).toMatchObject([{ deal_id: line?.deal_id, payload: { reason: "The launch moved" } }]);
    const { output: requests } = await callAgent(seller.agent, "list_change_requests", {});
    expect(requests["total"]).toBe(1);
    const free = await callAgent(world.buyer, "replan_booking", { job_id: job.job_id });
    expect(free.output["free_budget"]).toBe(after.totals.unspent);
  });

  test("line: without an order at the seller, or of another job, there is nothing to cancel", async () => {
    const { world, job } = await waiting();
    await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    const at = (line_id: string) => callAgent(world.buyer, "cancel_booked_line", { job_id: job.job_id, line_id });
    expect(await at("D-1")).toMatchObject({ code: "invalid_status", status: 409 });
    expect(await at("D-9")).toMatchObject({ code: "not_found", status: 404 });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "completed" });
  });
});

describe("a brief is not changed in silence", () => {
  test("brief: display buys display alone, and a channel that the objectives give nothing is bought all the same", async () => {
    const given = { ...brief, channels: ["ctv", "display"], objectives: ["conversions"] };
    const { job } = await waiting({}, given);
    expect(job.recommendations.map((line) => [line["channel"], line["format"]])).toEqual([
      ["ctv", "ctv"],
      ["display", "display"],
    ]);
    expect(job.budget_allocations["ctv"]).toMatchObject({
      budget: 100,
      rationale: "10 % of the budget: you asked for ctv, though conversions gives it no weight",
    });
  });

  test("brief: a channel that nobody knows is refused with the list", async () => {
    const { world } = await waiting();
    const reply = await callAgent(world.buyer, "create_booking", {
      brief: { ...brief, channels: ["display", "radio"] },
    });
    expect(reply).toMatchObject({ code: "invalid_brief", status: 400 });
    expect(reply.message).toContain('"radio" is not one of branding, performance, ctv, mobile_app, display, video');
  });

  test("brief: what is not used stands in the warnings, with the reason", async () => {
    const { job } = await waiting(
      {},
      {
        ...brief,
        channels: ["banner", "ctv"],
        objectives: ["happiness"],
        kpis: { max_cpm: 15, viewability: 0.7 },
        target_audience: { age: "18-24" },
        frequency_cap: 3,
        start_date: "2027-01-10",
        budget: 1000.009,
      },
    );
    expect(job.warnings).toEqual([
      { field: "frequency_cap", message: "is not part of a brief and is not used" },
      { field: "kpis.viewability", message: "is kept but not used; target_cpm and max_cpm decide" },
      { field: "channels", message: "banner is bought as display" },
      { field: "objectives", message: '"happiness" is not known; the budget is split as for a general campaign' },
      { field: "start_date", message: "the days before 2027-01-15 are over and have no inventory" },
      { field: "budget", message: "whole cents are spent: at most 1000.00" },
      {
        field: "kpis.max_cpm",
        message:
          "nothing for ctv costs 15.00 USD or less; Product p-ctv would cost 20.00 USD at the price that its seller shows",
      },
      {
        field: "target_audience.age",
        message: 'no recommended product declares "18-24"; the lines are not limited to it',
      },
      {
        field: "budget",
        message: "333.33 USD of 333.33 USD for ctv are in no line: the last search found nothing for them",
      },
    ]);
  });

  test("brief: get_booking tells name, brief, steps, sellers and what was not chosen", async () => {
    const { job, seller } = await waiting({}, { ...brief, budget: 12 });
    expect(job).toMatchObject({
      status: "failed",
      campaign_name: "Spring launch",
      brief: { name: "Spring launch", budget: 12, channels: ["display", "ctv"] },
      sellers: [{ url: seller.url, status: "answered", products: 2, error: null }],
    });
    const steps = (job as unknown as { steps: readonly { name: string; ended_at: string | null }[] }).steps;
    expect(steps.map(({ name }) => name)).toEqual([
      "pending",
      "allocating",
      "researching",
      "negotiating",
      "choosing",
      "failed",
    ]);
    expect(steps.filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
  });

  test("research: a seller that is too slow is left out with a warning, and fails the job only when none is left", async () => {
    const slow = await startFakeSeller({ products: () => true });
    const quick = await startFakeSeller();
    for (const seller of [slow, quick]) onTestFinished(() => seller.close());
    const endpointsOf = (sellers: readonly FakeSeller[]) =>
      sellers.map(({ url }) => ({ url, key: null, headerType: "api_key" as const }));
    const settings = { researchDeadlineSeconds: 2, sellerTimeoutSeconds: 30 };
    const run = async (sellers: readonly FakeSeller[]): Promise<Job> => {
      const world = await openBuyer({ sellers: endpointsOf(sellers), ...settings });
      onTestFinished(() => world.close());
      const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
      return settledJob(world.buyer, String(output["job_id"]));
    };
    const late = `${slow.url} did not answer within 2 seconds`;
    const [job, alone] = await Promise.all([run([slow, quick]), run([slow])]);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(job.warnings).toContainEqual({ field: "sellers", message: `${slow.url} is left out: ${late}` });
    expect(alone).toMatchObject({ status: "failed", errors: [late] });
  });
});
