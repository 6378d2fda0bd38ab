import type { z } from "zod";
import { fromMicros, unitsOrNull } from "../../../machines/money.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { NegotiationRow } from "../negotiation/record.ts";
import type { submitProposal } from "./contract.ts";
import { proposalPrice, type ProposalRow } from "./record.ts";
import type { SellerContext } from "../context.ts";
import { totalCost } from "../words.ts";
import { proposalWords } from "./words.ts";

type ProposalView = z.input<typeof submitProposal.output>;

/** The floor is the seller's secret. */
const counterTermsView = (
  context: SellerContext,
  row: ProposalRow,
  negotiation: NegotiationRow | null,
): ProposalView["counter_terms"] => {
  const { sellerMicros, impressions, lowestMicros } = row.life.context;
  const round = negotiation?.life.context.rounds.at(-1);
  if (row.life.value !== "counter_pending" || sellerMicros === null || round === undefined) return null;
  const isLess = impressions < row.impressions;
  return {
    proposed_price: fromMicros(sellerMicros),
    floor_price: isOperator(context.caller) ? fromMicros(lowestMicros) : null,
    max_impressions: impressions,
    reason: isLess ? `The seller offers ${impressions} impressions for this flight.` : round.rationale,
    negotiation_id: row.negotiation_id,
    round_number: round.roundNumber,
    action: round.action,
  };
};

export const proposalView = (
  context: SellerContext,
  row: ProposalRow,
  negotiation: NegotiationRow | null,
): ProposalView => {
  const { offeredMicros, agreedMicros, impressions, bookableUntilMs, closedReason, dealId } = row.life.context;
  return {
    proposal_id: row.proposal_id,
    recommendation: row.recommendation,
    status: row.life.value,
    status_reason: closedReason,
    counter_terms: counterTermsView(context, row, negotiation),
    approval_id: row.approval?.approval_id ?? null,
    pricing_verified: row.pricing_verified,
    pricing_verification_reason: row.pricing_verification_reason,
    errors: row.errors.map((error) => ({ ...error })),
    product_id: row.product.product_id,
    deal_type: row.deal_type,
    price: fromMicros(offeredMicros),
    agreed_price: unitsOrNull(agreedMicros),
    currency: row.pricing.currency,
    impressions,
    total_cost: totalCost(proposalPrice(row), impressions),
    ...proposalWords(row),
    start_date: row.flight_start,
    end_date: row.flight_end,
    ...(row.begun_on == null ? {} : { asked_start_date: row.begun_on }),
    quote_id: row.quote_id,
    negotiation_id: row.negotiation_id,
    deal_id: dealId,
    buyer_tier: row.tier,
    bookable_until: bookableUntilMs === null ? null : new Date(bookableUntilMs).toISOString(),
    created_at: new Date(row.created_at_ms).toISOString(),
    terms_digest: row.terms_digest,
    revision: row.revision,
    sandbox: row.sandbox,
  };
};

export const previewView = (context: SellerContext, row: ProposalRow): ProposalView => ({
  ...proposalView(context, row, null),
  recommendation: null,
  status_text: "the seller decides about this price; a dry run shows no decision.",
});
