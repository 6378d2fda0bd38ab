import type { Store } from "../../../../storage/store.ts";

const sweepMs = 60_000;
const sweepRows = 200;

/** Removes the rows of these kinds that are past their end; they read as absent already. */
export const startSweeper = (
  store: Store,
  kinds: readonly string[],
  now: () => number,
  onError: (error: unknown) => void,
): (() => void) => {
  const sweep = async (): Promise<void> => {
    for (;;) {
      const rows = await store.due(now(), sweepRows);
      const gone = rows.filter(({ kind }) => kinds.includes(kind));
      for (const { kind, id, version } of gone) {
        // A lost race means that somebody renewed the row: it stays.
        await store.commit({ changes: [{ op: "remove", kind, id, expect: version }], audit: null });
      }
      if (gone.length < sweepRows) return;
    }
  };
  const timer = setInterval(() => void sweep().catch(onError), sweepMs);
  timer.unref();
  return () => clearInterval(timer);
};
