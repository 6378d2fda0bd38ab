import { TaskState } from "@a2a-js/sdk";
import type { Store } from "../../../storage/store.ts";
import type { Clock, Log } from "../../seam/ports.ts";
import { digestUuid } from "../digest-uuid.ts";
import { artifactOf, statusOf } from "../turn.ts";
import { type LoadedTask, stateTerm, taskKind, taskOf } from "./task-row.ts";
import type { TaskRows } from "./task-rows.ts";

/** While a turn runs, its task's time is renewed this often. */
export const aliveEveryMs = 20_000;
/** Without a renewal for this long, the process of the turn has ended. */
const interruptedAfterMs = 3 * aliveEveryMs;
const lookEveryMs = 5_000;
const rowsPerLook = 500;

const words = "The agent stopped before this was answered. Send the message again: what was done is not done twice.";

interface InterruptedParts {
  readonly store: Store;
  readonly rows: TaskRows;
  readonly clock: Clock;
  readonly log: Log;
}

/** A task never stays `working` after the process that worked on it has died. */
export const failInterrupted = async ({ store, rows, clock }: Omit<InterruptedParts, "log">): Promise<void> => {
  const nowMs = clock.nowMs();
  const terms = [stateTerm(TaskState.TASK_STATE_WORKING)];
  const query = { kind: taskKind.name, terms, order: "oldest" as const, limit: rowsPerLook };
  for (const row of (await store.list(query)) as readonly LoadedTask[]) {
    const task = taskOf(row);
    if (nowMs - Date.parse(task.status?.timestamp ?? "") <= interruptedAfterMs) continue;
    const artifact = artifactOf(digestUuid(["interrupted", task.id]), { state: "failed", text: words, parts: [] });
    const failed = { ...task, status: statusOf("failed", nowMs), artifacts: [...task.artifacts, artifact] };
    // After a lost race the task is renewed or over.
    await rows.commit(row.id, row.body.owner, row, failed);
  }
};

export const watchInterrupted = (parts: InterruptedParts): (() => Promise<void>) => {
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking
      .then(() => failInterrupted(parts))
      .catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        parts.log.error({ error: text }, "ending interrupted tasks failed");
      });
  }, lookEveryMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
};
