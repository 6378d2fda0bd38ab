import { approvalMachine } from "../../../machines/approval/machine.ts";
import { step } from "../../../machines/step.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { principalOf } from "../principal.ts";
import { approvalEvent } from "./events.ts";
import { approvalKind, type ApprovalRow, settledApproval } from "./record.ts";

export interface WithdrawnApproval {
  readonly decided: ApprovalRow;
  readonly change: Change;
  readonly event: EventDraft;
}

/** Nobody has to decide any more what its buyer took back. Null: it is decided already, or its time is over. */
export const withdrawnApproval = async (
  context: SellerContext,
  approvalId: string,
  reason: string,
): Promise<WithdrawnApproval | null> => {
  const loaded = await context.load(approvalKind, approvalId);
  if (loaded === null) throw new Error(`The approval ${approvalId} is gone.`);
  const row = settledApproval(loaded.body, context.nowMs);
  const by = { decidedBy: context.caller.owner, principal: principalOf(context.caller) };
  const verdict = { decision: "reject", reason, modifications: {} } as const;
  const life = step(approvalMachine, row.life, { type: "DECIDE", nowMs: context.nowMs, ...verdict, ...by });
  if (life === null) return null;
  const decided = { ...row, life };
  return {
    decided,
    change: update(approvalKind, loaded, decided),
    event: approvalEvent("approval.denied", decided, { decision: "reject", reason }),
  };
};
