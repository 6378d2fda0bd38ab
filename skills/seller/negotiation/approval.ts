import { fromMicros } from "../../../machines/money.ts";
import { type NegotiationEvent, negotiationMachine } from "../../../machines/negotiation/machine.ts";
import { step } from "../../../machines/step.ts";
import { isRefusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { ContinuedFlow, Continuation, FlowContext, Verdict } from "../approvals/flow.ts";
import type { WaitingFlow } from "../approvals/gate.ts";
import { quoteKind, settledQuote } from "../pricing/record.ts";
import { offerIn } from "../proposals/approval.ts";
import { proposalKind } from "../proposals/record.ts";
import { effectsOf, type Subject } from "./effects.ts";
import { roundEvent } from "./events.ts";
import { negotiationKind, type NegotiationRow, settledNegotiation, withLife } from "./record.ts";
import { negotiationWords } from "./words.ts";

interface HeldMove {
  readonly action: "accept" | "final_offer";
  readonly offerMicros: number;
  readonly priceMicros: number;
}

/** The buyer does not see the move before it is decided. */
export const waitingNegotiation = (row: NegotiationRow, move: HeldMove): WaitingFlow => ({
  flow: "negotiation",
  subjectId: row.negotiation_id,
  owner: row.owner,
  ...(row.proposal_id === null ? {} : { proposalId: row.proposal_id }),
  facts: {
    negotiation_id: row.negotiation_id,
    proposal_id: row.proposal_id,
    quote_id: row.quote_id,
    product_id: row.product.product_id,
    buyer_price: fromMicros(move.offerMicros),
    currency: row.currency,
    impressions: row.impressions,
  },
  confidential: {
    buyer: row.owner,
    buyer_tier: row.tier,
    evaluation: {
      action: move.action,
      price: fromMicros(move.priceMicros),
      floor_price: fromMicros(row.life.context.floorMicros),
      computed_price: fromMicros(row.life.context.ceilingMicros),
    },
  },
});

const negotiationResult = (row: NegotiationRow): ContinuedFlow["result"] => {
  const { agreedMicros, rounds } = row.life.context;
  return {
    status: row.life.value,
    negotiation_id: row.negotiation_id,
    proposal_id: row.proposal_id,
    agreed_price: agreedMicros === null ? null : fromMicros(agreedMicros),
    action: rounds.at(-1)?.action ?? null,
    ...negotiationWords(row),
  };
};

const eventFor = (context: FlowContext, verdict: Verdict, sellerMicros: number, isOver: boolean): NegotiationEvent => {
  const { nowMs } = context;
  if (isOver || verdict.decision === "reject" || verdict.decision === "timeout") return { type: "REFUSE", nowMs };
  return verdict.decision === "approve"
    ? { type: "RELEASE", nowMs }
    : { type: "COUNTER", nowMs, priceMicros: sellerMicros };
};

const subjectOf = async (
  context: FlowContext,
  id: string,
): Promise<Subject & { readonly loaded: NonNullable<Subject["loaded"]> }> => {
  const loaded = await context.load(negotiationKind, id);
  if (loaded === null) throw new Error(`The negotiation ${id} of an approval is gone.`);
  const { proposal_id: proposalId, quote_id: quoteId } = loaded.body;
  return {
    loaded,
    row: loaded.body,
    proposal: proposalId === null ? null : await context.load(proposalKind, proposalId),
    quote: quoteId === null ? null : await context.load(quoteKind, quoteId),
  };
};

/**
 * Rejection and timeout end the negotiation, a counter becomes the seller's offer. If the quote was closed meanwhile,
 * it can only end.
 */
export const carryNegotiationOn: Continuation = async (context, approval, verdict) => {
  const subject = await subjectOf(context, approval.subject_id);
  const { loaded, quote } = subject;
  const { held } = loaded.body.life.context;
  const isWaiting = held?.approvalId === approval.approval_id && context.nowMs < loaded.body.life.context.expiresAtMs;
  if (!isWaiting)
    return { changes: [], events: [], result: negotiationResult(settledNegotiation(loaded.body, context.nowMs)) };
  const isOver = quote !== null && settledQuote(quote.body, context.nowMs).life.value !== "available";
  const offer = verdict.decision === "counter" ? offerIn(verdict, loaded.body.impressions) : null;
  if (isRefusal(offer)) return offer;
  if (offer !== null && offer.impressions !== loaded.body.impressions) {
    return refuse("invalid_decision", { message: "Only the price of a negotiation can be countered." });
  }
  const life = step(negotiationMachine, loaded.body.life, eventFor(context, verdict, offer?.sellerMicros ?? 0, isOver));
  if (life === null) {
    const message = "modifications.price must lie between the product's floor and the buyer's computed price.";
    return refuse("invalid_decision", { message });
  }
  const after = withLife(loaded.body, life, context.nowMs);
  const ttlMs = Math.round(context.settings.quoteTtlSeconds * 1000);
  const { changes, events } = effectsOf(subject, after, context.nowMs, ttlMs);
  const shown = life.value === "rejected" ? [] : [roundEvent(after)];
  return { changes, events: [...shown, ...events], result: negotiationResult(after) };
};
