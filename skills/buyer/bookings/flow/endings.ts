import { moveJob } from "../moves.ts";
import type { BookingRow } from "../record.ts";
import { failJob } from "./session.ts";

export const pendingLines = (job: BookingRow): number =>
  job.recommendations.filter((line) => line.status === "pending_approval").length;

/** After an empty replan the job is what it was: waiting for open lines, completed with booked ones, else failed. */
export const endEmpty = (job: BookingRow, nowMs: number, errors: readonly string[]): BookingRow => {
  const recommendationCount = pendingLines(job);
  if (recommendationCount > 0) return moveJob(job, { type: "RECOMMEND", nowMs, recommendationCount });
  if (job.booked_lines.length > 0) return moveJob(job, { type: "COMPLETE", nowMs, errors: [] });
  return failJob(job, nowMs, errors);
};
