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
const opening = {
  head: '{"head":',
  rows: ',"rows":[',
  ledgers: '],"ledgers":[',
  sums: '],"sums":[',
  tail: '],"tail":',
  end: "}",
} as const;
const longestOpening = Math.max(...Object.values(opening).map((text) => text.length));

type Part = keyof typeof opening;

/** The parts of each format that was ever written: the first had no sums. */
const layouts: ReadonlyMap<number, readonly Part[]> = new Map([
  [1, ["head", "rows", "ledgers", "tail", "end"]],
  [2, ["head", "rows", "ledgers", "sums", "tail", "end"]],
]);
const format = 2;
const layout = layouts.get(format) as readonly Part[];
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

const partLine = (part: Part): Buffer => Buffer.from(`${opening[part]}\n`);

const objectLine = (object: object): Buffer => sealedLine(JSON.stringify(object).slice(1, -1));

const between = Buffer.from([comma]);

/**
 * The document goes on changing meanwhile: a row is taken as it is at that moment, and the journal since `base` makes
 * up for the rest. Rows that were created since are in it too and are skipped, so the walk ends however fast rows are
 * created.
 */
function* linesOf(document: Document): Generator<readonly Buffer[]> {
  const { base, chain, tables } = document;
  yield [partLine("head"), objectLine({ format, chain, ...base } satisfies Head), partLine("rows")];
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
  yield [partLine("ledgers")];
  let ledgers = 0;
  for (const [ledger, { seq, slots }] of document.ledgers) {
    const line = objectLine({ ledger, seq, slots: [...slots] });
    yield ledgers === 0 ? [line] : [between, line];
    ledgers += 1;
  }
  yield [partLine("sums")];
  let sums = 0;
  for (const [name, sum] of document.sums) {
    const line = objectLine(storedSum(name, sum));
    yield sums === 0 ? [line] : [between, line];
    sums += 1;
  }
  yield [partLine("tail"), objectLine({ rows, ledgers, sums, seq: document.mark.seq } satisfies Tail), partLine("end")];
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
  /** Of the format that the head names. */
  layout: readonly Part[];
  /** How many of its parts were opened. */
  opened: number;
  document: Document | null;
  rows: number;
  ledgers: number;
  sums: number;
  tail: Tail | null;
}

const membersOf = <T>(line: Buffer): T => JSON.parse(`{${line.toString("utf8", membersAt)}`) as T;

/** Throws `store_newer` where another version of Parley wrote it. */
const readHead = (path: string, reading: Reading, line: Buffer): void => {
  const head = membersOf<Head>(line);
  const found = layouts.get(head.format);
  if (found === undefined) {
    const what = `${path} has format ${head.format}, and this program reads formats up to ${format}`;
    throw storeError("store_newer", `${what}. Nothing was changed. Start the version of Parley that wrote it.`);
  }
  const mark: Mark = { seq: head.seq, n: head.n, audit: head.audit };
  reading.layout = found;
  reading.document = { ...emptyDocument(), chain: head.chain, mark, base: mark };
};

const readLedger = (document: Document, line: Buffer): void => {
  const { ledger, seq, slots } = membersOf<{ ledger: string; seq: number; slots: [number, number][] }>(line);
  document.ledgers.set(ledger, { seq, slots: new Slots(slots) });
};

const takeLine = (path: string, reading: Reading, line: Line): string | null => {
  if (!line.whole) return "the file ends in the middle of a line";
  const { bytes } = line;
  const next = reading.layout[reading.opened];
  if (next !== undefined && bytes.length <= longestOpening && bytes.toString("latin1") === opening[next]) {
    reading.opened += 1;
    return null;
  }
  const sealed = bytes[0] === comma ? bytes.subarray(1) : bytes;
  if (!isSealed(sealed)) return "the checksum does not fit: the line was changed or is not one of a snapshot";
  const part = reading.layout[reading.opened - 1];
  if (part === "head") {
    readHead(path, reading, sealed);
    return null;
  }
  const { document } = reading;
  if (document === null || part === undefined || part === "end") return "the line is out of place";
  if (part === "rows") writeRow(document.tables, parseRow(sealed, membersAt, sealed.length - 1));
  else if (part === "ledgers") readLedger(document, sealed);
  else if (part === "sums") restoreSum(document.sums, membersOf(sealed));
  else reading.tail = membersOf<Tail>(sealed);
  if (part !== "tail") reading[part] += 1;
  return null;
};

interface LoadedSnapshot {
  readonly document: Document;
  readonly untilSeq: number;
}

const counted = ["rows", "ledgers", "sums"] as const;

const finish = (path: string, { layout, opened, document, tail, ...read }: Reading): LoadedSnapshot => {
  const isWhole =
    opened === layout.length && counted.every((name) => !layout.includes(name) || tail?.[name] === read[name]);
  if (document !== null && tail !== null && isWhole) return { document, untilSeq: tail.seq };
  throw storeError(
    "store_damaged",
    `${path} is not whole: it ends early or lines are missing. Nothing was changed. Restore the folder from a backup.`,
  );
};

const readSnapshot = async (path: string): Promise<LoadedSnapshot> => {
  const reading: Reading = { layout, opened: 0, document: null, rows: 0, ledgers: 0, sums: 0, tail: null };
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const flaw = takeLine(path, reading, line);
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
