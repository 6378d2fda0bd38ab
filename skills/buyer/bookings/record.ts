import type { BargainInstance } from "../../../machines/booking/bargain.ts";
import type { BookingInstance, BookingState, BookingStatus } from "../../../machines/booking/machine.ts";
import type { BargainStyle } from "../../../machines/booking/strategy.ts";
import { decimalText, microsPerCent } from "../../../machines/money.ts";
import type { Kind } from "../../../storage/store.ts";

/** `share` weighs against the other flights. */
export interface Flight {
  readonly name: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly share: number;
}

/** Null members leave it to the style. */
export interface BriefNegotiation {
  readonly style: BargainStyle;
  readonly walk_away_cpm_micros: number | null;
  readonly rounds: number | null;
}

/** As the brief says it. */
export interface ChannelLimit {
  readonly min_share?: number;
  readonly max_share?: number;
  readonly min_amount?: number;
  readonly max_amount?: number;
}

export interface Warning {
  readonly field: string;
  readonly message: string;
}

/** Dates are UTC days; prices in micros of USD per thousand. */
export interface Brief {
  readonly name: string;
  readonly advertiser?: string | null;
  readonly objectives: readonly string[];
  readonly budget_cents: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly target_audience: Readonly<Record<string, unknown>>;
  readonly kpis: Readonly<Record<string, unknown>>;
  readonly target_cpm_micros: number | null;
  readonly max_cpm_micros: number | null;
  readonly channels: readonly string[] | null;
  /** By channel. */
  readonly channel_limits?: Readonly<Record<string, ChannelLimit>>;
  readonly flights: readonly Flight[];
  /** Null: prices are taken as quoted. */
  readonly negotiation: BriefNegotiation | null;
}

export interface Allocation {
  readonly channel: string;
  readonly budget_cents: number;
  readonly percentage: number;
  readonly rationale: string;
}

/** Paid beside the seller's price: 1 basis point is 0.01 % of it, `tech_cpm_micros` is fixed per thousand. */
export interface SupplyFees {
  readonly intermediary_bps: number;
  readonly tech_cpm_micros: number;
}

export interface Offer {
  readonly channel: string;
  readonly flight: number;
  readonly seller_url: string;
  readonly seller_id: string | null;
  readonly product_id: string;
  readonly product_name: string;
  readonly publisher: string;
  readonly inventory_type: string;
  readonly targeting: Readonly<Record<string, unknown>> | null;
  readonly minimum_impressions: number;
  readonly deal_type: string;
  readonly quote_id: string;
  readonly quote_expires_at_ms: number | null;
  readonly buyer_tier: string;
  readonly impressions: number;
  readonly is_available: boolean;
  readonly available_impressions: number | null;
  readonly fill_rate: number | null;
  readonly list_cpm_micros: number | null;
  readonly cpm_micros: number;
  readonly is_negotiable: boolean;
  /** The quote that was negotiated; null for a price as quoted. */
  readonly bargain: string | null;
  readonly fees?: SupplyFees;
}

/** Sellers name it by the quote, or by a proposal made for it. */
export interface Bargain {
  readonly quote_id: string;
  readonly seller_url: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly channel: string;
  readonly flight: number;
  readonly proposal_id: string | null;
  readonly life: BargainInstance;
  /** Set where the seller did not write the agreed price into the first quote. */
  readonly requoted_quote_id: string | null;
}

export interface PassedOver {
  readonly channel: string;
  readonly flight: number;
  readonly seller_url: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly cpm_micros: number;
  /** As quoted; missing in rows of before. */
  readonly impressions?: number;
  readonly deal_type?: string;
  readonly score: number | null;
  readonly reason: string;
}

/** OpenRTB 2.6 deal: `bidfloor` in units per thousand, `at` the auction type. */
export interface DealParameters {
  readonly id: string;
  readonly bidfloor: number;
  readonly bidfloorcur: string;
  readonly at: number;
  readonly wseat: readonly string[];
  readonly wadomain: readonly string[];
}

/** Score from 0 to 1. */
export interface AudienceMatch {
  readonly match: string;
  readonly score: number;
}

export interface MatchSummary {
  readonly primary: AudienceMatch;
  readonly constraints: readonly AudienceMatch[];
  readonly extensions: readonly AudienceMatch[];
  readonly exclusions: readonly AudienceMatch[];
}

/** `failure` is null when the seller answered. Offers are evicted once lines are chosen. */
export interface Finding {
  readonly seller_url: string;
  readonly failure: string | null;
  readonly seller_name: string | null;
  readonly tier: string | null;
  readonly products: number;
  readonly took_ms: number;
  /** Those for which it lists a product, at whatever price. */
  readonly channels?: readonly string[];
  /** Per channel the cheapest product above the price limit. */
  readonly too_dear: readonly {
    readonly channel: string;
    readonly product_name: string;
    readonly cpm_micros: number;
  }[];
  /** Per channel and flight without a product of affordable minimum: the one with the cheapest minimum. */
  readonly too_small?: readonly TooSmall[];
  readonly offers: readonly Offer[];
}

export interface TooSmall {
  readonly channel: string;
  readonly flight: number;
  readonly product_name: string;
  readonly least_cents: number;
}

export interface Unfound {
  readonly channel: string;
  readonly flight: number;
  readonly budget_cents: number;
}

/** `trust_level` as the registry says; null where none was asked. */
export interface AskedSeller {
  readonly url: string;
  readonly source: "configured" | "registry";
  readonly trust_level: string | null;
  /** As its quotes said before a replan, which may bring none. */
  readonly name?: string | null;
  readonly tier?: string | null;
}

/**
 * `booking_key`, the idempotency key, is stored before the call. `booking`: `submitted` is written before sending,
 * `unknown` is a call without an answer.
 */
export interface Recommendation extends Offer {
  readonly recommendation_id: string;
  readonly priority: number;
  readonly score: number;
  readonly effective_cpm_micros: number;
  readonly cost_cents: number;
  readonly rationale: string;
  readonly status: "pending_approval" | "approved" | "rejected";
  readonly booking_key: string;
  /** Paths that the seller refused, refusal by refusal; each applies to the plan before it. */
  readonly left_out?: readonly (readonly string[])[];
  readonly booking: "waiting" | "submitted" | "booked" | "failed" | "unknown" | "cancelled";
  /** The seller has the buy and decides later; the line stays `submitted` until it has. */
  readonly held?: HeldLine;
  readonly error: string | null;
}

/** `task_id` names the decision at its seller, `message` is what it said last. */
export interface HeldLine {
  readonly task_id: string;
  readonly message: string | null;
  readonly since_ms: number;
}

/** `none`: the seller keeps no orders. */
export interface LineOrder {
  readonly state: "waiting" | "made" | "none" | "failed";
  readonly order_id: string | null;
}

/** `asked` is written before the call. */
export interface LineCancellation {
  readonly state: "asked" | "waiting" | "done" | "refused";
  readonly change_request_id: string | null;
  readonly reason: string;
  readonly error: string | null;
  /** Grows with every request, so that a later one is another call. */
  readonly attempt: number;
  /** The seller has agreed and not done it yet. */
  readonly is_approved?: boolean;
}

/** The flight is the seller's, where it is another than that of the brief. */
export interface LineStanding {
  readonly reason: string | null;
  readonly awaits_approval: boolean | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
}

/** Every figure is the seller's, checked against the quote. */
export interface BookedLine {
  readonly recommendation_id: string;
  readonly deal_id: string;
  readonly quote_id: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly channel: string;
  readonly flight: number;
  readonly deal_type: string;
  readonly impressions: number;
  readonly cpm_micros: number;
  readonly cost_cents: number;
  /** As its seller last answered. */
  readonly booking_status: string;
  /** Missing until the seller was asked after the booking. */
  readonly standing?: LineStanding;
  readonly booked_at_ms: number;
  readonly buyer_tier: string;
  readonly seller_url: string;
  readonly seller_id: string | null;
  readonly rationale: string;
  readonly audience_plan_id: string | null;
  readonly audience_match_summary: MatchSummary | null;
  readonly openrtb_params: DealParameters | null;
  readonly activation: Readonly<Record<string, string>>;
  readonly order: LineOrder;
  readonly cancellation: LineCancellation | null;
}

interface StageVisit {
  readonly state: BookingState;
  readonly started_at_ms: number;
  readonly ended_at_ms: number | null;
}

/** An expired claim was left by a process that is gone. */
interface Claim {
  readonly worker: string;
  readonly until_ms: number;
}

/**
 * `resumes` counts takeovers since the last committed step, `chosen_cells` the cells already chosen, `replans` how
 * often the free money was offered anew.
 */
export interface BookingRow {
  readonly job_id: string;
  readonly owner: string;
  readonly brief: Brief;
  readonly auto_approve: boolean;
  /** W3C Trace Context of the call that made the job, sent on to sellers. */
  readonly traceparent: string | null;
  readonly life: BookingInstance;
  readonly allocations: readonly Allocation[];
  /** Missing until research starts. */
  readonly sellers?: readonly AskedSeller[];
  readonly findings: readonly Finding[];
  readonly bargains: readonly Bargain[];
  readonly chosen_cells: number;
  readonly replans: number;
  readonly recommendations: readonly Recommendation[];
  readonly passed_over: readonly PassedOver[];
  /** Money for which the last search of its cell found nothing, though all sellers answered. */
  readonly unfound?: readonly Unfound[];
  readonly booked_lines: readonly BookedLine[];
  /** Deals without an order though the seller keeps orders. */
  readonly order_errors: readonly string[];
  readonly warnings: readonly Warning[];
  readonly visits: readonly StageVisit[];
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly claim: Claim | null;
  readonly resumes: number;
  /** Before it nobody asks again for the lines that sellers hold. */
  readonly wakes_at_ms?: number | null;
}

const wireStatus: Readonly<Record<BookingState, BookingStatus>> = {
  pending: "pending",
  allocating: "running",
  researching: "running",
  negotiating: "running",
  choosing: "running",
  awaiting_approval: "awaiting_approval",
  booking: "running",
  completed: "completed",
  failed: "failed",
};

export const statusOf = (job: Pick<BookingRow, "life">): BookingStatus => wireStatus[job.life.value];

const hasCancellation = (job: BookingRow): boolean =>
  job.booked_lines.some((line) => line.cancellation?.state === "asked");

export const isHeld = ({ booking, held }: Recommendation): boolean => booking === "submitted" && held !== undefined;

const isUnsent = (line: Recommendation): boolean =>
  line.status === "approved" && (line.booking === "waiting" || (line.booking === "submitted" && !isHeld(line)));

/** Nothing is left but to hear what sellers decide. */
export const isOnlyHeld = (job: BookingRow): boolean =>
  job.recommendations.some(isHeld) &&
  !hasCancellation(job) &&
  (job.life.value === "booking" ? !job.recommendations.some(isUnsent) : statusOf(job) !== "running");

export const isCancelledJob = ({ life }: BookingRow): boolean =>
  life.value === "failed" && life.context.errors.includes("cancelled");

export const isWorking = (job: BookingRow): boolean =>
  ["pending", "running"].includes(statusOf(job)) || hasCancellation(job) || job.recommendations.some(isHeld);

/** A job has no deadline that the sweeper could move. */
export const workTerm = "work=open";

export const statusTerm = (status: BookingStatus): string => `status=${status}`;

export const bookingKind: Kind<BookingRow> = {
  name: "booking",
  terms: (job) => [statusTerm(statusOf(job)), ...(isWorking(job) ? [workTerm] : [])],
  dueAtMs: () => null,
  owner: (job) => job.owner,
  facts: ({ life, recommendations, booked_lines: booked }) => ({
    status: life.value,
    lines_approved: recommendations.filter(({ status }) => status === "approved").length,
    lines_rejected: recommendations.filter(({ status }) => status === "rejected").length,
    lines_booked: booked.length,
    lines_cancelled: booked.filter(({ cancellation }) => cancellation?.state === "done").length,
    booked: decimalText(booked.reduce((cents, line) => cents + line.cost_cents, 0) * microsPerCent),
  }),
};
