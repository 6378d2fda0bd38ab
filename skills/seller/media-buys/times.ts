import { dateOfSlot, dayMs, slotOfTime, startOfSlotMs } from "../../../machines/inventory/dates.ts";
import { isFlightProblem, isOverFlight, resolveFlight, type SoldFlight } from "../../../machines/inventory/flight.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";

export interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

/** A client's clock may be this late. */
const slackMs = 60_000;

/** `from`: what a package does not say itself. */
export const readTimes = (
  given: { readonly start_time?: string | null | undefined; readonly end_time?: string | null | undefined },
  from: Times,
  at = "",
): Times | Refusal => {
  const startMs = given.start_time == null ? from.startMs : Date.parse(given.start_time);
  const endMs = given.end_time == null ? from.endMs : Date.parse(given.end_time);
  if (endMs > startMs) return { startMs, endMs };
  return fieldRefusal(`${at}end_time`, "The end is not after the start.");
};

export const pastRefusal = ({ startMs }: Times, nowMs: number, at = ""): Refusal | null => {
  if (startMs >= nowMs - slackMs) return null;
  const cure = "Send asap, or an instant that lies ahead.";
  return fieldRefusal(`${at}start_time`, `The start is past. ${cure}`);
};

/** Deals run by whole days (UTC): each day of which some of it is. */
export const flightOf = ({ startMs, endMs }: Times, nowMs: number, at = ""): SoldFlight | Refusal => {
  const flightStart = dateOfSlot(slotOfTime(Math.max(startMs, startOfSlotMs(slotOfTime(nowMs)))));
  const flightEnd = dateOfSlot(slotOfTime(endMs - 1));
  const flight = resolveFlight({ flightStart, flightEnd }, nowMs);
  if (isOverFlight(flight)) return fieldRefusal(`${at}end_time`, `${flight.text} ${flight.cure}`);
  return isFlightProblem(flight) ? fieldRefusal(`${at}end_time`, flight.message) : flight;
};

/** From now until the end of the last day. */
export const daysUntil = (endMs: number, nowMs: number): number => Math.ceil((endMs - nowMs) / dayMs) + 1;
