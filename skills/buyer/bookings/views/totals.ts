import type { z } from "zod";
import type { totals } from "../contract.ts";
import type { BookingRow, Recommendation } from "../record.ts";

const sumOf = (lines: readonly Recommendation[]): number => lines.reduce((sum, line) => sum + line.cost_cents, 0);

export const totalsOf = (job: BookingRow): z.output<typeof totals> => {
  const lines = job.recommendations;
  const booked = sumOf(lines.filter(({ booking }) => booking === "booked"));
  const unconfirmed = sumOf(lines.filter(({ booking }) => booking === "submitted" || booking === "unknown"));
  const live = lines.filter(
    ({ status, booking }) => status !== "rejected" && !["failed", "cancelled"].includes(booking),
  );
  return {
    budget: job.brief.budget_cents / 100,
    recommended: sumOf(live) / 100,
    booked: booked / 100,
    unconfirmed: unconfirmed / 100,
    unspent: (job.brief.budget_cents - booked - unconfirmed) / 100,
  };
};
