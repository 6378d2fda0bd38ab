import { fromMicros, toMicros } from "../../../machines/money.ts";
import { type ProposalEvent, proposalMachine } from "../../../machines/proposal/machine.ts";
import { step } from "../../../machines/step.ts";
import { create, unchanged, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import type { ContinuedFlow, Continuation, FlowContext, Verdict } from "../approvals/flow.ts";
import type { WaitingFlow } from "../approvals/gate.ts";
import { quoteKind, type QuoteRow, settledQuote } from "../pricing/record.ts";
import { newNegotiationId } from "../ids.ts";
import { roundEvent, startedEvent } from "../negotiation/events.ts";
import { counteredProposal } from "../negotiation/opening.ts";
import { freedQuote, heldQuote } from "../negotiation/quote-price.ts";
import { negotiationKind, type NegotiationRow } from "../negotiation/record.ts";
import { outcomeEvent } from "./events.ts";
import { proposalKind, type ProposalRow, settledProposal, withLife } from "./record.ts";
import { proposalWords } from "./words.ts";

/** The buyer may know the facts, the seller alone its limits. */
export const waitingProposal = (row: ProposalRow): WaitingFlow => {
  const { offeredMicros, impressions, lowestMicros, ceilingMicros } = row.life.context;
  return {
    flow: "proposal",
    subjectId: row.proposal_id,
    owner: row.owner,
    proposalId: row.proposal_id,
    facts: {
      proposal_id: row.proposal_id,
      quote_id: row.quote_id,
      product_id: row.product.product_id,
      deal_type: row.deal_type,
      recommendation: row.recommendation,
      price: fromMicros(offeredMicros),
      currency: row.pricing.currency,
      impressions,
      start_date: row.flight_start,
      end_date: row.flight_end,
      pricing_verified: row.pricing_verified,
      pricing_verification_reason: row.pricing_verification_reason,
    },
    confidential: {
      buyer: row.owner,
      buyer_tier: row.tier,
      evaluation: { floor_price: fromMicros(lowestMicros), computed_price: fromMicros(ceilingMicros) },
    },
  };
};

interface Waiting {
  readonly context: FlowContext;
  readonly loaded: Loaded<ProposalRow>;
  readonly quote: Loaded<QuoteRow> | null;
}

const proposalResult = (row: ProposalRow): ContinuedFlow["result"] => {
  const { agreedMicros, sellerMicros, impressions, closedReason } = row.life.context;
  return {
    status: row.life.value,
    proposal_id: row.proposal_id,
    agreed_price: agreedMicros === null ? null : fromMicros(agreedMicros),
    seller_price: sellerMicros === null ? null : fromMicros(sellerMicros),
    impressions,
    status_reason: closedReason,
    ...proposalWords(row),
  };
};

/** A quote that was closed meanwhile stays as it is. */
const quoteChanges = ({ context, quote }: Waiting, to: (held: QuoteRow) => QuoteRow | null): readonly Change[] => {
  if (quote === null) return [];
  const row = settledQuote(quote.body, context.nowMs);
  const next = row.life.value === "available" ? to(row) : null;
  return [next === null ? unchanged(quoteKind, quote) : update(quoteKind, quote, next)];
};

const carried = (
  waiting: Waiting,
  row: ProposalRow,
  changes: readonly Change[],
  events: readonly EventDraft[] = [],
): ContinuedFlow => {
  const event = outcomeEvent(row);
  return {
    changes: [update(proposalKind, waiting.loaded, row), ...changes],
    events: [...(event === null ? [] : [event]), ...events],
    result: proposalResult(row),
  };
};

const moved = (waiting: Waiting, event: ProposalEvent, more: Partial<ProposalRow> = {}): ProposalRow | null => {
  const life = step(proposalMachine, waiting.loaded.body.life, event);
  return life === null ? null : withLife(waiting.loaded.body, life, more);
};

const rejected = (waiting: Waiting, reason: string): ContinuedFlow => {
  const { nowMs } = waiting.context;
  const row = moved(waiting, { type: "REJECT", nowMs, reason });
  if (row === null) throw new Error(`The proposal ${waiting.loaded.id} could not be rejected.`);
  return carried(
    waiting,
    row,
    quoteChanges(waiting, (held) => freedQuote(held, null, nowMs)),
  );
};

const openingOf = ({ settings, nowMs }: FlowContext) => ({
  negotiationId: newNegotiationId(),
  nowMs,
  ttlMs: Math.round(settings.quoteTtlSeconds * 1000),
  dialect: null,
  limits: settings.negotiation,
});

const withNegotiation = (waiting: Waiting, row: ProposalRow, negotiation: NegotiationRow): ContinuedFlow => {
  const { nowMs } = waiting.context;
  const kept = quoteChanges(waiting, (held) => {
    const freed = freedQuote(held, null, nowMs);
    return freed === null ? null : heldQuote(freed, negotiation.negotiation_id, nowMs);
  });
  const opened = create(negotiationKind, negotiation.negotiation_id, negotiation);
  return carried(waiting, row, [opened, ...kept], [startedEvent(negotiation), roundEvent(negotiation)]);
};

const released = (waiting: Waiting): ContinuedFlow => {
  const { context, loaded } = waiting;
  const { nowMs } = context;
  const before = loaded.body;
  const opening = openingOf(context);
  const untilMs = before.quote_id === null ? nowMs + opening.ttlMs : before.life.context.expiresAtMs;
  if (before.life.context.heldFor === "counter") {
    const { impressions, sellerMicros } = before.life.context;
    const offer = { impressions, sellerMicros: sellerMicros ?? before.base_micros };
    const negotiation = counteredProposal(before, opening, offer);
    const expiresAtMs = negotiation.life.context.expiresAtMs;
    const row = moved(waiting, { type: "RELEASE", nowMs, expiresAtMs }, { negotiation_id: opening.negotiationId });
    if (row === null) throw new Error(`The counter of ${loaded.id} could not be released.`);
    return withNegotiation(waiting, row, negotiation);
  }
  const row = moved(waiting, { type: "RELEASE", nowMs, expiresAtMs: untilMs });
  const agreedMicros = row?.life.context.agreedMicros ?? null;
  if (row === null || agreedMicros === null) throw new Error(`The acceptance of ${loaded.id} could not be released.`);
  const agreed = { micros: agreedMicros, subjectId: loaded.id };
  return carried(
    waiting,
    row,
    quoteChanges(waiting, (held) => freedQuote(held, agreed, nowMs)),
  );
};

export const offerIn = (
  { modifications }: Verdict,
  impressions: number | null,
): { readonly sellerMicros: number; readonly impressions: number | null } | Refusal => {
  const { price, impressions: given } = modifications;
  const sellerMicros = typeof price === "number" ? toMicros(price) : null;
  if (sellerMicros === null) {
    return refuse("invalid_decision", {
      message: "A counter needs modifications.price, a number with at most six decimals.",
    });
  }
  const most = impressions ?? Number.MAX_SAFE_INTEGER;
  if (given === undefined || given === null) return { sellerMicros, impressions };
  if (Number.isSafeInteger(given) && Number(given) >= 1 && Number(given) <= most) {
    return { sellerMicros, impressions: Number(given) };
  }
  const message = "modifications.impressions must be a positive whole number, not more than was asked for.";
  return refuse("invalid_decision", { message });
};

const countered = (waiting: Waiting, verdict: Verdict): ContinuedFlow | Refusal => {
  const { context, loaded } = waiting;
  const before = loaded.body;
  if (before.tier === "public") {
    const message = "A public buyer cannot be countered. Send approve or reject.";
    return refuse("invalid_decision", { message });
  }
  const offer = offerIn(verdict, before.life.context.impressions);
  if (isRefusal(offer)) return offer;
  const opening = openingOf(context);
  const impressions = offer.impressions ?? before.life.context.impressions;
  const priceMicros = offer.sellerMicros;
  const probe = { type: "COUNTER", nowMs: context.nowMs, priceMicros, impressions, expiresAtMs: 0 } as const;
  if (step(proposalMachine, before.life, probe) === null) {
    const message = "modifications.price must lie between the product's floor and the buyer's computed price.";
    return refuse("invalid_decision", { message });
  }
  const negotiation = counteredProposal(before, opening, { sellerMicros: priceMicros, impressions });
  const { expiresAtMs } = negotiation.life.context;
  const row = moved(waiting, { ...probe, expiresAtMs }, { negotiation_id: opening.negotiationId });
  if (row === null) throw new Error(`The counter of ${loaded.id} could not be made.`);
  return withNegotiation(waiting, row, negotiation);
};

/**
 * Rejection and timeout reject, a counter becomes the seller's offer. Once the quote is closed,
 * an approval can only reject.
 */
export const carryProposalOn: Continuation = async (context, approval, verdict) => {
  const loaded = await context.load(proposalKind, approval.subject_id);
  if (loaded === null) throw new Error(`The proposal ${approval.subject_id} of an approval is gone.`);
  const { life, quote_id: quoteId } = loaded.body;
  if (life.value !== "pending_approval" || loaded.body.approval?.approval_id !== approval.approval_id) {
    return { changes: [], events: [], result: proposalResult(settledProposal(loaded.body, context.nowMs)) };
  }
  const quote = quoteId === null ? null : await context.load(quoteKind, quoteId);
  const waiting = { context, loaded, quote };
  if (verdict.decision === "timeout") return rejected(waiting, "Not approved in time");
  if (verdict.decision === "reject") return rejected(waiting, verdict.reason || "Not approved by the seller");
  const isOver =
    quoteId !== null && (quote === null || settledQuote(quote.body, context.nowMs).life.value !== "available");
  if (isOver) return rejected(waiting, "The quote was closed before the approval");
  return verdict.decision === "approve" ? released(waiting) : countered(waiting, verdict);
};
