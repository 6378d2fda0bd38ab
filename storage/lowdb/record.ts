import type { AuditHead } from "../audit.ts";
import type { AuditRecord, RemoveChange } from "../store.ts";
import { storeError } from "./errors.ts";
import { hashOf } from "./hash-index.ts";
import type { Reservation } from "./ledgers.ts";
import {
  addShared,
  addText as addLineText,
  beginLine,
  isSealed,
  type LineBuffer,
  membersAt,
  sealLine,
} from "./lines.ts";
import { addDraft, beginDraft, draftBytes, type Image, keepImage, looseSlab, type Slabs } from "./slabs.ts";

/** What rows are written upon. */
export interface Ground {
  readonly slabs: Slabs;
  /** What hashes of ids begin with. */
  readonly idSeed: number;
}

/** A row that a commit names. */
interface NamedRow {
  readonly kind: string;
  readonly id: string;
  /** That of the id. */
  readonly hash: number;
  /** Where it stands among the rows under way, or is to stand; -1: behind them. */
  place: number;
}

/** A row as a commit leaves it. */
export interface WrittenRow extends NamedRow, Image {
  /** Place in creation order. */
  readonly n: number;
  readonly version: number;
  readonly terms: readonly string[];
  readonly dueAtMs: number | null;
}

/** A row that is gone. */
export interface GoneRow extends NamedRow {
  readonly n: 0;
  readonly version: 0;
}

/** What a commit did: rows as they are now, their images kept, rows that are gone, and what was reserved. */
export interface RecordChanges {
  readonly rows: readonly WrittenRow[];
  readonly gone: readonly GoneRow[];
  readonly reserved: readonly Reservation[];
}

/** One commit in the journal. `seq` counts commits from 1 without a gap; `audit` is its link of the chain. */
export interface JournalRecord extends RecordChanges {
  readonly seq: number;
  readonly audit: AuditHead | null;
}

/**
 * A quote inside JSON text stands behind a backslash, so the first of these outside the members before it is the
 * member itself: the rest of the line need not be parsed to find it.
 */
const bodyMark = ',"body":';
export const changesMark = ',"changes":';
export const auditMark = ',"audit":';

/** The members of a row before its body. */
type Members = Omit<WrittenRow, keyof Image | "hash" | "place">;

/** The members of a row as they are journalled, in this order. */
interface RowMembers extends Members {
  readonly body: unknown;
}

type RemoveMembers = Pick<RemoveChange, "op" | "kind" | "id">;

const putStart = '{"op":"put",';
const putMark = Buffer.from(putStart);

/** A change as it is journalled. */
type Item = ({ readonly op: "put" } & RowMembers) | RemoveMembers | Reservation;

/** The changes of a commit while they are put together, in the slab where its rows will lie. */
export interface DraftChanges<R extends Reservation = Reservation> extends RecordChanges {
  readonly slabs: Slabs;
  readonly items: Item[];
  /** They have no images before the changes are ended. */
  readonly rows: WrittenRow[];
  readonly gone: GoneRow[];
  readonly reserved: R[];
  /** Where each change ends in the draft, once they are ended. */
  ends: readonly number[];
}

/** Begins the changes of a commit. They end with `keepDraft` or `dropDraft`. */
export const beginChanges = <R extends Reservation>({ slabs }: Ground): DraftChanges<R> => {
  beginDraft(slabs);
  return { slabs, items: [], rows: [], gone: [], reserved: [], ends: [] };
};

const unplaced = looseSlab(Buffer.alloc(0));

/** Adds a row's change; the hash is that of its id. */
export const addPut = (draft: DraftChanges, members: RowMembers, hash: number, place: number): void => {
  const { kind, id, n, version, terms, dueAtMs, body } = members;
  draft.items.push({ op: "put", kind, id, n, version, terms, dueAtMs, body });
  draft.rows.push({ kind, id, hash, place, n, version, terms, dueAtMs, slab: unplaced, start: 0, end: 0 });
};

const goneRow = ({ kind, id }: RemoveMembers, hash: number, place: number): GoneRow => ({
  kind,
  id,
  hash,
  place,
  n: 0,
  version: 0,
});

/** Adds a row's removal; the hash is that of its id. */
export const addRemove = (draft: DraftChanges, remove: RemoveMembers, hash: number, place: number): void => {
  const { op, kind, id } = remove;
  draft.gone.push(goneRow(remove, hash, place));
  draft.items.push({ op, kind, id });
};

/** Adds a reservation; its limit was met when it was made, and is not journalled. */
export const addReservation = <R extends Reservation>(draft: DraftChanges<R>, reservation: R): void => {
  const { op, ledger, fromSlot, toSlot, amount } = reservation;
  draft.reserved.push(reservation);
  draft.items.push({ op, ledger, fromSlot, toSlot, amount });
};

/** Where each item ends in the text of all as an array, in units of what measures the text of one. */
const endsBy = (items: readonly Item[], lengthOf: (text: string) => number): number[] => {
  let end = 0;
  return items.map((item) => (end += 1 + lengthOf(JSON.stringify(item))));
};

const between = '},{"op":"';

/**
 * Where each item ends in the text of all. One text for all takes a seventh less than one for each. Quotes inside
 * strings stand behind backslashes, so all that looks like a place between two items is one, unless a body holds
 * objects that look like items: then there are too many, and the items are measured one by one.
 */
const endsIn = (text: string, items: readonly Item[]): readonly number[] => {
  if (items.length === 0) return [];
  const ends: number[] = [];
  for (let at = text.indexOf(between); at !== -1; at = text.indexOf(between, at + 1)) ends.push(at + 1);
  ends.push(text.length - 1);
  return ends.length === items.length ? ends : endsBy(items, (one) => one.length);
};

const checkBodies = (text: string, items: readonly Item[], ends: readonly number[]): void => {
  let start = 1;
  for (let place = 0; place < items.length; place += 1) {
    const item = items[place] as Item;
    const end = ends[place] as number;
    if (item.op === "put") {
      const body = text.indexOf(bodyMark, start);
      const isThere = body !== -1 && body < end;
      if (!isThere) throw storeError("commit_invalid", `row ${item.kind}/${item.id}: the body is no JSON`);
    }
    start = end + 1;
  }
};

/** Tells the rows of a draft where they lie. */
const placeRows = ({ slabs, items, rows, ends }: DraftChanges): void => {
  let row = 0;
  let from = 1;
  for (let place = 0; place < items.length; place += 1) {
    const end = ends[place] as number;
    if ((items[place] as Item).op === "put") {
      const image: Image = rows[row] as WrittenRow;
      image.slab = slabs.current;
      image.start = slabs.draftAt + from + putStart.length;
      image.end = slabs.draftAt + end - 1;
      row += 1;
    }
    from = end + 1;
  }
};

/** Ends the changes; they are what the audit record digests. Valid until the next are begun. */
export const endChanges = (draft: DraftChanges): Buffer => {
  const { slabs, items } = draft;
  const text = JSON.stringify(items);
  const ends = endsIn(text, items);
  checkBodies(text, items, ends);
  const bytes = addDraft(slabs, text);
  draft.ends = bytes.length === text.length ? ends : endsBy(items, Buffer.byteLength);
  placeRows(draft);
  return bytes;
};

/** Adds a record of changes that are ended as a sealed line with its newline. `audit` is JSON text. */
export const addRecord = (line: LineBuffer, seq: number, audit: string, { slabs, ends }: DraftChanges): void => {
  const start = beginLine(line);
  addLineText(line, `"seq":${seq},"ends":[${ends.join(",")}]${auditMark}${audit}${changesMark}`);
  addShared(line, draftBytes(slabs));
  sealLine(line, start);
};

/** A record as it is read back. `changes` are the bytes of its changes, and each ends where `ends` says. */
export interface ReadRecord {
  readonly seq: number;
  /** Not in records of older versions of Parley. */
  readonly ends?: readonly number[];
  readonly audit: AuditRecord | null;
  readonly changes: Buffer;
}

/** Reads a record back; null when the line is not as it was sealed. */
export const parseRecord = (line: Buffer): ReadRecord | null => {
  if (!isSealed(line)) return null;
  const split = line.indexOf(changesMark, membersAt);
  const members = JSON.parse(`{${line.toString("utf8", membersAt, split)}}`) as Omit<ReadRecord, "changes">;
  const changes = line.subarray(split + changesMark.length, line.length - 1);
  const { ends } = members;
  // Else changes could be hidden in a record whose digest still fits.
  if (ends !== undefined && (ends.at(-1) ?? 1) !== changes.length - 1) return null;
  return { ...members, changes };
};

/** The JSON text of a line's audit record, `null` where it has none; null when the line is not as it was sealed. */
export const auditOf = (line: Buffer): Buffer | null => {
  if (!isSealed(line)) return null;
  const start = line.indexOf(auditMark, membersAt) + auditMark.length;
  return line.subarray(start, line.indexOf(changesMark, start));
};

/** Adds a row's members as they lie in its image. */
export const addRow = (to: LineBuffer, { slab, start, end }: Image): void =>
  addShared(to, slab.bytes.subarray(start, end));

/** The members before the body, which is not parsed. */
const membersBetween = (bytes: Buffer, start: number): Members => {
  const split = bytes.indexOf(bodyMark, start);
  return JSON.parse(`{${bytes.toString("utf8", start, split)}}`) as Members;
};

/** The members of a row before its body. */
export const membersIn = ({ slab, start }: Image): Members => membersBetween(slab.bytes, start);

/** Keeps a row's members in the slabs, as they lie between two places; the body is not parsed. */
const keepRow = (bytes: Buffer, start: number, end: number, { slabs, idSeed }: Ground): WrittenRow => {
  const { kind, id, n, version, terms, dueAtMs } = membersBetween(bytes, start);
  const hash = hashOf(id, idSeed);
  const row = { kind, id, hash, place: -1, n, version, terms, dueAtMs, slab: looseSlab(bytes), start, end };
  keepImage(slabs, row);
  return row;
};

/** A row of a sealed snapshot line. */
export const parseRow = (line: Buffer, ground: Ground): WrittenRow => keepRow(line, membersAt, line.length - 1, ground);

/** Reads changes of which each ends at its place. */
const takeChanges = (bytes: Buffer, ends: readonly number[], ground: Ground): RecordChanges => {
  const rows: WrittenRow[] = [];
  const gone: GoneRow[] = [];
  const reserved: Reservation[] = [];
  let start = 1;
  for (const end of ends) {
    if (putMark.compare(bytes, start, start + putStart.length) === 0) {
      rows.push(keepRow(bytes, start + putStart.length, end - 1, ground));
    } else {
      const change = JSON.parse(bytes.toString("utf8", start, end)) as Exclude<Item, { op: "put" }>;
      if (change.op === "remove") gone.push(goneRow(change, hashOf(change.id, ground.idSeed), -1));
      else reserved.push(change);
    }
    start = end + 1;
  }
  return { rows, gone, reserved };
};

/** Reads changes that do not tell where each ends; the rows' images are kept in the slabs. */
export const parseChanges = (bytes: Buffer, ground: Ground): RecordChanges => {
  const items = JSON.parse(bytes.toString("utf8")) as readonly Item[];
  return takeChanges(Buffer.from(JSON.stringify(items)), endsBy(items, Buffer.byteLength), ground);
};

/** The changes of a record; the rows' images are kept in the slabs. */
export const changesOf = ({ changes, ends }: ReadRecord, ground: Ground): RecordChanges =>
  ends === undefined ? parseChanges(changes, ground) : takeChanges(changes, ends, ground);

/** An image as text. */
export const textOf = ({ slab, start, end }: Image): string => slab.bytes.toString("utf8", start, end);

/** Reads the body of a row from its image's text. */
export const parseBody = (text: string): unknown => JSON.parse(text.slice(text.indexOf(bodyMark) + bodyMark.length));

/** Where the id, in quotes, begins in the images of a kind. */
export const idAtOf = (kind: string): number => Buffer.byteLength(`"kind":${JSON.stringify(kind)},"id":`);

const quote = 0x22;
const backslash = 0x5c;

/** True for characters that stand for themselves in JSON, in one byte. */
const isPlain = (code: number): boolean => code >= 0x20 && code < 0x7f && code !== quote && code !== backslash;

/** Whether the bytes at a place are the text as JSON. */
const hasText = (bytes: Buffer, at: number, text: string): boolean => {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (!isPlain(code)) {
      const json = Buffer.from(JSON.stringify(text));
      return json.equals(bytes.subarray(at, at + json.length));
    }
    if (bytes[at + 1 + index] !== code) return false;
  }
  return bytes[at + 1 + text.length] === quote;
};

/** Whether a row of a kind, whose ids begin at `idAt` in their images, has the id. */
export const hasId = ({ slab, start }: Image, idAt: number, id: string): boolean =>
  hasText(slab.bytes, start + idAt, id);

const termsMark = ',"terms":[';
const behindTerms = '],"dueAtMs":';

const termsAt = ({ slab, start }: Image): number => slab.bytes.indexOf(termsMark, start) + termsMark.length;

/** Whether two rows have the same terms in the same places. */
export const hasSameTerms = (one: Image, other: Image): boolean => {
  const { bytes } = one.slab;
  const from = termsAt(one);
  const to = bytes.indexOf(behindTerms, from) + behindTerms.length;
  const at = termsAt(other);
  const end = Math.min(at + to - from, other.end);
  return bytes.compare(other.slab.bytes, at, end, from, to) === 0;
};

/** Whether the term at a place among a row's terms is the given one. */
export const hasTerm = (image: Image, place: number, term: string): boolean => {
  const { bytes } = image.slab;
  let at = termsAt(image);
  for (let left = place; left > 0; left -= 1) {
    at += 1;
    while (bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    at += ',"'.length;
  }
  return hasText(bytes, at, term);
};

/** A quote inside an id stands behind a backslash, so that this is behind the id alone. */
const behindId = '","n":';

const endOfId = (bytes: Buffer, at: number): number => bytes.indexOf(behindId, at) + 1;

/** Reads the id of a row of the kind. */
export const idIn = ({ slab, start }: Image, kind: string): string => {
  const at = start + idAtOf(kind);
  return JSON.parse(slab.bytes.toString("utf8", at, endOfId(slab.bytes, at))) as string;
};
