import { bookingMachine, type BookingEvent } from "../../../../machines/booking/machine.ts";
import { step } from "../../../../machines/step.ts";
import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import type { BookingRow, Recommendation } from "../record.ts";
import type { CallFor, SellerCalls } from "./ports.ts";

/**
 * What a worker hands to the flow of one job. `job` is the row as it was last committed; `commit` applies a change to
 * it and writes it with its events in one commit, and throws when the job is no longer the worker's.
 */
export interface FlowSession {
  job(): BookingRow;
  commit(change: (job: BookingRow) => BookingRow, events?: readonly EventDraft[]): Promise<void>;
  readonly calls: SellerCalls;
  readonly signal: AbortSignal;
  nowMs(): number;
}

/** The job after a machine event. Throws where the machine does not allow it, which is a bug. */
export const moveJob = (job: BookingRow, event: BookingEvent): BookingRow => {
  const life = step(bookingMachine, job.life, event);
  if (life === null) throw new Error(`a booking job in ${job.life.value} does not take ${event.type}`);
  return { ...job, life };
};

const mostErrors = 100;

const newErrors = (job: BookingRow, texts: readonly string[]): readonly string[] => {
  const known = job.life.context.errors;
  return [...new Set(texts)].filter((text) => !known.includes(text)).slice(0, Math.max(0, mostErrors - known.length));
};

/** A running job further on, with errors that do not end it: one per cause and at most a hundred. */
export const advanceJob = (job: BookingRow, nowMs: number, progress: number, texts: readonly string[]): BookingRow =>
  moveJob(job, { type: "ADVANCE", nowMs, progress, errors: newErrors(job, texts) });

/** The error of a line that the seller may have booked. */
export const notConfirmed = (line: Recommendation, cause: string): string =>
  `Booking not confirmed for ${line.product_name}, ask the seller: ${cause}`;

/** A line of a job that ends: one that was sent and never heard of again may be a deal, and its error says so. */
const ended = (line: Recommendation): Recommendation =>
  line.booking === "submitted"
    ? { ...line, booking: "unknown", error: notConfirmed(line, "the booking ended before its answer was heard") }
    : line;

/** The job as failed; its progress stays where it was (wire contract 3.2). */
export const failJob = (job: BookingRow, nowMs: number, texts: readonly string[]): BookingRow => {
  const started = job.life.value === "pending" ? moveJob(job, { type: "START", nowMs }) : job;
  const failed = moveJob(started, { type: "FAIL", nowMs, errors: newErrors(job, texts) });
  return { ...failed, recommendations: job.recommendations.map(ended), stage: "done", claim: null };
};

/** An event of a job's flow (wire contract 7). */
export const flowEvent = (
  job: BookingRow,
  type: string,
  payload: Readonly<Record<string, unknown>>,
  dealId?: string,
): EventDraft => ({
  event_type: type,
  flow_id: job.job_id,
  flow_type: "deal_booking",
  ...(dealId === undefined ? {} : { deal_id: dealId }),
  payload,
});

/** A call made for the session's job. */
export const callFor = (session: FlowSession, key?: string): CallFor => ({
  jobId: session.job().job_id,
  traceparent: session.job().traceparent,
  signal: session.signal,
  ...(key === undefined ? {} : { key }),
});
