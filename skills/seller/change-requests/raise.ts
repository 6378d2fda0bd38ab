import { isWritten, judgedChangeRequest } from "../../../machines/change-request/machine.ts";
import type { ChangeProposal } from "../../../machines/change-request/proposal.ts";
import { severityOf } from "../../../machines/change-request/severity.ts";
import type { DealTerms } from "../../../machines/deal/machine.ts";
import { create, unchanged, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, RefusalWithChanges } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { agreedFlight, type DealRow } from "../deals/record.ts";
import { newChangeRequestId } from "../ids.ts";
import { orderKind } from "../orders/record.ts";
import type { SellerContext } from "../context.ts";
import { principalOf } from "../principal.ts";
import { rollbackOf, writeChange } from "./effects.ts";
import { changeRequestKind, type ChangeRequestRow, type PriceImpact } from "./record.ts";
import { changeRequestEvent, judge, type Judgement, probeRefusal, type Subject } from "./rules.ts";

export interface Asked {
  readonly reason: string;
  readonly requestedBy: string;
  /** What the body says; nothing depends on it. */
  readonly onBehalfOf?: string | undefined;
}

export interface RaisedChange {
  readonly row: ChangeRequestRow;
  readonly deal: DealRow | null;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const impactOf = ({ deal }: Subject, { amended }: Judgement): PriceImpact | undefined => {
  if (deal === null || amended === null) return undefined;
  const [before, after] = [deal.row.life.context.terms, amended.context.terms];
  if (before.priceMicros === after.priceMicros && before.impressions === after.impressions) return undefined;
  const priced = ({ priceMicros, impressions }: DealTerms) => ({ price_micros: priceMicros, impressions });
  return { currency: deal.row.pricing.currency, before: priced(before), after: priced(after) };
};

const newRequest = (
  context: SellerContext,
  proposal: ChangeProposal,
  asked: Asked,
  subject: Subject,
  judgement: Judgement,
): ChangeRequestRow => {
  const { order, deal } = subject;
  const severity = severityOf(proposal, deal === null ? null : agreedFlight(deal.row));
  const life = judgedChangeRequest(severity, judgement.errors, context.nowMs);
  return {
    change_request_id: context.mint(newChangeRequestId),
    order_id: order.body.order_id,
    deal_id: order.body.deal_id,
    owner: order.body.owner,
    change_type: proposal.changeType,
    impact: impactOf(subject, judgement),
    diffs: proposal.diffs,
    proposed_values: proposal.proposedValues,
    reason: asked.reason,
    requested_by: asked.requestedBy,
    on_behalf_of: asked.onBehalfOf,
    requested_at_ms: context.nowMs,
    principals: { requested: principalOf(context.caller), reviewed: null, applied: null },
    rollback: isWritten(life) ? rollbackOf(subject) : null,
    revision: 1,
    life,
  };
};

export const changeFailure = (errors: readonly string[], requestId: string | null): Refusal =>
  refuse("validation_failed", {
    message: errors.join(" "),
    extras: { change_request_id: requestId, validation_errors: errors },
  });

/** `version` 0: made for this change and not stored yet. */
const isNew = ({ order }: Subject): boolean => order.version === 0;

/** Kept, so that its id can be read; not for an order that is not stored yet. */
const failedChange = (
  context: SellerContext,
  row: ChangeRequestRow,
  subject: Subject,
): Refusal | RefusalWithChanges => {
  const { validationErrors } = row.life.context;
  if (isNew(subject)) return changeFailure(validationErrors, null);
  return {
    ...changeFailure(validationErrors, context.dryRun ? null : row.change_request_id),
    changes: [create(changeRequestKind, row.change_request_id, row)],
    events: [changeRequestEvent("change_request.created", row), changeRequestEvent("change_request.failed", row)],
  };
};

/** Commits only while the order is still as it was checked. */
const accepted = async (
  context: SellerContext,
  row: ChangeRequestRow,
  subject: Subject,
  judgement: Judgement,
): Promise<RaisedChange> => {
  const { order } = subject;
  const keptOrder = isNew(subject) ? update(orderKind, order, order.body) : unchanged(orderKind, order);
  const written = isWritten(row.life)
    ? await writeChange(context, row, subject, judgement)
    : { changes: [keptOrder], events: [], deal: subject.deal?.row ?? null };
  const approved = isWritten(row.life) ? [changeRequestEvent("change_request.approved", row)] : [];
  return {
    row,
    deal: written.deal,
    changes: [create(changeRequestKind, row.change_request_id, row), ...written.changes],
    events: [changeRequestEvent("change_request.created", row), ...approved, ...written.events],
  };
};

export const raiseChange = async (
  context: SellerContext,
  proposal: ChangeProposal,
  asked: Asked,
  subject: Subject,
): Promise<RaisedChange | Refusal | RefusalWithChanges> => {
  const limited = await probeRefusal(context, proposal, subject);
  if (limited !== null) return limited;
  const judgement = await judge(context, proposal, subject);
  const row = newRequest(context, proposal, asked, subject, judgement);
  return row.life.value === "failed" ? failedChange(context, row, subject) : accepted(context, row, subject, judgement);
};
