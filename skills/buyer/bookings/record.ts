import type { BargainInstance } from "../../../machines/booking/bargain.ts";
import type { BookingInstance, BookingState, BookingStatus } from "../../../machines/booking/machine.ts";
import type { BargainStyle } from "../../../machines/booking/strategy.ts";
import type { Kind } from "../../../storage/store.ts";

/** One span of the campaign with its part of the budget; `share` weighs against the other flights. */
export interface Flight {
  readonly name: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly share: number;
}

/** How the prices of a campaign are talked about; null members leave it to the style. */
export interface BriefNegotiation {
  readonly style: BargainStyle;
  readonly walk_away_cpm_micros: number | null;
  readonly rounds: number | null;
}

/** What of a brief is not honoured exactly, or not at all, and why. */
export interface Warning {
  readonly field: string;
  readonly message: string;
}

/** A brief that can be used. Dates are UTC days; prices in micros of USD per thousand impressions. */
export interface Brief {
  readonly name: string;
  readonly objectives: readonly string[];
  readonly budget_cents: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly target_audience: Readonly<Record<string, unknown>>;
  readonly kpis: Readonly<Record<string, unknown>>;
  readonly target_cpm_micros: number | null;
  readonly max_cpm_micros: number | null;
  readonly channels: readonly string[] | null;
  readonly flights: readonly Flight[];
  /** Null: the prices are taken as they are quoted. */
  readonly negotiation: BriefNegotiation | null;
}

export interface Allocation {
  readonly channel: string;
  readonly budget_cents: number;
  readonly percentage: number;
  readonly rationale: string;
}

/** A quote that a seller gave for one product, channel and flight, as far as the flow needs it. */
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
  /** The negotiation that made the price, by the quote it was about; null for a price as quoted. */
  readonly bargain: string | null;
}

/** A negotiation about one quote. Sellers name it by the quote, or by a proposal that was made for it. */
export interface Bargain {
  readonly quote_id: string;
  readonly seller_url: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly channel: string;
  readonly flight: number;
  readonly proposal_id: string | null;
  readonly life: BargainInstance;
  /** The quote that carries the agreed price, where the seller did not write it into the first. */
  readonly requoted_quote_id: string | null;
}

/** An offer that was not chosen, and why. */
export interface PassedOver {
  readonly channel: string;
  readonly flight: number;
  readonly seller_url: string;
  readonly product_id: string;
  readonly product_name: string;
  readonly cpm_micros: number;
  readonly score: number | null;
  readonly reason: string;
}

/** A seller's OpenRTB 2.6 parameters of a deal: `bidfloor` in units per thousand, `at` the auction type. */
export interface DealParameters {
  readonly id: string;
  readonly bidfloor: number;
  readonly bidfloorcur: string;
  readonly at: number;
  readonly wseat: readonly string[];
  readonly wadomain: readonly string[];
}

/** How well a seller says that it meets one audience: its word for it, and a score from 0 to 1. */
export interface AudienceMatch {
  readonly match: string;
  readonly score: number;
}

/** A seller's match of an audience plan, reference by reference. */
export interface MatchSummary {
  readonly primary: AudienceMatch;
  readonly constraints: readonly AudienceMatch[];
  readonly extensions: readonly AudienceMatch[];
  readonly exclusions: readonly AudienceMatch[];
}

/** What one seller had. `failure`: why it had nothing; null when it answered. Offers go once lines are chosen. */
export interface Finding {
  readonly seller_url: string;
  readonly failure: string | null;
  readonly seller_name: string | null;
  readonly tier: string | null;
  readonly products: number;
  readonly took_ms: number;
  /** Per channel the cheapest product that the brief's price limit leaves out. */
  readonly too_dear: readonly {
    readonly channel: string;
    readonly product_name: string;
    readonly cpm_micros: number;
  }[];
  readonly offers: readonly Offer[];
}

/**
 * An offer that was chosen. `cost_cents` is price times impressions as agreed. `booking_key` is the idempotency key of
 * its booking, stored before the call. `booking` follows the call: `submitted` is written before it is sent, `unknown`
 * is a call whose end nobody knows.
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
  /** The paths that the seller refused of the audience plan, refusal by refusal; each counts in the plan before it. */
  readonly left_out?: readonly (readonly string[])[];
  readonly booking: "waiting" | "submitted" | "booked" | "failed" | "unknown" | "cancelled";
  /** Why it was not booked. */
  readonly error: string | null;
}

/** The order for a deal at its seller. `none`: the seller keeps no orders. */
export interface LineOrder {
  readonly state: "waiting" | "made" | "none" | "failed";
  readonly order_id: string | null;
}

/** A cancellation that was asked for at the seller; `asked` is written before the call. */
export interface LineCancellation {
  readonly state: "asked" | "waiting" | "done" | "refused";
  readonly change_request_id: string | null;
  readonly reason: string;
  readonly error: string | null;
  /** Grows with every request, so that a later one is another call. */
  readonly attempt: number;
}

/** A confirmed deal. Every figure is the seller's answer after it was checked against the quote. */
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
  readonly booking_status: string;
  readonly booked_at_ms: number;
  readonly buyer_tier: string;
  readonly seller_url: string;
  readonly seller_id: string | null;
  readonly rationale: string;
  readonly audience_plan_id: string | null;
  readonly audience_match_summary: MatchSummary | null;
  readonly openrtb_params: DealParameters | null;
  /** What to enter where, by the name of the buying platform. */
  readonly activation: Readonly<Record<string, string>>;
  readonly order: LineOrder;
  readonly cancellation: LineCancellation | null;
}

/** One stage of a job as it was entered and left. */
interface StageVisit {
  readonly state: BookingState;
  readonly started_at_ms: number;
  readonly ended_at_ms: number | null;
}

/** The worker that has the job, until when; a claim that lapsed was left by a process that is gone. */
interface Claim {
  readonly worker: string;
  readonly until_ms: number;
}

/**
 * A booking job. `life` holds stage, progress and errors; `resumes` counts the takeovers since the last committed step;
 * `chosen_cells` how many pairs of channel and flight the choice has been made for; `replans` how often the free money
 * was offered anew.
 */
export interface BookingRow {
  readonly job_id: string;
  readonly owner: string;
  readonly brief: Brief;
  readonly auto_approve: boolean;
  /** The trace context of the call that made the job; its calls to sellers carry it on. */
  readonly traceparent: string | null;
  readonly life: BookingInstance;
  readonly allocations: readonly Allocation[];
  readonly findings: readonly Finding[];
  readonly bargains: readonly Bargain[];
  readonly chosen_cells: number;
  readonly replans: number;
  readonly recommendations: readonly Recommendation[];
  readonly passed_over: readonly PassedOver[];
  readonly booked_lines: readonly BookedLine[];
  /** Deals that stand without an order though the seller keeps orders. */
  readonly order_errors: readonly string[];
  readonly warnings: readonly Warning[];
  readonly visits: readonly StageVisit[];
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly claim: Claim | null;
  readonly resumes: number;
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

/** Whether a worker has something to do. */
export const isWorking = (job: BookingRow): boolean =>
  ["pending", "running"].includes(statusOf(job)) || hasCancellation(job);

/** The term of jobs that a worker has something to do on; a job has no deadline that the sweeper could move. */
export const workTerm = "work=open";

export const bookingKind: Kind<BookingRow> = {
  name: "booking",
  terms: (job) => [`status=${statusOf(job)}`, ...(isWorking(job) ? [workTerm] : [])],
  dueAtMs: () => null,
  owner: (job) => job.owner,
};
