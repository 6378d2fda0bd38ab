import type { BookingRow, Flight } from "../record.ts";
import { splitCents } from "./money.ts";

/** One channel in one flight: the unit that money is spent in. It is never moved to another cell. */
export interface Cell {
  readonly channel: string;
  readonly flight: number;
  readonly dates: Flight;
  readonly budget_cents: number;
}

/** The cells of a job, channel by channel; the budgets of a channel's cells add up to the channel's. */
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
