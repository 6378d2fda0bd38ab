import type { BookingRow, Flight, Recommendation } from "../record.ts";
import { splitCents } from "./money.ts";

/** Money is never moved to another cell. */
export interface Cell {
  readonly channel: string;
  readonly flight: number;
  readonly dates: Flight;
  readonly budget_cents: number;
}

/** The cells of a channel add up to its budget. */
export const cellsOf = (job: BookingRow): readonly Cell[] =>
  job.allocations.flatMap((allocation) => {
    const { flights } = job.brief;
    const parts = splitCents(
      allocation.budget_cents,
      flights.map((flight) => flight.share),
    );
    return flights
      .map((dates, flight) => ({ channel: allocation.channel, flight, dates, budget_cents: parts[flight] ?? 0 }))
      .filter((cell) => cell.budget_cents > 0);
  });

/** It may be approved, or was sent to a seller that has not refused it. */
export const bindsMoney = (line: Recommendation): boolean => {
  if (line.status === "pending_approval") return true;
  return line.status === "approved" && line.booking !== "failed" && line.booking !== "cancelled";
};

export const openCellsOf = (job: BookingRow): readonly Cell[] =>
  cellsOf(job).flatMap((cell) => {
    const bound = job.recommendations
      .filter((line) => line.channel === cell.channel && line.flight === cell.flight && bindsMoney(line))
      .reduce((sum, line) => sum + line.cost_cents, 0);
    return bound >= cell.budget_cents ? [] : [{ ...cell, budget_cents: cell.budget_cents - bound }];
  });

/** The same search again would find nothing either; with more money it may. */
export const isUnfound = ({ unfound = [] }: BookingRow, { channel, flight, budget_cents: free }: Cell): boolean =>
  unfound.some((one) => one.channel === channel && one.flight === flight && free <= one.budget_cents);
