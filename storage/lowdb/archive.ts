import { open } from "node:fs/promises";
import { join } from "node:path";
import type { AuditRecord } from "../store.ts";
import { EMPTY_HEAD, type AuditHead } from "../audit.ts";
import { storeError, systemCodeOf } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import type { Segment } from "./journal.ts";
import { addBytes, addText, bytesOf, damagedLine, lineBuffer, readLines } from "./lines.ts";
import { auditOf } from "./record.ts";

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

const sliceBytes = 256 << 10;
const tailBytes = 64 << 10;

export const archivePath = (dir: string): string => join(dir, "audit-archive.jsonl");

const parseLink = (path: string, line: { bytes: Buffer; number: number; offset: number }): AuditRecord => {
  try {
    return JSON.parse(line.bytes.toString("utf8")) as AuditRecord;
  } catch {
    throw damagedLine(path, line, "the audit record is no JSON, it was changed");
  }
};

/** What stands in the place of an audit record where a commit has none. */
const noLink = "null";

const linkOf = (bytes: Buffer): AuditRecord => JSON.parse(bytes.toString("utf8")) as AuditRecord;

/** The audit records of a segment as their JSON texts, piece by piece. A line that is not whole ends the segment. */
async function* segmentTexts(path: string): AsyncGenerator<readonly Buffer[]> {
  for await (const lines of readLines(path)) {
    const texts: Buffer[] = [];
    for (const line of lines) {
      if (!line.whole) break;
      const text = auditOf(line.bytes);
      if (text === null) throw damagedLine(path, line, "the checksum does not fit, the line was changed");
      if (text.length > noLink.length) texts.push(text);
    }
    yield texts;
  }
}

/** The audit records of a segment. */
export async function* segmentLinks(path: string): AsyncGenerator<AuditRecord> {
  for await (const texts of segmentTexts(path)) for (const text of texts) yield linkOf(text);
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
  let last: Buffer | null = null;
  let bytes = 0;
  const slice = lineBuffer();
  const write = async (): Promise<void> => {
    await file.write(bytesOf(slice));
    bytes += slice.length;
    slice.length = 0;
  };
  for (const segment of segments) {
    for await (const texts of segmentTexts(segment.path)) {
      for (const text of texts) {
        // Sequences grow from link to link: behind the first that is new, all are, and none need be parsed.
        if (last === null && linkOf(text).seq <= after.seq) continue;
        last = text;
        addBytes(slice, text);
        addText(slice, "\n");
      }
      if (slice.length > sliceBytes) await write();
    }
  }
  if (slice.length > 0) await write();
  if (last === null) return [after, bytes];
  const { seq, hash } = linkOf(last);
  return [{ seq, hash }, bytes];
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
