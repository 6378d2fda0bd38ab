import type { Store } from "../../../../storage/store.ts";

const SWEEP_MS = 60_000;
const SWEEP_ROWS = 200;

/** Removes the rows of these kinds that are past their end; they read as absent already. */
export const startSweeper = (
  store: Store,
  kinds: readonly string[],
  now: () => number,
  onError: (error: unknown) => void,
): (() => void) => {
  const sweep = async (): Promise<void> => {
    for (;;) {
      const rows = await store.due(now(), SWEEP_ROWS);
      const gone = rows.filter(({ kind }) => kinds.includes(kind));
      for (const { kind, id, version } of gone) {
        // A lost race means that somebody renewed the row: it stays.
        await store.commit({ changes: [{ op: "remove", kind, id, expect: version }], audit: null });
      }
      if (gone.length < SWEEP_ROWS) return;
    }
  };
  const timer = setInterval(() => void sweep().catch(onError), SWEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
};
