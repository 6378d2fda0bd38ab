import type { Tier } from "../../../machines/pricing/tiers.ts";
import type { NegotiationLimits } from "../../../machines/negotiation/limits.ts";
import {
  counteredNegotiation,
  type NegotiationInstance,
  negotiationMachine,
  newNegotiation,
} from "../../../machines/negotiation/machine.ts";
import { step } from "../../../machines/step.ts";
import type { ProposalRow } from "../proposals/record.ts";
import type { QuoteRow } from "../pricing/record.ts";
import { type Heard, withHeard } from "./offers.ts";
import type { NegotiationRow } from "./record.ts";

interface Opening {
  readonly negotiationId: string;
  readonly nowMs: number;
  /** A negotiation about a quote ends with the quote. */
  readonly ttlMs: number;
  readonly dialect: string | null;
  /** Those of the buyer's tier stay with the talk. */
  readonly limits: Readonly<Record<Tier, NegotiationLimits>>;
}

/** `floorMicros` is the least that may be agreed. */
export const negotiationOfQuote = (
  quote: QuoteRow,
  opening: Opening & Pick<NegotiationRow, "owner" | "tier">,
  floorMicros: number,
): NegotiationRow => ({
  negotiation_id: opening.negotiationId,
  owner: opening.owner,
  proposal_id: null,
  quote_id: quote.quote_id,
  product: quote.product,
  currency: quote.pricing.currency,
  impressions: quote.impressions,
  tier: opening.tier,
  created_at_ms: opening.nowMs,
  completed_at_ms: null,
  revision: 0,
  sandbox: quote.sandbox,
  dialect: opening.dialect,
  life: newNegotiation({
    limits: opening.limits[opening.tier],
    baseMicros: quote.life.context.priceMicros,
    floorMicros,
    ceilingMicros: quote.life.context.ceilingMicros,
    expiresAtMs: quote.life.context.expiresAtMs,
    lifetimeMs: null,
  }),
});

const startOf = (proposal: ProposalRow, opening: Opening) => ({
  limits: opening.limits[proposal.tier],
  baseMicros: proposal.base_micros,
  floorMicros: proposal.life.context.lowestMicros,
  ceilingMicros: proposal.life.context.ceilingMicros,
  expiresAtMs: proposal.quote_id === null ? opening.nowMs + opening.ttlMs : proposal.life.context.expiresAtMs,
  lifetimeMs: proposal.quote_id === null ? opening.ttlMs : null,
});

const rowOf = (
  proposal: ProposalRow,
  opening: Opening,
  impressions: number,
  life: NegotiationRow["life"],
): NegotiationRow => ({
  negotiation_id: opening.negotiationId,
  owner: proposal.owner,
  proposal_id: proposal.proposal_id,
  quote_id: proposal.quote_id,
  product: proposal.product,
  currency: proposal.pricing.currency,
  impressions,
  tier: proposal.tier,
  created_at_ms: opening.nowMs,
  completed_at_ms: null,
  revision: 1,
  sandbox: proposal.sandbox,
  dialect: opening.dialect,
  life,
});

interface FirstRound {
  readonly before: NegotiationInstance;
  readonly after: NegotiationInstance;
}

/** The engine's answer to the offered price. */
export const firstRound = (proposal: ProposalRow, opening: Opening, heard: Heard): FirstRound => {
  const { nowMs } = opening;
  const fresh = newNegotiation(startOf(proposal, opening));
  const before = { ...fresh, context: withHeard(fresh.context, heard, nowMs) };
  const priceMicros = proposal.life.context.offeredMicros;
  const after = step(negotiationMachine, before, { type: "OFFER", nowMs, priceMicros, approvalId: null });
  if (after === null) throw new Error(`The proposal ${proposal.proposal_id} could not be answered.`);
  return { before, after };
};

/**
 * The counter is the engine's first round, so the buyer's next message is the second. Where only the volume is not
 * fine, it is at the buyer's price.
 */
export const negotiationOfProposal = (
  proposal: ProposalRow,
  opening: Opening,
  impressions: number,
  first: FirstRound | null,
): NegotiationRow => {
  if (first?.after.value === "active") return rowOf(proposal, opening, impressions, first.after);
  return counteredProposal(proposal, opening, { impressions, sellerMicros: proposal.life.context.offeredMicros });
};

export const counteredProposal = (
  proposal: ProposalRow,
  opening: Opening,
  offer: { readonly sellerMicros: number; readonly impressions: number },
): NegotiationRow => {
  const start = startOf(proposal, opening);
  const prices = {
    buyerMicros: proposal.life.context.offeredMicros,
    sellerMicros: Math.min(offer.sellerMicros, start.ceilingMicros),
  };
  return rowOf(proposal, opening, offer.impressions, counteredNegotiation(start, prices, opening.nowMs));
};
