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

/** `begunOn`: the first day asked for, where it is past and the flight is sold from today on. */
export interface SoldFlight extends Flight {
  readonly begunOn?: string;
}

export interface FlightProblem {
  readonly problem: "impossible_date" | "end_before_start" | "too_long";
  readonly field: "flight_start" | "flight_end";
  readonly message: string;
}

/** As asked, past days and all. */
export const readFlight = (
  dates: { readonly flightStart: string | null; readonly flightEnd: string | null },
  nowMs: number,
): Flight | FlightProblem => {
  const endSlot = dates.flightEnd === null ? null : slotOfDate(dates.flightEnd);
  const todaySlot = slotOfTime(nowMs);
  // With an end that is past, a start of today would be the wrong thing to complain about.
  const fromSlot =
    dates.flightStart === null ? Math.min(todaySlot, endSlot ?? todaySlot) : slotOfDate(dates.flightStart);
  if (fromSlot === null) return impossible("flight_start");
  const toSlot = dates.flightEnd === null ? fromSlot + defaultFlightDays : endSlot;
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

export const isFlightProblem = (value: object): value is FlightProblem => "problem" in value;

export interface OverFlight {
  readonly isOver: true;
  /** UTC. */
  readonly today: string;
  readonly text: string;
  readonly cure: string;
}

/** Null: some of it lies ahead, and can be sold. */
export const overFlight = ({ toSlot }: Pick<SlotSpan, "toSlot">, nowMs: number): OverFlight | null => {
  const todaySlot = slotOfTime(nowMs);
  if (toSlot >= todaySlot) return null;
  const today = dateOfSlot(todaySlot) ?? "";
  return {
    isOver: true,
    today,
    text: `The flight ended on ${dateOfSlot(toSlot)}, before today (${today}, UTC): past days cannot be sold.`,
    cure: `Ask for a flight that ends on ${today} or later.`,
  };
};

/** Days past are not sold: what is left of a flight starts today. */
export const daysAhead = (span: SlotSpan, nowMs: number): SlotSpan | null => {
  const todaySlot = slotOfTime(nowMs);
  if (span.fromSlot >= todaySlot) return span;
  return span.toSlot < todaySlot ? null : { fromSlot: todaySlot, toSlot: span.toSlot };
};

export const begunText = (begunOn: string, flightStart: string): string =>
  `The flight begins on ${begunOn}, which is past: it is sold from ${flightStart} on.`;

export const resolveFlight = (
  dates: { readonly flightStart: string | null; readonly flightEnd: string | null },
  nowMs: number,
): SoldFlight | FlightProblem | OverFlight => {
  const asked = readFlight(dates, nowMs);
  if (isFlightProblem(asked)) return asked;
  const over = overFlight(asked, nowMs);
  if (over !== null) return over;
  const fromSlot = slotOfTime(nowMs);
  if (asked.fromSlot >= fromSlot) return asked;
  return { ...asked, fromSlot, flightStart: dateOfSlot(fromSlot) ?? "", begunOn: asked.flightStart };
};

export const isOverFlight = (value: object): value is OverFlight => "isOver" in value;

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
