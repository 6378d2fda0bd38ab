import { remove } from "../../../protocol/seam/changes.ts";
import { deadlinesOf } from "../deadline.ts";
import { packageChangeKind, packageChangesKeptMs } from "./record.ts";

export const packageChangeDeadlines = deadlinesOf(packageChangeKind, (loaded, { nowMs }) =>
  loaded.body.changed_at_ms + packageChangesKeptMs <= nowMs
    ? { changes: [remove(packageChangeKind, loaded)], events: [] }
    : null,
);
