import { pushConfigKind } from "../../protocol/a2a/push/record.ts";
import { taskKind } from "../../protocol/a2a/tasks/task-row.ts";
import { idempotencyKind } from "../../protocol/seam/run/idempotency.ts";
import { consoleCodeKind, consoleSessionKind } from "../console/session-row.ts";
import { type DueWorker, removed } from "./sweeper.ts";

const expiring: ReadonlySet<string> = new Set([
  idempotencyKind.name,
  taskKind.name,
  pushConfigKind.name,
  consoleSessionKind.name,
  consoleCodeKind.name,
]);

/** What every agent's server stores for a time, beside the agent's own deadlines. */
export const withExpiry =
  (due: DueWorker): DueWorker =>
  (row, nowMs, store) =>
    expiring.has(row.kind) ? removed(row) : due(row, nowMs, store);
