import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../errors.ts";

export interface LoopContext {
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Pauses grow where the work ends soon. */
export const repeat = async (what: string, work: () => Promise<void>, { signal, log }: LoopContext): Promise<void> => {
  let wait = FIRST_RETRY_MS;
  while (!signal.aborted) {
    const begun = Date.now();
    try {
      await work();
    } catch (error) {
      if (wait === FIRST_RETRY_MS) log(`${what} stopped, it is tried again: ${messageOf(error)}`);
    }
    wait = Date.now() - begun > LAST_RETRY_MS ? FIRST_RETRY_MS : Math.min(wait * 2, LAST_RETRY_MS);
    if (!signal.aborted) await pause(wait, signal);
  }
};

/** Only the first failure of a series is logged. */
export const pace = async (
  what: string,
  everyMs: number,
  work: () => Promise<void>,
  { signal, log }: LoopContext,
): Promise<void> => {
  let failing = false;
  for (;;) {
    await pause(everyMs, signal);
    if (signal.aborted) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log(`${what} failed, it is tried again: ${messageOf(error)}`);
      failing = true;
    }
  }
};
