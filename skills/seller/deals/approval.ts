import { approvalMachine } from "../../../machines/approval/machine.ts";
import { dealMachine, type DealTerms } from "../../../machines/deal/machine.ts";
import { fromMicros } from "../../../machines/money.ts";
import { step } from "../../../machines/step.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import type { ContinuedFlow, Continuation, FlowContext, Verdict } from "../approvals/flow.ts";
import type { WaitingFlow } from "../approvals/gate.ts";
import { approvalEvent } from "../approvals/events.ts";
import { approvalKind } from "../approvals/record.ts";
import type { SellerContext } from "../context.ts";
import { deciderOf, principalOf } from "../principal.ts";
import { dealChanges } from "./changes.ts";
import { dealKind, type DealRow, isAwaitingApproval, settledDeal } from "./record.ts";
import { dealEvent } from "./events.ts";
import type { Agreed } from "./rules.ts";
import { dealWords } from "./words.ts";

const termFacts = ({ priceMicros, impressions, flightStart, flightEnd }: DealTerms) => ({
  final_cpm: fromMicros(priceMicros),
  impressions,
  flight_start: flightStart,
  flight_end: flightEnd,
});

/** All of it is known to the buyer as well. */
export const waitingDeal = ({ record, terms }: Agreed, dealId: string, owner: string): WaitingFlow => ({
  flow: "deal",
  subjectId: dealId,
  owner,
  dealId,
  facts: {
    deal_id: dealId,
    quote_id: record.quote_id,
    product_id: record.product.product_id,
    deal_type: record.deal_type,
    currency: record.pricing.currency,
    ...termFacts(terms),
  },
  confidential: { buyer: owner },
});

interface Closing {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const nothingToClose: Closing = { changes: [], events: [] };

/** What is decided about is worth what its deal costs now. */
export const amendedApproval = async (context: SellerContext, deal: DealRow): Promise<readonly Change[]> => {
  if (deal.approval == null || !isAwaitingApproval(deal)) return [];
  const loaded = await context.load(approvalKind, deal.approval.approval_id);
  if (loaded === null) return [];
  const facts = { ...loaded.body.context, ...termFacts(deal.life.context.terms) };
  return [update(approvalKind, loaded, { ...loaded.body, context: facts })];
};

/** A deal that ended another way leaves nothing to decide. `after` is written by the same commit. */
export const closedApproval = async (context: SellerContext, before: DealRow, after: DealRow): Promise<Closing> => {
  if (before.approval == null || !isAwaitingApproval(before) || isAwaitingApproval(after)) return nothingToClose;
  const loaded = await context.load(approvalKind, before.approval.approval_id);
  if (loaded === null) return nothingToClose;
  const { caller, nowMs } = context;
  const reason = after.life.context.statusReason ?? "";
  const verdict = { decision: "reject", reason, modifications: {} } as const;
  const decidedBy = isOperator(caller) ? await deciderOf(context, null) : caller.owner;
  const by = { decidedBy, principal: principalOf(caller) };
  const life = step(approvalMachine, loaded.body.life, { type: "DECIDE", nowMs, ...verdict, ...by });
  if (life === null) return nothingToClose;
  const closed = { ...loaded.body, life };
  return {
    changes: [update(approvalKind, loaded, closed)],
    events: [approvalEvent("approval.denied", closed, { decision: "reject", reason })],
  };
};

const dealResult = (row: DealRow, { caller }: FlowContext): ContinuedFlow["result"] => ({
  status: row.life.value,
  deal_id: row.deal_id,
  status_reason: row.life.context.statusReason,
  ...dealWords(row, caller),
});

const isWaiting = (row: DealRow, approvalId: string): boolean =>
  row.life.context.awaitingApproval && row.approval?.approval_id === approvalId;

const refusedFor = (verdict: Verdict): string =>
  verdict.reason === "" ? "Not approved by the seller" : verdict.reason;

/** Rejection and timeout give the inventory back. Reads already show a timeout; here it is stored. */
export const carryDealOn: Continuation = async (context, approval, verdict) => {
  if (verdict.decision === "counter") {
    return refuse("invalid_decision", { message: "A deal is approved or rejected. Send approve or reject." });
  }
  const loaded = await context.load(dealKind, approval.subject_id);
  if (loaded === null) throw new Error(`The deal ${approval.subject_id} of an approval is gone.`);
  const row = settledDeal(loaded.body, context.nowMs);
  const unchanged = { changes: [], events: [], result: dealResult(row, context) };
  if (!isWaiting(loaded.body, approval.approval_id)) return unchanged;
  if (row !== loaded.body) {
    return {
      changes: dealChanges(loaded, row),
      events: [dealEvent(`deal.${row.life.value}`, row)],
      result: dealResult(row, context),
    };
  }
  const { nowMs } = context;
  const isApproved = verdict.decision === "approve";
  const life = isApproved
    ? step(dealMachine, row.life, { type: "APPROVE", nowMs })
    : step(dealMachine, row.life, { type: "REJECT", nowMs, reason: refusedFor(verdict) });
  if (life === null) return unchanged;
  const moved: DealRow = { ...row, life, revision: row.revision + 1 };
  return {
    changes: dealChanges(loaded, moved),
    events: [dealEvent(isApproved ? "deal.changed" : "deal.rejected", moved)],
    result: dealResult(moved, context),
  };
};
