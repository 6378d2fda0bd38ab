import { type DealInstance, dealDeadline, dealMachine } from "../../machines/deal/machine.ts";
import { holdsInventory } from "../../machines/inventory/holds.ts";
import { type QuoteInstance, quoteDeadline, quoteForgetAtMs, quoteMachine } from "../../machines/quote/machine.ts";
import { settle, step } from "../../machines/step.ts";
import { remove, reserve, update } from "../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../protocol/seam/operation.ts";
import type { Change, ReserveChange, StoredRow } from "../../storage/store.ts";
import { dealEvent, quoteEvent } from "./events.ts";
import { concludedEvent } from "./negotiation/events.ts";
import { negotiationKind, type NegotiationRow, settledNegotiation } from "./negotiation/record.ts";
import { packageChangeKind, type PackageChangeRow, packageChangesKeptMs } from "./packages/record.ts";
import { proposalEvent } from "./proposals/events.ts";
import { proposalKind, type ProposalRow, settledProposal } from "./proposals/record.ts";
import { dealKind, type DealRow, inventoryLedger, quoteKind, type QuoteRow } from "./records.ts";
import { sessionEvent, sessionKind, type SessionRow, settledSession } from "./sessions/record.ts";
import { spanOf } from "./flight-span.ts";

/** A quote as it is at this time. No machine runs unless a deadline has passed since the row was written. */
export const settledQuote = (row: QuoteRow, nowMs: number): QuoteRow => {
  const life: QuoteInstance = settle(quoteMachine, quoteDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

/** A held deal whose approval timed out is refused at that very time (decision 56), before any later deadline. */
const refusedByTime = (row: DealRow, nowMs: number): DealInstance => {
  const { approval, life } = row;
  if (approval == null || !life.context.awaitingApproval || approval.expires_at_ms > nowMs) return life;
  const event = { type: "REJECT", nowMs: approval.expires_at_ms, reason: "Not approved in time" } as const;
  return step(dealMachine, life, event) ?? life;
};

/** A deal as it is at this time; see `settledQuote`. */
export const settledDeal = (row: DealRow, nowMs: number): DealRow => {
  const life: DealInstance = settle(dealMachine, dealDeadline, refusedByTime(row, nowMs), nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

/** An expired quote answers 410 for 30 days and is unknown afterwards (decision 58). */
export const isForgotten = (row: QuoteRow, nowMs: number): boolean => {
  const forgetAtMs = quoteForgetAtMs(row.life);
  return forgetAtMs !== null && nowMs >= forgetAtMs;
};

/** Whether the deal, as it stands, keeps impressions from being sold again. */
const isHolding = (deal: DealRow): boolean => holdsInventory(deal.deal_type, deal.life.value);

/** Gives a deal's impressions back where a move from `before` to `after` ends its hold (decisions 18 and 59). */
export const releaseChanges = (before: DealRow, after: DealRow): readonly ReserveChange[] => {
  const { impressions, flightStart, flightEnd } = before.life.context.terms;
  if (!isHolding(before) || isHolding(after) || impressions === null) return [];
  return [reserve(inventoryLedger(before.product.product_id), spanOf(flightStart, flightEnd), -impressions, null)];
};

/** What brings a due row up to date: to be committed as it is, with the events of the same commit. */
export interface DueWork {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const dueQuote = (loaded: Loaded<QuoteRow>, nowMs: number): DueWork | null => {
  const forgetAtMs = quoteForgetAtMs(loaded.body.life);
  if (forgetAtMs !== null) {
    return forgetAtMs <= nowMs ? { changes: [remove(quoteKind, loaded)], events: [] } : null;
  }
  const row = settledQuote(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(quoteKind, loaded, row)], events: [quoteEvent("quote.expired", row)] };
};

const dueDeal = (loaded: Loaded<DealRow>, nowMs: number): DueWork | null => {
  const row = settledDeal(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return {
    changes: [update(dealKind, loaded, row), ...releaseChanges(loaded.body, row)],
    events: [dealEvent(`deal.${row.life.value}`, row)],
  };
};

/** An offer that nobody answered in time; its quote, where there is one, expires at the same moment. */
const dueProposal = (loaded: Loaded<ProposalRow>, nowMs: number): DueWork | null => {
  const row = settledProposal(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(proposalKind, loaded, row)], events: [proposalEvent("proposal.rejected", row)] };
};

const dueNegotiation = (loaded: Loaded<NegotiationRow>, nowMs: number): DueWork | null => {
  const row = settledNegotiation(loaded.body, nowMs);
  if (row === loaded.body) return null;
  return { changes: [update(negotiationKind, loaded, row)], events: [concludedEvent(row)] };
};

const dueSession = (loaded: Loaded<SessionRow>, nowMs: number): DueWork | null => {
  const row = settledSession(loaded.body, nowMs);
  if (row === loaded.body) return null;
  const facts = { total_messages: row.life.context.messageCount, status: row.life.value };
  return { changes: [update(sessionKind, loaded, row)], events: [sessionEvent("session.closed", row, facts)] };
};

const duePackageChange = (loaded: Loaded<PackageChangeRow>, nowMs: number): DueWork | null =>
  loaded.body.changed_at_ms + packageChangesKeptMs <= nowMs
    ? { changes: [remove(packageChangeKind, loaded)], events: [] }
    : null;

/**
 * What a row whose deadline has passed needs, for the sweeper; null when nothing is due or the kind has no deadlines
 * here. Pure: reads use the same steps, so that an answer never depends on when the sweeper last ran.
 */
export const dueWork = (loaded: StoredRow, nowMs: number): DueWork | null => {
  switch (loaded.kind) {
    case quoteKind.name:
      return dueQuote(loaded as Loaded<QuoteRow>, nowMs);
    case dealKind.name:
      return dueDeal(loaded as Loaded<DealRow>, nowMs);
    case proposalKind.name:
      return dueProposal(loaded as Loaded<ProposalRow>, nowMs);
    case negotiationKind.name:
      return dueNegotiation(loaded as Loaded<NegotiationRow>, nowMs);
    case sessionKind.name:
      return dueSession(loaded as Loaded<SessionRow>, nowMs);
    case packageChangeKind.name:
      return duePackageChange(loaded as Loaded<PackageChangeRow>, nowMs);
    default:
      return null;
  }
};
