import type { AuditRecord } from "../../store.ts";
import type { Claimed } from "../commit/index.ts";
import { isSealed, membersAt, sealedLine } from "./lines.ts";

export const changesMark = ',"changes":';
export const auditMark = ',"audit":';

export const recordLine = ({ record, audit, changes }: Claimed): Buffer =>
  sealedLine(`"seq":${record.seq}${auditMark}${audit ?? "null"}${changesMark}${changes}`);

/** A commit as it is read back; `changes` is what the audit record is a digest of. */
export interface ReadRecord {
  readonly seq: number;
  readonly audit: AuditRecord | null;
  readonly changes: Buffer;
}

/** Reads a line of the journal; null when it is not as it was sealed. */
export const parseRecord = (line: Buffer): ReadRecord | null => {
  if (!isSealed(line)) return null;
  const split = line.indexOf(changesMark, membersAt);
  const { seq, audit } = JSON.parse(`{${line.toString("utf8", membersAt, split)}}`) as Omit<ReadRecord, "changes">;
  return { seq, audit, changes: line.subarray(split + changesMark.length, line.length - 1) };
};

/** The JSON text of a line's audit record, `null` where it has none; null when the line is not as it was sealed. */
export const auditOf = (line: Buffer): Buffer | null => {
  if (!isSealed(line)) return null;
  const start = line.indexOf(auditMark, membersAt) + auditMark.length;
  return line.subarray(start, line.indexOf(changesMark, start));
};
