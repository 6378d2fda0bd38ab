import type { Change, Commit, CommitOutcome, PutChange, ReserveChange } from "../store.ts";
import { digestText, linkAudit, type AuditHead } from "../audit.ts";
import { ClaimedRows } from "./claimed-rows.ts";
import { field, fieldOf } from "./columns.ts";
import type { Document } from "./document.ts";
import { storeError } from "./errors.ts";
import { hashOf } from "./hash-index.ts";
import { amountOf, applyReservation, largestAmount, maxSlots, setAmounts, type Ledgers } from "./ledgers.ts";
import type { LineBuffer } from "./lines.ts";
import {
  addPut,
  addRecord,
  addRemove,
  addReservation,
  beginChanges,
  type DraftChanges,
  endChanges,
  type JournalRecord,
  type RecordChanges,
  type WrittenRow,
} from "./record.ts";
import { dropDraft, keepDraft } from "./slabs.ts";
import { Slots } from "./slots.ts";
import { findRow } from "./tables.ts";

type Refused = Exclude<CommitOutcome, { ok: true }>;

/** What became of a commit: why it was refused, or its record; neither where there is nothing to write. */
export interface Claim {
  readonly refused: Refused | null;
  readonly record: JournalRecord | null;
}

/** The state that commits under way will leave behind, kept beside the durable one that readers see. */
export interface Claims {
  /**
   * Compares and claims at once, so that a rival of the next moment is refused before this commit is durable, and adds
   * the record's line. Adds nothing when it refuses or throws.
   */
  take(commit: Commit, lines: LineBuffer): Claim;
  /** Forgets what is in the document from now on. */
  settle(record: JournalRecord): void;
}

const invalid = (what: string): Error => storeError("commit_invalid", what);

const checkLedger = ({ ledger, fromSlot, toSlot, amount, limit }: ReserveChange): void => {
  const sound = [fromSlot, toSlot, amount, limit ?? 0].every(Number.isSafeInteger);
  if (!sound) throw invalid(`ledger ${ledger}: slots, amount and limit must be safe integers`);
  const slots = toSlot - fromSlot + 1;
  if (slots < 1 || slots > maxSlots) throw invalid(`ledger ${ledger}: a span has 1 to ${maxSlots} slots, not ${slots}`);
};

/** A small commit is looked through in pairs, which costs less than a set. */
const smallCommit = 16;

type RowChange = Exclude<Change, ReserveChange>;

/** Whether one of the first `count` changes names the row. */
const isNamed = (changes: readonly Change[], count: number, { kind, id }: RowChange): boolean => {
  for (let place = 0; place < count; place += 1) {
    const other = changes[place] as Change;
    if (other.op !== "reserve" && other.id === id && other.kind === kind) return true;
  }
  return false;
};

/** Refuses what no caller may hand in, whatever the store holds. */
const checkChanges = (changes: readonly Change[]): void => {
  const known = changes.length > smallCommit ? new Set<string>() : null;
  for (let place = 0; place < changes.length; place += 1) {
    const change = changes[place] as Change;
    if (change.op === "reserve") {
      checkLedger(change);
      continue;
    }
    const { kind, id } = change;
    if (change.op === "put" && !Number.isSafeInteger(change.dueAtMs ?? 0)) {
      throw invalid(`row ${kind}/${id}: the deadline must be an integer of milliseconds`);
    }
    const name = known === null ? "" : JSON.stringify([kind, id]);
    const isTwice = known === null ? isNamed(changes, place, change) : known.has(name);
    if (isTwice) throw invalid(`row ${kind}/${id} is named twice in one commit`);
    known?.add(name);
  }
};

/** Everything a claim is compared with. `seq`, `n` and `audit` are those of the last commit that was claimed. */
interface Pending {
  readonly document: Document;
  readonly rows: ClaimedRows;
  /** All ledgers as the last claimed commit leaves them. */
  readonly ledgers: Ledgers;
  seq: number;
  n: number;
  audit: AuditHead;
}

/** What a change finds; its place is that of `WrittenRow`. */
type Found = Pick<WrittenRow, "n" | "version" | "place">;

const absent: Found = { n: 0, version: 0, place: -1 };

const current = ({ rows, document }: Pending, change: RowChange, hash: number): Found => {
  const claimed = rows.find(change, hash);
  if (claimed !== null) return claimed;
  const { tables } = document;
  const row = findRow(tables, change.kind, change.id, hash);
  if (row === -1) return absent;
  const { columns } = tables;
  return { n: fieldOf(columns, row, field.n), version: fieldOf(columns, row, field.version), place: -1 };
};

/** True when no slot of the reservation passes its limit, nor what can be counted exactly. */
const fits = (ledgers: Ledgers, { ledger, fromSlot, toSlot, amount, limit }: ReserveChange): boolean => {
  if (amount <= 0) return true;
  return largestAmount(ledgers, ledger, fromSlot, toSlot) <= (limit ?? Number.MAX_SAFE_INTEGER) - amount;
};

const isConflict = (change: RowChange, version: number): boolean =>
  version !== change.expect || (change.op === "remove" && version === 0);

/** What the slots of a ledger held. */
type Held = readonly [ledger: string, amounts: readonly (readonly [slot: number, amount: number])[]];

const heldBefore = (ledgers: Ledgers, { ledger, fromSlot, toSlot }: ReserveChange): Held => {
  const amounts: [number, number][] = [];
  for (let slot = fromSlot; slot <= toSlot; slot += 1) amounts.push([slot, amountOf(ledgers, ledger, slot)]);
  return [ledger, amounts];
};

const giveBack = (ledgers: Ledgers, held: readonly Held[]): void => {
  for (const [ledger, amounts] of held.toReversed()) setAmounts(ledgers, ledger, amounts);
};

/** Reserves in the order given, each on top of the one before; all or nothing. */
const reserveAll = ({ ledgers }: Pending, wanted: readonly ReserveChange[]): Refused | null => {
  const held: Held[] = [];
  let taken = 0;
  try {
    for (const change of wanted) {
      if (!fits(ledgers, change)) return { ok: false, reason: "limit", ledger: change.ledger };
      if (wanted.length > 1) held.push(heldBefore(ledgers, change));
      applyReservation(ledgers, 0, change);
      taken += 1;
    }
    return null;
  } finally {
    if (taken < wanted.length) giveBack(ledgers, held);
  }
};

const distinct = (terms: readonly string[]): readonly string[] => {
  for (let place = 1; place < terms.length; place += 1) {
    if (terms.indexOf(terms[place] as string) < place) return [...new Set(terms)];
  }
  return terms;
};

/** The changes of a claim, its reservations with their limits. */
type Draft = DraftChanges<ReserveChange>;

const putChange = (draft: Draft, change: PutChange, n: number, hash: number, place: number): void => {
  const { kind, id, expect, dueAtMs, body, terms } = change;
  addPut(draft, { kind, id, n, version: expect + 1, terms: distinct(terms), dueAtMs, body }, hash, place);
};

/**
 * Drafts the changes as they are journalled, or finds the conflict. Claims nothing. Returns the last place in creation
 * order.
 */
const draftChanges = (pending: Pending, draft: Draft, changes: readonly Change[]): number | Refused => {
  let last = pending.n;
  for (const change of changes) {
    if (change.op === "reserve") {
      addReservation(draft, change);
      continue;
    }
    const { op, kind, id } = change;
    const hash = hashOf(id, pending.document.tables.idSeed);
    const { n, version, place } = current(pending, change, hash);
    if (isConflict(change, version)) return { ok: false, reason: "conflict", kind, id };
    if (op === "put") putChange(draft, change, change.expect === 0 ? (last += 1) : n, hash, place);
    else if (op === "remove") addRemove(draft, { op, kind, id }, hash, place);
  }
  return last;
};

const claimRows = ({ rows }: Pending, record: RecordChanges): void => {
  for (const row of record.rows) rows.put(row);
  for (const row of record.gone) rows.put(row);
};

const take = (pending: Pending, draft: Draft, commit: Commit, lines: LineBuffer): Claim => {
  const { chain } = pending.document;
  const n = draftChanges(pending, draft, commit.changes);
  if (typeof n !== "number") return { refused: n, record: null };
  const { rows, gone, reserved } = draft;
  const isEmpty = rows.length === 0 && gone.length === 0 && reserved.length === 0;
  if (isEmpty && commit.audit === null) return { refused: null, record: null };
  const changes = endChanges(draft);
  const link = commit.audit === null ? null : linkAudit(chain, pending.audit, commit.audit, digestText(changes));
  const record: JournalRecord = { seq: pending.seq + 1, audit: link?.head ?? null, rows, gone, reserved };
  addRecord(lines, record.seq, link?.text ?? "null", draft);
  // Nothing above claimed anything: a commit is claimed whole or not at all. The ledgers come last, as they can refuse.
  const refused = reserveAll(pending, reserved);
  if (refused !== null) return { refused, record: null };
  pending.seq = record.seq;
  pending.n = n;
  if (record.audit !== null) pending.audit = record.audit;
  keepDraft(draft.slabs, rows);
  claimRows(pending, record);
  return { refused: null, record };
};

/** As `take`; the line and the draft of a commit that was not claimed are taken back. */
const takeWhole = (pending: Pending, commit: Commit, lines: LineBuffer): Claim => {
  checkChanges(commit.changes);
  const { seq } = pending;
  const { length } = lines;
  const draft: Draft = beginChanges(pending.document.tables);
  try {
    return take(pending, draft, commit, lines);
  } finally {
    if (pending.seq === seq) {
      lines.length = length;
      dropDraft(draft.slabs);
    }
  }
};

const settle = ({ rows }: Pending, record: JournalRecord): void => {
  for (const row of record.rows) rows.forget(row);
  for (const row of record.gone) rows.forget(row);
};

const copyLedgers = (ledgers: Ledgers): Ledgers =>
  new Map([...ledgers].map(([name, { seq, slots }]) => [name, { seq, slots: new Slots(slots) }]));

/** A commit is claimed against the document and the commits before it that are still on their way to the disk. */
export const openClaims = (document: Document): Claims => {
  const ledgers = copyLedgers(document.ledgers);
  const pending: Pending = { document, rows: new ClaimedRows(), ledgers, ...document.mark };
  return {
    take: (commit, lines) => takeWhole(pending, commit, lines),
    settle: (record) => settle(pending, record),
  };
};
