import type { BookingInstance, BookingStatus } from "../../../machines/booking/machine.ts";
import type { Kind } from "../../../storage/store.ts";

/** One span of the campaign with its part of the budget; `share` weighs against the other flights. */
export interface Flight {
  readonly name: string | null;
  readonly start_date: string;
  readonly end_date: string;
  readonly share: number;
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

/** What one seller had. `failure` tells why it had nothing; null when it answered. */
export interface Finding {
  readonly seller_url: string;
  readonly failure: string | null;
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
  readonly booking: "waiting" | "submitted" | "booked" | "failed" | "unknown";
  /** Why it was not booked. */
  readonly error: string | null;
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
  /** The three below are absent from lines of jobs that were booked before they were kept. */
  readonly audience_plan_id?: string | null;
  readonly audience_match_summary?: MatchSummary | null;
  readonly openrtb_params?: DealParameters | null;
}

/** Where the flow is: what its next step does. */
export type Stage = "allocate" | "research" | "choose" | "approval" | "book" | "done";

/** The worker that has the job, until when; a claim that lapsed was left by a process that is gone. */
interface Claim {
  readonly worker: string;
  readonly until_ms: number;
}

/**
 * A booking job. `life` holds status, progress and errors; `resumes` counts the takeovers since the last committed
 * step; `chosen_cells` how many pairs of channel and flight the choice has been made for.
 */
export interface BookingRow {
  readonly job_id: string;
  readonly owner: string;
  readonly brief: Brief;
  readonly auto_approve: boolean;
  /** The trace context of the call that made the job; its calls to sellers carry it on (decision 80). */
  readonly traceparent: string | null;
  readonly life: BookingInstance;
  readonly stage: Stage;
  readonly allocations: readonly Allocation[];
  readonly findings: readonly Finding[];
  readonly chosen_cells: number;
  readonly recommendations: readonly Recommendation[];
  readonly booked_lines: readonly BookedLine[];
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly claim: Claim | null;
  readonly resumes: number;
}

/** The status on the wire: while approved lines are booked a job is running, whoever approved them (3.9). */
export const statusOf = (job: Pick<BookingRow, "life">): BookingStatus =>
  job.life.value === "awaiting_approval" && job.life.context.bookingStarted ? "running" : job.life.value;

/** Whether a worker has something to do. */
export const isWorking = (job: BookingRow): boolean => ["pending", "running"].includes(statusOf(job));

/** Workers find jobs by their status; a job has no deadline that the sweeper could move. */
export const bookingKind: Kind<BookingRow> = {
  name: "booking",
  terms: (job) => [`status=${statusOf(job)}`],
  dueAtMs: () => null,
  owner: (job) => job.owner,
};
