import { approvalDeadline, approvalMachine } from "../../machines/approval/machine.ts";
import { settle } from "../../machines/step.ts";
import { update } from "../../protocol/seam/changes.ts";
import type { Loaded } from "../../protocol/seam/operation.ts";
import { isRefusal } from "../../protocol/neutral/refusals.ts";
import type { Kind, StoredRow, StoreReader } from "../../storage/store.ts";
import type { CarriedOn, FlowContext } from "./approval-flow.ts";
import { approvalFlows } from "./approval-flows.ts";
import { approvalEvent } from "./approval-gate.ts";
import { dueWork, type DueWork } from "./deadlines.ts";
import type { SellerSettings } from "./ports.ts";
import { approvalKind, type ApprovalRow } from "./records.ts";

/** An approval as it is at this time. */
export const settledApproval = (row: ApprovalRow, nowMs: number): ApprovalRow => {
  const life = settle(approvalMachine, approvalDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life };
};

/** What makes a timeout lasting: the approval, its event, and what it does to the flow that waits. */
export const timeOutWork = async (
  context: FlowContext,
  loaded: Loaded<ApprovalRow>,
): Promise<(CarriedOn & { readonly row: ApprovalRow }) | null> => {
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

/** A flow's context over the bare store, for the sweeper. */
const flowContext = (store: StoreReader, settings: SellerSettings, nowMs: number): FlowContext => ({
  nowMs,
  settings,
  load: async <T>(kind: Kind<T>, id: string) => (await store.get(kind.name, id)) as Loaded<T> | null,
});

/** All due work of the seller, for its sweeper: an approval's timeout carries another record on. */
export const sellerDueWork =
  (settings: SellerSettings) =>
  (row: StoredRow, nowMs: number, store: StoreReader): DueWork | null | Promise<DueWork | null> =>
    row.kind === approvalKind.name
      ? timeOutWork(flowContext(store, settings, nowMs), row as Loaded<ApprovalRow>)
      : dueWork(row, nowMs);
