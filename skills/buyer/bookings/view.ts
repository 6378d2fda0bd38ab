import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import type { getBooking, listBookings } from "./contract.ts";
import { type BookedLine, type BookingRow, type Recommendation, statusOf } from "./record.ts";

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
const usdOfCents = (cents: number): number => cents / 100;
const usdOfMicros = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros));

const flightOf = (job: BookingRow, index: number): { flight_start: string | null; flight_end: string | null } => ({
  flight_start: job.brief.flights[index]?.start_date ?? null,
  flight_end: job.brief.flights[index]?.end_date ?? null,
});

/** A recommendation on the wire (wire contract 3.3): money in USD. */
const recommendationView = (job: BookingRow, line: Recommendation) => ({
  recommendation_id: line.recommendation_id,
  product_id: line.product_id,
  product_name: line.product_name,
  publisher: line.publisher,
  channel: line.channel,
  format: line.inventory_type,
  impressions: line.impressions,
  cpm: fromMicros(line.cpm_micros),
  cost: usdOfCents(line.cost_cents),
  currency: "USD",
  list_cpm: usdOfMicros(line.list_cpm_micros),
  effective_cpm: fromMicros(line.effective_cpm_micros),
  score: line.score,
  targeting: line.targeting,
  priority: line.priority,
  status: line.status,
  rationale: line.rationale,
  seller_url: line.seller_url,
  seller_id: line.seller_id,
  deal_type: line.deal_type,
  buyer_tier: line.buyer_tier,
  quote_id: line.quote_id,
  quote_expires_at: line.quote_expires_at_ms === null ? null : iso(line.quote_expires_at_ms),
  negotiation: null,
  ...flightOf(job, line.flight),
});

/** A booked line on the wire. The seller keeps no lines, so its deal id is the line id; an order is not made up. */
const lineView = (job: BookingRow, line: BookedLine) => ({
  deal_id: line.deal_id,
  quote_id: line.quote_id,
  product_id: line.product_id,
  product_name: line.product_name,
  channel: line.channel,
  impressions: line.impressions,
  cpm: fromMicros(line.cpm_micros),
  cost: usdOfCents(line.cost_cents),
  currency: "USD",
  deal_type: line.deal_type,
  buyer_tier: line.buyer_tier,
  booking_status: line.booking_status,
  booked_at: iso(line.booked_at_ms),
  seller_url: line.seller_url,
  seller_id: line.seller_id,
  rationale: line.rationale,
  line_id: line.deal_id,
  order_id: null,
  recommendation_id: line.recommendation_id,
  audience_plan_id: line.audience_plan_id ?? null,
  audience_match_summary: line.audience_match_summary ?? null,
  openrtb_params: line.openrtb_params ?? null,
  ...flightOf(job, line.flight),
});

/** What went wrong, one entry per cause: of the flow first, then of the lines in their order. */
const errorsOf = (job: BookingRow): string[] => {
  const ofLines = job.recommendations.map((line) => line.error).filter((error) => error !== null);
  return [...new Set([...job.life.context.errors, ...ofLines])];
};

/** The status body of a job: the nine members of the spec, lists from the first moment on (wire contract 3.2). */
export const bookingView = (job: BookingRow): z.input<typeof getBooking.output> => ({
  job_id: job.job_id,
  status: statusOf(job),
  progress: job.life.context.progress,
  budget_allocations: Object.fromEntries(
    job.allocations.map(({ budget_cents, ...allocation }) => [
      allocation.channel,
      { ...allocation, budget: usdOfCents(budget_cents) },
    ]),
  ),
  recommendations: job.recommendations.map((line) => recommendationView(job, line)),
  booked_lines: job.booked_lines.map((line) => lineView(job, line)),
  errors: errorsOf(job),
  created_at: iso(job.created_at_ms),
  updated_at: iso(job.updated_at_ms),
});

/** A job in a list. */
export const bookingSummary = (job: BookingRow): z.input<typeof listBookings.output>["jobs"][number] => ({
  job_id: job.job_id,
  status: statusOf(job),
  campaign_name: job.brief.name,
  budget: usdOfCents(job.brief.budget_cents),
  created_at: iso(job.created_at_ms),
});
