import { type DealInstance, dealDeadline, dealMachine } from "../../machines/deal/machine.ts";
import { holdsInventory } from "../../machines/inventory/holds.ts";
import { type QuoteInstance, quoteDeadline, quoteForgetAtMs, quoteMachine } from "../../machines/quote/machine.ts";
import { settle } from "../../machines/step.ts";
import { remove, reserve, update } from "../../protocol/changes.ts";
import type { EventDraft, Loaded } from "../../protocol/operation.ts";
import type { Change, ReserveChange, StoredRow } from "../../storage/store.ts";
import { dealEvent, quoteEvent } from "./events.ts";
import {
  approvalKind,
  type ApprovalRow,
  dealKind,
  type DealRow,
  inventoryLedger,
  quoteKind,
  type QuoteRow,
} from "./records.ts";
import { spanOf } from "./flight-span.ts";

/** A quote as it is at this time. No machine runs unless a deadline has passed since the row was written. */
export const settledQuote = (row: QuoteRow, nowMs: number): QuoteRow => {
  const life: QuoteInstance = settle(quoteMachine, quoteDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

/** A deal as it is at this time; see `settledQuote`. */
export const settledDeal = (row: DealRow, nowMs: number): DealRow => {
  const life: DealInstance = settle(dealMachine, dealDeadline, row.life, nowMs);
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

/** An approval that nobody decided in time; a key then stays public (decision 51). */
const dueApproval = (loaded: Loaded<ApprovalRow>, nowMs: number): DueWork | null => {
  const row = loaded.body;
  if (row.status !== "pending" || row.expires_at_ms > nowMs) return null;
  const payload = { approval_id: row.approval_id, subject_kind: row.subject_kind, subject_id: row.subject_id };
  return {
    changes: [update(approvalKind, loaded, { ...row, status: "timed_out" as const })],
    events: [{ event_type: "approval.timed_out", flow_id: row.subject_id, flow_type: row.flow_type, payload }],
  };
};

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
    case approvalKind.name:
      return dueApproval(loaded as Loaded<ApprovalRow>, nowMs);
    default:
      return null;
  }
};
