import type { AuditHead } from "../../audit.ts";
import type { WholeRow } from "../../content.ts";
import type { AddChange, RemoveChange, ReserveChange } from "../../store.ts";

type RowHead = Omit<WholeRow, "json">;

/** A row as a commit leaves it. */
export type Row = WholeRow;

export type RowName = Pick<RemoveChange, "kind" | "id">;

/** What a reservation does to a ledger; its limit was checked before it was written. */
export type Reservation = Omit<ReserveChange, "limit">;

/** `seq` numbers commits from 1 without a gap; `audit` is the end of the chain after it. */
export interface CommitRecord {
  readonly seq: number;
  readonly audit: AuditHead | null;
  readonly rows: readonly Row[];
  readonly gone: readonly RowName[];
  readonly reserved: readonly Reservation[];
  readonly added: readonly AddChange[];
}

/**
 * A quote inside JSON text stands behind a backslash, so the first of these outside the members before it is the
 * member itself: a body need not be parsed to be found.
 */
const bodyMark = ',"body":';

/** The members of a row as JSON text without braces, the body last. */
export const rowText = ({ kind, id, n, version, terms, dueAtMs, json }: Row): string =>
  `"kind":${JSON.stringify(kind)},"id":${JSON.stringify(id)},"n":${n},"version":${version},` +
  `"terms":${JSON.stringify(terms)},"dueAtMs":${dueAtMs}${bodyMark}${json}`;

export const parseRow = (bytes: Buffer, start: number, end: number): Row => {
  const split = bytes.indexOf(bodyMark, start);
  const head = JSON.parse(`{${bytes.toString("utf8", start, split)}}`) as RowHead;
  const { kind, id, n, version, terms, dueAtMs } = head;
  return { kind, id, n, version, terms, dueAtMs, json: bytes.toString("utf8", split + bodyMark.length, end) };
};

type Changes = Pick<CommitRecord, "rows" | "gone" | "reserved" | "added">;

/** The changes of a commit as JSON text: what is journalled, and what the audit record is a digest of. */
export const changesText = ({ rows, gone, reserved, added }: Changes): string => {
  const puts = rows.map((row) => `{"op":"put",${rowText(row)}}`);
  const removals = gone.map(({ kind, id }) => JSON.stringify({ op: "remove", kind, id }));
  const reservations = reserved.map(({ op, ledger, fromSlot, toSlot, amount }) =>
    JSON.stringify({ op, ledger, fromSlot, toSlot, amount }),
  );
  const additions = added.map(({ op, sums, slot, amounts }) => JSON.stringify({ op, sums, slot, amounts }));
  return `[${[...puts, ...removals, ...reservations, ...additions].join(",")}]`;
};

type ReadChange =
  | ({ readonly op: "put"; readonly body: unknown } & RowHead)
  | ({ op: "remove" } & RowName)
  | Reservation
  | AddChange;

export const parseChanges = (text: string): Changes => {
  const rows: Row[] = [];
  const gone: RowName[] = [];
  const reserved: Reservation[] = [];
  const added: AddChange[] = [];
  for (const change of JSON.parse(text) as readonly ReadChange[]) {
    if (change.op === "reserve") reserved.push(change);
    else if (change.op === "add") added.push(change);
    else if (change.op === "remove") gone.push({ kind: change.kind, id: change.id });
    else {
      const { kind, id, n, version, terms, dueAtMs, body } = change;
      rows.push({ kind, id, n, version, terms, dueAtMs, json: JSON.stringify(body) });
    }
  }
  return { rows, gone, reserved, added };
};
