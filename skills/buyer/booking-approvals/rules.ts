import { bookingMachine } from "../../../machines/booking/machine.ts";
import { step } from "../../../machines/step.ts";
import type { BookingRow, Recommendation } from "../bookings/record.ts";

/** What a list of ids selects: a product id means every line of it, whatever seller or flight (wire contract 3.3). */
export interface Selection {
  readonly lines: readonly Recommendation[];
  readonly unknown: readonly string[];
}

/** Finds the lines that the ids name; null names every line. */
export const selectLines = (job: BookingRow, ids: readonly string[] | null): Selection => {
  if (ids === null) return { lines: job.recommendations, unknown: [] };
  const wanted = new Set(ids);
  const known = new Set(job.recommendations.flatMap((line) => [line.product_id, line.recommendation_id]));
  const isWanted = (line: Recommendation): boolean => wanted.has(line.product_id) || wanted.has(line.recommendation_id);
  return {
    lines: job.recommendations.filter(isWanted),
    unknown: [...wanted].filter((id) => !known.has(id)),
  };
};

/**
 * The job after the decision: with approved lines it is to be booked, without any it is completed (decision 36).
 * Null when the job does not wait for a decision.
 */
export const decidedJob = (job: BookingRow, approved: readonly Recommendation[], nowMs: number): BookingRow | null => {
  const started = step(bookingMachine, job.life, { type: "APPROVE", nowMs });
  if (started === null) return null;
  const ids = new Set(approved.map((line) => line.recommendation_id));
  const recommendations = job.recommendations.map((line) => ({
    ...line,
    status: ids.has(line.recommendation_id) ? ("approved" as const) : ("rejected" as const),
  }));
  const decided = { ...job, recommendations, updated_at_ms: nowMs };
  if (approved.length > 0) return { ...decided, life: started, stage: "book" };
  const completed = step(bookingMachine, started, { type: "COMPLETE", nowMs, errors: [] });
  return completed === null ? null : { ...decided, life: completed, stage: "done" };
};

export const totalImpressions = (lines: readonly { readonly impressions: number }[]): number =>
  lines.reduce((total, line) => total + line.impressions, 0);

/** The sum of the lines' costs in USD. */
export const totalCost = (lines: readonly { readonly cost_cents: number }[]): number =>
  lines.reduce((total, line) => total + line.cost_cents, 0) / 100;
