import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import { moveJob } from "../moves.ts";
import {
  type BookedLine,
  type BookingRow,
  type Recommendation,
  statusOf,
  type SupplyFees,
  type Warning,
} from "../record.ts";
import type { CallFor, SellerCalls } from "./ports.ts";

export interface FlowPolicy {
  readonly researchDeadlineMs: number;
  readonly negotiates: boolean;
  /** By the seller's origin. */
  readonly fees: ReadonlyMap<string, SupplyFees>;
}

/** `job` is the last committed row. `commit` writes a change with its events, and throws when the claim is lost. */
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

/** Errors that do not end the job: one per cause, at most a hundred. */
export const advanceJob = (job: BookingRow, nowMs: number, progress: number, texts: readonly string[]): BookingRow => {
  const reached = Math.max(job.life.context.progress, progress);
  return moveJob(job, { type: "ADVANCE", nowMs, progress: reached, errors: newErrors(job, texts) });
};

const mostWarnings = 100;

/** Each warning once. */
export const warnJob = (job: BookingRow, warnings: readonly Warning[]): BookingRow => {
  const known = new Set(job.warnings.map(({ field, message }) => `${field}: ${message}`));
  const fresh = warnings.filter(({ field, message }) => !known.has(`${field}: ${message}`));
  return fresh.length === 0 ? job : { ...job, warnings: [...job.warnings, ...fresh].slice(0, mostWarnings) };
};

export const notConfirmed = (line: Recommendation, cause: string): string =>
  `Booking not confirmed for ${line.product_name}, ask the seller: ${cause}`;

const unheard = (line: Recommendation): string => notConfirmed(line, "the booking ended before its answer was heard");

/** A line that was sent without an answer may be a deal, and its error says so. */
const ended = (line: Recommendation): Recommendation =>
  line.booking === "submitted" ? { ...line, booking: "unknown", error: unheard(line) } : line;

const leftLine =
  (texts: readonly string[]) =>
  (line: BookedLine): BookedLine =>
    line.cancellation?.state === "asked"
      ? { ...line, cancellation: { ...line.cancellation, state: "refused", error: texts.join("; ") } }
      : line;

/** A job that only had booked lines to cancel keeps its state; the cancellations are given up. */
export const failJob = (job: BookingRow, nowMs: number, texts: readonly string[]): BookingRow => {
  const left = { ...job, booked_lines: job.booked_lines.map(leftLine(texts)), claim: null };
  if (!["pending", "running"].includes(statusOf(job))) return left;
  const started = job.life.value === "pending" ? moveJob(left, { type: "START", nowMs }) : left;
  const lost = job.recommendations.filter(({ booking }) => booking === "submitted").map(unheard);
  const failed = moveJob(started, { type: "FAIL", nowMs, errors: newErrors(job, [...texts, ...lost]) });
  return { ...failed, recommendations: job.recommendations.map(ended) };
};

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

export const callFor = (session: FlowSession, key?: string): CallFor => ({
  jobId: session.job().job_id,
  traceparent: session.job().traceparent,
  signal: session.signal,
  ...(key === undefined ? {} : { key }),
});
