import { join } from "node:path";
import { messageOf, storeError } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";

/** Called once the line is durable (null), or once it is sure that it will not be (the error). */
type Settle = (failure: Error | null) => void;

/** A file of the journal, named by the sequence of the first record it may hold. */
export interface Segment {
  readonly path: string;
  readonly first: number;
  bytes: number;
}

export interface Journal {
  /** Queues a line. An empty one writes nothing and is settled after everything that was queued before it. */
  append(line: string, settle: Settle): void;
  /** Goes on in a new segment named `next()`; `next` runs when everything in the segments before is settled. */
  rotate(next: () => number): Promise<void>;
  /** The segments before the current one, oldest first. */
  closed(): readonly Segment[];
  segments(): readonly Segment[];
  /** Forgets closed segments that were removed from the disk. */
  forget(gone: readonly Segment[]): void;
  bytes(): number;
  /** Why nothing is written any more; null while all is well. */
  failure(): Error | null;
  /** Resolves when all that was queued is settled, and closes the file. */
  close(): Promise<void>;
}

interface Entry {
  readonly line: string;
  readonly settle: Settle;
}

interface Rotation {
  readonly next: () => number;
  readonly done: (failure: Error | null) => void;
}

/** Characters that one write takes at most; a longer queue becomes several writes. */
const batchChars = 8 << 20;

export const segmentPath = (dir: string, first: number): string =>
  join(dir, `journal-${String(first).padStart(16, "0")}.jsonl`);

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A promise as a callback: the loop settles it in its own order. */
const settled = (start: (done: (failure: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((failure) => (failure === null ? resolve() : reject(failure))));

/** Opens the journal for writing in the segment `first`, which is empty or new; `older` are the ones before it. */
export const openJournal = async (
  files: Files,
  dir: string,
  first: number,
  older: readonly Segment[],
): Promise<Journal> => {
  let current: Segment = { path: segmentPath(dir, first), first, bytes: 0 };
  let file: OpenFile = await files.append(current.path);
  await files.syncFolder(dir);
  let before = [...older];
  let queue: Entry[] = [];
  let rotations: Rotation[] = [];
  let failure: Error | null = null;
  let running: Promise<void> | null = null;

  const takeBatch = (): Entry[] => {
    let chars = 0;
    const cut = queue.findIndex((entry) => (chars += entry.line.length) > batchChars);
    const size = cut === -1 ? queue.length : Math.max(cut, 1);
    const batch = queue.slice(0, size);
    queue = queue.slice(size);
    return batch;
  };

  /** A failed flush says nothing about what is on the disk, and a second one that succeeds would say nothing either. */
  const fail = async (thrown: unknown): Promise<Error> => {
    failure = storeError(
      "store_failed",
      `writing ${current.path} failed (${messageOf(thrown)}): the commits under way were not saved, and no more are taken. ` +
        "Free space or replace the disk, then start again.",
      thrown,
    );
    await file.truncate(current.bytes).then(() => file.sync(), () => undefined).catch(() => undefined);
    return failure;
  };

  const flush = async (batch: readonly Entry[]): Promise<Error | null> => {
    if (failure !== null) return failure;
    const bytes = Buffer.from(batch.map((entry) => entry.line).join(""));
    if (bytes.length === 0) return null;
    try {
      await file.write(bytes);
      await file.sync();
      current.bytes += bytes.length;
      return null;
    } catch (thrown) {
      return await fail(thrown);
    }
  };

  const switchTo = async (next: number): Promise<void> => {
    if (current.bytes === 0) return;
    const path = segmentPath(dir, next);
    const opened = await files.append(path);
    try {
      await files.syncFolder(dir);
    } catch (thrown) {
      await opened.close();
      await files.remove(path);
      throw thrown;
    }
    const old = file;
    before.push(current);
    current = { path, first: next, bytes: 0 };
    file = opened;
    await old.close();
  };

  const rotateAll = async (): Promise<void> => {
    const asked = rotations;
    rotations = [];
    for (const rotation of asked) {
      if (failure === null) await switchTo(rotation.next()).then(() => rotation.done(null), rotation.done);
      else rotation.done(failure);
    }
  };

  const run = async (): Promise<void> => {
    while (queue.length > 0 || rotations.length > 0) {
      // One turn of the event loop lets every request that has arrived join the write.
      await nextTurn();
      const batch = takeBatch();
      const outcome = await flush(batch);
      for (const entry of batch) entry.settle(outcome);
      while (queue[0]?.line === "") queue.shift()?.settle(outcome);
      if (rotations.length > 0) await rotateAll();
    }
    running = null;
  };

  const wake = (): void => {
    running ??= run();
  };

  return {
    append: (line, settle) => {
      queue.push({ line, settle });
      wake();
    },
    rotate: (next) =>
      settled((done) => {
        rotations.push({ next, done });
        wake();
      }),
    closed: () => before,
    segments: () => [...before, current],
    forget: (gone) => {
      before = before.filter((segment) => !gone.includes(segment));
    },
    bytes: () => before.reduce((sum, segment) => sum + segment.bytes, current.bytes),
    failure: () => failure,
    close: async () => {
      await running;
      await file.close();
    },
  };
};
