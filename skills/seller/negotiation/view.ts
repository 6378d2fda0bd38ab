import type { z } from "zod";
import { fromMicros, unitsOrNull } from "../../../machines/money.ts";
import { isLastOffer, roundsRemaining } from "../../../machines/negotiation/machine.ts";
import { lastSellerMicros, type Round } from "../../../machines/negotiation/rounds.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { counterProposal, getNegotiation, negotiate, round } from "./contract.ts";
import type { NegotiationRow } from "./record.ts";
import type { SellerContext } from "../context.ts";
import { totalCost } from "../words.ts";
import { negotiationWords } from "./words.ts";

/** `words` of its row: the round alone does not hold what the buyer wrote. */
const roundView = (one: Round, words: NegotiationRow["words"]): z.input<typeof round> => ({
  round_number: one.roundNumber,
  buyer_price: unitsOrNull(one.buyerMicros),
  seller_price: fromMicros(one.sellerMicros),
  action: one.action,
  concession_pct: one.concession,
  cumulative_concession_pct: one.cumulativeConcession,
  rationale: one.rationale,
  buyer_rationale: words?.[one.roundNumber] ?? null,
  timestamp: new Date(one.atMs).toISOString(),
});

export const roundViews = ({ life, words }: NegotiationRow): z.input<typeof round>[] =>
  life.context.rounds.map((one) => roundView(one, words));

export const aboutView = (row: NegotiationRow) => ({
  negotiation_id: row.negotiation_id,
  status: row.life.value,
  rounds_remaining: roundsRemaining(row.life),
  proposal_id: row.proposal_id,
  quote_id: row.quote_id,
  product_id: row.product.product_id,
  currency: row.currency,
  impressions: row.impressions,
  agreed_price: unitsOrNull(row.life.context.agreedMicros),
  total_cost: totalCost(row.life.context.agreedMicros ?? lastSellerMicros(row.life.context), row.impressions),
  last_offer: isLastOffer(row.life),
  ...negotiationWords(row),
  approval_id: row.life.context.held?.approvalId ?? null,
  expires_at: new Date(row.life.context.expiresAtMs).toISOString(),
  revision: row.revision,
  sandbox: row.sandbox,
});

export const standingView = (row: NegotiationRow): z.input<typeof negotiate.output> => {
  const last = row.life.context.rounds.at(-1);
  return { ...aboutView(row), round: last === undefined ? null : roundView(last, row.words) };
};

/** With the answer that waits for a person, which a buyer does not see before the decision. */
export const rehearsedView = (row: NegotiationRow): z.input<typeof negotiate.output> => {
  const { held } = row.life.context;
  const waits = { waits_for_approval: held !== null };
  return held === null
    ? { ...standingView(row), ...waits }
    : { ...standingView(row), ...waits, round: roundView(held.outcome.round, row.words) };
};

export const statusView = (row: NegotiationRow): z.input<typeof negotiate.output> => ({
  ...standingView(row),
  rounds: roundViews(row),
});

/** Clients of the counter route read the last round at the top level. */
export const counterView = (row: NegotiationRow): z.input<typeof counterProposal.output> => {
  const last = row.life.context.rounds.at(-1);
  if (last === undefined) throw new Error(`The negotiation ${row.negotiation_id} has no round.`);
  return { ...aboutView(row), ...roundView(last, row.words) };
};

/** The seller's limits are for operators. */
export const historyView = (context: SellerContext, row: NegotiationRow): z.input<typeof getNegotiation.output> => {
  const { limits, baseMicros, floorMicros, rounds } = row.life.context;
  const isOwn = isOperator(context.caller);
  return {
    ...aboutView(row),
    buyer_tier: row.tier,
    strategy: isOwn ? limits.strategy : null,
    base_price: fromMicros(baseMicros),
    floor_price: isOwn ? fromMicros(floorMicros) : null,
    max_rounds: isOwn ? limits.maxRounds : null,
    total_rounds: rounds.length,
    rounds: roundViews(row),
    started_at: new Date(row.created_at_ms).toISOString(),
    completed_at: row.completed_at_ms === null ? null : new Date(row.completed_at_ms).toISOString(),
    package_id: null,
  };
};
