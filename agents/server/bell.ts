/** Remembers a ring while nobody waits. */
export interface Bell {
  readonly ring: () => void;
  hush(): void;
  /** False on timeout or abort. */
  rung(withinMs: number): Promise<boolean>;
}

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
