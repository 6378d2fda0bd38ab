import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Low } from "lowdb";
import { digestText } from "../../audit.ts";
import { openArchive, type Archive } from "./archive.ts";
import { applyRecord, type Document, emptyDocument, parseChanges } from "../rows/index.ts";
import { storeError, systemCodeOf } from "../errors.ts";
import type { Files } from "./files.ts";
import { createSegment, segmentOf, type Segment } from "./journal.ts";
import { damagedLine, readLines, type Line } from "./lines.ts";
import { parseRecord, type ReadRecord } from "./record.ts";
import { snapshotPath, type SnapshotAdapter } from "./snapshot.ts";

export interface Folder {
  readonly dir: string;
  readonly files: Files;
  readonly warn: (message: string) => void;
}

export interface Recovered {
  readonly segments: readonly Segment[];
  readonly archive: Archive;
}

interface Replayed extends Segment {
  lastSeq: number;
}

const segmentName = /^journal-(\d{16})\.jsonl$/;

/** False too where there is no such directory. */
export const holdsStore = async (dir: string): Promise<boolean> => {
  const names = await readdir(dir).catch((thrown: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(thrown))) return [];
    throw thrown;
  });
  return names.some((name) => segmentName.test(name) || snapshotPath(dir) === join(dir, name));
};

const damaged = (what: string): Error => storeError("store_damaged", `${what}. Restore the folder from a backup.`);

const listSegments = async (dir: string): Promise<Replayed[]> => {
  const names = (await readdir(dir)).filter((name) => segmentName.test(name)).sort();
  return names.map((name) => ({
    path: join(dir, name),
    first: Number(segmentName.exec(name)?.[1]),
    bytes: 0,
    lastSeq: 0,
  }));
};

interface OpenEnd {
  readonly segment: Replayed;
  readonly line: Line;
  readonly isRecord: boolean;
}

/** Cuts a segment back to its last whole record, or gives that record its newline. */
const mend = async ({ files, warn }: Folder, { segment, line, isRecord }: OpenEnd): Promise<void> => {
  const file = await files.append(segment.path);
  try {
    if (isRecord) await file.write(Buffer.from("\n"));
    else await file.truncate(line.offset);
    await file.sync();
  } finally {
    await file.close();
  }
  if (isRecord) return;
  const what = `${line.bytes.length} bytes of a commit that was never acknowledged`;
  warn(`${segment.path} line ${line.number} (byte ${line.offset}) was torn when the process ended: dropped ${what}`);
};

const replayer = (document: Document) => {
  const { base } = document;
  let next: number | null = null;
  return (line: Line, record: ReadRecord, path: string): number => {
    const { seq, audit, changes } = record;
    const fits = next === null ? seq <= base.seq + 1 : seq === next;
    const before = (next ?? base.seq + 1) - 1;
    if (!fits) throw damagedLine(path, line, `record ${seq} follows record ${before}, some are missing`);
    next = seq + 1;
    if (seq <= base.seq) return seq;
    const head = document.mark.audit;
    if (audit !== null && (audit.seq !== head.seq + 1 || audit.prev !== head.hash)) {
      throw damagedLine(path, line, "the audit record does not continue the chain");
    }
    if (audit !== null && audit.digest !== digestText(changes)) {
      throw damagedLine(path, line, "the changes do not fit the digest of the audit record");
    }
    applyRecord(document, { seq, audit, ...parseChanges(changes.toString("utf8")) });
    return seq;
  };
};

const replaySegments = async (document: Document, segments: readonly Replayed[]): Promise<readonly OpenEnd[]> => {
  const replay = replayer(document);
  const ends: OpenEnd[] = [];
  for (const segment of segments) {
    const { seq } = document.mark;
    if (segment.first > seq + 1) {
      throw damaged(`${segment.path}: the journal before it ends with record ${seq}, so one of its files is missing`);
    }
    for await (const lines of readLines(segment.path)) {
      for (const line of lines) {
        const torn = ends.at(-1);
        if (torn?.isRecord === false) throw damagedLine(torn.segment.path, torn.line, "torn, and records follow it");
        const parsed = parseRecord(line.bytes);
        if (!line.whole) ends.push({ segment, line, isRecord: parsed !== null });
        if (parsed !== null) {
          segment.lastSeq = replay(line, parsed, segment.path);
          segment.bytes = line.offset + line.bytes.length + 1;
        } else if (line.whole) throw damagedLine(segment.path, line, "the checksum does not fit, the line was changed");
      }
    }
  }
  return ends;
};

const retire = async ({ dir, files }: Folder, archive: Archive, document: Document, old: Replayed[]): Promise<void> => {
  await archive.take(old, document.base.audit);
  for (const segment of old) await files.remove(segment.path);
  if (old.length > 0) await files.syncFolder(dir);
};

/** A first start that was cut short may leave an empty first segment. */
const isUntouched = async ([segment, ...more]: readonly Replayed[]): Promise<boolean> =>
  segment === undefined || (more.length === 0 && segment.first === 1 && (await stat(segment.path)).size === 0);

/**
 * Reads the snapshot. The segment of the record behind it is always there: it is durable before the snapshot is
 * written, and removed only once another snapshot has replaced it.
 */
const readDocument = async (folder: Folder, db: Low<Document>, segments: readonly Replayed[]): Promise<void> => {
  const { dir, files } = folder;
  await files.remove(`${snapshotPath(dir)}.tmp`);
  db.data = emptyDocument();
  const blank = db.data;
  await db.read();
  if (db.data !== blank) {
    const { path, first } = segmentOf(dir, db.data.base.seq + 1);
    if (!segments.some((segment) => segment.first === first)) throw damaged(`${path} is missing beside the snapshot`);
    return;
  }
  if (!(await isUntouched(segments))) throw damaged(`${snapshotPath(dir)} is missing beside its journal`);
  const archive = await openArchive(files, dir);
  if (archive.last().seq > 0) throw damaged(`${snapshotPath(dir)} is missing beside its audit archive`);
  await createSegment(files, dir, 1);
  await db.write();
};

/**
 * Reads the snapshot and replays the journal. A torn last line is dropped with a warning; anything else that is wrong
 * throws `store_damaged` and leaves every file as it is.
 */
export const recover = async (folder: Folder, db: Low<Document>, adapter: SnapshotAdapter): Promise<Recovered> => {
  const segments = await listSegments(folder.dir);
  await readDocument(folder, db, segments);
  const document = db.data;
  const ends = await replaySegments(document, segments);
  if (document.mark.seq < adapter.untilSeq()) {
    const what = `the journal ends at record ${document.mark.seq}, the snapshot holds parts of ${adapter.untilSeq()}`;
    throw damaged(`${folder.dir}: ${what}`);
  }
  for (const end of ends) await mend(folder, end);
  const archive = await openArchive(folder.files, folder.dir);
  // The journal goes on in an empty segment of the last start: were it removed first, a kill might leave none.
  const before = segments.filter((segment) => segment.first <= document.mark.seq);
  const isOld = (segment: Replayed): boolean => segment.lastSeq <= document.base.seq;
  await retire(folder, archive, document, before.filter(isOld));
  return { segments: before.filter((segment) => !isOld(segment)), archive };
};
