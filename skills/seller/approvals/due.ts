import { isRefusal } from "../../../protocol/neutral/refusals.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { deadlinesOf } from "../deadline.ts";
import { approvalEvent } from "./events.ts";
import type { ContinuedFlow, FlowContext } from "./flow.ts";
import { approvalFlows } from "./flows.ts";
import { approvalKind, type ApprovalRow, settledApproval } from "./record.ts";

export const timeOutWork = async (
  context: FlowContext,
  loaded: Loaded<ApprovalRow>,
): Promise<(ContinuedFlow & { readonly row: ApprovalRow }) | null> => {
  const row = settledApproval(loaded.body, context.nowMs);
  if (row === loaded.body) return null;
  const verdict = { decision: "timeout", reason: "", modifications: {} } as const;
  const carried = await approvalFlows[row.flow_type](context, row, verdict);
  if (isRefusal(carried)) throw new Error(`The flow ${row.subject_id} refused its timeout: ${carried.code}.`);
  return {
    row,
    result: carried.result,
    changes: [update(approvalKind, loaded, row), ...carried.changes],
    events: [approvalEvent("approval.timed_out", row, {}), ...carried.events],
  };
};

export const approvalDeadlines = deadlinesOf(approvalKind, (loaded, context) => timeOutWork(context, loaded));
