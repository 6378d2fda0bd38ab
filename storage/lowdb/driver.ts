import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Low } from "lowdb";
import type { Commit, CommitOutcome, Store } from "../store.ts";
import { type Claim, openClaims } from "./claims.ts";
import { applyRecord, emptyDocument, type Document } from "./document.ts";
import { messageOf, storeError, systemCodeOf } from "./errors.ts";
import { diskFiles, type Files } from "./files.ts";
import { openJournal, type Journal, type Settle } from "./journal.ts";
import { largestAmount, sumOfAmounts } from "./ledgers.ts";
import { lockFolder, type FolderLock } from "./lock.ts";
import { dueRows, listRows, storedRow } from "./queries.ts";
import type { JournalRecord } from "./record.ts";
import { recover, type Folder, type Recovered } from "./recover.ts";
import { snapshotAdapter } from "./snapshot.ts";
import { findRow, rowsWith } from "./tables.ts";
import { readTrail } from "./trail.ts";
import { startUpkeep, type Upkeep } from "./upkeep.ts";
import { openWatchers } from "./watchers.ts";

/** How a data folder is opened; everything but `dir` has a default. */
export interface LowdbOptions {
  readonly dir: string;
  /** Told of what is odd but not wrong: a torn line that was dropped, a snapshot that has to be tried again. */
  readonly warn?: (message: string) => void;
  /** Journal size that calls for a snapshot; 96 MiB, which a start replays in a second. */
  readonly snapshotAfterBytes?: number;
  /** Time without commits after which a smaller journal is enough; 30 seconds. */
  readonly snapshotWhenIdleMs?: number;
  /** Every write to the folder goes through this; the disk. */
  readonly files?: Files;
}

const won: CommitOutcome = { ok: true };

const toStderr = (message: string): void => process.emitWarning(message, "ParleyStore");

interface Parts {
  readonly document: Document;
  readonly journal: Journal;
  readonly upkeep: Upkeep;
  readonly archive: Recovered["archive"];
  readonly warn: (message: string) => void;
  readonly unlock: () => Promise<void>;
}

/**
 * What ends a claim's commit once its line is durable, or was not saved. It is made apart from the commit, whose bodies
 * would be held by it until then.
 */
const settlement =
  (
    { refused, record }: Claim,
    finish: (record: JournalRecord) => void,
    resolve: (outcome: CommitOutcome) => void,
    reject: (failure: Error) => void,
  ): Settle =>
  (failure) => {
    if (failure !== null) return reject(failure);
    if (record !== null) finish(record);
    resolve(refused ?? won);
  };

/** `commit` of the port. Readers see a record once its line is durable, rivals meet its claim at once. */
const committer = ({ document, journal, upkeep }: Parts, tell: (record: JournalRecord) => void) => {
  const claims = openClaims(document);
  const finish = (record: JournalRecord): void => {
    applyRecord(document, record, true);
    claims.settle(record);
    tell(record);
    upkeep.committed();
  };
  return (commit: Commit, checkOpen: () => void): Promise<CommitOutcome> =>
    new Promise((resolve, reject) => {
      checkOpen();
      const failure = journal.failure();
      if (failure !== null) throw failure;
      journal.append(settlement(claims.take(commit, journal.lines()), finish, resolve, reject));
    });
};

const closer =
  ({ journal, upkeep, unlock, warn }: Parts) =>
  async (): Promise<void> => {
    await new Promise<void>((resolve) => journal.append(() => resolve()));
    await upkeep.close();
    await journal.close().catch((thrown: unknown) => warn(`closing the journal failed: ${messageOf(thrown)}`));
    await unlock();
  };

const storeOf = (parts: Parts, dir: string): Store => {
  const { document, journal, archive, warn } = parts;
  const { tables } = document;
  const watchers = openWatchers(warn);
  const commit = committer(parts, (record) => watchers.tell(record));
  const close = closer(parts);
  let closed: Promise<void> | null = null;
  const closedError = (): Error => storeError("store_closed", `the store in ${dir} was closed`);
  const checkOpen = (): void => {
    if (closed !== null) throw closedError();
  };
  return {
    driver: "lowdb",
    get: async (kind, id) => {
      checkOpen();
      const row = findRow(tables, kind, id);
      return row === -1 ? null : storedRow(tables, row, id);
    },
    list: async (query) => {
      checkOpen();
      return listRows(tables, query);
    },
    count: async (kind, term) => {
      checkOpen();
      return rowsWith(tables, kind, term).size;
    },
    reserved: async (ledger, fromSlot, toSlot) => {
      checkOpen();
      return largestAmount(document.ledgers, ledger, fromSlot, toSlot);
    },
    reservedSum: async (ledger, fromSlot, toSlot) => {
      checkOpen();
      return sumOfAmounts(document.ledgers, ledger, fromSlot, toSlot);
    },
    commit: (changes) => commit(changes, checkOpen),
    due: async (nowMs, limit) => {
      checkOpen();
      return dueRows(tables, nowMs, limit);
    },
    watch: (kind, listener) => watchers.watch(kind, listener),
    auditTrail: async function* () {
      checkOpen();
      yield* readTrail(document, archive, journal);
    },
    auditHeads: async () => {
      checkOpen();
      return [{ chain: document.chain, ...document.mark.audit }];
    },
    failure: async () => (closed === null ? journal.failure() : closedError()),
    close: () => (closed ??= close()),
  };
};

/**
 * Makes a folder and those that it lies in. Node's own `recursive` tries without end where a folder that is there takes
 * no new one and says ENOENT, as `/proc` does.
 */
const makeFolder = async (dir: string, isSecondTry = false): Promise<void> => {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (thrown) {
    const code = systemCodeOf(thrown);
    if (code === "EEXIST" && (await stat(dir)).isDirectory()) return;
    if (code !== "ENOENT" || isSecondTry || dirname(dir) === dir) throw thrown;
    await makeFolder(dirname(dir));
    await makeFolder(dir, true);
  }
};

const takeFolder = async (dir: string): Promise<FolderLock> => {
  try {
    await makeFolder(dir);
    return await lockFolder(dir);
  } catch (thrown) {
    if (systemCodeOf(thrown) === "folder_in_use") throw thrown;
    const cure = "make it writable for this user, or choose another folder with --data DIR";
    throw storeError("store_failed", `the data folder ${dir} cannot be used (${messageOf(thrown)}): ${cure}`, thrown);
  }
};

/**
 * Opens the embedded store in a data folder and takes the folder's lock. The folder is created with mode 0700, its
 * files with 0600. Throws `folder_in_use`, `store_damaged` or `store_failed`, see `StoreErrorCode`.
 */
export const openLowdbStore = async (options: LowdbOptions): Promise<Store> => {
  const { dir, warn = toStderr, files = diskFiles } = options;
  const lock = await takeFolder(dir);
  const folder: Folder = { dir, files, warn };
  try {
    const adapter = snapshotAdapter(files, dir);
    const db = new Low<Document>(adapter, emptyDocument());
    const { segments, archive } = await recover(folder, db, adapter);
    const document = db.data;
    const journal = await openJournal(files, dir, document.mark.seq + 1, segments);
    const { snapshotAfterBytes: afterBytes = 96 << 20, snapshotWhenIdleMs: whenIdleMs = 30_000 } = options;
    const upkeep = startUpkeep({ ...folder, db, journal, archive, times: { afterBytes, whenIdleMs } });
    return storeOf({ document, journal, upkeep, archive, warn, unlock: () => lock.release() }, dir);
  } catch (thrown) {
    await lock.release();
    throw thrown;
  }
};
