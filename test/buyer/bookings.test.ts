import { describe, expect, onTestFinished, test } from "vitest";
import { update } from "../../protocol/seam/changes.ts";
import { bookingKind, type BookingRow } from "../../skills/buyer/bookings/record.ts";
import type { StoredRow } from "../../storage/store.ts";
import { standard } from "../protocol/audience-plan/refs.ts";
import { covers } from "../requirements.ts";
import { type FakeSeller, startFakeSeller, type Bends } from "./fake-seller.ts";
import { hostAdmission } from "../../protocol/seam/admission.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const idle = async (): Promise<BuyerWorld> => {
  const world = await openBuyer({});
  onTestFinished(() => world.close());
  await world.buyer.stop();
  return world;
};

const brief = { ...sampleBrief, channels: ["branding", "ctv"], budget: 1000, flights: null };

const waiting = async (bends: Bends = {}): Promise<{ world: BuyerWorld; seller: FakeSeller; job: Job }> => {
  const seller = await startFakeSeller(bends);
  onTestFinished(() => seller.close());
  const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
  onTestFinished(() => world.close());
  const { output } = await callAgent(world.buyer, "create_booking", { brief });
  return { world, seller, job: await settledJob(world.buyer, String(output["job_id"])) };
};

describe("bookings: the brief", () => {
  const { name: _name, ...nameless } = brief;
  const everywhere = { jurisdiction: "global" };
  const refused: readonly [string, unknown, string, string][] = [
    ["no brief", {}, "validation_error", ""],
    ["a brief that is a list", { brief: [] }, "validation_error", ""],
    ["a budget in words", { brief: { ...brief, budget: "25000" } }, "validation_error", ""],
    ["a budget that is no number", { brief: { ...brief, budget: Number.NaN } }, "validation_error", ""],
    ["a budget without end", { brief: { ...brief, budget: Number.POSITIVE_INFINITY } }, "validation_error", ""],
    ["objectives that are no list", { brief: { ...brief, objectives: "reach" } }, "validation_error", ""],
    ["goals that are a list", { brief: { ...brief, kpis: [] } }, "validation_error", ""],
    ["an audience that is a list", { brief: { ...brief, target_audience: [] } }, "validation_error", ""],
    ["auto_approve in words", { brief, auto_approve: "yes" }, "validation_error", ""],
    ["a date of another form", { brief: { ...brief, start_date: "1 March" } }, "validation_error", ""],
    ["an end of another form", { brief: { ...brief, end_date: "31/03/2027" } }, "validation_error", ""],
    ["a name of 101 characters", { brief: { ...brief, name: "n".repeat(101) } }, "validation_error", ""],
    ["a wrong type beside a missing field", { brief: { ...nameless, budget: "1" } }, "validation_error", ""],
    ["no name", { brief: nameless }, "invalid_brief", "name is required"],
    [
      "nothing in it",
      { brief: {} },
      "invalid_brief",
      "name is required; objectives is required; budget is required; start_date is required; end_date is required; " +
        "target_audience is required",
    ],
    ["an empty name", { brief: { ...brief, name: " " } }, "invalid_brief", "name must not be empty"],
    ["a budget of nothing", { brief: { ...brief, budget: 0 } }, "invalid_brief", "budget must be greater than 0"],
    ["a debt", { brief: { ...brief, budget: -5 } }, "invalid_brief", "budget must be greater than 0"],
    ["a budget below a cent", { brief: { ...brief, budget: 0.001 } }, "invalid_brief", "budget must be at least 0.01"],
    ["an absurd budget", { brief: { ...brief, budget: 1e300 } }, "invalid_brief", "budget must be at most 4000000000"],
    ["no objective", { brief: { ...brief, objectives: [] } }, "invalid_brief", "objectives must not be empty"],
    [
      "an end before the start",
      { brief: { ...brief, end_date: "2027-02-28" } },
      "invalid_brief",
      "end_date must not precede start_date",
    ],
    [
      "a day of no calendar",
      { brief: { ...brief, start_date: "2027-02-30" } },
      "invalid_brief",
      "start_date 2027-02-30 is not a day of the calendar",
    ],
    [
      "a target of nothing",
      { brief: { ...brief, kpis: { target_cpm: 0 } } },
      "invalid_brief",
      "kpis.target_cpm must be greater than 0 with at most six decimals",
    ],
    [
      "a global agentic reference",
      { brief: { ...brief, target_audience: { primary: { type: "agentic", compliance_context: everywhere } } } },
      "invalid_brief",
      "target_audience: an agentic reference may not be GLOBAL; send one reference per jurisdiction",
    ],
    [
      "a plan without a primary audience",
      { brief: { ...brief, target_audience: { audience_plan: { constraints: [] } } } },
      "invalid_brief",
      "target_audience: audience_plan.primary: Invalid input: expected object, received undefined",
    ],
    [
      "a bare plan whose explicit reference has a confidence",
      { brief: { ...brief, target_audience: { primary: { ...standard("3-7"), confidence: 0.9 } } } },
      "invalid_brief",
      "target_audience: audience_plan.primary.confidence: must be null when source is explicit",
    ],
    [
      "an audience of a novel's length",
      { brief: { ...brief, target_audience: { text: "x".repeat(70_000) } } },
      "invalid_brief",
      "target_audience must be at most 65536 characters of JSON",
    ],
    [
      "a flight outside the campaign",
      { brief: { ...brief, flights: [{ start_date: "2027-02-01", end_date: "2027-03-05" }] } },
      "invalid_brief",
      "flights[0] must lie between start_date and end_date",
    ],
    [
      "a flight without weight",
      { brief: { ...brief, flights: [{ start_date: "2027-03-01", end_date: "2027-03-05", share: 0 }] } },
      "invalid_brief",
      "flights[0].share must lie between 0.000001 and 1000000",
    ],
  ];

  test.each(refused)("brief: %s is refused and nothing is stored", async (_case, input, code, message) => {
    covers("seller.plan.global-refused-at-buyer");
    covers("buyer.bookings.request.brief", "buyer.brief.budget", "buyer.brief.end-date");
    covers("buyer.brief.end-not-before-start", "buyer.brief.kpis", "buyer.brief.name", "buyer.brief.name-length");
    covers("buyer.brief.objectives", "buyer.brief.start-date", "buyer.brief.target-audience");
    covers("buyer.errors.brief-schema", "buyer.errors.invalid-brief");
    const world = await idle();
    const reply = await callAgent(world.buyer, "create_booking", input);
    expect(reply).toMatchObject({ code, status: code === "invalid_brief" ? 400 : 422 });
    if (message !== "") expect(reply.message).toBe(message);
    expect(await callAgent(world.buyer, "list_bookings", {})).toMatchObject({ output: { jobs: [], total: 0 } });
    expect(await world.events()).toEqual([]);
  });

  test.each([
    [512.3299999999999, 512.33],
    [0.1 + 0.2, 0.3],
    [333.339, 333.33],
    [4_000_000_000, 4_000_000_000],
  ])("brief: a budget of %d is spent up to its whole cents", async (budget, cents) => {
    const world = await idle();
    await callAgent(world.buyer, "create_booking", { brief: { ...brief, budget } });
    const { output } = await callAgent(world.buyer, "list_bookings", {});
    expect(output).toMatchObject({ jobs: [{ budget: cents }] });
  });

  test("brief: a campaign of one day, a standard global reference and unknown members are fine", async () => {
    const world = await idle();
    const anywhere = { jurisdiction: "GLOBAL", consent_framework: "none" };
    const target_audience = { primary: { ...standard("3-7"), compliance_context: anywhere } };
    const input = { brief: { ...brief, end_date: brief.start_date, target_audience, colour: "red" }, more: 1 };
    const reply = await callAgent(world.buyer, "create_booking", input);
    expect(reply.output).toEqual({
      job_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) as string,
      status: "pending",
      message: "Booking workflow started. Use GET /bookings/{job_id} to check status.",
      next_step: "Poll get_booking with job_id until status is awaiting_approval, then approve with approve_booking.",
      warnings: [{ field: "colour", message: "is not part of a brief and is not used" }],
    });
  });

  test("brief: next_step names the operation to poll, and a dry run starts nothing", async () => {
    const world = await idle();
    const nextStepOf = async (more: object) =>
      (await callAgent(world.buyer, "create_booking", { brief, ...more })).output["next_step"];
    expect(await nextStepOf({ auto_approve: true })).toBe(
      "Poll get_booking with job_id until status is completed or failed.",
    );
    expect(await nextStepOf({ dry_run: true })).toBe(
      "Nothing was done, this was a dry run: the same create_booking without dry_run does it.",
    );
  });
});

describe("bookings: the job", () => {
  test("job: it has the nine members of the spec from the first moment on", async () => {
    covers("buyer.bookings.status.booked-lines", "buyer.bookings.status.budget-allocations");
    covers("buyer.bookings.status.errors", "buyer.bookings.status.job-id", "buyer.bookings.status.progress");
    covers("buyer.bookings.status.recommendations", "buyer.bookings.status.times");
    const world = await idle();
    const { output } = await callAgent(world.buyer, "create_booking", { brief });
    const job = await callAgent(world.buyer, "get_booking", { job_id: output["job_id"] });
    expect(job.output).toMatchObject({
      job_id: output["job_id"],
      status: "pending",
      progress: 0,
      budget_allocations: {},
      recommendations: [],
      booked_lines: [],
      errors: [],
      created_at: expect.stringMatching(/^2027-01-15T12:\d\d:\d\d\.\d{3}Z$/) as string,
      updated_at: expect.stringMatching(/Z$/) as string,
    });
  });

  test("job: an unknown one is 404 in words that name it", async () => {
    covers("buyer.errors.unknown-job");
    const world = await idle();
    expect(await callAgent(world.buyer, "get_booking", { job_id: "nobody" })).toMatchObject({
      code: "not_found",
      status: 404,
      message: "Booking job nobody not found",
    });
  });

  test("job: the list is newest first, counts every match and takes a status, a limit and an offset", async () => {
    covers("buyer.bookings.list.status", "buyer.bookings.list.total", "buyer.errors.list-query");
    const world = await idle();
    for (const name of ["a", "b", "c"]) await callAgent(world.buyer, "create_booking", { brief: { ...brief, name } });
    const namesOf = async (input: object): Promise<unknown> => {
      const { output } = await callAgent(world.buyer, "list_bookings", input);
      const jobs = output["jobs"] as readonly { campaign_name: string }[];
      return [jobs.map((job) => job.campaign_name), output["total"]];
    };
    expect(await namesOf({})).toEqual([["c", "b", "a"], 3]);
    expect(await namesOf({ limit: 1, offset: 1 })).toEqual([["b"], 3]);
    expect(await namesOf({ status: "pending" })).toEqual([["c", "b", "a"], 3]);
    expect(await namesOf({ status: "failed" })).toEqual([[], 0]);
    expect(await namesOf({ status: ["failed", "pending"], limit: 2 })).toEqual([["c", "b"], 3]);
    expect(await namesOf({ status: ["failed", "completed"] })).toEqual([[], 0]);
    expect(await namesOf({ q: "B" })).toEqual([["b"], 1]);
    expect(await namesOf({ q: "b", status: "failed" })).toEqual([[], 0]);
    for (const wrong of [
      { status: "lost" },
      { status: [] },
      { q: "" },
      { limit: 0 },
      { limit: 501 },
      { limit: "1" },
      { offset: -1 },
    ]) {
      const reply = await callAgent(world.buyer, "list_bookings", wrong);
      expect(reply).toMatchObject({ code: "validation_error", status: 422 });
    }
  });

  test("job: the budget is split to the cent and the recommendations are ranked, priced and explained", async () => {
    covers("buyer.bookings.status.budget-allocations", "buyer.bookings.status.progress");
    covers("buyer.bookings.status.recommendations", "buyer.brief.channels", "buyer.service.allocates-budget");
    const { job, seller } = await waiting();
    expect(job).toMatchObject({
      status: "awaiting_approval",
      progress: 0.9,
      errors: [],
      booked_lines: [],
      budget_allocations: {
        branding: { channel: "branding", budget: 555.56, percentage: 55.56 },
        ctv: { channel: "ctv", budget: 444.44, percentage: 44.44 },
      },
    });
    expect(job.recommendations).toMatchObject([
      {
        product_id: "p-display",
        product_name: "Product p-display",
        channel: "branding",
        format: "display",
        impressions: 55_556,
        cpm: 10,
        cost: 555.56,
        priority: 1,
        status: "pending_approval",
        seller_url: seller.url,
        seller_id: "fake",
        deal_type: "PD",
        currency: "USD",
        buyer_tier: "agency",
        quote_id: "qt-1",
        negotiation: null,
        flight_start: "2027-03-01",
        flight_end: "2027-05-31",
        score: 76,
      },
      { product_id: "p-ctv", channel: "ctv", impressions: 22_222, cpm: 20, cost: 444.44, priority: 2, score: 64 },
    ]);
    expect(seller.deals.size).toBe(0);
  });

  test("job: its calls to sellers carry its id and the trace of the call that made it", async () => {
    covers("buyer.seller-keys.header-bearer");
    const seller = await startFakeSeller();
    onTestFinished(() => seller.close());
    const world = await openBuyer({ sellers: [{ url: seller.url, key: "k", headerType: "bearer" }] });
    onTestFinished(() => world.close());
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const outcome = await world.buyer.runner.run({
      operation: "create_booking",
      door: "host",
      admission: hostAdmission,
      requestId: "r",
      traceparent,
      input: () => ({ input: { brief, auto_approve: true } }),
    });
    const jobId = outcome.kind === "done" ? String((outcome.output as { job_id: string }).job_id) : "";
    await settledJob(world.buyer, jobId);
    const { seen } = seller.server;
    expect(seen).toHaveLength(12);
    for (const request of seen) {
      expect(request.headers).toMatchObject({ "request-id": jobId, traceparent, authorization: "Bearer k" });
    }
  });

  test("job: no seller configured is an error that tells the cure", async () => {
    covers("buyer.jobs.failed-errors", "buyer.jobs.running-failed");
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    const job = await settledJob(world.buyer, String(output["job_id"]));
    expect(job).toMatchObject({ status: "failed", errors: ["no seller is configured: set SELLER_ENDPOINTS"] });
  });
});

describe("bookings: approval", () => {
  test("approval: one product is booked, the others are rejected, unknown ids are named", async () => {
    covers("buyer.bookings.approve.answer", "buyer.bookings.status.booked-lines");
    covers("buyer.jobs.approved-completed");
    const { world, seller, job } = await waiting();
    const ids = { job_id: job.job_id, approved_product_ids: ["p-ctv", "p-ctv", "nothing"] };
    const reply = await callAgent(world.buyer, "approve_booking", ids);
    expect(reply.output).toMatchObject({
      status: "success",
      approved_count: 1,
      booked: 1,
      total_cost: 444.44,
      unknown_product_ids: ["nothing"],
    });
    const after = await settledJob(world.buyer, job.job_id);
    expect(after).toMatchObject({ status: "completed", progress: 1, booked_lines: [{ deal_id: "D-1", cost: 444.44 }] });
    expect(after.recommendations.map((line) => line.status)).toEqual(["rejected", "approved"]);
    expect(seller.deals.size).toBe(1);
  });

  test("approval: a recommendation id approves that line alone", async () => {
    const { world, job } = await waiting();
    const approved_product_ids = [String(job.recommendations[0]?.["recommendation_id"])];
    const reply = await callAgent(world.buyer, "approve_booking", { job_id: job.job_id, approved_product_ids });
    expect(reply.output).toMatchObject({ approved_count: 1, booked: 1, total_cost: 555.56 });
  });

  test("approval: everything is booked, with its totals", async () => {
    covers("buyer.bookings.approve-all.answer");
    const { world, job } = await waiting();
    const reply = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(reply.output).toMatchObject({
      status: "success",
      booked: 2,
      total_impressions: 77_778,
      total_cost: 1000,
      failed: [],
    });
  });

  test("approval: a line that would pass the budget is not sent, whatever the job recommends", async () => {
    const { world, seller, job } = await waiting();
    const row = (await world.store.get(bookingKind.name, job.job_id)) as StoredRow<BookingRow>;
    const costs = row.body.recommendations.map((line) => line.cost_cents);
    expect(costs).toHaveLength(2);
    const least = { ...row.body, brief: { ...row.body.brief, budget_cents: (costs[0] ?? 0) + (costs[1] ?? 0) - 1 } };
    expect(await world.store.commit({ changes: [update(bookingKind, row, least)], audit: null })).toMatchObject({
      ok: true,
    });
    const { output } = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(output).toMatchObject({ status: "success", booked: 1, total_cost: (costs[0] ?? 0) / 100 });
    expect(output["failed"]).toMatchObject([{ error: expect.stringContaining("its cost would pass the budget") }]);
    expect(seller.deals.size).toBe(1);
  });

  test("approval: of nothing completes the job with nothing booked", async () => {
    covers("buyer.jobs.nothing-approved-completed");
    const { world, seller, job } = await waiting();
    const reply = await callAgent(world.buyer, "approve_booking", { job_id: job.job_id, approved_product_ids: [] });
    expect(reply.output).toMatchObject({
      status: "success",
      approved_count: 0,
      booked: 0,
      total_cost: 0,
      unknown_product_ids: [],
    });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "completed", progress: 1 });
    expect(seller.deals.size).toBe(0);
  });

  test("approval: ids that match nothing are refused and the job stays as it is", async () => {
    covers("buyer.errors.approve-invalid-products");
    const { world, job } = await waiting();
    const ids = { job_id: job.job_id, approved_product_ids: ["nothing"] };
    const reply = await callAgent(world.buyer, "approve_booking", ids);
    expect(reply).toMatchObject({ code: "invalid_products", status: 400 });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "awaiting_approval", progress: 0.9 });
  });

  test("approval: of two at once one wins and the other finds the job decided", async () => {
    const { world, seller, job } = await waiting();
    const both = await Promise.all([
      callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id }),
      callAgent(world.buyer, "approve_booking", { job_id: job.job_id, approved_product_ids: ["p-ctv"] }),
    ]);
    expect(both.map((reply) => reply.code ?? "done").toSorted()).toEqual(["done", "invalid_status"]);
    expect([...seller.bookings.values()].every((times) => times === 1)).toBe(true);
    const again = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(again).toMatchObject({
      code: "invalid_status",
      status: 409,
      message: "Job is not awaiting approval. Current status: completed",
    });
  });

  test("approval: repeated under its key it answers the first result", async () => {
    const { world, seller, job } = await waiting();
    const first = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id }, "approve-1");
    const second = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id }, "approve-1");
    expect(second).toEqual(first);
    expect(seller.deals.size).toBe(2);
  });

  test("approval: a dry run tells the cost and decides nothing", async () => {
    const { world, seller, job } = await waiting();
    const reply = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id, dry_run: true });
    expect(reply.output).toMatchObject({ status: "success", booked: 2, total_cost: 1000, dry_run: true });
    expect(reply.output["totals"]).toMatchObject({ recommended: 1000, booked: 1000, unspent: 0 });
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "awaiting_approval" });
    expect(seller.deals.size).toBe(0);
  });

  const oneDay = { expiresAt: "2027-01-16T12:00:00Z" };

  test("approval: a quote that ran out is asked for again and booked at its price", async () => {
    let price = 10;
    const { world, seller, job } = await waiting({ ...oneDay, price: () => price });
    world.clock.move(86_400_000);
    price = 9;
    const reply = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(reply.output).toMatchObject({ status: "success", booked: 2, total_cost: 900, failed: [] });
    expect([...seller.bookings]).toEqual([
      ["qt-3", 1],
      ["qt-4", 1],
    ]);
    const { output } = await callAgent(world.buyer, "get_booking", { job_id: job.job_id });
    expect(output["recommendations"]).toMatchObject([
      { quote_id: "qt-3", cpm: 9, list_cpm: 9, effective_cpm: 9, cost: 500, score: 76 },
      { quote_id: "qt-4", cpm: 18, list_cpm: 18, effective_cpm: 18, cost: 400, score: 64 },
    ]);
  });

  test("approval: a quote that ran out and is dearer now is not booked, by the least sum", async () => {
    let price = 10;
    const { world, seller, job } = await waiting({ ...oneDay, price: () => price });
    world.clock.move(86_400_000);
    price = 10.000001;
    const reply = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    const error = "its quote has expired, and a new one is dearer than what was approved";
    expect(reply.output).toMatchObject({
      status: "failed",
      booked: 0,
      total_cost: 0,
      failed: [
        { product_id: "p-display", error: `Booking failed for Product p-display: ${error}` },
        { product_id: "p-ctv", error: `Booking failed for Product p-ctv: ${error}` },
      ],
    });
    expect(seller.deals.size).toBe(0);
  });

  test("approval: lines that the seller refuses are told one by one", async () => {
    covers("buyer.jobs.booking-error-failed");
    const { world, job } = await waiting({
      deal: (response, deal) => {
        response.writeHead(201, { "content-type": "application/json" });
        response.end(JSON.stringify({ ...deal, status: "expired" }));
        return true;
      },
    });
    const reply = await callAgent(world.buyer, "approve_all_bookings", { job_id: job.job_id });
    expect(reply.output).toMatchObject({ status: "failed", booked: 0, total_impressions: 0, total_cost: 0 });
    const failed = reply.output["failed"] as readonly { product_id: string; error: string }[];
    expect(failed.map((line) => line.product_id)).toEqual(["p-display", "p-ctv"]);
    expect(failed[0]?.error).toContain("its status is expired");
    expect(await settledJob(world.buyer, job.job_id)).toMatchObject({ status: "failed", progress: 0.95 });
  });
});
