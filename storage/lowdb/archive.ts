import { open } from "node:fs/promises";
import { join } from "node:path";
import type { AuditRecord } from "../store.ts";
import { EMPTY_HEAD, type AuditHead } from "../audit.ts";
import { storeError, systemCodeOf } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import type { Segment } from "./journal.ts";
import { damagedLine, readLines } from "./lines.ts";
import { parseRecordHead } from "./record.ts";

/**
 * The audit records of the journal segments that a snapshot has replaced, one JSON object per line. The chain of
 * hashes is the only seal: whoever verifies the trail finds a changed line.
 */
export interface Archive {
  /** Appends and syncs the audit records of segments, except those that are here already. */
  take(segments: readonly Segment[]): Promise<void>;
  /** The last record's sequence and hash. */
  last(): AuditHead;
  /** All records that were whole when the reading began, oldest first. */
  read(from?: { bytes: number }): AsyncGenerator<AuditRecord>;
}

const sliceChars = 256 << 10;
const tailBytes = 64 << 10;

export const archivePath = (dir: string): string => join(dir, "audit-archive.jsonl");

const parseLink = (path: string, line: { bytes: Buffer; number: number; offset: number }): AuditRecord => {
  try {
    return JSON.parse(line.bytes.toString("utf8")) as AuditRecord;
  } catch {
    throw damagedLine(path, line, "the audit record is no JSON, it was changed");
  }
};

/** The audit records of a segment, with the line each stands in. A line that is not whole ends the segment. */
export async function* segmentLinks(path: string): AsyncGenerator<AuditRecord> {
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (!line.whole) return;
      const head = parseRecordHead(line.bytes);
      if (head === null) throw damagedLine(path, line, "the checksum does not fit, the line was changed");
      if (head.audit !== null) yield head.audit;
    }
  }
}

interface End {
  /** Bytes up to the end of the last whole line. */
  readonly bytes: number;
  readonly size: number;
  readonly last: string | null;
}

/** Finds the last whole line from the end of the file. */
const endOf = async (path: string): Promise<End> => {
  const handle = await open(path, "r").catch((thrown: unknown) => {
    if (systemCodeOf(thrown) === "ENOENT") return null;
    throw thrown;
  });
  if (handle === null) return { bytes: 0, size: 0, last: null };
  try {
    const { size } = await handle.stat();
    for (let length = Math.min(tailBytes, size); length > 0; length = Math.min(length * 2, size)) {
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      const end = buffer.lastIndexOf("\n");
      const start = end <= 0 ? -1 : buffer.lastIndexOf("\n", end - 1);
      if (start !== -1 || length === size) {
        const last = end === -1 ? null : buffer.toString("utf8", start + 1, end);
        return { bytes: size - length + end + 1, size, last };
      }
    }
    return { bytes: 0, size, last: null };
  } finally {
    await handle.close();
  }
};

const copyLinks = async (
  file: OpenFile,
  segments: readonly Segment[],
  after: AuditHead,
): Promise<[AuditHead, number]> => {
  let [last, bytes, text] = [after, 0, ""];
  const write = async (): Promise<void> => {
    const slice = Buffer.from(text);
    await file.write(slice);
    bytes += slice.length;
    text = "";
  };
  for (const segment of segments) {
    for await (const link of segmentLinks(segment.path)) {
      if (link.seq <= last.seq) continue;
      text += `${JSON.stringify(link)}\n`;
      last = { seq: link.seq, hash: link.hash };
      if (text.length > sliceChars) await write();
    }
  }
  if (text !== "") await write();
  return [last, bytes];
};

const parseLast = (path: string, text: string): AuditHead => {
  try {
    const { seq, hash } = JSON.parse(text) as AuditRecord;
    return { seq, hash };
  } catch {
    throw storeError(
      "store_damaged",
      `${path}: the last line is no audit record, the file was changed. Nothing was changed. ` +
        "Restore the folder from a backup.",
    );
  }
};

/**
 * Opens the archive and cuts off a line that a dying process left unfinished: the segment it came from is still there.
 */
export const openArchive = async (files: Files, dir: string): Promise<Archive> => {
  const path = archivePath(dir);
  const end = await endOf(path);
  if (end.bytes < end.size) {
    const file = await files.append(path);
    await file.truncate(end.bytes);
    await file.sync();
    await file.close();
  }
  let { bytes } = end;
  let last = end.last === null ? EMPTY_HEAD : parseLast(path, end.last);

  const take = async (segments: readonly Segment[]): Promise<void> => {
    if (segments.length === 0) return;
    const file = await files.append(path);
    try {
      const [head, added] = await copyLinks(file, segments, last);
      await file.sync();
      if (bytes === 0) await files.syncFolder(dir);
      last = head;
      bytes += added;
    } catch (thrown) {
      await file.truncate(bytes).catch(() => undefined);
      throw thrown;
    } finally {
      await file.close();
    }
  };

  async function* read(from = { bytes: 0 }): AsyncGenerator<AuditRecord> {
    if (bytes <= from.bytes) return;
    const until = bytes;
    for await (const lines of readLines(path, from.bytes)) {
      for (const line of lines) {
        if (line.offset >= until) return;
        from.bytes = line.offset + line.bytes.length + 1;
        yield parseLink(path, line);
      }
    }
  }

  return { take, last: () => last, read };
};
