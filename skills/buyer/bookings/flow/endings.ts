import { moveJob } from "../moves.ts";
import type { BookingRow } from "../record.ts";
import { failJob } from "./session.ts";

/** The lines that wait for a decision. */
export const pendingLines = (job: BookingRow): number =>
  job.recommendations.filter((line) => line.status === "pending_approval").length;

/**
 * A job for which nothing more was found. Where a replan came back empty the job is what it was before: waiting for the
 * lines that are still open, completed with what was booked, else failed.
 */
export const endEmpty = (job: BookingRow, nowMs: number, errors: readonly string[]): BookingRow => {
  const recommendationCount = pendingLines(job);
  if (recommendationCount > 0) return moveJob(job, { type: "RECOMMEND", nowMs, recommendationCount });
  if (job.booked_lines.length > 0) return moveJob(job, { type: "COMPLETE", nowMs, errors: [] });
  return failJob(job, nowMs, errors);
};
