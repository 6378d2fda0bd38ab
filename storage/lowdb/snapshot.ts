import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Adapter } from "lowdb";
import { field, fieldOf, setField } from "./columns.ts";
import type { Document, Mark } from "./document.ts";
import { emptyDocument } from "./document.ts";
import { storeError, systemCodeOf } from "./errors.ts";
import type { Files, OpenFile } from "./files.ts";
import {
  addByte,
  addText,
  beginLine,
  bytesOf,
  damagedLine,
  isSealed,
  lineBuffer,
  membersAt,
  readLines,
  sealLine,
  type Line,
  type LineBuffer,
} from "./lines.ts";
import { addRow, parseRow } from "./record.ts";
import { Slots } from "./slots.ts";
import { isRow, settledImage, type Tables, writeRow } from "./tables.ts";

/**
 * The snapshot is one JSON document that is written and read line by line: a line that opens each part, and sealed
 * lines in between. So it never has to be one string, and a changed byte is found with its line.
 */
const parts = ['{"head":', ',"rows":[', '],"ledgers":[', '],"tail":', "}"] as const;
const longestPart = Math.max(...parts.map((part) => part.length));
const format = 1;
const comma = 0x2c;

/** Bytes of a slice, and milliseconds after which a slice ends in any case; then the event loop has its turn. */
const sliceBytes = 256 << 10;
const sliceMs = 1;

/** Numbers of rows between two looks at the clock, those of rows that are gone included: they may be a million. */
const stepRows = 8;

interface Head extends Mark {
  readonly format: number;
  readonly chain: string;
}

/** What the snapshot holds, and the last journal record of which it may hold a part. */
interface Tail {
  readonly rows: number;
  readonly ledgers: number;
  readonly seq: number;
}

export const snapshotPath = (dir: string): string => join(dir, "store.json");

/** Begins a sealed line; items but the first of a part have a comma before it. */
const beginItem = (to: LineBuffer, place: number): number => {
  if (place > 0) addByte(to, comma);
  return beginLine(to);
};

const addObject = (to: LineBuffer, place: number, object: object): void => {
  const start = beginItem(to, place);
  addText(to, JSON.stringify(object).slice(1, -1));
  sealLine(to, start);
};

/**
 * Adds the rows whose numbers are from one to before another; `place` is how many there are before them. A row's
 * checksum is counted for the first snapshot that it is in, and kept.
 */
const addRows = (to: LineBuffer, tables: Tables, from: number, until: number, place: number): number => {
  const { columns } = tables;
  let rows = place;
  for (let row = from; row < until; row += 1) {
    if (!isRow(tables, row)) continue;
    const start = beginItem(to, rows);
    addRow(to, settledImage(tables, row));
    setField(columns, row, field.sum, sealLine(to, start, fieldOf(columns, row, field.sum)));
    rows += 1;
  }
  return rows;
};

/**
 * Adds the lines of a document in small steps, while the document goes on changing: a row or ledger is taken whole, as
 * it is at that moment, and the journal since `base` makes up for the rest.
 */
function* addLines(to: LineBuffer, document: Document): Generator<void> {
  const { base, chain, tables } = document;
  addText(to, `${parts[0]}\n`);
  addObject(to, 0, { format, chain, ...base } satisfies Head);
  addText(to, `${parts[1]}\n`);
  let rows = 0;
  for (let from = 0; from < tables.columns.end; from += stepRows) {
    rows = addRows(to, tables, from, Math.min(from + stepRows, tables.columns.end), rows);
    yield;
  }
  addText(to, `${parts[2]}\n`);
  let ledgers = 0;
  for (const [ledger, { seq, slots }] of document.ledgers) {
    yield addObject(to, ledgers, { ledger, seq, slots: [...slots] });
    ledgers += 1;
  }
  addText(to, `${parts[3]}\n`);
  addObject(to, 0, { rows, ledgers, seq: document.mark.seq } satisfies Tail);
  addText(to, `${parts[4]}\n`);
}

/** Writes in slices; each is a turn of the event loop for everybody else, also one that met only rows that are gone. */
const writeSlices = async (file: OpenFile, document: Document): Promise<void> => {
  const slice = lineBuffer();
  const lines = addLines(slice, document);
  for (let done = false; !done;) {
    const endMs = performance.now() + sliceMs;
    while (!done && slice.length < sliceBytes && performance.now() < endMs) done = lines.next().done === true;
    if (slice.length === 0) await nextTurn();
    else await file.write(bytesOf(slice));
    slice.length = 0;
  }
  await file.sync();
};

/** Takes the lines of a snapshot one by one and builds the document. */
interface Reading {
  part: number;
  document: Document | null;
  rows: number;
  ledgers: number;
  tail: Tail | null;
}

const membersOf = <T>(line: Buffer): T => JSON.parse(`{${line.toString("utf8", membersAt)}`) as T;

const readHead = (line: Buffer): Document | null => {
  const head = membersOf<Head>(line);
  if (head.format !== format) return null;
  const mark: Mark = { seq: head.seq, n: head.n, audit: head.audit };
  return { ...emptyDocument(), chain: head.chain, mark, base: mark };
};

const readLedger = (document: Document, line: Buffer): void => {
  const { ledger, seq, slots } = membersOf<{ ledger: string; seq: number; slots: [number, number][] }>(line);
  document.ledgers.set(ledger, { seq, slots: new Slots(slots) });
};

/** What is wrong with the line, null when it was taken. */
const takeLine = (reading: Reading, line: Line): string | null => {
  if (!line.whole) return "the file ends in the middle of a line";
  const { bytes } = line;
  if (bytes.length <= longestPart && bytes.toString("latin1") === parts[reading.part]) {
    reading.part += 1;
    return null;
  }
  const sealed = bytes[0] === comma ? bytes.subarray(1) : bytes;
  if (!isSealed(sealed)) return "the checksum does not fit: the line was changed or is not one of a snapshot";
  const { document } = reading;
  if (reading.part === 1) {
    reading.document = readHead(sealed);
    return reading.document === null ? "the snapshot has the format of another version of Parley" : null;
  }
  if (document === null || reading.part === 5) return "the line is out of place";
  if (reading.part === 2) {
    writeRow(document.tables, parseRow(sealed, document.tables), false);
    reading.rows += 1;
  } else if (reading.part === 3) {
    readLedger(document, sealed);
    reading.ledgers += 1;
  } else reading.tail = membersOf<Tail>(sealed);
  return null;
};

/** A snapshot read back, with the sequence up to which the journal must be replayed for it to be whole. */
interface LoadedSnapshot {
  readonly document: Document;
  readonly untilSeq: number;
}

const finish = (path: string, { part, document, rows, ledgers, tail }: Reading): LoadedSnapshot => {
  const whole = part === parts.length && tail !== null && tail.rows === rows && tail.ledgers === ledgers;
  if (document !== null && whole) return { document, untilSeq: tail.seq };
  throw storeError(
    "store_damaged",
    `${path} is not whole: it ends early or lines are missing. Nothing was changed. Restore the folder from a backup.`,
  );
};

const readSnapshot = async (path: string): Promise<LoadedSnapshot> => {
  const reading: Reading = { part: 0, document: null, rows: 0, ledgers: 0, tail: null };
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const flaw = takeLine(reading, line);
      if (flaw !== null) throw damagedLine(path, line, flaw);
    }
  }
  return finish(path, reading);
};

/** The adapter between the lowdb document and its file. */
export interface SnapshotAdapter extends Adapter<Document> {
  /** The sequence up to which the journal must reach; known once `read` has resolved. */
  untilSeq(): number;
}

/**
 * Reads the snapshot, null when there is none. Writes a temporary file, syncs it, puts it in the place of the old one
 * and syncs the folder: whenever the process ends, one whole snapshot is there.
 */
export const snapshotAdapter = (files: Files, dir: string): SnapshotAdapter => {
  const path = snapshotPath(dir);
  let untilSeq = 0;
  const read = async (): Promise<Document | null> => {
    try {
      const loaded = await readSnapshot(path);
      untilSeq = loaded.untilSeq;
      return loaded.document;
    } catch (thrown) {
      if (systemCodeOf(thrown) === "ENOENT") return null;
      throw thrown;
    }
  };
  const write = async (document: Document): Promise<void> => {
    const file = await files.create(`${path}.tmp`);
    try {
      await writeSlices(file, document);
    } finally {
      await file.close();
    }
    await files.rename(`${path}.tmp`, path);
    await files.syncFolder(dir);
  };
  return { read, write, untilSeq: () => untilSeq };
};
