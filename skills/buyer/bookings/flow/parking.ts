import { type BookingRow, isHeld, isOnlyHeld } from "../record.ts";

const soonestMs = 5_000;
const latestMs = 300_000;

/** A seller that decides soon is heard of soon; one that takes days is not asked all the time. */
const wakeOf = (job: BookingRow, nowMs: number): number | null => {
  const pauses = job.recommendations
    .filter(isHeld)
    .map(({ held }) => Math.min(latestMs, Math.max(soonestMs, (nowMs - (held?.since_ms ?? nowMs)) / 10)));
  return pauses.length === 0 ? null : nowMs + Math.min(...pauses);
};

/** Until the sellers that hold lines are asked again. */
export const parked = (job: BookingRow, nowMs: number): BookingRow => ({ ...job, wakes_at_ms: wakeOf(job, nowMs) });

export const isParked = (job: BookingRow, nowMs: number): boolean => isOnlyHeld(job) && (job.wakes_at_ms ?? 0) > nowMs;
