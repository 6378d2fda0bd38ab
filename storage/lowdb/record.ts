import type { AuditRecord } from "../store.ts";
import type { Reservation } from "./ledgers.ts";
import { addBytes, addText, beginLine, isSealed, type LineBuffer, membersAt, sealLine } from "./lines.ts";
import type { RowImage } from "./tables.ts";

/** What a commit did to one row or ledger: the row as it is now, or which row is gone. */
export type RecordChange =
  | ({ readonly op: "put" } & RowImage)
  | { readonly op: "remove"; readonly kind: string; readonly id: string }
  | ({ readonly op: "reserve" } & Reservation);

/** One commit in the journal. `seq` counts commits from 1 without a gap. */
export interface JournalRecord {
  readonly seq: number;
  readonly audit: AuditRecord | null;
  readonly changes: readonly RecordChange[];
}

/**
 * A quote inside JSON text stands behind a backslash, so the first of these outside the members before it is the
 * member itself: the rest of the line need not be parsed to find it.
 */
const bodyMark = ',"body":';
const changesMark = ',"changes":';

/** Adds a row's members as JSON without the opening brace, the body last. */
export const addRow = (to: LineBuffer, row: RowImage): void => {
  addText(
    to,
    `"kind":${JSON.stringify(row.kind)},"id":${JSON.stringify(row.id)},"n":${row.n},"version":${row.version},` +
      `"terms":${JSON.stringify(row.terms)},"dueAtMs":${row.dueAtMs ?? "null"}${bodyMark}`,
  );
  // By itself: as a part of one text it would be copied once more on its way.
  addText(to, row.body);
  addText(to, "}");
};

/** Adds a commit's changes as JSON: what its audit record digests. */
export const addChanges = (to: LineBuffer, changes: readonly RecordChange[]): void => {
  let before = "[";
  for (const change of changes) {
    addText(to, change.op === "put" ? `${before}{"op":"put",` : before + JSON.stringify(change));
    if (change.op === "put") addRow(to, change);
    before = ",";
  }
  addText(to, changes.length === 0 ? "[]" : "]");
};

/** Adds a record as a sealed line with its newline. `changes` are the bytes of their text. */
export const addRecord = (
  line: LineBuffer,
  { seq, audit }: Omit<JournalRecord, "changes">,
  changes: Uint8Array,
): void => {
  const start = beginLine(line);
  addText(line, `"seq":${seq},"audit":${JSON.stringify(audit)}${changesMark}`);
  addBytes(line, changes);
  addText(line, "}");
  sealLine(line, start);
};

type ParsedChange = RecordChange & { readonly body?: unknown };

/** A record read back, with the bytes of its changes; null when the line is not as it was sealed. */
export const parseRecord = (line: Buffer): { readonly record: JournalRecord; readonly changes: Buffer } | null => {
  if (!isSealed(line)) return null;
  const split = line.indexOf(changesMark, membersAt);
  const members = JSON.parse(`{${line.toString("utf8", membersAt, split)}}`) as Omit<JournalRecord, "changes">;
  const text = line.subarray(split + changesMark.length, line.length - 1);
  const changes = (JSON.parse(text.toString("utf8")) as readonly ParsedChange[]).map((change) =>
    change.op === "put" ? { ...change, body: JSON.stringify(change.body) } : change,
  );
  return { record: { ...members, changes }, changes: text };
};

/** Sequence and audit record of a line whose changes are of no interest; null when it is not as it was sealed. */
export const parseRecordHead = (line: Buffer): Omit<JournalRecord, "changes"> | null => {
  if (!isSealed(line)) return null;
  const split = line.indexOf(changesMark, membersAt);
  return JSON.parse(`{${line.toString("utf8", membersAt, split)}}`) as Omit<JournalRecord, "changes">;
};

/** A row of a sealed snapshot line; its body is copied out as text and not parsed. */
export const parseRow = (line: Buffer): RowImage => {
  const split = line.indexOf(bodyMark, membersAt);
  const members = JSON.parse(`{${line.toString("utf8", membersAt, split)}}`) as Omit<RowImage, "body">;
  return { ...members, body: line.toString("utf8", split + bodyMark.length, line.length - 1) };
};
