import { update } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { planKind, settledPlan } from "./record.ts";

export const planDeadlines = deadlinesOf(planKind, (loaded, { nowMs }) => {
  const row = settledPlan(loaded.body, nowMs);
  return row === loaded.body ? null : { changes: [update(planKind, loaded, row)], events: [] };
});
