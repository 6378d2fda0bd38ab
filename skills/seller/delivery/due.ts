import { remove } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { deliveryBatchKind } from "./record.ts";

export const deliveryBatchDeadlines = deadlinesOf(deliveryBatchKind, (loaded, { nowMs }) =>
  (deliveryBatchKind.dueAtMs(loaded.body) ?? 0) <= nowMs
    ? { changes: [remove(deliveryBatchKind, loaded)], events: [] }
    : null,
);
