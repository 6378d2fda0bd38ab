import { messageOf } from "../errors.ts";
import type { CommitRecord } from "../rows/index.ts";

export interface Watchers {
  watch(kind: string, listener: (id: string) => void): () => void;
  /** Tells the listeners of every row that a durable commit wrote or removed. */
  tell(record: CommitRecord): void;
}

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

  const tellOf = ({ kind, id }: { readonly kind: string; readonly id: string }): void => {
    for (const { listener } of byKind.get(kind) ?? []) {
      try {
        listener(id);
      } catch (thrown) {
        warn(`a listener for rows of kind ${kind} failed: ${messageOf(thrown)}`);
      }
    }
  };

  const tell = ({ rows, gone }: CommitRecord): void => {
    for (const row of rows) tellOf(row);
    for (const row of gone) tellOf(row);
  };

  return { watch, tell };
};
