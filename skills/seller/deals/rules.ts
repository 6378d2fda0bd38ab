import { newDeal } from "../../../machines/deal/machine.ts";
import { formatUsd } from "../../../machines/money.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { type Caller, isOperator } from "../../../protocol/caller.ts";
import { type Refusal, refuse } from "../../../protocol/refusals.ts";
import { isForgotten } from "../deadlines.ts";
import { proposalPrice, type ProposalRow } from "../proposals/record.ts";
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

/**
 * What can be booked: the terms of a quote, or those of an accepted proposal, with where they come from. `asked_at_ms`
 * is when the flight was asked for.
 */
export interface Agreed extends Pick<
  QuoteRow,
  | "owner"
  | "quote_id"
  | "product"
  | "deal_type"
  | "pricing"
  | "impressions"
  | "flight_start"
  | "flight_end"
  | "tier"
  | "seller_id"
  | "sandbox"
  | "terms_digest"
> {
  readonly proposal_id: string | null;
  readonly price_micros: number;
  readonly asked_at_ms: number;
}

/** A quote as it can be booked. */
export const agreedByQuote = (quote: QuoteRow): Agreed => ({
  owner: quote.owner,
  quote_id: quote.quote_id,
  product: quote.product,
  deal_type: quote.deal_type,
  pricing: quote.pricing,
  impressions: quote.impressions,
  flight_start: quote.flight_start,
  flight_end: quote.flight_end,
  tier: quote.tier,
  seller_id: quote.seller_id,
  sandbox: quote.sandbox,
  terms_digest: quote.terms_digest,
  proposal_id: null,
  price_micros: quote.life.context.priceMicros,
  asked_at_ms: quote.created_at_ms,
});

/** An accepted proposal as it can be booked: at its agreed price (decision 31). */
export const agreedByProposal = (proposal: ProposalRow): Agreed => {
  const price = proposalPrice(proposal);
  const rationale = `${proposal.pricing.rationale} | Agreed at ${formatUsd(price)} CPM (${proposal.proposal_id})`;
  return {
    ...proposal,
    quote_id: proposal.quote_id ?? "",
    pricing: { ...proposal.pricing, rationale },
    impressions: proposal.life.context.impressions,
    price_micros: price,
    asked_at_ms: proposal.created_at_ms,
  };
};

/** Who owns the deal: the buyer that books, also of an anonymous quote; an operator books for the terms' owner. */
export const dealOwner = (caller: Caller, agreed: Pick<Agreed, "owner">): string =>
  isOperator(caller) ? agreed.owner : caller.owner;

/** The terms as the deal's life keeps them. */
export const agreedTerms = (agreed: Agreed): DealRow["life"]["context"]["terms"] => ({
  priceMicros: agreed.price_micros,
  impressions: agreed.impressions,
  flightStart: agreed.flight_start,
  flightEnd: agreed.flight_end,
});

/** What booking adds to the agreed terms. */
interface Booking {
  readonly dealId: string;
  readonly owner: string;
  readonly nowMs: number;
  readonly wseat: readonly string[];
  readonly notes: string | null;
  readonly audiencePlan: AudiencePlan | null;
  readonly ttlDays: number;
  readonly dialect: string | null;
  /** The question that holds the deal back; null: it may become active at once (decision 26). */
  readonly approval: AwaitedApproval | null;
}

/**
 * The deal that agreed terms become. Price, terms and digest are their own; the digest is computed anew and must come
 * out equal, so that a deal whose terms drifted from what was agreed can never be stored (decision 42).
 */
export const dealFrom = (agreed: Agreed, booking: Booking): DealRow => {
  const terms = agreedTerms(agreed);
  const digest = digestOf(agreed, terms);
  if (digest !== agreed.terms_digest) throw new Error(`The terms of ${booking.dealId} do not match their digest.`);
  const expiresAtMs = booking.nowMs + Math.round(booking.ttlDays * dayMs);
  return {
    deal_id: booking.dealId,
    owner: booking.owner,
    quote_id: agreed.quote_id,
    proposal_id: agreed.proposal_id,
    product: agreed.product,
    deal_type: agreed.deal_type,
    pricing: agreed.pricing,
    tier: agreed.tier,
    seller_id: agreed.seller_id,
    wseat: booking.wseat,
    wadomain: [],
    notes: booking.notes,
    audience_plan: booking.audiencePlan,
    approval: booking.approval,
    created_at_ms: booking.nowMs,
    terms_digest: digest,
    revision: 1,
    sandbox: agreed.sandbox,
    dialect: booking.dialect,
    life: newDeal({ terms, expiresAtMs, awaitingApproval: booking.approval !== null }),
  };
};
