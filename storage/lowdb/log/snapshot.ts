import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Adapter } from "lowdb";
import { storeError, systemCodeOf } from "../errors.ts";
import {
  type Document,
  emptyDocument,
  everyRow,
  type Mark,
  parseRow,
  restoreSum,
  rowText,
  Slots,
  storedSum,
  writeRow,
} from "../rows/index.ts";
import type { Files, OpenFile } from "./files.ts";
import { damagedLine, isSealed, type Line, membersAt, readLines, sealedLine } from "./lines.ts";

/**
 * One JSON document, written and read line by line, so that it never has to be one string and a changed byte is found
 * with its line.
 */
const parts = ['{"head":', ',"rows":[', '],"ledgers":[', '],"sums":[', '],"tail":', "}"] as const;
const longestPart = Math.max(...parts.map((part) => part.length));
const format = 2;
const comma = 0x2c;

/** Bytes of a slice, and milliseconds after which a slice ends in any case; then the event loop has its turn. */
const sliceBytes = 256 << 10;
const sliceMs = 1;

interface Head extends Mark {
  readonly format: number;
  readonly chain: string;
}

interface Tail {
  readonly rows: number;
  readonly ledgers: number;
  readonly sums: number;
  readonly seq: number;
}

export const snapshotPath = (dir: string): string => join(dir, "store.json");

const partLine = (part: number): Buffer => Buffer.from(`${parts[part]}\n`);

const objectLine = (object: object): Buffer => sealedLine(JSON.stringify(object).slice(1, -1));

const between = Buffer.from([comma]);

/**
 * The document goes on changing meanwhile: a row is taken as it is at that moment, and the journal since `base` makes
 * up for the rest. Rows that were created since are in it too and are skipped, so the walk ends however fast rows are
 * created.
 */
function* linesOf(document: Document): Generator<readonly Buffer[]> {
  const { base, chain, tables } = document;
  yield [partLine(0), objectLine({ format, chain, ...base } satisfies Head), partLine(1)];
  let rows = 0;
  for (const row of everyRow(tables)) {
    if (row.n > base.n) {
      yield [];
      continue;
    }
    const line = sealedLine(rowText(row));
    yield rows === 0 ? [line] : [between, line];
    rows += 1;
  }
  yield [partLine(2)];
  let ledgers = 0;
  for (const [ledger, { seq, slots }] of document.ledgers) {
    const line = objectLine({ ledger, seq, slots: [...slots] });
    yield ledgers === 0 ? [line] : [between, line];
    ledgers += 1;
  }
  yield [partLine(3)];
  let sums = 0;
  for (const [name, sum] of document.sums) {
    const line = objectLine(storedSum(name, sum));
    yield sums === 0 ? [line] : [between, line];
    sums += 1;
  }
  yield [partLine(4), objectLine({ rows, ledgers, sums, seq: document.mark.seq } satisfies Tail), partLine(5)];
}

/** Writes in slices; each is a turn of the event loop for everybody else. */
const writeSlices = async (file: OpenFile, document: Document): Promise<void> => {
  const lines = linesOf(document);
  for (let done = false; !done;) {
    const endMs = performance.now() + sliceMs;
    const slice: Buffer[] = [];
    for (let bytes = 0; bytes < sliceBytes && performance.now() < endMs;) {
      const next = lines.next();
      if (next.done === true) {
        done = true;
        break;
      }
      for (const line of next.value) bytes += slice.push(line) && line.length;
    }
    if (slice.length === 0) await nextTurn();
    else await file.write(Buffer.concat(slice));
  }
  await file.sync();
};

interface Reading {
  part: number;
  document: Document | null;
  rows: number;
  ledgers: number;
  sums: number;
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
  if (document === null || reading.part === 6) return "the line is out of place";
  if (reading.part === 2) {
    writeRow(document.tables, parseRow(sealed, membersAt, sealed.length - 1));
    reading.rows += 1;
  } else if (reading.part === 3) {
    readLedger(document, sealed);
    reading.ledgers += 1;
  } else if (reading.part === 4) {
    restoreSum(document.sums, membersOf(sealed));
    reading.sums += 1;
  } else reading.tail = membersOf<Tail>(sealed);
  return null;
};

interface LoadedSnapshot {
  readonly document: Document;
  readonly untilSeq: number;
}

const finish = (path: string, { part, document, tail, ...read }: Reading): LoadedSnapshot => {
  const isWhole =
    part === parts.length && (["rows", "ledgers", "sums"] as const).every((name) => tail?.[name] === read[name]);
  if (document !== null && tail !== null && isWhole) return { document, untilSeq: tail.seq };
  throw storeError(
    "store_damaged",
    `${path} is not whole: it ends early or lines are missing. Nothing was changed. Restore the folder from a backup.`,
  );
};

const readSnapshot = async (path: string): Promise<LoadedSnapshot> => {
  const reading: Reading = { part: 0, document: null, rows: 0, ledgers: 0, sums: 0, tail: null };
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const flaw = takeLine(reading, line);
      if (flaw !== null) throw damagedLine(path, line, flaw);
    }
  }
  return finish(path, reading);
};

export interface SnapshotAdapter extends Adapter<Document> {
  untilSeq(): number;
}

/**
 * Writes a temporary file, syncs it, renames it over the old one and syncs the directory: whenever the process ends,
 * one whole snapshot is there.
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
