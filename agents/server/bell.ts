/** Something that may be rung while nobody waits: the next one to wait is told at once. */
export interface Bell {
  readonly ring: () => void;
  hush(): void;
  /** True once it was rung, false when the time is over or the signal is aborted. */
  rung(withinMs: number): Promise<boolean>;
}

/** Makes a bell that wakes one waiter; an aborted signal ends every wait. */
export const createBell = (ended: AbortSignal): Bell => {
  let isRung = false;
  let wake: (() => void) | null = null;
  ended.addEventListener("abort", () => wake?.(), { once: true });
  return {
    ring: () => {
      isRung = true;
      wake?.();
    },
    hush: () => {
      isRung = false;
    },
    rung: async (withinMs) => {
      if (!isRung && !ended.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = null;
      }
      return isRung;
    },
  };
};
