import { randomBytes } from "node:crypto";
import { EMPTY_HEAD, type AuditHead } from "../audit.ts";
import { applyReservation, type Ledgers } from "./ledgers.ts";
import type { JournalRecord } from "./record.ts";
import { dropRow, emptyTables, findRow, writeRow, type Tables } from "./tables.ts";

/** How far the document has come: the last journal record in it, the last place in creation order, the audit chain. */
export interface Mark {
  readonly seq: number;
  readonly n: number;
  readonly audit: AuditHead;
}

/** The lowdb document: everything durable. `mark` is what it holds now, `base` the point its snapshot replays from. */
export interface Document {
  readonly chain: string;
  mark: Mark;
  base: Mark;
  readonly tables: Tables;
  readonly ledgers: Ledgers;
}

/** A document without rows; its audit chain is named at random, so that two folders' trails cannot be mixed up. */
export const emptyDocument = (): Document => {
  const mark: Mark = { seq: 0, n: 0, audit: EMPTY_HEAD };
  const chain = `lowdb-${randomBytes(8).toString("hex")}`;
  return { chain, mark, base: mark, tables: emptyTables(), ledgers: new Map() };
};

const advance = (document: Document, record: JournalRecord): void => {
  const { mark } = document;
  let n = mark.n;
  for (const row of record.rows) n = Math.max(n, row.n);
  const audit = record.audit === null ? mark.audit : { seq: record.audit.seq, hash: record.audit.hash };
  document.mark = { seq: record.seq, n, audit };
};

/** Reserves what the record says, but for ledgers that hold the record already: a record may name one twice. */
const reserveAll = ({ ledgers }: Document, { seq, reserved }: JournalRecord): void => {
  const open = reserved.filter((change) => (ledgers.get(change.ledger)?.seq ?? 0) < seq);
  for (const change of open) applyReservation(ledgers, seq, change);
};

/**
 * Applies a durable record. A snapshot is written while commits go on, so a replay meets rows and ledgers that already
 * hold later records. A row's change says what the row is, whatever it was: once the replay has come to where the
 * snapshot ended, every row is right. A ledger's change adds, so it is left out where the ledger already holds it.
 * `follows` says that the document holds what the record was claimed upon and nothing later: it is no replay.
 */
export const applyRecord = (document: Document, record: JournalRecord, follows: boolean): void => {
  const { tables } = document;
  for (const { kind, id, hash } of record.gone) {
    const row = findRow(tables, kind, id, hash);
    if (row !== -1) dropRow(tables, row);
  }
  for (const row of record.rows) writeRow(tables, row, follows);
  if (record.reserved.length > 0) reserveAll(document, record);
  advance(document, record);
};
