import { randomBytes } from "node:crypto";
import { EMPTY_HEAD, type AuditHead } from "../../audit.ts";
import { applyReservation, type Ledgers } from "./ledgers.ts";
import type { CommitRecord } from "./record.ts";
import { applyAdditions, type Sums } from "./sums.ts";
import { emptyTables, removeRow, type Tables, writeRow } from "./tables.ts";

export interface Mark {
  readonly seq: number;
  readonly n: number;
  readonly audit: AuditHead;
}

/** `mark` is what it holds now, `base` the commit its snapshot starts from. */
export interface Document {
  readonly chain: string;
  mark: Mark;
  base: Mark;
  readonly tables: Tables;
  readonly ledgers: Ledgers;
  readonly sums: Sums;
}

/** The chain has a random name, so that two directories' trails cannot be mixed up. */
export const emptyDocument = (driver = "lowdb"): Document => {
  const mark: Mark = { seq: 0, n: 0, audit: EMPTY_HEAD };
  const chain = `${driver}-${randomBytes(8).toString("hex")}`;
  return { chain, mark, base: mark, tables: emptyTables(), ledgers: new Map(), sums: new Map() };
};

/**
 * A snapshot is written while commits go on, so a replay meets rows and ledgers that already hold later commits. A
 * row's change is its whole state and may be written again; a ledger's adds, so it is skipped where the ledger holds
 * it.
 */
export const applyRecord = (document: Document, { seq, audit, rows, gone, reserved, added }: CommitRecord): void => {
  const { tables, ledgers, mark } = document;
  for (const { kind, id } of gone) removeRow(tables, kind, id);
  let { n } = mark;
  for (const row of rows) {
    writeRow(tables, row);
    n = Math.max(n, row.n);
  }
  // A commit may name a ledger twice: which ledgers hold it already is asked before the first is changed.
  const missing = reserved.filter(({ ledger }) => (ledgers.get(ledger)?.seq ?? 0) < seq);
  for (const change of missing) applyReservation(ledgers, seq, change);
  applyAdditions(document.sums, seq, added);
  document.mark = { seq, n, audit: audit ?? mark.audit };
};
