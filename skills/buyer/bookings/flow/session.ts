import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import { moveJob } from "../moves.ts";
import { type BookedLine, type BookingRow, type Recommendation, statusOf, type Warning } from "../record.ts";
import type { CallFor, SellerCalls } from "./ports.ts";

/** What the operator of the buyer has settled about every job. */
export interface FlowPolicy {
  readonly researchDeadlineMs: number;
  /** Whether lower prices are asked for where the seller negotiates. */
  readonly negotiates: boolean;
}

/**
 * What a worker hands to the flow of one job. `job` is the row as it was last committed; `commit` applies a change to
 * it and writes it with its events in one commit, and throws when the job is no longer the worker's.
 */
export interface FlowSession {
  job(): BookingRow;
  commit(change: (job: BookingRow) => BookingRow, events?: readonly EventDraft[]): Promise<void>;
  readonly calls: SellerCalls;
  readonly policy: FlowPolicy;
  readonly signal: AbortSignal;
  nowMs(): number;
}

const mostErrors = 100;

const newErrors = (job: BookingRow, texts: readonly string[]): readonly string[] => {
  const known = job.life.context.errors;
  return [...new Set(texts)].filter((text) => !known.includes(text)).slice(0, Math.max(0, mostErrors - known.length));
};

/** A running job further on, with errors that do not end it: one per cause and at most a hundred. */
export const advanceJob = (job: BookingRow, nowMs: number, progress: number, texts: readonly string[]): BookingRow => {
  const reached = Math.max(job.life.context.progress, progress);
  return moveJob(job, { type: "ADVANCE", nowMs, progress: reached, errors: newErrors(job, texts) });
};

const mostWarnings = 100;

/** The job with further warnings, each once. */
export const warnJob = (job: BookingRow, warnings: readonly Warning[]): BookingRow => {
  const known = new Set(job.warnings.map(({ field, message }) => `${field}: ${message}`));
  const fresh = warnings.filter(({ field, message }) => !known.has(`${field}: ${message}`));
  return fresh.length === 0 ? job : { ...job, warnings: [...job.warnings, ...fresh].slice(0, mostWarnings) };
};

/** The error of a line that the seller may have booked. */
export const notConfirmed = (line: Recommendation, cause: string): string =>
  `Booking not confirmed for ${line.product_name}, ask the seller: ${cause}`;

/** A line of a job that ends: one that was sent and never heard of again may be a deal, and its error says so. */
const ended = (line: Recommendation): Recommendation =>
  line.booking === "submitted"
    ? { ...line, booking: "unknown", error: notConfirmed(line, "the booking ended before its answer was heard") }
    : line;

/** A cancellation that nobody will ask for any more. */
const leftLine =
  (texts: readonly string[]) =>
  (line: BookedLine): BookedLine =>
    line.cancellation?.state === "asked"
      ? { ...line, cancellation: { ...line.cancellation, state: "refused", error: texts.join("; ") } }
      : line;

/**
 * The job as failed; its progress stays where it was. One that only had booked lines to cancel stays what it is, and
 * the cancellations are given up.
 */
export const failJob = (job: BookingRow, nowMs: number, texts: readonly string[]): BookingRow => {
  const left = { ...job, booked_lines: job.booked_lines.map(leftLine(texts)), claim: null };
  if (!["pending", "running"].includes(statusOf(job))) return left;
  const started = job.life.value === "pending" ? moveJob(left, { type: "START", nowMs }) : left;
  const failed = moveJob(started, { type: "FAIL", nowMs, errors: newErrors(job, texts) });
  return { ...failed, recommendations: job.recommendations.map(ended) };
};

/** An event of a job's flow. */
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
