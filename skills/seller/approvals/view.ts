import type { z } from "zod";
import type { Caller } from "../../../protocol/seam/caller.ts";
import type { ApprovalRow } from "./record.ts";
import { approvalCost, approvalWords } from "./words.ts";
import type { approveOrReject, getApproval } from "./contract.ts";

type Request = z.input<typeof getApproval.output>["request"];
type Decision = z.input<typeof approveOrReject.output>;

export const requestView = (
  row: ApprovalRow,
  caller: Caller,
  keyRequests: ReadonlyMap<string, NonNullable<Request["key_request"]>>,
): Request => ({
  approval_id: row.approval_id,
  event_id: row.event_id,
  flow_id: row.subject_id,
  flow_type: row.flow_type,
  gate_name: row.gate_name,
  proposal_id: row.proposal_id,
  deal_id: row.deal_id,
  status: row.life.value,
  total_cost: approvalCost(row),
  ...approvalWords(row, caller),
  preferred: row.preferred === true,
  created_at: new Date(row.created_at_ms).toISOString(),
  expires_at: new Date(row.life.context.expiresAtMs).toISOString(),
  context: { ...row.context },
  key_request: keyRequests.get(row.approval_id) ?? null,
  flow_state_snapshot: { ...row.snapshot },
});

/** A timeout is no decision. */
export const decisionView = (row: ApprovalRow): Decision | null => {
  const { record } = row.life.context;
  if (record === null) return null;
  return {
    approval_id: row.approval_id,
    decision: record.decision,
    decided_by: record.decidedBy,
    decided_by_principal: record.principal,
    decided_at: new Date(record.decidedAtMs).toISOString(),
    reason: record.reason,
    modifications: { ...record.modifications },
  };
};
