import type { Clock, Log } from "../seam/ports.ts";
import { digestUuid } from "./digest-uuid.ts";
import type { AwaitingTasks } from "./tasks/awaiting-tasks.ts";
import { artifactOf, statusOf, type Turn } from "./turn.ts";

/** Approvals of humans. */
export interface Approvals {
  isPending(approvalId: string): Promise<boolean>;
  /** What became of it, in words and values; null while it waits. */
  verdict(approvalId: string): Promise<Turn | null>;
  /** Reports approvals that may have been decided. */
  watch(listener: (approvalId: string) => void): () => void;
}

export interface ApprovalFollower {
  stop(): Promise<void>;
}

export interface FollowerParts {
  readonly approvals: Approvals;
  readonly tasks: AwaitingTasks;
  readonly clock: Clock;
  readonly log: Log;
}

/** For decisions of a time when nobody watched. */
const lookEveryMs = 5_000;

/** Ends tasks that wait for a human once the human has decided, or the time is over. */
export const followApprovals = ({ approvals, tasks, clock, log }: FollowerParts): ApprovalFollower => {
  let running: Promise<void> = Promise.resolve();

  const settle = async (approvalId: string): Promise<void> => {
    if (!(await tasks.isAwaited(approvalId))) return;
    const turn = await approvals.verdict(approvalId);
    if (turn === null) return;
    const artifact = artifactOf(digestUuid(["approval", approvalId]), turn);
    await tasks.settle(approvalId, (task) => ({
      ...task,
      status: statusOf(turn.state, clock.nowMs()),
      artifacts: [...task.artifacts, artifact],
      metadata: { ...task.metadata, approval_id: null },
    }));
  };

  const inTurn = (work: () => Promise<void>): void => {
    running = running.then(work).catch((error: unknown) => {
      log.error(
        { error: error instanceof Error ? error.message : String(error) },
        "ending a task after its approval failed",
      );
    });
  };

  const lookAtAll = async (): Promise<void> => {
    for (const approvalId of await tasks.approvals()) await settle(approvalId);
  };

  const unwatch = approvals.watch((approvalId) => inTurn(() => settle(approvalId)));
  inTurn(lookAtAll);
  const timer = setInterval(() => inTurn(lookAtAll), lookEveryMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      unwatch();
      await running;
    },
  };
};
