import { newDeal } from "../../../machines/deal/machine.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { type Caller, isOperator } from "../../../protocol/caller.ts";
import { type Refusal, refuse } from "../../../protocol/refusals.ts";
import { isForgotten } from "../deadlines.ts";
import { type AwaitedApproval, type DealRow, digestOf, type QuoteRow } from "../records.ts";

const dayMs = 86_400_000;

/**
 * Why a quote cannot be booked now; null when it can. An unknown, a foreign and a forgotten quote answer alike. A
 * quote that was declined for inventory keeps answering so (decision 58).
 */
export const bookingRefusal = (quote: QuoteRow, nowMs: number): Refusal | null => {
  const { value, context } = quote.life;
  if (value === "expired") return refuse(isForgotten(quote, nowMs) ? "not_found" : "quote_expired");
  if (value === "declined") {
    return refuse(context.declinedFor === "inventory_unavailable" ? "inventory_unavailable" : "quote_declined");
  }
  if (value === "booked") return refuse("quote_already_booked", { extras: { deal_id: context.dealId } });
  return context.openNegotiationId === null ? null : refuse("negotiation_open");
};

/**
 * The DSP seats that the deal shall admit: the verified seat of the caller's key, else the seat that the request
 * names, which only narrows who may bid.
 */
export const seatsOf = (caller: Caller, claimedSeat: string | null | undefined): readonly string[] => {
  const seat = caller.kind === "key" && caller.verified ? caller.identity.seat_id : claimedSeat;
  return seat == null || seat === "" ? [] : [seat];
};

/** Who owns the deal: the buyer that books, also of an anonymous quote; an operator books for the quote's owner. */
export const dealOwner = (caller: Caller, quote: QuoteRow): string =>
  isOperator(caller) ? quote.owner : caller.owner;

/** The terms that booking agrees: the quote's own. */
export const agreedTerms = (quote: QuoteRow): DealRow["life"]["context"]["terms"] => ({
  priceMicros: quote.life.context.priceMicros,
  impressions: quote.impressions,
  flightStart: quote.flight_start,
  flightEnd: quote.flight_end,
});

/** What booking adds to the quote's terms. */
interface Booking {
  readonly dealId: string;
  readonly owner: string;
  readonly nowMs: number;
  readonly wseat: readonly string[];
  readonly notes: string | null;
  readonly audiencePlan: AudiencePlan | null;
  readonly ttlDays: number;
  /** The question that holds the deal back; null: it may become active at once (decision 26). */
  readonly approval: AwaitedApproval | null;
}

/**
 * The deal that a quote becomes. Price, terms and digest are the quote's own; the digest is computed anew and must
 * come out equal, so that a deal whose terms drifted from its quote can never be stored (decision 42).
 */
export const dealFrom = (quote: QuoteRow, booking: Booking): DealRow => {
  const terms = agreedTerms(quote);
  const digest = digestOf(quote, terms);
  if (digest !== quote.terms_digest) throw new Error(`The terms of ${quote.quote_id} do not match their digest.`);
  const expiresAtMs = booking.nowMs + Math.round(booking.ttlDays * dayMs);
  return {
    deal_id: booking.dealId,
    owner: booking.owner,
    quote_id: quote.quote_id,
    proposal_id: null,
    product: quote.product,
    deal_type: quote.deal_type,
    pricing: quote.pricing,
    tier: quote.tier,
    seller_id: quote.seller_id,
    wseat: booking.wseat,
    wadomain: [],
    notes: booking.notes,
    audience_plan: booking.audiencePlan,
    approval: booking.approval,
    created_at_ms: booking.nowMs,
    terms_digest: digest,
    revision: 1,
    sandbox: quote.sandbox,
    dialect: quote.dialect,
    life: newDeal({ terms, expiresAtMs, awaitingApproval: booking.approval !== null }),
  };
};
