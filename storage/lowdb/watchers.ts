import { messageOf } from "./errors.ts";
import type { JournalRecord } from "./record.ts";

export interface Watchers {
  watch(kind: string, listener: (id: string) => void): () => void;
  /** Tells the listeners of every row that a durable commit wrote or removed. */
  tell(record: JournalRecord): void;
}

/** Listeners by kind. One that throws is reported and keeps its place. */
export const openWatchers = (warn: (message: string) => void): Watchers => {
  const byKind = new Map<string, Set<{ readonly listener: (id: string) => void }>>();

  const watch = (kind: string, listener: (id: string) => void): (() => void) => {
    const entry = { listener };
    const entries = byKind.get(kind) ?? new Set();
    byKind.set(kind, entries.add(entry));
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && byKind.get(kind) === entries) byKind.delete(kind);
    };
  };

  const tell = (record: JournalRecord): void => {
    for (const change of record.changes) {
      if (change.op === "reserve") continue;
      for (const { listener } of byKind.get(change.kind) ?? []) {
        try {
          listener(change.id);
        } catch (thrown) {
          warn(`a listener for rows of kind ${change.kind} failed: ${messageOf(thrown)}`);
        }
      }
    }
  };

  return { watch, tell };
};
