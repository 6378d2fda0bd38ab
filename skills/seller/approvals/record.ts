import type { GatedFlow } from "../../../machines/approval/gate.ts";
import { approvalDeadline, type ApprovalInstance, approvalMachine } from "../../../machines/approval/machine.ts";
import { settle } from "../../../machines/step.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";

/**
 * A question to an operator about something that waits: `flow_type` and `subject_id` name it, `owner` is whose it is.
 * `context` is what a human decides on, `snapshot` the waiting record as it was; both are for operators alone. The
 * decision, with the proven principal, stands in `life`. `event_id` is that of `approval.requested`.
 * `preferred` says that a preferred agent raised it, as the agent's trust was then; absent: none did.
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

/** The approval that a record waits for, or waited for, and when it times out. */
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
};

/** An approval as it is at this time. */
export const settledApproval = (row: ApprovalRow, nowMs: number): ApprovalRow => {
  const life = settle(approvalMachine, approvalDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life };
};
