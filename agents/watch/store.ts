import type { CommitOutcome, Store } from "../../storage/store.ts";
import { inSpan } from "../../protocol/neutral/trace.ts";
import type { Metrics, Readings } from "./metrics.ts";

const commitResult = (outcome: CommitOutcome): string => (outcome.ok ? "done" : outcome.reason);

/** The store with its commits timed and traced, whoever makes them. */
export const watchedStore = (store: Store, metrics: Pick<Metrics, "observe">): Store => ({
  ...store,
  commit: (commit) =>
    inSpan("commit", async ({ set }) => {
      const startMs = performance.now();
      let result = "failed";
      try {
        const outcome = await store.commit(commit);
        result = commitResult(outcome);
        return outcome;
      } finally {
        set("parley.result", result);
        metrics.observe("parley_commit_seconds", { result }, (performance.now() - startMs) / 1000);
      }
    }),
});

export const storeUp = async (store: Store): Promise<Readings> => ({
  parley_store_up: [{ labels: {}, value: (await store.failure()) === null ? 1 : 0 }],
});

export const storeReadings = async (store: Store): Promise<Readings> => {
  const [{ bytes, rows }, heads] = await Promise.all([store.size(), store.auditHeads()]);
  return {
    parley_store_bytes: [{ labels: {}, value: bytes }],
    parley_store_rows: [...rows].map(([kind, value]) => ({ labels: { kind }, value })),
    parley_audit_records: heads.map(({ chain, seq }) => ({ labels: { chain }, value: seq })),
  };
};
