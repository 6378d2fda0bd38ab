/** What a loop waits for between two rounds; a call of `wake` while nobody waits ends the next wait at once. */
export interface Wakeup {
  readonly wake: () => void;
  /** Forgets earlier calls of `wake`: what they told of is looked at now. */
  reset(): void;
  /** Resolves to false on timeout or abort. */
  wait(withinMs: number): Promise<boolean>;
}

export const createWakeup = (ended: AbortSignal): Wakeup => {
  let isAwake = false;
  let end: (() => void) | null = null;
  ended.addEventListener("abort", () => end?.(), { once: true });
  return {
    wake: () => {
      isAwake = true;
      end?.();
    },
    reset: () => {
      isAwake = false;
    },
    wait: async (withinMs) => {
      if (!isAwake && !ended.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = null;
      }
      return isAwake;
    },
  };
};
