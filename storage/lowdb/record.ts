import type { AuditHead } from "../audit.ts";
import type { AuditRecord } from "../store.ts";
import type { Reservation } from "./ledgers.ts";
import { addBytes, addText, beginLine, closeObject, isSealed, type LineBuffer, membersAt, sealLine } from "./lines.ts";
import type { RowImage } from "./tables.ts";

/** What a commit did to one row or ledger: the row as it is now, or which row is gone. */
export type RecordChange =
  | ({ readonly op: "put" } & RowImage)
  | { readonly op: "remove"; readonly kind: string; readonly id: string }
  | ({ readonly op: "reserve" } & Reservation);

/** One commit in the journal. `seq` counts commits from 1 without a gap; `audit` is its link of the chain. */
export interface JournalRecord<Link extends AuditHead = AuditHead> {
  readonly seq: number;
  readonly audit: Link | null;
  readonly changes: readonly RecordChange[];
}

/**
 * A quote inside JSON text stands behind a backslash, so the first of these outside the members before it is the
 * member itself: the rest of the line need not be parsed to find it.
 */
const bodyMark = ',"body":';
export const changesMark = ',"changes":';
export const auditMark = ',"audit":';

/** Adds a row's members as JSON behind a text and without its braces, the body last. */
export const addRow = (to: LineBuffer, row: RowImage, before = ""): void => {
  addText(
    to,
    `${before}"kind":${JSON.stringify(row.kind)},"id":${JSON.stringify(row.id)},"n":${row.n},` +
      `"version":${row.version},"terms":${JSON.stringify(row.terms)},"dueAtMs":${row.dueAtMs ?? "null"}${bodyMark}`,
  );
  // By itself: as a part of one text it would be copied once more on its way.
  addText(to, row.body);
};

/** Adds a commit's changes as JSON: what its audit record digests. */
export const addChanges = (to: LineBuffer, changes: readonly RecordChange[]): void => {
  let before = "[";
  for (const change of changes) {
    if (change.op === "put") {
      addRow(to, change, `${before}{"op":"put",`);
      closeObject(to);
    } else addText(to, before + JSON.stringify(change));
    before = ",";
  }
  addText(to, changes.length === 0 ? "[]" : "]");
};

/** Adds a record as a sealed line with its newline. `audit` is JSON text, `changes` are the bytes of theirs. */
export const addRecord = (line: LineBuffer, seq: number, audit: string, changes: Uint8Array): void => {
  const start = beginLine(line);
  addText(line, `"seq":${seq}${auditMark}${audit}${changesMark}`);
  addBytes(line, changes);
  sealLine(line, start);
};

type ParsedChange = RecordChange & { readonly body?: unknown };

/** A record as it is read back, with the bytes of its changes. */
export interface ReadRecord {
  readonly record: JournalRecord<AuditRecord>;
  readonly changes: Buffer;
}

/** Reads a record back; null when the line is not as it was sealed. */
export const parseRecord = (line: Buffer): ReadRecord | null => {
  if (!isSealed(line)) return null;
  const split = line.indexOf(changesMark, membersAt);
  const text = `{${line.toString("utf8", membersAt, split)}}`;
  const members = JSON.parse(text) as Omit<JournalRecord<AuditRecord>, "changes">;
  const bytes = line.subarray(split + changesMark.length, line.length - 1);
  const changes = (JSON.parse(bytes.toString("utf8")) as readonly ParsedChange[]).map((change) =>
    change.op === "put" ? { ...change, body: JSON.stringify(change.body) } : change,
  );
  return { record: { ...members, changes }, changes: bytes };
};

/** The JSON text of a line's audit record, `null` where it has none; null when the line is not as it was sealed. */
export const auditOf = (line: Buffer): Buffer | null => {
  if (!isSealed(line)) return null;
  const start = line.indexOf(auditMark, membersAt) + auditMark.length;
  return line.subarray(start, line.indexOf(changesMark, start));
};

/** A row of a sealed snapshot line; its body is copied out as text and not parsed. */
export const parseRow = (line: Buffer): RowImage => {
  const split = line.indexOf(bodyMark, membersAt);
  const members = JSON.parse(`{${line.toString("utf8", membersAt, split)}}`) as Omit<RowImage, "body">;
  return { ...members, body: line.toString("utf8", split + bodyMark.length, line.length - 1) };
};
