import { join } from "node:path";
import { messageOf, storeError } from "../errors.ts";
import { type Files, type OpenFile, probeRoom } from "./files.ts";

export type Settle = (failure: Error | null) => void;

export interface Segment {
  readonly path: string;
  readonly first: number;
  bytes: number;
}

export interface Journal {
  /** Has a line written; without a line, settles after all that was appended before and causes no write. */
  append(line: Buffer | null, settle: Settle): void;
  /** Goes on in a new segment named `next()`; `next` runs when everything in the segments before is settled. */
  rotate(next: () => number): Promise<void>;
  closed(): readonly Segment[];
  segments(): readonly Segment[];
  forget(gone: readonly Segment[]): void;
  bytes(): number;
  failure(): Error | null;
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly files: Files;
  readonly dir: string;
  readonly first: number;
  readonly before: readonly Segment[];
  readonly retryMs: number;
  /** Called before commits are taken again; everything that was not durable at the failure is lost. */
  readonly recovered: () => void;
}

/** The first `unwritten` settles wait for no line of this batch. */
interface Batch {
  readonly lines: Buffer[];
  readonly settles: Settle[];
  bytes: number;
  unwritten: number;
}

interface Rotation {
  readonly next: () => number;
  readonly done: (failure: Error | null) => void;
}

const batchBytes = 8 << 20;

export const segmentOf = (dir: string, first: number): Segment => ({
  path: join(dir, `journal-${String(first).padStart(16, "0")}.jsonl`),
  first,
  bytes: 0,
});

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Writer extends JournalOptions {
  current: Segment;
  file: OpenFile;
  before: readonly Segment[];
  queue: Batch[];
  rotations: readonly Rotation[];
  failure: Error | null;
  running: Promise<void> | null;
  retry: NodeJS.Timeout | null;
  retrying: Promise<void> | null;
}

const cutBack = async ({ file, current }: Writer): Promise<void> => {
  await file.truncate(current.bytes);
  await file.sync();
};

/**
 * After a failed flush nobody knows what is on the disk: the segment is cut back to its last good flush, or a commit
 * that was rejected could come back with the next start.
 */
const repair = async (writer: Writer): Promise<void> => {
  try {
    await cutBack(writer);
    await probeRoom(writer.files, writer.dir);
  } catch {
    retryLater(writer);
    return;
  }
  await writer.running;
  writer.recovered();
  writer.failure = null;
};

const retryLater = (writer: Writer): void => {
  writer.retry = setTimeout(() => {
    writer.retrying = repair(writer).finally(() => (writer.retrying = null));
  }, writer.retryMs).unref();
};

const fail = async (writer: Writer, thrown: unknown): Promise<Error> => {
  const what = `writing ${writer.current.path} failed (${messageOf(thrown)})`;
  const failure = storeError(
    "store_failed",
    `${what}: commits that were not yet durable were not saved, and none are taken until the disk can be written. ` +
      `Free space or replace the disk; the store tries again every ${writer.retryMs / 1_000} seconds.`,
    thrown,
  );
  writer.failure = failure;
  try {
    await cutBack(writer);
    return failure;
  } catch {
    const text =
      `${what}, and so did taking it back: whether the commits that were not yet durable were saved is known ` +
      "at the next start, or once the disk can be written again.";
    return storeError("commit_outcome_unknown", text, thrown);
  } finally {
    retryLater(writer);
  }
};

const flush = async (writer: Writer, { lines, bytes }: Batch): Promise<Error | null> => {
  if (writer.failure !== null) return writer.failure;
  if (bytes === 0) return null;
  try {
    await writer.file.write(lines.length === 1 ? (lines[0] as Buffer) : Buffer.concat(lines, bytes));
    await writer.file.sync();
  } catch (thrown) {
    return await fail(writer, thrown);
  }
  writer.current.bytes += bytes;
  return null;
};

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

interface Flight {
  readonly batch: Batch;
  readonly landed: Promise<Error | null>;
}

const takeOff = (writer: Writer): Flight | null => {
  const batch = writer.queue.shift();
  return batch === undefined ? null : { batch, landed: flush(writer, batch) };
};

/** What refusals and empty commits waited for is durable now. */
const settleEmpty = (next: Batch | undefined, failure: Error | null): void => {
  if (next === undefined || next.unwritten === 0) return;
  const settled = next.settles.splice(0, next.unwritten);
  next.unwritten = 0;
  for (const settle of settled) settle(failure);
};

/**
 * The next batch is written while the callers of the last one go on. One without lines waits for a turn of the event
 * loop, or callers who are refused again and again would leave none.
 */
const awaitFlights = async (writer: Writer, first: Flight | null): Promise<void> => {
  for (let flight = first; flight !== null;) {
    const { batch, landed }: Flight = flight;
    const failure = await landed;
    const isNext = writer.rotations.length === 0 && (writer.queue[0]?.bytes ?? 0) > 0;
    flight = isNext ? takeOff(writer) : null;
    for (const settle of batch.settles) settle(failure);
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

const append = (writer: Writer, line: Buffer | null, settle: Settle): void => {
  let batch = writer.queue.at(-1);
  if (batch === undefined || batch.bytes >= batchBytes) {
    batch = { lines: [], settles: [], bytes: 0, unwritten: 0 };
    writer.queue.push(batch);
  }
  if (line !== null) {
    batch.lines.push(line);
    batch.bytes += line.length;
  }
  batch.settles.push(settle);
  if (batch.bytes === 0) batch.unwritten += 1;
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
  await writer.retrying;
  clearTimeout(writer.retry ?? undefined);
  await writer.file.close();
};

export const createSegment = async (files: Files, dir: string, first: number): Promise<void> => {
  const file = await files.append(segmentOf(dir, first).path);
  await file.close();
  await files.syncFolder(dir);
};

export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const current = segmentOf(options.dir, options.first);
  const file = await options.files.append(current.path);
  await options.files.syncFolder(options.dir);
  const idle = { queue: [], rotations: [], failure: null, running: null, retry: null, retrying: null };
  const writer: Writer = { ...options, current, file, ...idle };
  return {
    append: (line, settle) => append(writer, line, settle),
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
