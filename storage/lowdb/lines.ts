import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { storeError, type StoreError } from "./errors.ts";

/**
 * A line is one JSON object whose first member is a checksum of the rest: `{"c":"89abcdef","seq":1,…}`. The CRC-32 is
 * that of the bytes after the comma that follows it, the closing brace included and the newline not.
 */
const sumAt = '{"c":"'.length;
const restAt = '{"c":"00000000",'.length;
const newline = 0x0a;
const chunkBytes = 1 << 20;
const lineEnd = Buffer.from("\n");

const hex = (sum: number): string => sum.toString(16).padStart(8, "0");

/** Puts the checksum in front of a JSON object's text, which must have a member; without the newline. */
export const sealLine = (object: string): string => {
  const rest = object.slice(1);
  return `{"c":"${hex(crc32(rest))}",${rest}`;
};

/** The same for an object given as bytes, without its opening brace and in pieces; with the newline. */
export const sealBytes = (members: readonly Uint8Array[]): Buffer => {
  let sum = 0;
  for (const piece of members) sum = crc32(piece, sum);
  return Buffer.concat([Buffer.from(`{"c":"${hex(sum)}",`), ...members, lineEnd]);
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
