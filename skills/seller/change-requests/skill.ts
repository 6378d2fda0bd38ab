import { changeRequestMachine, isWritten } from "../../../machines/change-request/machine.ts";
import { type ChangeType, changeTypes, currentTerm } from "../../../machines/change-request/proposal.ts";
import { step } from "../../../machines/step.ts";
import { isOperator, isSenior } from "../../../protocol/seam/caller.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { emptyPage, readPage } from "../../../protocol/seam/paging.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { orderKind } from "../orders/record.ts";
import { withDealSummaries, withDealSummary } from "../portfolio/deal-summary.ts";
import { askerOf, deciderOf, principalOf } from "../principal.ts";
import * as contract from "./contract.ts";
import { proposalOf, rollbackOf, writeChange } from "./effects.ts";
import { changeFailure, raiseChange } from "./raise.ts";
import { changeRequestKind, type ChangeRequestRow, changeRequestTerm, isChangeRequestStatus } from "./record.ts";
import { changeRequestEvent, judge, type Subject, subjectOf, subjectOfRequest } from "./rules.ts";
import { changeRequestView } from "./view.ts";
import { changeRequestWords } from "./words.ts";
import { waitingChanges } from "./waiting.ts";
import type { SellerContext } from "../context.ts";

const isChangeType = (word: string): word is ChangeType => (changeTypes as readonly string[]).includes(word);

const valueNow = ({ order, deal }: Subject, field: string): unknown => {
  const { metadata } = order.body;
  const term = deal === null ? undefined : currentTerm(deal.row.life.context.terms, field);
  return term ?? (Object.hasOwn(metadata, field) ? metadata[field] : null);
};

export const createChangeRequest = defineOperation(
  contract.createChangeRequest,
  async (context: SellerContext, input) => {
    if (!isChangeType(input.change_type)) {
      const message = `There is no change of this type. Use one of: ${changeTypes.join(", ")}.`;
      return refuse("invalid_change_type", { message, extras: { valid_types: changeTypes } });
    }
    const order = await context.own(orderKind, input.order_id, "order_not_found");
    context.matchRevision(order.body.revision);
    const subject = await subjectOf(context, order);
    const diffs = (input.diffs ?? []).map(({ field, old_value = valueNow(subject, field), new_value = null }) => {
      return { field, old_value, new_value };
    });
    const proposal = { changeType: input.change_type, diffs, proposedValues: input.proposed_values ?? {} };
    const onBehalfOf = input.requested_by == null || input.requested_by === "" ? undefined : input.requested_by;
    const requestedBy = onBehalfOf === undefined ? "system" : await askerOf(context);
    const asked = { reason: input.reason ?? "", requestedBy, onBehalfOf };
    const raised = await raiseChange(context, proposal, asked, subject);
    if (isRefusal(raised)) return raised;
    const { row, changes, events } = raised;
    const others = row.deal_id === null ? [] : await waitingChanges(context, row.deal_id);
    const output = changeRequestView(row, context.caller, others);
    return { output, meta: { revision: row.revision }, changes, events };
  },
);

export const listChangeRequests = defineOperation(
  contract.listChangeRequests,
  async (context: SellerContext, input) => {
    const { caller } = context;
    const status = input.status == null || input.status === "" ? null : input.status;
    const isUnknown = status !== null && !isChangeRequestStatus(status);
    if (isUnknown || caller.kind === "anonymous") return { output: { change_requests: [], ...emptyPage.page } };
    const owner = isOperator(caller) ? null : caller.owner;
    const orderId = input.order_id == null || input.order_id === "" ? null : input.order_id;
    const term = changeRequestTerm({ owner, orderId, status });
    const { rows, page } = await readPage(context, { kind: changeRequestKind, term, order: "newest" }, input);
    const views = rows.map((loaded) => changeRequestView(loaded.body, caller));
    return { output: { change_requests: await withDealSummaries(context, views), ...page } };
  },
);

export const getChangeRequest = defineOperation(contract.getChangeRequest, async (context: SellerContext, input) => {
  const { body } = await context.own(changeRequestKind, input.cr_id, "change_request_not_found");
  const output = await withDealSummary(context, changeRequestView(body, context.caller));
  return { output, meta: { revision: body.revision } };
});

const notPending = (state: string, done: string): Refusal => {
  const message = `The change request is ${state} and cannot be ${done}.`;
  return refuse("not_pending_approval", { message, extras: { current_status: state } });
};

export const reviewChangeRequest = defineOperation(
  contract.reviewChangeRequest,
  async (context: SellerContext, input) => {
    const loaded = await context.own(changeRequestKind, input.cr_id, "change_request_not_found");
    const row = loaded.body;
    const state = row.life.value;
    if (state !== "pending_approval") return notPending(state, "reviewed");
    context.matchRevision(row.revision);
    const { decision, reason } = input;
    if (decision !== "approve" && decision !== "reject") {
      const message = "A change request is approved or rejected. Send approve or reject.";
      return refuse("invalid_decision", { message, extras: { valid_decisions: contract.reviewDecisions } });
    }
    const by = await deciderOf(context, input.decided_by);
    const review = { nowMs: context.nowMs, by, senior: isSenior(context.caller) };
    const life = step(
      changeRequestMachine,
      row.life,
      decision === "approve" ? { type: "APPROVE", ...review } : { type: "REJECT", reason: reason ?? "", ...review },
    );
    if (life === null) return refuse("senior_review_required");
    const principals = { ...row.principals, reviewed: principalOf(context.caller) };
    const reviewed: ChangeRequestRow = { ...row, life, principals, revision: row.revision + 1 };
    const eventType = decision === "approve" ? "change_request.approved" : "change_request.rejected";
    return {
      output: changeRequestView(reviewed, context.caller),
      meta: { revision: reviewed.revision },
      changes: [update(changeRequestKind, loaded, reviewed)],
      events: [changeRequestEvent(eventType, reviewed)],
    };
  },
);

export const withdrawChangeRequest = defineOperation(
  contract.withdrawChangeRequest,
  async (context: SellerContext, input) => {
    const loaded = await context.own(changeRequestKind, input.cr_id, "change_request_not_found");
    const row = loaded.body;
    if (row.life.value !== "pending_approval") return notPending(row.life.value, "withdrawn");
    context.matchRevision(row.revision);
    const { caller, nowMs } = context;
    const reason = input.reason?.trim() ?? "";
    const own = caller.owner === row.owner;
    const by = own ? caller.owner : await deciderOf(context, null);
    const move = { type: "WITHDRAW", nowMs, by, senior: isSenior(caller), own, reason } as const;
    const life = step(changeRequestMachine, row.life, move);
    if (life === null) return refuse("senior_review_required");
    const principals = { ...row.principals, reviewed: principalOf(context.caller) };
    const withdrawn: ChangeRequestRow = { ...row, life, principals, revision: row.revision + 1 };
    const waiting = row.deal_id === null ? [] : await waitingChanges(context, row.deal_id);
    const others = waiting.filter(({ change_request_id: id }) => id !== row.change_request_id);
    return {
      output: changeRequestView(withdrawn, context.caller, others),
      meta: { revision: withdrawn.revision },
      changes: [update(changeRequestKind, loaded, withdrawn)],
      events: [changeRequestEvent("change_request.withdrawn", withdrawn)],
    };
  },
);

export const applyChangeRequest = defineOperation(
  contract.applyChangeRequest,
  async (context: SellerContext, input) => {
    const loaded = await context.own(changeRequestKind, input.cr_id, "change_request_not_found");
    const row = loaded.body;
    const life = step(changeRequestMachine, row.life, { type: "APPLY", nowMs: context.nowMs, by: "system" });
    if (life === null) {
      const message = `The change request is ${row.life.value}. Only an approved one can be applied.`;
      return refuse("not_approved", { message, extras: { current_status: row.life.value } });
    }
    context.matchRevision(row.revision);
    const isNew = !isWritten(row.life);
    const subject = await subjectOfRequest(context, row);
    const judgement = isNew ? await judge(context, proposalOf(row), subject) : null;
    if (judgement !== null && judgement.errors.length > 0)
      return changeFailure(judgement.errors, row.change_request_id);
    const applied: ChangeRequestRow = {
      ...row,
      life,
      principals: { ...row.principals, applied: principalOf(context.caller) },
      rollback: isNew ? rollbackOf(subject) : row.rollback,
      revision: row.revision + 1,
    };
    const written = judgement === null ? null : await writeChange(context, applied, subject, judgement);
    return {
      output: {
        change_request_id: row.change_request_id,
        status: "applied" as const,
        order_id: row.order_id,
        deal_id: row.deal_id ?? "",
        ...changeRequestWords(applied, context.caller),
        applied_at: new Date(life.context.appliedAtMs ?? context.nowMs).toISOString(),
      },
      meta: { revision: applied.revision },
      changes: [update(changeRequestKind, loaded, applied), ...(written?.changes ?? [])],
      events: [changeRequestEvent("change_request.applied", applied), ...(written?.events ?? [])],
    };
  },
);
