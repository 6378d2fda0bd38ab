import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AuditRecord } from "../../store.ts";
import { EMPTY_HEAD, type AuditHead } from "../../audit.ts";
import { storeError, systemCodeOf } from "../errors.ts";
import type { Files, OpenFile } from "./files.ts";
import type { Segment } from "./journal.ts";
import { damagedLine, endOfLinesBefore, membersAt, newline, readLines, readLinesBack, readPieces } from "./lines.ts";
import { auditMark, auditOf, changesMark } from "./record.ts";

/** The audit records of replaced journal segments, one JSON object per line. The chain of hashes is the only seal. */
export interface Archive {
  /** Appends what is not here yet. Throws `store_damaged` unless the archive then goes up to `until` without a gap. */
  take(segments: readonly Segment[], until: AuditHead): Promise<void>;
  /** Appends records that follow the last one. */
  append(records: readonly AuditRecord[]): Promise<void>;
  /** Puts each in the place of the record with its number, in a file that replaces this one at once. */
  replace(records: ReadonlyMap<number, AuditRecord>): Promise<void>;
  last(): AuditHead;
  read(from?: { bytes: number }): AsyncGenerator<AuditRecord>;
  /** The newest first, those below a number. */
  readBack(below: number): AsyncGenerator<AuditRecord>;
}

const tailBytes = 64 << 10;
const replacedLines = 1_000;

export const archiveName = "audit-archive.jsonl";

const isLink = (value: unknown): value is AuditRecord =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "chain") === "string" &&
  Number.isSafeInteger(Reflect.get(value, "seq"));

/** Null: no audit record, so the line was changed. */
const readLink = (bytes: Buffer): AuditRecord | null => {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isLink(value) ? value : null;
  } catch {
    return null;
  }
};

const parseLink = (path: string, line: { bytes: Buffer; number: number; offset: number }): AuditRecord => {
  const link = readLink(line.bytes);
  if (link === null) throw damagedLine(path, line, "this is no audit record, the line was changed");
  return link;
};

/** The line of a commit without an audit record. */
const noLink = "null";

const linkOf = (bytes: Buffer): AuditRecord => JSON.parse(bytes.toString("utf8")) as AuditRecord;

const isSame = (one: AuditHead, other: AuditHead): boolean => one.seq === other.seq && one.hash === other.hash;

const headOf = ({ seq, hash }: AuditHead): AuditHead => ({ seq, hash });

export async function* segmentLinks(path: string): AsyncGenerator<AuditRecord> {
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (!line.whole) return;
      const text = auditOf(line.bytes);
      if (text === null) throw damagedLine(path, line, "the checksum does not fit, the line was changed");
      if (text.length > noLink.length) yield linkOf(text);
    }
  }
}

/** The newest first. A line that is not whole is one that is being written, at the end of the last segment. */
export async function* segmentLinksBack(path: string, below: number): AsyncGenerator<AuditRecord> {
  const linkIn = (line: Buffer): AuditRecord | null => {
    const text = auditOf(line);
    return text === null || text.length <= noLink.length ? null : linkOf(text);
  };
  const { size } = await stat(path);
  const end = await endOfLinesBefore(path, size, (line) => {
    const link = linkIn(line);
    return link === null ? null : link.seq < below;
  });
  for await (const line of readLinesBack(path, end)) {
    const link = linkIn(line);
    if (link !== null && link.seq < below) yield link;
  }
}

interface End {
  readonly bytes: number;
  readonly size: number;
  readonly last: string | null;
}

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

interface Links {
  readonly lines: Buffer;
  readonly count: number;
  readonly head: AuditHead;
}

/**
 * Moves the audit records behind `after` to the beginning of a piece of a segment. Checksums need not fit: the snapshot
 * came from memory.
 */
const gatherLinks = (piece: Buffer, after: AuditHead): Links => {
  let length = 0;
  let count = 0;
  let last = 0;
  for (let start = 0, end = 0; (end = piece.indexOf(newline, start)) !== -1; start = end + 1) {
    const from = piece.indexOf(auditMark, start + membersAt) + auditMark.length;
    const to = piece.indexOf(changesMark, from);
    if (to > end || to - from <= noLink.length) continue;
    // Sequences grow from link to link: behind the first that is new, all are, and none need be parsed.
    if (count === 0 && linkOf(piece.subarray(from, to)).seq <= after.seq) continue;
    last = length;
    piece.copyWithin(length, from, to);
    length += to - from + 1;
    piece[length - 1] = newline;
    count += 1;
  }
  const lines = piece.subarray(0, length);
  return { lines, count, head: count === 0 ? after : headOf(linkOf(lines.subarray(last))) };
};

const unfit = (path: string, { seq }: AuditHead, until: AuditHead): Error =>
  storeError(
    "store_damaged",
    `${path} ends with audit record ${seq}, and the journal does not hold those up to ${until.seq}. ` +
      "Restore the folder from a backup.",
  );

/** Returns the bytes written; null when the records do not lead to `until`. */
const copyLinks = async (
  file: OpenFile,
  segments: readonly Segment[],
  after: AuditHead,
  until: AuditHead,
): Promise<number | null> => {
  let head = after;
  let bytes = 0;
  for (const segment of segments) {
    for await (const piece of readPieces(segment.path)) {
      const links = gatherLinks(piece, head);
      if (links.count === 0) continue;
      if (links.head.seq !== head.seq + links.count) return null;
      await file.write(links.lines);
      bytes += links.lines.length;
      ({ head } = links);
    }
  }
  return isSame(head, until) ? bytes : null;
};

const parseLast = (path: string, text: string): AuditHead => {
  try {
    return headOf(JSON.parse(text) as AuditRecord);
  } catch {
    throw storeError(
      "store_damaged",
      `${path}: the last line is no audit record, the file was changed. Nothing was changed. ` +
        "Restore the folder from a backup.",
    );
  }
};

/** Answers the bytes written. */
const writing =
  (lines: Buffer) =>
  async (file: OpenFile): Promise<number> => {
    await file.write(lines);
    return lines.length;
  };

const writeReplaced = async (
  file: OpenFile,
  links: AsyncIterable<AuditRecord>,
  records: ReadonlyMap<number, AuditRecord>,
): Promise<number> => {
  let written = 0;
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    const piece = Buffer.from(lines.join(""));
    lines = [];
    written += piece.length;
    await file.write(piece);
  };
  for await (const link of links) {
    if (lines.push(`${JSON.stringify(records.get(link.seq) ?? link)}\n`) >= replacedLines) await flush();
  }
  await flush();
  await file.sync();
  return written;
};

/** Bytes of the file that is in its place when this resolves. */
const replaceFile = async (
  { files, dir, path }: { readonly files: Files; readonly dir: string; readonly path: string },
  links: AsyncIterable<AuditRecord>,
  records: ReadonlyMap<number, AuditRecord>,
): Promise<number> => {
  const file = await files.create(`${path}.tmp`);
  let written: number;
  try {
    written = await writeReplaced(file, links, records);
  } finally {
    await file.close();
  }
  await files.rename(`${path}.tmp`, path);
  await files.syncFolder(dir);
  return written;
};

/** Opens an archive. A torn line is cut off before the next one is added: what it came from still exists. */
export const openArchive = async (files: Files, dir: string, name = archiveName): Promise<Archive> => {
  const path = join(dir, name);
  const { size, last: text, ...end } = await endOf(path);
  let { bytes } = end;
  /** False where an attempt may have left something behind the last record. */
  let isSound = bytes === size;
  let last = text === null ? EMPTY_HEAD : parseLast(path, text);

  const add = async (until: AuditHead, write: (file: OpenFile) => Promise<number | null>): Promise<void> => {
    const file = await files.append(path);
    try {
      if (!isSound) await file.truncate(bytes);
      isSound = false;
      const added = await write(file);
      if (added === null) throw unfit(path, last, until);
      await file.sync();
      if (bytes === 0) await files.syncFolder(dir);
      last = until;
      bytes += added;
      isSound = true;
    } finally {
      await file.close();
    }
  };

  const take = async (segments: readonly Segment[], until: AuditHead): Promise<void> => {
    if (segments.length > 0) await add(until, (file) => copyLinks(file, segments, last, until));
    else if (!isSame(last, until)) throw unfit(path, last, until);
  };

  const append = async (records: readonly AuditRecord[]): Promise<void> => {
    const end = records.at(-1);
    if (end === undefined) return;
    const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    await add(headOf(end), writing(lines));
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

  const replace = async (records: ReadonlyMap<number, AuditRecord>): Promise<void> => {
    if (records.size > 0) bytes = await replaceFile({ files, dir, path }, read(), records);
  };

  async function* readBack(below: number): AsyncGenerator<AuditRecord> {
    if (bytes === 0) return;
    const end = await endOfLinesBefore(path, bytes, (line) => {
      const link = readLink(line);
      return link === null ? null : link.seq < below;
    });
    // A damaged line is left out here; a check of the trail names it.
    for await (const line of readLinesBack(path, end)) {
      const record = readLink(line);
      if (record !== null && record.seq < below) yield record;
    }
  }

  return { take, append, replace, last: () => last, read, readBack };
};
