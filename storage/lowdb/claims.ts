import type { Change, Commit, CommitOutcome, PutChange, ReserveChange } from "../store.ts";
import { digestText, linkAuditText, type AuditHead } from "../audit.ts";
import type { Document } from "./document.ts";
import { storeError } from "./errors.ts";
import { amountOf, applyReservation, maxSlots, setAmounts, type Ledgers } from "./ledgers.ts";
import { bytesOf, lineBuffer, type LineBuffer } from "./lines.ts";
import { addChanges, addRecord, type JournalRecord, type RecordChange } from "./record.ts";
import { Slots } from "./slots.ts";
import { rowOf } from "./tables.ts";

/** A row as commits under way will leave it; version 0: removed. */
interface PendingRow {
  readonly seq: number;
  readonly n: number;
  readonly version: number;
}

type Refused = Exclude<CommitOutcome, { ok: true }>;

/** What became of a commit: refused, nothing to write, or a record with its line, which the next claim writes over. */
type Claim =
  | { readonly refused: Refused }
  | { readonly refused: null; readonly record: null }
  | { readonly refused: null; readonly record: JournalRecord; readonly line: Buffer };

/** The state that commits under way will leave behind, kept beside the durable one that readers see. */
export interface Claims {
  /** Compares and claims at once, so that a rival of the next moment is refused before this commit is durable. */
  take(commit: Commit): Claim;
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

const bodyText = (change: PutChange): string => {
  const text = JSON.stringify(change.body) as string | undefined;
  if (text === undefined) throw invalid(`row ${change.kind}/${change.id}: the body is no JSON`);
  return text;
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
  /** By kind and id, the rows that commits under way write or remove. */
  readonly rows: Map<string, Map<string, PendingRow>>;
  /** All ledgers as the last claimed commit leaves them. */
  readonly ledgers: Ledgers;
  /** The commit's changes, and the line that holds them. */
  readonly changes: LineBuffer;
  readonly line: LineBuffer;
  seq: number;
  n: number;
  audit: AuditHead;
}

const current = ({ rows, document }: Pending, kind: string, id: string): Omit<PendingRow, "seq"> =>
  rows.get(kind)?.get(id) ?? rowOf(document.tables, kind, id) ?? { n: 0, version: 0 };

/** True when no slot of the reservation passes its limit. */
const fits = (ledgers: Ledgers, { ledger, fromSlot, toSlot, amount, limit }: ReserveChange): boolean => {
  const slots = ledgers.get(ledger)?.slots;
  const most = Math.min(limit ?? Infinity, Number.MAX_SAFE_INTEGER) - amount;
  if (amount <= 0) return true;
  for (let slot = fromSlot; slot <= toSlot; slot += 1) {
    const before = slots?.get(slot) ?? 0;
    if (before <= most) continue;
    if (limit !== null) return false;
    throw invalid(`ledger ${ledger}: slot ${slot} would leave the safe integers`);
  }
  return true;
};

const isConflict = (change: RowChange, version: number): boolean =>
  version !== change.expect || (change.op === "remove" && version === 0);

/** The amounts of a span as they are, for the way back. */
const amountsOf = (ledgers: Ledgers, { ledger, fromSlot, toSlot }: ReserveChange): [number, number][] => {
  const amounts: [number, number][] = [];
  for (let slot = fromSlot; slot <= toSlot; slot += 1) amounts.push([slot, amountOf(ledgers, ledger, slot)]);
  return amounts;
};

/** Reserves in the order given, each on top of the one before; all or nothing. */
const reserveAll = (pending: Pending, changes: readonly Change[]): Refused | null => {
  const { ledgers } = pending;
  const wanted = changes.filter((change) => change.op === "reserve");
  if (wanted.length === 0) return null;
  const undo: (() => void)[] = [];
  const back = (): void => {
    for (const step of undo.toReversed()) step();
  };
  try {
    for (const change of wanted) {
      if (!fits(ledgers, change)) {
        back();
        return { ok: false, reason: "limit", ledger: change.ledger };
      }
      const amounts = wanted.length > 1 ? amountsOf(ledgers, change) : [];
      undo.push(() => setAmounts(ledgers, change.ledger, amounts));
      applyReservation(ledgers, 0, change);
    }
  } catch (thrown) {
    back();
    throw thrown;
  }
  return null;
};

const distinct = (terms: readonly string[]): readonly string[] => {
  for (let place = 1; place < terms.length; place += 1) {
    if (terms.indexOf(terms[place] as string) < place) return [...new Set(terms)];
  }
  return terms;
};

const reservationOf = ({ op, ledger, fromSlot, toSlot, amount }: ReserveChange): RecordChange => ({
  op,
  ledger,
  fromSlot,
  toSlot,
  amount,
});

const rowImage = (change: PutChange, n: number): RecordChange => ({
  op: "put",
  kind: change.kind,
  id: change.id,
  n,
  version: change.expect + 1,
  terms: distinct(change.terms),
  dueAtMs: change.dueAtMs,
  body: bodyText(change),
});

/** The changes as they are journalled and the last place in creation order, or the conflict. Changes nothing. */
const imagesOf = (
  pending: Pending,
  changes: readonly Change[],
): { readonly images: readonly RecordChange[]; readonly n: number } | Refused => {
  const images: RecordChange[] = [];
  let { n } = pending;
  for (const change of changes) {
    if (change.op === "reserve") {
      images.push(reservationOf(change));
      continue;
    }
    const { kind, id } = change;
    const found = current(pending, kind, id);
    if (isConflict(change, found.version)) return { ok: false, reason: "conflict", kind, id };
    if (change.op === "remove") images.push({ op: "remove", kind, id });
    if (change.op !== "put") continue;
    if (change.expect === 0) n += 1;
    images.push(rowImage(change, change.expect === 0 ? n : found.n));
  }
  return { images, n };
};

const claimRows = ({ rows }: Pending, record: JournalRecord): void => {
  for (const change of record.changes) {
    if (change.op === "reserve") continue;
    const { n, version } = change.op === "put" ? change : { n: 0, version: 0 };
    const ofKind = rows.get(change.kind) ?? new Map<string, PendingRow>();
    rows.set(change.kind, ofKind.set(change.id, { seq: record.seq, n, version }));
  }
};

const take = (pending: Pending, commit: Commit): Claim => {
  checkChanges(commit.changes);
  const found = imagesOf(pending, commit.changes);
  if ("ok" in found) return { refused: found };
  const { images: changes, n } = found;
  if (changes.length === 0 && commit.audit === null) return { refused: null, record: null };
  pending.changes.length = 0;
  addChanges(pending.changes, changes);
  const bytes = bytesOf(pending.changes);
  const { chain } = pending.document;
  const link = commit.audit === null ? null : linkAuditText(chain, pending.audit, commit.audit, digestText(bytes));
  const record: JournalRecord = { seq: pending.seq + 1, audit: link?.head ?? null, changes };
  pending.line.length = 0;
  addRecord(pending.line, record.seq, link?.text ?? "null", bytes);
  // Nothing above changed anything: a commit is claimed whole or not at all. The ledgers come last, as they can refuse.
  const refused = reserveAll(pending, commit.changes);
  if (refused !== null) return { refused };
  pending.seq = record.seq;
  pending.n = n;
  if (record.audit !== null) pending.audit = record.audit;
  claimRows(pending, record);
  return { refused: null, record, line: bytesOf(pending.line) };
};

const settle = ({ rows }: Pending, record: JournalRecord): void => {
  for (const change of record.changes) {
    if (change.op === "reserve") continue;
    const ofKind = rows.get(change.kind);
    if (ofKind?.get(change.id)?.seq === record.seq) ofKind.delete(change.id);
  }
};

const copyLedgers = (ledgers: Ledgers): Ledgers =>
  new Map([...ledgers].map(([name, { seq, slots }]) => [name, { seq, slots: new Slots(slots) }]));

/** A commit is claimed against the document and the commits before it that are still on their way to the disk. */
export const openClaims = (document: Document): Claims => {
  const ledgers = copyLedgers(document.ledgers);
  const buffers = { changes: lineBuffer(), line: lineBuffer() };
  const pending: Pending = { document, rows: new Map(), ledgers, ...buffers, ...document.mark };
  return {
    take: (commit) => take(pending, commit),
    settle: (record) => settle(pending, record),
  };
};
