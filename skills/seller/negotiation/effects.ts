import { lastSellerMicros } from "../../../machines/negotiation/rounds.ts";
import { proposalMachine } from "../../../machines/proposal/machine.ts";
import { step } from "../../../machines/step.ts";
import { create, unchanged, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import { quoteKind, type QuoteRow, settledQuote } from "../pricing/record.ts";
import { outcomeEvent } from "../proposals/events.ts";
import { proposalKind, type ProposalRow, settledProposal, withLife } from "../proposals/record.ts";
import { concludedEvent, roundEvent, startedEvent } from "./events.ts";
import { freedQuote, heldQuote } from "./quote-price.ts";
import { negotiationKind, type NegotiationRow } from "./record.ts";

/** `loaded` null: this message opens it. */
export interface Subject {
  readonly loaded: Loaded<NegotiationRow> | null;
  readonly row: NegotiationRow;
  readonly proposal: Loaded<ProposalRow> | null;
  readonly quote: Loaded<QuoteRow> | null;
}

interface Effects {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

/** Not bookable while it goes on, at the agreed price afterwards. */
const quoteEffects = ({ row, quote }: Subject, after: NegotiationRow, nowMs: number): readonly Change[] => {
  if (quote === null) return [];
  const before = settledQuote(quote.body, nowMs);
  if (before.life.value !== "available") return [unchanged(quoteKind, quote)];
  const isHeld = before.life.context.openNegotiationId !== null;
  const held = isHeld ? before : heldQuote(before, row.negotiation_id, nowMs);
  if (held === null) throw new Error(`The quote ${quote.id} could not be kept for ${row.negotiation_id}.`);
  const { agreedMicros } = after.life.context;
  const agreed = agreedMicros === null ? null : { micros: agreedMicros, subjectId: row.negotiation_id };
  if (after.life.value === "active") {
    return [held === quote.body ? unchanged(quoteKind, quote) : update(quoteKind, quote, held)];
  }
  const freed = freedQuote(held, agreed, nowMs);
  if (freed === null) throw new Error(`The quote ${quote.id} could not take the agreed price.`);
  return [update(quoteKind, quote, { ...freed, negotiated: true })];
};

const proposalEffects = ({ proposal }: Subject, after: NegotiationRow, nowMs: number, ttlMs: number): Effects => {
  if (proposal === null) return { changes: [], events: [] };
  const before = settledProposal(proposal.body, nowMs);
  if (before.life.value !== "counter_pending") return { changes: [unchanged(proposalKind, proposal)], events: [] };
  const { agreedMicros, expiresAtMs } = after.life.context;
  const { impressions, ceilingMicros } = before.life.context;
  const bookableUntilMs = before.quote_id === null ? nowMs + ttlMs : expiresAtMs;
  const life =
    after.life.value === "active"
      ? step(proposalMachine, before.life, {
          type: "COUNTER",
          nowMs,
          priceMicros: Math.min(lastSellerMicros(after.life.context), ceilingMicros),
          impressions,
          expiresAtMs,
        })
      : agreedMicros !== null
        ? step(proposalMachine, before.life, { type: "ACCEPT", nowMs, priceMicros: agreedMicros, bookableUntilMs })
        : step(proposalMachine, before.life, { type: "REJECT", nowMs, reason: "The negotiation ended without a deal" });
  if (life === null) throw new Error(`The proposal ${proposal.id} could not follow its negotiation.`);
  const row = withLife(before, life);
  const event = life.value === "counter_pending" ? null : outcomeEvent(row);
  return { changes: [update(proposalKind, proposal, row)], events: event === null ? [] : [event] };
};

/** Negotiation, proposal and quote in one commit. `ttlMs`: how long an accepted proposal stays bookable. */
export const effectsOf = (subject: Subject, after: NegotiationRow, nowMs: number, ttlMs: number): Effects => {
  const { loaded } = subject;
  const proposal = proposalEffects(subject, after, nowMs, ttlMs);
  const wasShown = after.life.context.rounds.length > subject.row.life.context.rounds.length;
  return {
    changes: [
      loaded === null ? create(negotiationKind, after.negotiation_id, after) : update(negotiationKind, loaded, after),
      ...quoteEffects(subject, after, nowMs),
      ...proposal.changes,
    ],
    events: [
      ...(loaded === null ? [startedEvent(after)] : []),
      ...(wasShown ? [roundEvent(after)] : []),
      ...(after.life.value === "active" ? [] : [concludedEvent(after)]),
      ...proposal.events,
    ],
  };
};
