import { dateOfSlot, slotOfDate, slotOfTime, startOfSlotMs, type DaySlot } from "./dates.ts";

/** Keeps the slots of a booking bounded. */
const longestFlightDays = 731;

/** Seller spec, Limits. */
const defaultFlightDays = 30;

/** Both ends included. */
export interface SlotSpan {
  readonly fromSlot: DaySlot;
  readonly toSlot: DaySlot;
}

export interface Flight extends SlotSpan {
  readonly flightStart: string;
  readonly flightEnd: string;
}

export interface FlightProblem {
  readonly problem: "impossible_date" | "end_before_start" | "too_long";
  readonly field: "flight_start" | "flight_end";
  readonly message: string;
}

/** Past flights are accepted here: they are quoted, without inventory. */
export const resolveFlight = (
  dates: { readonly flightStart: string | null; readonly flightEnd: string | null },
  nowMs: number,
): Flight | FlightProblem => {
  const fromSlot = dates.flightStart === null ? slotOfTime(nowMs) : slotOfDate(dates.flightStart);
  if (fromSlot === null) return impossible("flight_start");
  const toSlot = dates.flightEnd === null ? fromSlot + defaultFlightDays : slotOfDate(dates.flightEnd);
  if (toSlot === null) return impossible("flight_end");
  const flightStart = dates.flightStart ?? dateOfSlot(fromSlot);
  const flightEnd = dates.flightEnd ?? dateOfSlot(toSlot);
  if (flightStart === null || flightEnd === null) return impossible("flight_end");
  if (toSlot < fromSlot) {
    return {
      problem: "end_before_start",
      field: "flight_end",
      message: `The flight ends on ${flightEnd}, before it starts on ${flightStart}.`,
    };
  }
  if (toSlot - fromSlot + 1 > longestFlightDays) {
    return {
      problem: "too_long",
      field: "flight_end",
      message: `A flight has at most ${longestFlightDays} days. Book the rest as a second flight.`,
    };
  }
  return { flightStart, flightEnd, fromSlot, toSlot };
};

export const isFlightProblem = (value: Flight | FlightProblem): value is FlightProblem => "problem" in value;

/** Null: no day of it is past. A past day cannot be sold, so a flight that has one has no inventory. */
export const pastFlight = (
  { fromSlot, toSlot }: SlotSpan,
  nowMs: number,
): { readonly text: string; readonly cure: string; readonly isOver: boolean } | null => {
  const todaySlot = slotOfTime(nowMs);
  if (fromSlot >= todaySlot) return null;
  const isOver = toSlot < todaySlot;
  const day = dateOfSlot(isOver ? toSlot : fromSlot);
  const today = dateOfSlot(todaySlot);
  const text = isOver ? `The flight ended on ${day}` : `The flight begins on ${day}`;
  return {
    isOver,
    text: `${text}, before today (${today}, UTC): past days cannot be sold.`,
    cure: `Ask for a flight that starts on ${today} or later.`,
  };
};

export const completionMs = (flightEnd: string): number => {
  const slot = slotOfDate(flightEnd);
  if (slot === null) throw new RangeError(`Not a calendar date: ${flightEnd}.`);
  return startOfSlotMs(slot + 1);
};

const impossible = (field: FlightProblem["field"]): FlightProblem => ({
  problem: "impossible_date",
  field,
  message: `${field} must be a date of the calendar in the form YYYY-MM-DD.`,
});
