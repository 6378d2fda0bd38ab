import type { z } from "zod";
import { fromMicros } from "../../../../machines/money.ts";
import type { getBooking, listBookings } from "../contract.ts";
import { bargainOfLine, bargainView } from "./bargain.ts";
import {
  type Allocation,
  type AskedSeller,
  type BookedLine,
  type BookingRow,
  type HeldLine,
  isHeld,
  type LineCancellation,
  type PassedOver,
  type Recommendation,
  statusOf,
  type SupplyFees,
  isCancelledJob,
} from "../record.ts";
import { totalsOf } from "./totals.ts";
import { isBeingCancelled, isBooked, lineWords, nextStep, stateWords, statusText } from "./words.ts";
import { flightOfLine } from "../news.ts";
import { unplannedWarnings } from "../warnings.ts";
import { isoTime } from "../../../../protocol/neutral/iso-time.ts";

const usdOfCents = (cents: number): number => cents / 100;
const usdOfMicros = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros));

const flightOf = (job: BookingRow, index: number): { flight_start: string | null; flight_end: string | null } => ({
  flight_start: job.brief.flights[index]?.start_date ?? null,
  flight_end: job.brief.flights[index]?.end_date ?? null,
});

const negotiationView = (job: BookingRow, line: Recommendation) => {
  const bargain = bargainOfLine(job, line);
  return bargain === null ? null : bargainView(bargain);
};

const notChosenView = ({ cpm_micros, ...offer }: PassedOver) => ({ ...offer, cpm: fromMicros(cpm_micros) });

const mostAlternatives = 3;

const alternativesOf = (job: BookingRow, line: Recommendation) =>
  job.passed_over
    .filter(({ channel, flight }) => channel === line.channel && flight === line.flight)
    .slice(0, mostAlternatives)
    .map(notChosenView);

const feesView = (fees: SupplyFees | undefined) =>
  fees === undefined
    ? null
    : { intermediary_percent: fees.intermediary_bps / 100, tech_cpm: fromMicros(fees.tech_cpm_micros) };

const heldView = ({ task_id, message, since_ms }: HeldLine) => ({ task_id, message, since: isoTime(since_ms) });

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
  fees: feesView(line.fees),
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
  quote_expires_at: line.quote_expires_at_ms === null ? null : isoTime(line.quote_expires_at_ms),
  negotiation: negotiationView(job, line),
  alternatives: alternativesOf(job, line),
  booking: line.status === "rejected" && line.booking === "waiting" ? "rejected" : isHeld(line) ? "held" : line.booking,
  held: isHeld(line) && line.held !== undefined ? heldView(line.held) : null,
  error: line.error,
  ...flightOf(job, line.flight),
});

/** Sellers keep no lines, so the deal id is the line id. */
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
  status_reason: line.standing?.reason ?? null,
  is_booked: isBooked(line),
  booked_at: isoTime(line.booked_at_ms),
  seller_url: line.seller_url,
  seller_id: line.seller_id,
  rationale: line.rationale,
  total_cost: usdOfCents(line.cost_cents),
  line_id: line.deal_id,
  order_id: line.order.order_id,
  recommendation_id: line.recommendation_id,
  audience_plan_id: line.audience_plan_id,
  audience_match_summary: line.audience_match_summary,
  openrtb_params: line.openrtb_params,
  activation: line.activation,
  cancellation: line.cancellation === null ? null : cancellationView(line.cancellation),
  ...lineWords(line),
  ...flightOfLine(job, line),
});

const cancellationView = ({ state, change_request_id, reason, error }: LineCancellation) => ({
  state,
  change_request_id,
  reason,
  error,
});

/** Errors of the flow first, then of the lines in their order. */
const errorsOf = (job: BookingRow): string[] => {
  const ofLines = job.recommendations.map((line) => line.error).filter((error) => error !== null);
  return [...new Set([...job.life.context.errors, ...ofLines, ...job.order_errors])];
};

const sellerView = (job: BookingRow, { url, source, trust_level, ...known }: AskedSeller) => {
  const finding = job.findings.find(({ seller_url }) => seller_url === url);
  const name = finding?.seller_name ?? known.name ?? null;
  const tier = finding?.tier ?? known.tier ?? null;
  const who = { url, source, trust_level, name, tier };
  if (finding === undefined) return { ...who, status: "waiting" as const, ms: null, products: null, error: null };
  return {
    ...who,
    status: finding.failure === null ? ("answered" as const) : ("left_out" as const),
    ms: finding.took_ms,
    products: finding.products,
    error: finding.failure,
  };
};

const asConfigured = (url: string): AskedSeller => ({ url, source: "configured", trust_level: null });

/** Before research, those that would be asked. */
const sellersOf = (job: BookingRow, configured: readonly string[]) => {
  const asked = job.findings.map(({ seller_url }) => seller_url).filter((url) => !configured.includes(url));
  const sellers = job.sellers ?? [...configured, ...asked].map(asConfigured);
  return sellers.map((seller) => sellerView(job, seller));
};

const stepsOf = (job: BookingRow) =>
  job.visits.map(({ state, started_at_ms, ended_at_ms }) => ({
    name: state,
    started_at: isoTime(started_at_ms),
    ended_at: ended_at_ms === null ? null : isoTime(ended_at_ms),
    words: stateWords[state],
  }));

const briefView = ({ brief }: BookingRow) => ({
  name: brief.name,
  advertiser: brief.advertiser ?? null,
  objectives: brief.objectives,
  budget: usdOfCents(brief.budget_cents),
  start_date: brief.start_date,
  end_date: brief.end_date,
  target_audience: brief.target_audience,
  kpis: brief.kpis,
  channels: brief.channels,
  channel_limits: brief.channel_limits ?? {},
  flights: brief.flights,
  negotiation:
    brief.negotiation === null
      ? { enabled: false }
      : {
          enabled: true,
          strategy: brief.negotiation.style,
          walk_away_cpm: usdOfMicros(brief.negotiation.walk_away_cpm_micros),
          rounds: brief.negotiation.rounds,
        },
});

export const allocationsView = (allocations: readonly Allocation[]) =>
  Object.fromEntries(
    allocations.map(({ budget_cents, ...allocation }) => [
      allocation.channel,
      { ...allocation, budget: usdOfCents(budget_cents) },
    ]),
  );

/** Lists are present from the first moment on. */
export const bookingView = (job: BookingRow, sellerUrls: readonly string[]): z.input<typeof getBooking.output> => {
  const totals = totalsOf(job);
  return {
    job_id: job.job_id,
    status: statusOf(job),
    is_cancelled: isCancelledJob(job),
    progress: job.life.context.progress,
    budget_allocations: allocationsView(job.allocations),
    recommendations: job.recommendations.map((line) => recommendationView(job, line)),
    booked_lines: job.booked_lines.map((line) => lineView(job, line)),
    errors: errorsOf(job),
    created_at: isoTime(job.created_at_ms),
    updated_at: isoTime(job.updated_at_ms),
    campaign_name: job.brief.name,
    brief: briefView(job),
    budget: totals.budget,
    spent: totals.booked,
    chosen_cost: totals.recommended,
    totals,
    warnings: [...job.warnings, ...unplannedWarnings(job)].map((warning) => ({ ...warning })),
    steps: stepsOf(job),
    sellers: sellersOf(job, sellerUrls),
    not_chosen: job.passed_over.map(notChosenView),
    status_text: statusText(job),
    next_step: nextStep(job),
  };
};

const waitingSince = (job: BookingRow): string | null => {
  const last = job.visits.at(-1);
  return last?.state === "awaiting_approval" ? isoTime(last.started_at_ms) : null;
};

/** What sellers took back or let run out; what the buyer cancelled itself was meant. */
const lostIn = ({ booked_lines: lines }: BookingRow) => {
  const lost = lines.filter((line) => !isBooked(line) && line.cancellation === null);
  return { lines: lost.length, cost: usdOfCents(lost.reduce((sum, { cost_cents: cents }) => sum + cents, 0)) };
};

export const bookingSummary = (job: BookingRow): z.input<typeof listBookings.output>["jobs"][number] => ({
  job_id: job.job_id,
  status: statusOf(job),
  is_cancelled: isCancelledJob(job),
  campaign_name: job.brief.name,
  advertiser: job.brief.advertiser ?? null,
  budget: usdOfCents(job.brief.budget_cents),
  spent: totalsOf(job).booked,
  waiting_since: waitingSince(job),
  cancellations_waiting: job.booked_lines.filter(isBeingCancelled).length,
  unspent: totalsOf(job).unspent,
  lost: lostIn(job),
  end_date: job.brief.end_date,
  created_at: isoTime(job.created_at_ms),
});
