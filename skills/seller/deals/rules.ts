import { type DealTerms, newDeal } from "../../../machines/deal/machine.ts";
import { overFlight } from "../../../machines/inventory/flight.ts";
import { formatMoney } from "../../../machines/money.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { type Caller, isOperator } from "../../../protocol/seam/caller.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { type QuoteRow, endedQuote } from "../pricing/record.ts";
import { proposalPrice, type ProposalRow } from "../proposals/record.ts";
import type { AwaitedApproval } from "../approvals/record.ts";
import type { DealRow } from "./record.ts";
import { spanOf } from "../inventory.ts";
import { overRefusal } from "../pricing/rules.ts";
import { digestOf } from "../terms.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/** Unknown, foreign and expired quotes return the same. One declined for inventory keeps saying so. */
export const bookingRefusal = (quote: QuoteRow, nowMs: number): Refusal | null => {
  const { value, context } = quote.life;
  if (value === "expired") return endedQuote(quote, nowMs);
  if (value === "declined") {
    return refuse(context.declinedFor === "inventory_unavailable" ? "inventory_unavailable" : "quote_declined");
  }
  if (value === "booked") return refuse("quote_already_booked", { extras: { deal_id: context.dealId } });
  const over = overFlight(spanOf(quote.flight_start, quote.flight_end), nowMs);
  if (over !== null) return overRefusal(over);
  return context.openNegotiationId === null ? null : refuse("negotiation_open");
};

/** The key's seat, else the request's: an unverified seat only narrows who may bid. */
export const seatsOf = (caller: Caller, claimedSeat: string | null | undefined): readonly string[] => {
  const own = caller.kind === "key" ? caller.identity.seat_id : null;
  const seat = caller.kind === "key" && caller.verified ? own : (own ?? claimedSeat);
  return seat == null || seat === "" ? [] : [seat];
};

type AgreedRecord = Pick<
  QuoteRow,
  | "owner"
  | "quote_id"
  | "product"
  | "parts"
  | "begun_on"
  | "deal_type"
  | "pricing"
  | "tier"
  | "seller_id"
  | "sandbox"
  | "trial"
  | "terms_digest"
>;

export interface Agreed {
  readonly record: AgreedRecord;
  readonly terms: DealTerms;
  readonly proposalId?: string;
}

const termsOf = (
  { flight_start: flightStart, flight_end: flightEnd }: Pick<QuoteRow, "flight_start" | "flight_end">,
  priceMicros: number,
  impressions: number | null,
): DealTerms => ({ priceMicros, impressions, flightStart, flightEnd });

export const agreedByQuote = (quote: QuoteRow): Agreed => ({
  record: quote,
  terms: termsOf(quote, quote.life.context.priceMicros, quote.impressions),
});

/** The terms of an accepted proposal, which differ from the product's price. */
export const agreedByProposal = (proposal: ProposalRow): Agreed => {
  const price = proposalPrice(proposal);
  const shown = formatMoney(price, proposal.pricing.currency);
  const rationale = `${proposal.pricing.rationale} | Agreed at ${shown} CPM (${proposal.proposal_id})`;
  return {
    record: { ...proposal, quote_id: proposal.quote_id ?? "", pricing: { ...proposal.pricing, rationale } },
    terms: termsOf(proposal, price, proposal.life.context.impressions),
    proposalId: proposal.proposal_id,
  };
};

/** The buyer that books, also of an anonymous quote; an operator books for the terms' owner. */
export const dealOwner = (caller: Caller, { record }: Agreed): string =>
  isOperator(caller) ? record.owner : caller.owner;

interface Booking {
  readonly dealId: string;
  readonly owner: string;
  readonly nowMs: number;
  readonly wseat: readonly string[];
  readonly notes: string | undefined;
  readonly audiencePlan: AudiencePlan | undefined;
  readonly ttlDays: number;
  readonly dialect: string | undefined;
  /** Undefined: may become active at once. */
  readonly approval: AwaitedApproval | undefined;
}

/** The digest is computed anew and must be equal, so that terms that drifted are never stored. */
export const dealFrom = ({ record, terms, proposalId }: Agreed, booking: Booking): DealRow => {
  const digest = digestOf(record, terms);
  if (digest !== record.terms_digest) throw new Error(`The terms of ${booking.dealId} do not match their digest.`);
  const expiresAtMs = booking.nowMs + Math.round(booking.ttlDays * dayMs);
  return {
    deal_id: booking.dealId,
    owner: booking.owner,
    quote_id: record.quote_id,
    proposal_id: proposalId,
    product: record.product,
    parts: record.parts,
    begun_on: record.begun_on,
    deal_type: record.deal_type,
    pricing: record.pricing,
    tier: record.tier,
    seller_id: record.seller_id,
    wseat: booking.wseat,
    notes: booking.notes,
    audience_plan: booking.audiencePlan,
    approval: booking.approval,
    created_at_ms: booking.nowMs,
    terms_digest: digest,
    revision: 1,
    sandbox: record.sandbox,
    trial: record.trial,
    dialect: booking.dialect,
    life: newDeal({ terms, expiresAtMs, awaitingApproval: booking.approval !== undefined }),
  };
};
