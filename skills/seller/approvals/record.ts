import type { GatedFlow } from "../../../machines/approval/gate.ts";
import { approvalDeadline, type ApprovalInstance, approvalMachine } from "../../../machines/approval/machine.ts";
import { settle } from "../../../machines/step.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";

/**
 * `context` and `snapshot` are for operators alone. `event_id` is that of `approval.requested`. `preferred`: the
 * agent's trust when it was raised.
 */
export interface ApprovalRow {
  readonly approval_id: string;
  readonly event_id: string;
  readonly flow_type: GatedFlow;
  readonly gate_name: string;
  readonly subject_id: string;
  readonly owner: string;
  readonly proposal_id: string;
  readonly deal_id: string;
  readonly created_at_ms: number;
  readonly context: Readonly<Record<string, unknown>>;
  readonly snapshot: Readonly<Record<string, unknown>>;
  readonly preferred?: boolean;
  readonly life: ApprovalInstance;
}

export interface AwaitedApproval {
  readonly approval_id: string;
  readonly expires_at_ms: number;
}

export const approvalKind: Kind<ApprovalRow> = {
  name: "approval",
  terms: ({ owner, flow_type: flow, preferred, life }) => [
    `status=${life.value}${preferred === true ? "+preferred" : ""}`,
    ...selectionTerms([owner, life.value, flow]),
  ],
  dueAtMs: (approval) => approvalDeadline(approval.life)?.atMs ?? null,
  owner: () => null,
  facts: ({ life }) => ({
    status: life.value,
    decision: life.context.record?.decision ?? null,
    decided_by: life.context.record?.decidedBy ?? null,
    reason: life.context.record?.reason ?? null,
  }),
};

export const settledApproval = (row: ApprovalRow, nowMs: number): ApprovalRow => {
  const life = settle(approvalMachine, approvalDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life };
};
