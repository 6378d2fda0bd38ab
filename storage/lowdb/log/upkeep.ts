import { stat } from "node:fs/promises";
import type { Low } from "lowdb";
import type { Document } from "../rows/index.ts";
import { messageOf } from "../errors.ts";
import type { Journal } from "./journal.ts";
import type { Folder, Recovered } from "./recover.ts";
import { snapshotPath } from "./snapshot.ts";

interface SnapshotTimes {
  /** Journal size in bytes; a store with a large snapshot waits for a journal that is half as large again. */
  readonly afterBytes: number;
  /** Milliseconds without a commit after which a sixteenth of that size is enough. */
  readonly whenIdleMs: number;
}

/** A byte is written to snapshots about twice, however much is stored: docs/decisions/when-a-snapshot-is-written.md. */
const journalPerSnapshot = 1.5;

export interface Upkeep {
  committed(): void;
  /** Writes a snapshot and then lets no file but the journal's last one change until `work` ends. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Writes the snapshot anew, of a document that no commit has changed since; in `hold`. */
  rewrite(): Promise<void>;
  /** Waits for a running snapshot, then writes a last one if the journal is sound and holds anything. */
  close(): Promise<void>;
}

interface Parts extends Folder {
  readonly db: Low<Document>;
  readonly journal: Journal;
  readonly archive: Recovered["archive"];
  readonly times: SnapshotTimes;
}

/**
 * Snapshot, then archive, then removal: each step is durable before the next begins, so that after an end at any point
 * the next start finds either the journal or what replaced it.
 */
const writeSnapshot = async ({ db, journal, archive, files, dir }: Parts): Promise<void> => {
  await journal.rotate(() => {
    db.data.base = db.data.mark;
    return db.data.mark.seq + 1;
  });
  const old = journal.closed();
  await db.write();
  await archive.take(old, db.data.base.audit);
  for (const segment of old) await files.remove(segment.path);
  await files.syncFolder(dir);
  journal.forget(old);
};

export const startUpkeep = (parts: Parts): Upkeep => {
  const { journal, times, warn, dir } = parts;
  let running: Promise<void> | null = null;
  let snapshotBytes = 0;
  let notBefore = 0;
  let commits = 0;
  let commitsAtTick = 0;

  const measure = async (): Promise<void> => {
    snapshotBytes = (await stat(snapshotPath(dir))).size;
  };

  const attempt = async (): Promise<void> => {
    try {
      await writeSnapshot(parts);
      await measure();
      notBefore = 0;
    } catch (thrown) {
      notBefore = journal.bytes() + times.afterBytes;
      warn(`no snapshot could be written to ${dir} (${messageOf(thrown)}); the journal goes on and nothing is lost`);
    }
  };

  const snapshot = (): Promise<void> =>
    (running ??= attempt().finally(() => {
      running = null;
    }));

  const wanted = (): number => Math.max(times.afterBytes, snapshotBytes * journalPerSnapshot);

  const tick = (): void => {
    const idle = commits === commitsAtTick;
    commitsAtTick = commits;
    if (idle && journal.bytes() > wanted() / 16) void snapshot();
  };

  const timer = setInterval(tick, times.whenIdleMs);
  timer.unref();
  void measure().catch(() => undefined);

  const hold = <T>(work: () => Promise<T>): Promise<T> => {
    const held = (running ?? Promise.resolve()).then(async () => {
      await writeSnapshot(parts);
      await measure();
      return work();
    });
    const ended = held
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => {
        if (running === ended) running = null;
      });
    running = ended;
    return held;
  };

  return {
    hold,
    rewrite: () => writeSnapshot(parts),
    committed: () => {
      commits += 1;
      if (running === null && journal.bytes() > Math.max(wanted(), notBefore)) void snapshot();
    },
    close: async () => {
      clearInterval(timer);
      if (running !== null) await running;
      if (journal.bytes() > 0 && journal.failure() === null) await snapshot();
    },
  };
};
