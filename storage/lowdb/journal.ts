import { join } from "node:path";
import { messageOf, storeError } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import { bytesOf, lineBuffer, type LineBuffer } from "./lines.ts";

/** Called once the line is durable (null), or once it is sure that it will not be (the error). */
export type Settle = (failure: Error | null) => void;

/** A file of the journal, named by the sequence of the first record it may hold. */
export interface Segment {
  readonly path: string;
  readonly first: number;
  bytes: number;
}

export interface Journal {
  /** The lines of the next write. Who adds one, newline included, calls `append` in the same moment. */
  lines(): LineBuffer;
  /** Has `lines` written. Who has added nothing causes no write, and is settled after all that was added before. */
  append(settle: Settle): void;
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

/** Lines that one write takes together. `unwritten` counts those who wait in front of its first byte. */
interface Batch {
  readonly lines: LineBuffer;
  settles: Settle[];
  unwritten: number;
}

interface Rotation {
  readonly next: () => number;
  readonly done: (failure: Error | null) => void;
}

/** Bytes after which further lines join another write. */
const batchBytes = 8 << 20;

/** A batch that has grown beyond this is not kept for the next one. */
const keptBytes = 1 << 20;

/** The segment of a folder whose first record has this sequence, before anything is in it. */
export const segmentOf = (dir: string, first: number): Segment => ({
  path: join(dir, `journal-${String(first).padStart(16, "0")}.jsonl`),
  first,
  bytes: 0,
});

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The journal's state: what is open, what waits, and why it stopped. */
interface Writer {
  readonly files: Files;
  readonly dir: string;
  current: Segment;
  file: OpenFile;
  before: readonly Segment[];
  queue: Batch[];
  /** An empty batch for the next lines, so that no memory is taken anew while another one is written. */
  spare: Batch | null;
  rotations: readonly Rotation[];
  failure: Error | null;
  running: Promise<void> | null;
}

const emptyBatch = (): Batch => ({ lines: lineBuffer(), settles: [], unwritten: 0 });

/** The batch that the next line joins. */
const openBatch = (writer: Writer): Batch => {
  const last = writer.queue.at(-1);
  if (last !== undefined && last.lines.length < batchBytes) return last;
  const batch = writer.spare ?? emptyBatch();
  writer.spare = null;
  writer.queue.push(batch);
  return batch;
};

const release = (writer: Writer, batch: Batch): void => {
  if (batch.lines.bytes.length > keptBytes) return;
  batch.lines.length = 0;
  batch.settles = [];
  batch.unwritten = 0;
  writer.spare = batch;
};

/**
 * After a failed flush nobody knows what is on the disk, and a second flush that succeeds would not tell either: the
 * journal stops. What was written since the last good flush is cut off, so that it does not come back as saved; where
 * that fails too, the next start tells what of it was saved. Returns what the commits under way are told.
 */
const fail = async (writer: Writer, thrown: unknown): Promise<Error> => {
  const { current, file } = writer;
  const failure = storeError(
    "store_failed",
    `writing ${current.path} failed (${messageOf(thrown)}): the commits under way were not saved, ` +
      "and no more are taken. Free space or replace the disk, then start again.",
    thrown,
  );
  writer.failure = failure;
  try {
    await file.truncate(current.bytes);
    await file.sync();
    return failure;
  } catch {
    // The disk is what failed: the first error is the one to tell, and the next start drops a torn line.
    const text =
      `writing ${current.path} failed (${messageOf(thrown)}), and so did taking it back: ` +
      "whether the commits under way were saved is known at the next start.";
    return storeError("commit_outcome_unknown", text, thrown);
  }
};

const flush = async (writer: Writer, { lines }: Batch): Promise<Error | null> => {
  if (writer.failure !== null) return writer.failure;
  if (lines.length === 0) return null;
  try {
    await writer.file.write(bytesOf(lines));
    await writer.file.sync();
  } catch (thrown) {
    return await fail(writer, thrown);
  }
  writer.current.bytes += lines.length;
  return null;
};

/** Opens the next segment; an empty current one serves as such. */
const switchTo = async (writer: Writer, first: number): Promise<void> => {
  const { files, dir, current, file } = writer;
  if (current.bytes === 0) return;
  const next = segmentOf(dir, first);
  const opened = await files.append(next.path);
  try {
    await files.syncFolder(dir);
  } catch (thrown) {
    await opened.close();
    await files.remove(next.path);
    throw thrown;
  }
  writer.before = [...writer.before, current];
  writer.current = next;
  writer.file = opened;
  await file.close();
};

const rotateAll = async (writer: Writer): Promise<void> => {
  const asked = writer.rotations;
  writer.rotations = [];
  for (const { next, done } of asked) {
    if (writer.failure === null) await switchTo(writer, next()).then(() => done(null), done);
    else done(writer.failure);
  }
};

/** A batch on its way to the disk: resolves to why it was not saved, to null when it was. */
interface Flight {
  readonly batch: Batch;
  readonly landed: Promise<Error | null>;
}

const takeOff = (writer: Writer): Flight | null => {
  const batch = writer.queue.shift();
  return batch === undefined ? null : { batch, landed: flush(writer, batch) };
};

/** Settles refusals and empty commits that came in during a flush: what they waited for is durable now. */
const settleEmpty = (next: Batch | undefined, failure: Error | null): void => {
  if (next === undefined || next.unwritten === 0) return;
  const settled = next.settles.splice(0, next.unwritten);
  next.unwritten = 0;
  for (const settle of settled) settle(failure);
};

/**
 * Waits for a batch, and for those that have come in meanwhile, one behind the other. The next one takes off before
 * those of the last are told, which takes about as long as a flush: so it is at the disk that much sooner. One that has
 * nothing for the disk waits for a turn of the event loop, or callers who are refused again and again would leave none.
 */
const awaitFlights = async (writer: Writer, first: Flight | null): Promise<void> => {
  for (let flight = first; flight !== null;) {
    const { batch, landed }: Flight = flight;
    const failure = await landed;
    const isNext = writer.rotations.length === 0 && (writer.queue[0]?.lines.length ?? 0) > 0;
    flight = isNext ? takeOff(writer) : null;
    for (const settle of batch.settles) settle(failure);
    release(writer, batch);
    settleEmpty(flight?.batch ?? writer.queue[0], failure);
  }
};

const run = async (writer: Writer): Promise<void> => {
  while (writer.queue.length > 0 || writer.rotations.length > 0) {
    // One turn of the event loop lets every request that has arrived join the write.
    await nextTurn();
    await awaitFlights(writer, takeOff(writer));
    if (writer.rotations.length > 0) await rotateAll(writer);
  }
  writer.running = null;
};

const wake = (writer: Writer): void => {
  writer.running ??= run(writer);
};

const append = (writer: Writer, settle: Settle): void => {
  const batch = writer.queue.at(-1) ?? openBatch(writer);
  batch.settles.push(settle);
  if (batch.lines.length === 0) batch.unwritten += 1;
  wake(writer);
};

const rotate = (writer: Writer, next: () => number): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (failure: Error | null): void => (failure === null ? resolve() : reject(failure));
    writer.rotations = [...writer.rotations, { next, done }];
    wake(writer);
  });

const close = async (writer: Writer): Promise<void> => {
  await writer.running;
  await writer.file.close();
};

/** Makes an empty segment durable, so that a snapshot can be written of which it is the journal. */
export const createSegment = async (files: Files, dir: string, first: number): Promise<void> => {
  const file = await files.append(segmentOf(dir, first).path);
  await file.close();
  await files.syncFolder(dir);
};

/** Opens the journal for writing in the segment `first`, which is empty or new; `before` are the ones before it. */
export const openJournal = async (
  files: Files,
  dir: string,
  first: number,
  before: readonly Segment[],
): Promise<Journal> => {
  const current = segmentOf(dir, first);
  const file = await files.append(current.path);
  await files.syncFolder(dir);
  const idle = { queue: [], spare: null, rotations: [], failure: null, running: null };
  const writer: Writer = { files, dir, current, file, before, ...idle };
  return {
    lines: () => openBatch(writer).lines,
    append: (settle) => append(writer, settle),
    rotate: (next) => rotate(writer, next),
    closed: () => writer.before,
    segments: () => [...writer.before, writer.current],
    forget: (gone) => {
      writer.before = writer.before.filter((segment) => !gone.includes(segment));
    },
    bytes: () => writer.before.reduce((sum, segment) => sum + segment.bytes, writer.current.bytes),
    failure: () => writer.failure,
    close: () => close(writer),
  };
};
