import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { storeError, type StoreError } from "./errors.ts";

/**
 * A line is one JSON object whose first member is a checksum of the rest: `{"c":"89abcdef","seq":1,…}`. The CRC-32 is
 * that of the bytes after the comma that follows it, the closing brace included and the newline not.
 */
const sumAt = '{"c":"'.length;
const unsealed = '{"c":"00000000",';
const restAt = unsealed.length;
export const newline = 0x0a;
const closingBrace = 0x7d;
const pieceBytes = 1 << 20;

/** Lines put together one behind the other, in memory that is used again once they were copied or written. */
export interface LineBuffer {
  bytes: Buffer;
  length: number;
}

const firstBytes = 64 << 10;

export const lineBuffer = (): LineBuffer => ({ bytes: Buffer.allocUnsafeSlow(firstBytes), length: 0 });

/** What was put together so far; valid until the next piece. */
export const bytesOf = (buffer: LineBuffer): Buffer => buffer.bytes.subarray(0, buffer.length);

/** Makes room for so many bytes more. */
const reserveBytes = (buffer: LineBuffer, more: number): void => {
  const needed = buffer.length + more;
  if (needed <= buffer.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, buffer.bytes.length * 2));
  buffer.bytes.copy(larger, 0, 0, buffer.length);
  buffer.bytes = larger;
};

const mostBytesPerUnit = 3;

/** Adds text as UTF-8. */
export const addText = (buffer: LineBuffer, text: string): void => {
  reserveBytes(buffer, text.length * mostBytesPerUnit);
  buffer.length += buffer.bytes.write(text, buffer.length);
};

export const addBytes = (buffer: LineBuffer, bytes: Uint8Array): void => {
  reserveBytes(buffer, bytes.length);
  buffer.bytes.set(bytes, buffer.length);
  buffer.length += bytes.length;
};

/** Copies bytes of which either side is shared memory: V8's own copy takes that byte by byte, `fill` all at once. */
export const copyShared = (from: Uint8Array, to: Buffer, at: number): number => {
  to.fill(from, at, at + from.length);
  return from.length;
};

/** Adds bytes of shared memory. */
export const addShared = (buffer: LineBuffer, bytes: Uint8Array): void => {
  reserveBytes(buffer, bytes.length);
  buffer.length += copyShared(bytes, buffer.bytes, buffer.length);
};

const hexDigits = Buffer.from("0123456789abcdef");
const unsealedBytes = Buffer.from(unsealed);

/** Begins a sealed line; its members follow without a brace. Returns where it begins, for `sealLine`. */
export const beginLine = (buffer: LineBuffer): number => {
  const start = buffer.length;
  addBytes(buffer, unsealedBytes);
  return start;
};

/** Adds a character of ASCII. */
export const addByte = (buffer: LineBuffer, byte: number): void => {
  reserveBytes(buffer, 1);
  buffer.bytes[buffer.length] = byte;
  buffer.length += 1;
};

/**
 * Ends the line that begins at `start`: its brace is closed, its checksum put in, and a newline behind it. Returns the
 * checksum; who has it from an equal line gives it.
 */
export const sealLine = (buffer: LineBuffer, start: number, known = Number.NaN): number => {
  addByte(buffer, closingBrace);
  const sum = Number.isNaN(known) ? crc32(buffer.bytes.subarray(start + restAt, buffer.length)) : known;
  addByte(buffer, newline);
  const { bytes } = buffer;
  let left = sum;
  for (let at = start + sumAt + 7; at >= start + sumAt; at -= 1) {
    bytes[at] = hexDigits[left & 15] as number;
    left >>>= 4;
  }
  return sum;
};

/** True when the line is as it was sealed. */
export const isSealed = (line: Buffer): boolean => {
  const seal = line.toString("latin1", 0, restAt);
  if (line.length <= restAt || !seal.startsWith('{"c":"') || !seal.endsWith('",')) return false;
  return Number.parseInt(seal.slice(sumAt, -2), 16) === crc32(line.subarray(restAt));
};

/** Where a line's own members begin. */
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

/** Reads a file from an offset and gives the lines of each piece; the numbers count from 1 at the offset. */
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

/** The error for a line that cannot be trusted. */
export const damagedLine = (path: string, line: Pick<Line, "number" | "offset">, what: string): StoreError =>
  storeError(
    "store_damaged",
    `${path} line ${line.number} (byte ${line.offset}): ${what}. Nothing was changed. ` +
      "Restore the folder from a backup; everything before this line is whole.",
  );
