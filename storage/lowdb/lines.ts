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
const newline = 0x0a;
const closingBrace = 0x7d;
const chunkBytes = 1 << 20;

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

const hexDigits = Buffer.from("0123456789abcdef");
const unsealedBytes = Buffer.from(unsealed);

/** Begins a sealed line; its members follow without a brace. Returns where it begins, for `sealLine`. */
export const beginLine = (buffer: LineBuffer): number => {
  const start = buffer.length;
  addBytes(buffer, unsealedBytes);
  return start;
};

/** Ends an object whose other text is there already. */
export const closeObject = (buffer: LineBuffer): void => {
  reserveBytes(buffer, 1);
  buffer.bytes[buffer.length] = closingBrace;
  buffer.length += 1;
};

/** Ends the line that begins at `start`: its brace is closed, its checksum put in, and a newline behind it. */
export const sealLine = (buffer: LineBuffer, start: number): void => {
  closeObject(buffer);
  reserveBytes(buffer, 1);
  const { bytes } = buffer;
  let sum = crc32(bytes.subarray(start + restAt, buffer.length));
  bytes[buffer.length] = newline;
  buffer.length += 1;
  for (let at = start + sumAt + 7; at >= start + sumAt; at -= 1) {
    bytes[at] = hexDigits[sum & 15] as number;
    sum >>>= 4;
  }
};

/** True when the line is as it was sealed. */
export const isSealed = (line: Buffer): boolean => {
  const seal = line.toString("latin1", 0, restAt);
  if (line.length <= restAt || !seal.startsWith('{"c":"') || !seal.endsWith('",')) return false;
  return Number.parseInt(seal.slice(sumAt, -2), 16) === crc32(line.subarray(restAt));
};

/** Where a line's own members begin. */
export const membersAt = restAt;

/** A line of a file, without its newline; `whole` is false for the end of a file that no newline closes. */
export interface Line {
  readonly bytes: Buffer;
  readonly number: number;
  readonly offset: number;
  readonly whole: boolean;
}

/**
 * Reads a file in pieces of 1 MiB from an offset and gives the lines of each piece, so that neither a string nor a
 * buffer ever holds the file. The numbers count from 1 at the offset.
 */
export async function* readLines(path: string, from = 0): AsyncGenerator<readonly Line[]> {
  const handle = await open(path, "r");
  try {
    let rest = Buffer.alloc(0);
    let offset = from;
    let number = 1;
    for (;;) {
      const piece = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await handle.read(piece, 0, chunkBytes, offset + rest.length);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      const text = rest.length === 0 ? read : Buffer.concat([rest, read]);
      const lines: Line[] = [];
      let start = 0;
      for (let end = text.indexOf(newline); end !== -1; end = text.indexOf(newline, start)) {
        lines.push({ bytes: text.subarray(start, end), number, offset: offset + start, whole: true });
        number += 1;
        start = end + 1;
      }
      rest = text.subarray(start);
      offset += start;
      yield lines;
    }
    if (rest.length > 0) yield [{ bytes: rest, number, offset, whole: false }];
  } finally {
    await handle.close();
  }
}

/** The error for a line that cannot be trusted. */
export const damagedLine = (path: string, line: Pick<Line, "number" | "offset">, what: string): StoreError =>
  storeError(
    "store_damaged",
    `${path} line ${line.number} (byte ${line.offset}): ${what}. Nothing was changed. ` +
      "Restore the folder from a backup; everything before this line is whole.",
  );
