import { bookingMachine, type BookingEvent } from "../../../machines/booking/machine.ts";
import { step } from "../../../machines/step.ts";
import type { BookingRow } from "./record.ts";

const mostVisits = 100;

/** Null where the machine does not allow it. */
export const movedJob = (job: BookingRow, event: BookingEvent): BookingRow | null => {
  const life = step(bookingMachine, job.life, event);
  if (life === null) return null;
  if (life.value === job.life.value) return { ...job, life };
  const ended = job.visits.map((visit) => ({ ...visit, ended_at_ms: visit.ended_at_ms ?? event.nowMs }));
  const entered = { state: life.value, started_at_ms: event.nowMs, ended_at_ms: null };
  return { ...job, life, visits: [...ended, entered].slice(-mostVisits) };
};

/** Here a move that the machine does not allow is a bug. */
export const moveJob = (job: BookingRow, event: BookingEvent): BookingRow => {
  const moved = movedJob(job, event);
  if (moved === null) throw new Error(`a booking job in ${job.life.value} does not take ${event.type}`);
  return moved;
};
