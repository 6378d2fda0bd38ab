import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { storeError, type StoreError } from "../errors.ts";

/**
 * A line is one JSON object whose first member is a checksum of the rest: `{"c":"89abcdef","seq":1,…}`. The CRC-32 is
 * that of the bytes after the comma that follows it, the closing brace included and the newline not.
 */
const sumAt = '{"c":"'.length;
const unsealed = '{"c":"00000000",';
const restAt = unsealed.length;
export const newline = 0x0a;
const pieceBytes = 1 << 20;

/** A sealed line with its newline, of members as JSON text without braces. */
export const sealedLine = (members: string): Buffer => {
  const line = Buffer.from(`${unsealed}${members}}\n`);
  const sum = crc32(line.subarray(restAt, line.length - 1));
  line.write(sum.toString(16).padStart(8, "0"), sumAt, "latin1");
  return line;
};

export const isSealed = (line: Buffer): boolean => {
  const seal = line.toString("latin1", 0, restAt);
  if (line.length <= restAt || !seal.startsWith('{"c":"') || !seal.endsWith('",')) return false;
  return Number.parseInt(seal.slice(sumAt, -2), 16) === crc32(line.subarray(restAt));
};

export const membersAt = restAt;

/**
 * A line of a file, without its newline; `whole` is false for the end of a file that no newline closes. Its bytes are
 * valid until the next lines are asked for.
 */
export interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly offset: number;
  readonly whole: boolean;
}

/**
 * Reads a file from an offset in pieces of whole lines, 1 MiB each or as long as a longer line; an end that no newline
 * closes comes last and by itself. All pieces lie in the same memory: one is valid until the next is asked for.
 */
export async function* readPieces(path: string, from = 0): AsyncGenerator<Buffer> {
  const handle = await open(path, "r");
  try {
    let memory = Buffer.allocUnsafeSlow(pieceBytes);
    let kept = 0;
    for (let offset = from; ;) {
      const { bytesRead } = await handle.read(memory, kept, memory.length - kept, offset);
      if (bytesRead === 0) break;
      offset += bytesRead;
      const end = kept + bytesRead;
      const whole = memory.lastIndexOf(newline, end - 1) + 1;
      if (whole > 0) yield memory.subarray(0, whole);
      memory.copyWithin(0, whole, end);
      kept = end - whole;
      if (kept === memory.length) memory = Buffer.concat([memory], kept * 2);
    }
    if (kept > 0) yield memory.subarray(0, kept);
  } finally {
    await handle.close();
  }
}

export async function* readLines(path: string, from = 0): AsyncGenerator<readonly Line[]> {
  let offset = from;
  let number = 1;
  for await (const piece of readPieces(path, from)) {
    const lines: Line[] = [];
    for (let start = 0; start < piece.length; number += 1) {
      const found = piece.indexOf(newline, start);
      const end = found === -1 ? piece.length : found;
      lines.push({ bytes: piece.subarray(start, end), number, offset: offset + start, whole: found !== -1 });
      start = end + 1;
    }
    offset += piece.length;
    yield lines;
  }
}

const backBytes = 64 << 10;

/** The lines of a file's first `end` bytes, the last one first. */
export async function* readLinesBack(path: string, end: number): AsyncGenerator<Buffer> {
  const handle = await open(path, "r");
  try {
    let head = Buffer.alloc(0);
    for (let offset = end; offset > 0;) {
      const length = Math.min(backBytes, offset);
      offset -= length;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      const piece = Buffer.concat([buffer.subarray(0, bytesRead), head]);
      let stop = piece.length;
      for (let at = piece.lastIndexOf(newline); at !== -1; at = at === 0 ? -1 : piece.lastIndexOf(newline, at - 1)) {
        if (at + 1 < stop) yield piece.subarray(at + 1, stop);
        stop = at;
      }
      head = piece.subarray(0, stop);
    }
    if (head.length > 0) yield head;
  } finally {
    await handle.close();
  }
}

/** The first line that starts behind `from`, and whether it or the next one that tells `isBefore`. */
const lookBehind = async (
  path: string,
  { from, until }: { readonly from: number; readonly until: number },
  isBefore: (line: Buffer) => boolean | null,
): Promise<{ readonly start: number; readonly before: boolean } | null> => {
  let start: number | null = null;
  for await (const lines of readLines(path, from)) {
    for (const { bytes, offset, whole } of lines) {
      if (offset === from) continue;
      if (offset >= until || !whole) return start === null ? null : { start, before: false };
      start ??= offset;
      const before = isBefore(bytes);
      if (before !== null) return { start, before };
    }
  }
  return start === null ? null : { start, before: false };
};

/** A start of a line at or behind the first that `isBefore` denies; null: the line does not tell. By bisection. */
export const endOfLinesBefore = async (
  path: string,
  size: number,
  isBefore: (line: Buffer) => boolean | null,
): Promise<number> => {
  let [low, high] = [0, size];
  while (high - low > pieceBytes) {
    const middle = Math.floor((low + high) / 2);
    const found = await lookBehind(path, { from: middle, until: high }, isBefore);
    if (found === null) break;
    if (found.before) low = found.start;
    else high = found.start;
  }
  return high;
};

export const damagedLine = (path: string, line: Pick<Line, "number" | "offset">, what: string): StoreError =>
  Object.assign(
    storeError(
      "store_damaged",
      `${path} line ${line.number} (byte ${line.offset}): ${what}. Nothing was changed. ` +
        "Restore the folder from a backup; everything before this line is whole.",
    ),
    { line: line.number },
  );
