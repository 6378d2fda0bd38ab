import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Low } from "lowdb";
import type { Commit, CommitOutcome, HeldFile, Store } from "../store.ts";
import { mergedBack } from "../audit.ts";
import { type Claimed, type Claims, openClaims, openWatchers, type Watchers } from "./commit/index.ts";
import { messageOf, storeError, systemCodeOf } from "./errors.ts";
import {
  archiveName,
  type CopiedChains,
  diskFiles,
  type Files,
  type Folder,
  type FolderLock,
  type Journal,
  lockFolder,
  openCopiedChains,
  openJournal,
  readTrail,
  readTrailBack,
  recordLine,
  recover,
  type Recovered,
  snapshotAdapter,
  snapshotPath,
  startUpkeep,
  type Upkeep,
} from "./log/index.ts";
import { applyRecord, type CommitRecord, type Document, emptyDocument, readerOf, rowsByKind } from "./rows/index.ts";

export { holdsStore } from "./log/index.ts";

export interface LowdbOptions {
  readonly dir: string;
  /** Receives what is odd but not wrong: a torn line that was dropped, a snapshot that has to be tried again. */
  readonly warn?: (message: string) => void;
  /** Journal size that calls for a snapshot; 96 MiB, which a start replays in two seconds. */
  readonly snapshotAfterBytes?: number;
  /** Time without commits after which a smaller journal is enough; 30 seconds. */
  readonly snapshotWhenIdleMs?: number;
  /** Time between attempts to write again after the disk has failed; 3 seconds. */
  readonly retryMs?: number;
  /** Every write to the directory goes through this; the disk. */
  readonly files?: Files;
}

const won: CommitOutcome = { ok: true };

const toStderr = (message: string): void => process.emitWarning(message, "ParleyStore");

export interface LowdbParts {
  readonly dir: string;
  readonly document: Document;
  readonly claims: Claims;
  readonly watchers: Watchers;
  readonly journal: Journal;
  readonly upkeep: Upkeep;
  readonly archive: Recovered["archive"];
  readonly chains: CopiedChains;
  readonly warn: (message: string) => void;
  readonly unlock: () => Promise<void>;
}

const finish = ({ document, claims, watchers, upkeep }: LowdbParts, record: CommitRecord): void => {
  applyRecord(document, record);
  claims.settle(record);
  watchers.tell(record);
  upkeep.committed();
};

/** Durable when it resolves. */
export const written = (parts: LowdbParts, claimed: Claimed | null): Promise<void> =>
  new Promise((resolve, reject) => {
    parts.journal.append(claimed === null ? null : recordLine(claimed), (failed) => {
      if (failed !== null) return reject(failed);
      if (claimed !== null) finish(parts, claimed.record);
      resolve();
    });
  });

const committer =
  (parts: LowdbParts) =>
  async (commit: Commit): Promise<CommitOutcome> => {
    const failure = parts.journal.failure();
    if (failure !== null) throw failure;
    const { refused, claimed } = parts.claims.take(commit);
    await written(parts, claimed);
    return refused ?? won;
  };

const closer =
  ({ journal, upkeep, unlock, warn }: LowdbParts) =>
  async (): Promise<void> => {
    await new Promise<void>((resolve) => journal.append(null, () => resolve()));
    await upkeep.close();
    await journal.close().catch((thrown: unknown) => warn(`closing the journal failed: ${messageOf(thrown)}`));
    await unlock();
  };

const sizeOf = async (path: string): Promise<HeldFile | null> => {
  try {
    return { path, bytes: (await stat(path)).size };
  } catch (thrown) {
    if (systemCodeOf(thrown) === "ENOENT") return null;
    throw thrown;
  }
};

/** The journal last: the snapshot holds parts of its records. */
const heldFiles = async ({ dir, chains, journal }: LowdbParts): Promise<readonly HeldFile[]> => {
  const still = await Promise.all([snapshotPath(dir), join(dir, archiveName), ...chains.paths()].map(sizeOf));
  const segments = journal.segments().map(({ path, bytes }) => ({ path, bytes }));
  return [...still.filter((file) => file !== null), ...segments];
};

export const storeOf = (parts: LowdbParts): Store => {
  const { dir, document, journal, archive, chains, watchers } = parts;
  const commit = committer(parts);
  const close = closer(parts);
  let closed: Promise<void> | null = null;
  const closedError = (): Error => storeError("store_closed", `the store in ${dir} was closed`);
  const checkOpen = (): void => {
    if (closed !== null) throw closedError();
  };
  return {
    driver: "lowdb",
    ...readerOf(document, checkOpen),
    commit: async (changes) => {
      checkOpen();
      return await commit(changes);
    },
    watch: (kind, listener) => watchers.watch(kind, listener),
    auditTrail: async function* () {
      checkOpen();
      yield* chains.read();
      yield* readTrail(document, archive, journal);
    },
    auditTrailBack: async function* (before) {
      checkOpen();
      const below = before === null ? Number.POSITIVE_INFINITY : (before.get(document.chain) ?? 0);
      yield* mergedBack([...chains.readBack(before), readTrailBack(document, archive, journal, below)]);
    },
    hold: async (work) => {
      checkOpen();
      return await parts.upkeep.hold(async () => work(await heldFiles(parts)));
    },
    size: async () => {
      checkOpen();
      const bytes = (await heldFiles(parts)).reduce((sum, file) => sum + file.bytes, 0);
      return { bytes, rows: rowsByKind(document.tables) };
    },
    failure: async () => (closed === null ? journal.failure() : closedError()),
    close: () => (closed ??= close()),
  };
};

/**
 * Makes a directory and those above it. Node's own `recursive` tries without end where a directory that exists takes no
 * new one and says ENOENT, as `/proc` does.
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

export const openParts = async (options: LowdbOptions): Promise<LowdbParts> => {
  const { dir, warn = toStderr, files = diskFiles, retryMs = 3_000 } = options;
  const { snapshotAfterBytes: afterBytes = 96 << 20, snapshotWhenIdleMs: whenIdleMs = 30_000 } = options;
  const lock = await takeFolder(dir);
  const folder: Folder = { dir, files, warn };
  try {
    const adapter = snapshotAdapter(files, dir);
    const db = new Low<Document>(adapter, emptyDocument());
    const { segments: before, archive } = await recover(folder, db, adapter);
    const document = db.data;
    const claims = openClaims(document);
    const recovered = (): void => {
      claims.reset();
      warn(`${dir} can be written again`);
    };
    const journal = await openJournal({ files, dir, first: document.mark.seq + 1, before, retryMs, recovered });
    const upkeep = startUpkeep({ ...folder, db, journal, archive, times: { afterBytes, whenIdleMs } });
    const watchers = openWatchers(warn);
    const chains = await openCopiedChains(files, dir);
    const unlock = (): Promise<void> => lock.release();
    return { dir, document, claims, watchers, journal, upkeep, archive, chains, warn, unlock };
  } catch (thrown) {
    await lock.release();
    throw thrown;
  }
};

/**
 * Opens the embedded store in a data directory and takes its lock. The directory is created with mode 0700, its files
 * with 0600. Throws `folder_in_use`, `store_damaged` or `store_failed`, see `StoreErrorCode`.
 */
export const openLowdbStore = async (options: LowdbOptions): Promise<Store> => storeOf(await openParts(options));
