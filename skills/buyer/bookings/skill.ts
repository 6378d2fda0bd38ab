import { randomUUID } from "node:crypto";
import { type BookingStatus, newBooking } from "../../../machines/booking/machine.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { type Context, defineOperation, type LogLine } from "../../../protocol/seam/operation.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { BuyerPorts } from "../ports.ts";
import { scanNewest } from "../scan.ts";
import { plannedAudience } from "./audience.ts";
import * as contract from "./contract.ts";
import { deliveryOf } from "./delivery.ts";
import { type BookingRow, bookingKind, statusOf, statusTerm } from "./record.ts";
import { briefProblems, readBrief } from "./rules.ts";
import { bargainOfLine, bargainView, roundsView } from "./views/bargain.ts";
import { allocationsOf } from "./flow/split.ts";
import { allocationsView, bookingSummary, bookingView } from "./views/job.ts";
import { briefWarnings, limitWarnings } from "./warnings.ts";

const startedMessage = "Booking workflow started. Use GET /bookings/{job_id} to check status.";

/** The message names a REST route alone; this names the operation, which every door has. */
const nextStep = (autoApprove: boolean): string =>
  autoApprove
    ? "Poll get_booking with job_id until status is completed or failed."
    : "Poll get_booking with job_id until status is awaiting_approval, then approve with approve_booking.";

/** A plan's id is the hash of its content; another given id is logged, never rejected. */
const planLog = (job: BookingRow): readonly LogLine[] => {
  const planned = plannedAudience(job.brief.target_audience);
  if (planned === null || planned.givenId === "" || planned.givenId === planned.plan.audience_plan_id) return [];
  const ids = { audience_plan_id: planned.plan.audience_plan_id, given_plan_id: planned.givenId };
  return [{ level: "warn", fields: { job_id: job.job_id, ...ids }, message: "audience_plan_id_mismatch" }];
};

/** Approved lines cost the budget at most. */
const trialOf = (job: BookingRow) => ({
  budget_allocations: allocationsView(allocationsOf(job.brief)),
  total_cost: job.auto_approve ? job.brief.budget_cents / 100 : 0,
});

export const createBooking = defineOperation(contract.createBooking, async (context, input) => {
  const problems = briefProblems(input.brief, context.nowMs);
  if (problems.length > 0) return refuse("invalid_brief", { message: problems.join("; ") });
  const jobId = context.mint(randomUUID);
  const brief = readBrief(input.brief, context.nowMs);
  const job: BookingRow = {
    job_id: jobId,
    owner: context.caller.owner,
    brief,
    auto_approve: input.auto_approve,
    traceparent: context.traceparent ?? null,
    life: newBooking(),
    allocations: [],
    findings: [],
    bargains: [],
    chosen_cells: 0,
    replans: 0,
    recommendations: [],
    passed_over: [],
    booked_lines: [],
    order_errors: [],
    warnings: [...briefWarnings(input.brief, context.nowMs), ...limitWarnings(brief)],
    visits: [{ state: "pending", started_at_ms: context.nowMs, ended_at_ms: null }],
    created_at_ms: context.nowMs,
    updated_at_ms: context.nowMs,
    claim: null,
    resumes: 0,
  };
  const payload = { name: job.brief.name, budget: job.brief.budget_cents / 100, job_id: jobId };
  return {
    output: {
      job_id: jobId,
      status: "pending" as const,
      message: context.dryRun ? "The brief can be used; a dry run starts no booking." : startedMessage,
      next_step: nextStep(input.auto_approve),
      warnings: job.warnings.map((warning) => ({ ...warning })),
      ...(context.dryRun ? trialOf(job) : {}),
    },
    changes: [create(bookingKind, jobId, job)],
    events: [{ event_type: "campaign.created", flow_id: jobId, flow_type: "deal_booking", payload }],
    log: planLog(job),
  };
});

export const getBooking = defineOperation(contract.getBooking, async (context: Context<BuyerPorts>, input) => {
  const job = await context.load(bookingKind, input.job_id);
  return job === null
    ? refuse("not_found", { message: `Booking job ${input.job_id} not found` })
    : { output: bookingView(job.body, context.ports.sellers.configured) };
});

export const getBookingDelivery = defineOperation(
  contract.getBookingDelivery,
  async (context: Context<BuyerPorts>, input) => {
    const job = await context.load(bookingKind, input.job_id);
    if (job === null) return refuse("not_found", { message: `Booking job ${input.job_id} not found` });
    return { output: await deliveryOf(context, job.body) };
  },
);

export const getNegotiationRounds = defineOperation(contract.getNegotiationRounds, async (context, input) => {
  const job = await context.load(bookingKind, input.job_id);
  if (job === null) return refuse("not_found", { message: `Booking job ${input.job_id} not found` });
  const { bargains, recommendations } = job.body;
  const { recommendation_id: id } = input;
  const line = recommendations.find(({ recommendation_id }) => recommendation_id === id);
  if (id != null && line === undefined) {
    return refuse("not_found", { message: `The job has no recommendation ${id}` });
  }
  const of = line === undefined ? null : bargainOfLine(job.body, line);
  const wanted = line === undefined ? bargains : bargains.filter((bargain) => bargain === of);
  const rounds = wanted.flatMap((bargain) => roundsView(job.body, bargain));
  const negotiations = wanted.map((bargain) => {
    const { rounds: _rounds, ...view } = bargainView(bargain);
    return view;
  });
  return { output: { job_id: input.job_id, negotiations, rounds, total: rounds.length } };
});

const statusesOf = (given: BookingStatus | readonly BookingStatus[] | null | undefined): readonly BookingStatus[] => {
  if (given == null) return [];
  return typeof given === "string" ? [given] : [...new Set(given)];
};

/** One status has a term; several, or a text, are looked for row by row. */
export const listBookings = defineOperation(contract.listBookings, async (context, input) => {
  const { limit, offset, q } = input;
  const statuses = statusesOf(input.status);
  const [status] = statuses;
  if (q == null && statuses.length <= 1) {
    const term = status === undefined ? null : statusTerm(status);
    const terms = term === null ? [] : [term];
    const page = await context.list(bookingKind, { terms, order: "newest", limit, offset });
    const total = await context.count(bookingKind, term);
    return { output: { jobs: page.map((job) => bookingSummary(job.body)), total } };
  }
  const wanted = q?.toLowerCase() ?? "";
  const found = await scanNewest(context, bookingKind, [], (job) => {
    const isOfStatus = statuses.length === 0 || statuses.includes(statusOf(job));
    return isOfStatus && (job.brief.name.toLowerCase().includes(wanted) || job.job_id === wanted);
  });
  return { output: { jobs: found.slice(offset, offset + limit).map(bookingSummary), total: found.length } };
});
