import { setTimeout as sleep } from "node:timers/promises";

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/** Runs `work` until `signal` aborts, with the wait that it resolves to; after failures with longer and longer ones. */
export const loop = async (
  work: () => Promise<number>,
  onFailure: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> => {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await work();
      retryMs = firstRetryMs;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      waitMs = retryMs;
      retryMs = Math.min(longestRetryMs, retryMs * 2);
    }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
};
