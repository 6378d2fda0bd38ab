import { setImmediate as nextTurn } from "node:timers/promises";
import { openClaims, openWatchers } from "../lowdb/commit/index.ts";
import { storeError } from "../lowdb/errors.ts";
import { applyRecord, type Document, emptyDocument, readerOf, rowsByKind } from "../lowdb/rows/index.ts";
import type { AuditRecord, Commit, CommitOutcome, Store } from "../store.ts";

const won: CommitOutcome = { ok: true };

/** What a memory store holds, so that a second one can be opened on it as after a restart. */
export interface Memory {
  readonly document: Document;
  readonly trail: AuditRecord[];
}

export const emptyMemory = (): Memory => ({ document: emptyDocument("memory"), trail: [] });

/** Opens a store without files: it keeps the port's promises until the process ends. */
export const openMemoryStore = (memory: Memory = emptyMemory(), warn = process.emitWarning): Store => {
  const { document, trail } = memory;
  const claims = openClaims(document);
  const watchers = openWatchers(warn);
  let isClosed = false;
  const closedError = (): Error => storeError("store_closed", "the store in memory was closed");
  const checkOpen = (): void => {
    if (isClosed) throw closedError();
  };
  return {
    driver: "memory",
    ...readerOf(document, checkOpen),
    commit: async (commit: Commit) => {
      checkOpen();
      const { refused, claimed } = claims.take(commit);
      // As on a disk, rivals meet the claim before anybody can read the rows.
      await nextTurn();
      if (claimed === null) return refused ?? won;
      applyRecord(document, claimed.record);
      claims.settle(claimed.record);
      if (claimed.audit !== null) trail.push(JSON.parse(claimed.audit) as AuditRecord);
      watchers.tell(claimed.record);
      return won;
    },
    watch: (kind, listener) => watchers.watch(kind, listener),
    auditTrail: async function* () {
      checkOpen();
      yield* trail.slice();
    },
    auditTrailBack: async function* (before) {
      checkOpen();
      const below = before === null ? Number.POSITIVE_INFINITY : (before.get(document.chain) ?? 0);
      for (const record of trail.slice().reverse()) if (record.seq < below) yield record;
    },
    size: async () => {
      checkOpen();
      return { bytes: 0, rows: rowsByKind(document.tables) };
    },
    failure: async () => (isClosed ? closedError() : null),
    close: async () => {
      isClosed = true;
      await nextTurn();
    },
  };
};
