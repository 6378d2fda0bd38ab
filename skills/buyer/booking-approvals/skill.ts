import type { z } from "zod";
import { update } from "../../../protocol/seam/changes.ts";
import { type Context, defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { pendingLines } from "../bookings/flow/endings.ts";
import { movedJob } from "../bookings/moves.ts";
import { bookingKind, type BookingRow, statusOf } from "../bookings/record.ts";
import { totalsOf } from "../bookings/views/totals.ts";
import { cancelText, isBooked, lineWords, nextStep } from "../bookings/views/words.ts";
import type { BuyerPorts } from "../ports.ts";
import * as contract from "./contract.ts";
import {
  decidedJob,
  lineNamed,
  bookedUnder,
  newlyRejected,
  replannedJob,
  selectLines,
  totalCost,
  totalImpressions,
} from "./rules.ts";

const loadJob = async (context: Context<BuyerPorts>, jobId: string): Promise<Loaded<BookingRow> | Refusal> =>
  (await context.load(bookingKind, jobId)) ?? refuse("not_found", { message: `Booking job ${jobId} not found` });

const wrongStatus = (job: BookingRow, message: string): Refusal =>
  refuse("invalid_status", { message: `${message} Current status: ${statusOf(job)}` });

/** Ids of lines that are booked are not unknown: an approval sent twice has done its work. */
const unknownIds = (job: BookingRow, ids: readonly string[]): Refusal => {
  const booked = ids.flatMap((id) => {
    const deals = bookedUnder(job, id);
    return deals.length === 0 ? [] : [{ id, deal_ids: deals }];
  });
  const unknown_product_ids = ids.filter((id) => !booked.some((one) => one.id === id));
  if (booked.length === 0) return refuse("invalid_products", { extras: { unknown_product_ids } });
  const lines = booked.map(({ id, deal_ids: deals }) => `${id} as deal ${deals.join(", ")}`).join("; ");
  const rest = unknown_product_ids.length === 0 ? "" : " The other ids are no pending recommendation of the job.";
  const message = `Nothing was done. Booked already: ${lines}.${rest}`;
  return refuse("invalid_products", { message, extras: { unknown_product_ids, booked } });
};

export const decideBooking = defineOperation(contract.decideBooking, async (context: Context<BuyerPorts>, input) => {
  const loaded = await loadJob(context, input.job_id);
  if (isRefusal(loaded)) return loaded;
  const job = loaded.body;
  if (statusOf(job) !== "awaiting_approval") return wrongStatus(job, "Job is not awaiting approval.");
  const selected = selectLines(job, input.approved_product_ids);
  const spared = selectLines(job, input.except);
  // An exception that matches nothing may be a typo: approving everything would book what was not wanted.
  const isLost = selected.lines.length === 0 && selected.unknown.length > 0;
  if (isLost || spared.unknown.length > 0) {
    const unknown = [...selected.unknown, ...spared.unknown];
    return unknownIds(job, unknown);
  }
  const approved = selected.lines.filter((line) => !spared.lines.includes(line));
  const decided = decidedJob(job, approved, input.keep_rest, context.nowMs);
  if (decided === null) return refuse("invalid_status");
  return {
    output: {
      approved_ids: approved.map((line) => line.recommendation_id),
      rejected_ids: newlyRejected(job, decided),
      approved_impressions: totalImpressions(approved),
      approved_cost: totalCost(approved),
      unknown_product_ids: [...selected.unknown],
    },
    changes: [update(bookingKind, loaded, decided)],
  };
});

type Decision = z.output<typeof contract.decideBooking.output>;

const stopping = "The buyer is stopping. What was decided is done after its restart; read the job then.";

/** A dry run waits for nothing. */
const decideAndWait = async <T>(
  context: Context<BuyerPorts>,
  inner: string,
  input: Readonly<Record<string, unknown>> & { readonly job_id: string },
): Promise<{ readonly decision: T; readonly job: BookingRow } | Refusal> => {
  const outcome = await context.call(inner, input);
  if (outcome.kind === "refused") return outcome.refusal;
  if (outcome.kind === "bug") throw new Error(`${inner} of request ${outcome.requestId} failed`);
  const decision = outcome.output as T;
  const loaded = context.dryRun ? await loadJob(context, input.job_id) : null;
  if (loaded !== null) return isRefusal(loaded) ? loaded : { decision, job: loaded.body };
  context.progress?.("Decided. Booking the approved lines at their sellers.");
  const job = await context.ports.settledBooking(input.job_id);
  if (job !== null) return { decision, job };
  return refuse("concurrent_update", { message: stopping, retryAfterSeconds: 5 });
};

const outcomes = {
  waiting: "approved",
  booked: "booked",
  submitted: "unconfirmed",
  unknown: "unconfirmed",
  failed: "failed",
  cancelled: "booked",
} as const;

const decidedLines = ({ approved_ids: approved, rejected_ids: rejected }: Decision, job: BookingRow) =>
  job.recommendations.flatMap((line) => {
    const { recommendation_id, product_id, product_name, channel, impressions, cost_cents, error, booking } = line;
    const isApproved = approved.includes(recommendation_id);
    if (!isApproved && !rejected.includes(recommendation_id)) return [];
    const outcome = isApproved ? outcomes[booking] : ("rejected" as const);
    const booked = job.booked_lines.find((one) => one.recommendation_id === recommendation_id);
    const deal_id = booked?.deal_id ?? null;
    const names = { recommendation_id, product_id, product_name, channel };
    return [{ ...names, outcome, deal_id, impressions, cost: cost_cents / 100, error }];
  });

const approvalText = (decision: Decision, booked: number): string =>
  `${booked} of ${decision.approved_ids.length} approved lines booked, ${decision.rejected_ids.length} rejected.`;

/** As it would be with every approved line booked. */
const foreseen = (job: BookingRow, { approved_ids: approved, rejected_ids: rejected }: Decision): BookingRow => {
  const recommendations = job.recommendations.map((line) => {
    if (approved.includes(line.recommendation_id)) {
      return { ...line, status: "approved" as const, booking: "booked" as const };
    }
    return rejected.includes(line.recommendation_id) ? { ...line, status: "rejected" as const } : line;
  });
  return { ...job, recommendations };
};

/** A dry run shows what would be booked. */
const approvalAnswer = (context: Context, decision: Decision, job: BookingRow) => {
  const after = context.dryRun ? foreseen(job, decision) : job;
  const ids = new Set(decision.approved_ids);
  const booked = job.booked_lines.filter((line) => ids.has(line.recommendation_id));
  const count = context.dryRun ? ids.size : booked.length;
  return {
    status: count > 0 || ids.size === 0 ? ("success" as const) : ("failed" as const),
    booked: count,
    total_cost: context.dryRun ? decision.approved_cost : totalCost(booked),
    total_impressions: context.dryRun ? decision.approved_impressions : totalImpressions(booked),
    lines: decidedLines(decision, job),
    waiting_count: pendingLines(after),
    totals: totalsOf(after),
    status_text: approvalText(decision, count),
    next_step: nextStep(job),
    failed: job.recommendations
      .filter((line) => ids.has(line.recommendation_id) && line.error !== null)
      .map((line) => ({ product_id: line.product_id, error: line.error ?? "" })),
  };
};

export const approveBooking = defineOperation(contract.approveBooking, async (context: Context<BuyerPorts>, input) => {
  const ids = [...(input.approved_product_ids ?? []), ...(input.recommendation_ids ?? [])];
  const decided = { job_id: input.job_id, approved_product_ids: ids, except: [], keep_rest: input.keep_rest };
  const done = await decideAndWait<Decision>(context, "decide_booking", decided);
  if (isRefusal(done)) return done;
  const {
    failed: _failed,
    total_impressions: _impressions,
    ...answer
  } = approvalAnswer(context, done.decision, done.job);
  const { approved_ids, unknown_product_ids } = done.decision;
  return { output: { ...answer, approved_count: approved_ids.length, unknown_product_ids } };
});

export const approveAllBookings = defineOperation(
  contract.approveAllBookings,
  async (context: Context<BuyerPorts>, input) => {
    const decided = { ...input, approved_product_ids: null };
    const done = await decideAndWait<Decision>(context, "decide_booking", decided);
    return isRefusal(done) ? done : { output: approvalAnswer(context, done.decision, done.job) };
  },
);

export const cancelBooking = defineOperation(contract.cancelBooking, async (context: Context<BuyerPorts>, input) => {
  const loaded = await loadJob(context, input.job_id);
  if (isRefusal(loaded)) return loaded;
  const cancelled = movedJob(loaded.body, { type: "CANCEL", nowMs: context.nowMs });
  if (cancelled === null) return wrongStatus(loaded.body, "A job is cancelled only until its booking starts.");
  const job = { ...cancelled, claim: null, updated_at_ms: context.nowMs };
  const output = { job_id: job.job_id, status: "failed" as const, errors: [...job.life.context.errors] };
  return { output, changes: [update(bookingKind, loaded, job)] };
});

export const replanBooking = defineOperation(contract.replanBooking, async (context: Context<BuyerPorts>, input) => {
  const loaded = await loadJob(context, input.job_id);
  if (isRefusal(loaded)) return loaded;
  const { lines, unknown } = selectLines(loaded.body, input.reject);
  if (unknown.length > 0) return refuse("invalid_products", { extras: { unknown_product_ids: unknown } });
  const replanned = replannedJob(loaded.body, lines, context.nowMs);
  if (replanned === null) {
    return wrongStatus(loaded.body, "A job is planned again once it waits or is over, and has money that is free.");
  }
  return {
    output: {
      job_id: input.job_id,
      status: "running" as const,
      rejected_count: lines.length,
      free_budget: replanned.freeCents / 100,
      next_step: "Poll get_booking with job_id until status is awaiting_approval, then approve with approve_booking.",
    },
    changes: [update(bookingKind, loaded, replanned.job)],
  };
});

export const askLineCancellation = defineOperation(
  contract.askLineCancellation,
  async (context: Context<BuyerPorts>, input) => {
    const loaded = await loadJob(context, input.job_id);
    if (isRefusal(loaded)) return loaded;
    const job = loaded.body;
    const line = lineNamed(job, input.line_id);
    if (line === null) return refuse("not_found", { message: `The job has no booked line ${input.line_id}` });
    const output = { recommendation_id: line.recommendation_id };
    const before = line.cancellation;
    if (before?.state === "done" || before?.state === "asked") return { output };
    if (!isBooked(line)) return refuse("invalid_status", { message: lineWords(line).status_text });
    if (line.order.order_id === null) {
      const message = `Deal ${line.deal_id} has no order at its seller: ask the seller to cancel it.`;
      return refuse("invalid_status", { message });
    }
    const isAgain = before?.state === "refused";
    const cancellation = {
      state: "asked" as const,
      change_request_id: isAgain ? null : (before?.change_request_id ?? null),
      reason: before === null || isAgain ? input.reason : before.reason,
      error: null,
      attempt: (before?.attempt ?? 0) + (before === null || isAgain ? 1 : 0),
    };
    const booked_lines = job.booked_lines.map((one) => (one === line ? { ...one, cancellation } : one));
    return { output, changes: [update(bookingKind, loaded, { ...job, booked_lines, updated_at_ms: context.nowMs })] };
  },
);

export const cancelBookedLine = defineOperation(
  contract.cancelBookedLine,
  async (context: Context<BuyerPorts>, input) => {
    const done = await decideAndWait<z.output<typeof contract.askLineCancellation.output>>(
      context,
      "ask_line_cancellation",
      input,
    );
    if (isRefusal(done)) return done;
    const line = lineNamed(done.job, done.decision.recommendation_id);
    if (line === null) throw new Error(`the booked line ${input.line_id} is gone`);
    const asked = { state: "asked" as const, change_request_id: null, reason: input.reason, error: null };
    // A dry run has asked nothing: the line still stands as before.
    const before = line.cancellation?.state;
    const isForeseen = context.dryRun && (before === undefined || before === "refused");
    const { state, change_request_id, reason, error } = (isForeseen ? null : line.cancellation) ?? asked;
    const cancellation = { state, change_request_id, reason, error };
    const words = isForeseen ? { ...lineWords(line), status_text: cancelText(line) } : lineWords(line);
    return { output: { job_id: input.job_id, deal_id: line.deal_id, cancellation, ...words } };
  },
);
