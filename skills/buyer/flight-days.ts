import { z } from "zod";

/** Sellers would refuse other days one by one, each in its own words. */
export const flightDay = z.iso.date("Write a day of the calendar as YYYY-MM-DD.");

interface Flight {
  readonly flight_start?: string | null | undefined;
  readonly flight_end?: string | null | undefined;
}

export const endsAfterStart = ({ flight_start: first, flight_end: last }: Flight, at: z.RefinementCtx): void => {
  if (first == null || last == null || last >= first) return;
  const message = `flight_end ${last} lies before flight_start ${first}. Send a last day that is not earlier.`;
  at.addIssue({ code: "custom", path: ["flight_end"], message });
};
