import { keyRequestsOf } from "./key-request.ts";
import { approvalMachine, type Decision } from "../../../machines/approval/machine.ts";
import { step } from "../../../machines/step.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { isRefusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { ContinuedFlow, FlowContext, Verdict } from "./flow.ts";
import { approvalFlows } from "./flows.ts";
import { approvalEvent } from "./events.ts";
import { approvalKind, type ApprovalRow, settledApproval } from "./record.ts";
import { timeOutWork } from "./due.ts";
import { decidedAbout } from "./subject.ts";
import { deciderOf, principalOf } from "../principal.ts";
import * as contract from "./contract.ts";
import { readQueues } from "./queues.ts";
import type { Words } from "../words.ts";
import { decisionView, requestView } from "./view.ts";
import { approvalWords } from "./words.ts";
import type { SellerContext } from "../context.ts";

const decisions: readonly Decision[] = contract.decisions;

const isDecision = (word: string): word is Decision => (decisions as readonly string[]).includes(word);

const flowContext = (context: SellerContext): FlowContext => ({
  nowMs: context.nowMs,
  caller: context.caller,
  settings: context.ports.settings,
  seller: context,
  load: (kind, id) => context.load(kind, id),
});

/** Leaves out what timed out, also before the sweeper wrote so. */
export const listPendingApprovals = defineOperation(
  contract.listPendingApprovals,
  async (context: SellerContext, input) => {
    const { rows, page } = await readQueues(context, input);
    const waiting = rows.filter(({ body }) => settledApproval(body, context.nowMs).life.value === "pending");
    const overdue = rows.length - waiting.length;
    const keyRequests = await keyRequestsOf(
      context,
      waiting.map(({ body }) => body),
    );
    return {
      output: {
        approvals: waiting.map(({ body }) => requestView(body, context.caller, keyRequests)),
        ...page,
        total: page.total - overdue,
        count: waiting.length,
      },
    };
  },
);

export const getApproval = defineOperation(contract.getApproval, async (context: SellerContext, input) => {
  const loaded = await context.own(approvalKind, input.approval_id, "approval_not_found");
  const row = settledApproval(loaded.body, context.nowMs);
  const request = requestView(row, context.caller, await keyRequestsOf(context, [row]));
  return { output: { request, response: decisionView(row) } };
});

const closedRefusal = (row: ApprovalRow) => {
  const { value, context } = row.life;
  if (value === "pending") return null;
  if (value === "timed_out") return refuse("approval_timed_out", { extras: { current_status: value } });
  return refuse("approval_already_decided", {
    extras: { current_status: value, decision: context.record?.decision ?? null },
  });
};

const eventTypes = { approve: "approval.granted", reject: "approval.denied", counter: "approval.denied" } as const;

export const approveOrReject = defineOperation(contract.approveOrReject, async (context: SellerContext, input) => {
  const loaded = await context.own(approvalKind, input.approval_id, "approval_not_found");
  const row = settledApproval(loaded.body, context.nowMs);
  const closed = closedRefusal(row);
  if (closed !== null) return closed;
  const { revision, checks } = await decidedAbout(context, row);
  context.matchRevision(revision);
  const { decision } = input;
  if (!isDecision(decision)) {
    const message = `Nobody can decide so. Use one of: ${decisions.join(", ")}.`;
    return refuse("invalid_decision", { message, extras: { valid_decisions: decisions } });
  }
  const verdict: Verdict = { decision, reason: input.reason ?? "", modifications: input.modifications ?? {} };
  const decidedBy = await deciderOf(context, input.decided_by);
  const principal = principalOf(context.caller);
  const event = { type: "DECIDE", nowMs: context.nowMs, ...verdict, decision, decidedBy, principal } as const;
  const life = step(approvalMachine, row.life, event);
  if (life === null) throw new Error(`The pending approval ${row.approval_id} could not be decided.`);
  const decided: ApprovalRow = { ...row, life };
  const carried = await approvalFlows[row.flow_type](flowContext(context), decided, verdict);
  if (isRefusal(carried)) return carried;
  const output = decisionView(decided);
  if (output === null) throw new Error(`The decision about ${row.approval_id} was not recorded.`);
  const { approval_id: _id, decided_at: _at, modifications: _modifications, ...told } = output;
  return {
    output: { ...output, ...wordsOf(decided, carried.result), flow: carried.result },
    changes: [update(approvalKind, loaded, decided), ...checks, ...carried.changes],
    events: [approvalEvent(eventTypes[decision], decided, told), ...carried.events],
  };
});

const wordsOf = (row: ApprovalRow, result: Words): Words => ({
  status_text: `${approvalWords(row, null).status_text} ${result.status_text}`,
  next_step: result.next_step,
});

const resumed = (row: ApprovalRow, result: ContinuedFlow["result"]) => {
  const { record } = row.life.context;
  return {
    proposal_id: row.proposal_id,
    recommendation: record?.decision ?? row.life.value,
    counter_terms: record?.decision === "counter" ? { ...record.modifications } : null,
    resumed_from_approval: row.approval_id,
    flow_type: row.flow_type,
    flow_id: row.subject_id,
    ...result,
  };
};

export const resumeApproval = defineOperation(contract.resumeApproval, async (context: SellerContext, input) => {
  const loaded = await context.own(approvalKind, input.approval_id, "approval_not_found");
  const timedOut = await timeOutWork(flowContext(context), loaded);
  if (timedOut !== null) {
    const { row, result, changes, events } = timedOut;
    return { output: resumed(row, result), changes, events };
  }
  const row = loaded.body;
  if (row.life.value === "pending") return refuse("approval_not_decided");
  const { record } = row.life.context;
  const verdict: Verdict =
    record === null ? { decision: "timeout", reason: "", modifications: {} } : { ...record, decision: record.decision };
  const carried = await approvalFlows[row.flow_type](flowContext(context), row, verdict);
  if (isRefusal(carried)) throw new Error(`The flow ${row.subject_id} refused a decision that was made.`);
  return { output: resumed(row, carried.result), changes: carried.changes, events: carried.events };
});
