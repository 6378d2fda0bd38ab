import type { Change, Commit, CommitOutcome, PutChange, ReserveChange } from "../store.ts";
import { digestText, linkAudit, type AuditHead } from "../audit.ts";
import type { Document } from "./document.ts";
import { storeError } from "./errors.ts";
import { amountOf, maxSlots, slotAfter } from "./ledgers.ts";
import { changesText, recordLine, type JournalRecord, type RecordChange } from "./record.ts";
import { rowOf } from "./tables.ts";

/** A row as commits under way will leave it; version 0: removed. */
interface PendingRow {
  readonly seq: number;
  readonly n: number;
  readonly version: number;
}

interface PendingLedger {
  seq: number;
  readonly slots: Map<number, number>;
}

type Refused = Exclude<CommitOutcome, { ok: true }>;

/** What became of a commit: refused, nothing to write, or a record to be journalled under its line. */
export type Claim =
  | { readonly refused: Refused }
  | { readonly refused: null; readonly record: null }
  | { readonly refused: null; readonly record: JournalRecord; readonly line: string };

/** The state that commits under way will leave behind, kept beside the durable one that readers see. */
export interface Claims {
  /** Compares and claims at once, so that a rival of the next moment is refused before this commit is durable. */
  take(commit: Commit): Claim;
  /** Forgets what is in the document from now on. */
  settle(record: JournalRecord): void;
}

const keyOf = (kind: string, id: string): string => `${kind.length}:${kind}${id}`;

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

const checkChanges = (changes: readonly Change[]): void => {
  const named = new Set<string>();
  for (const change of changes) {
    if (change.op === "reserve") {
      checkLedger(change);
      continue;
    }
    const { kind, id } = change;
    const key = keyOf(kind, id);
    if (named.has(key)) throw invalid(`row ${kind}/${id} is named twice in one commit`);
    named.add(key);
    if (change.op === "put" && !Number.isSafeInteger(change.dueAtMs ?? 0)) {
      throw invalid(`row ${kind}/${id}: the deadline must be an integer of milliseconds`);
    }
  }
};

/** Everything a claim is compared with. `seq`, `n` and `audit` are those of the last commit that was claimed. */
interface Pending {
  readonly document: Document;
  readonly rows: Map<string, PendingRow>;
  readonly ledgers: Map<string, PendingLedger>;
  seq: number;
  n: number;
  audit: AuditHead;
}

/** Amounts by ledger and slot that one commit leaves behind. */
type Amounts = Map<string, Map<number, number>>;

const current = ({ rows, document }: Pending, kind: string, id: string): Omit<PendingRow, "seq"> =>
  rows.get(keyOf(kind, id)) ?? rowOf(document.tables, kind, id) ?? { n: 0, version: 0 };

const amountBefore = ({ ledgers, document }: Pending, ledger: string, slot: number): number =>
  ledgers.get(ledger)?.slots.get(slot) ?? amountOf(document.ledgers, ledger, slot);

/** Adds the reservation to the amounts that the commit leaves; false when a slot would pass the limit. */
const fits = (pending: Pending, left: Amounts, change: ReserveChange): boolean => {
  const { ledger, fromSlot, toSlot, amount, limit } = change;
  const slots = left.get(ledger) ?? new Map<number, number>();
  left.set(ledger, slots);
  for (let slot = fromSlot; slot <= toSlot; slot += 1) {
    const after = slotAfter(slots.get(slot) ?? amountBefore(pending, ledger, slot), amount);
    if (amount > 0 && limit !== null && after > limit) return false;
    if (!Number.isSafeInteger(after)) throw invalid(`ledger ${ledger}: slot ${slot} would leave the safe integers`);
    slots.set(slot, after);
  }
  return true;
};

const refusalOf = (pending: Pending, changes: readonly Change[], left: Amounts): Refused | null => {
  for (const change of changes) {
    if (change.op === "reserve") {
      if (!fits(pending, left, change)) return { ok: false, reason: "limit", ledger: change.ledger };
      continue;
    }
    const { version } = current(pending, change.kind, change.id);
    const nothingToRemove = change.op === "remove" && version === 0;
    if (version !== change.expect || nothingToRemove) {
      return { ok: false, reason: "conflict", kind: change.kind, id: change.id };
    }
  }
  return null;
};

/** The change as it is journalled; null for a check, which leaves nothing behind. */
const imageOf = (pending: Pending, change: Change, nextN: () => number): RecordChange | null => {
  if (change.op === "check") return null;
  if (change.op === "reserve") {
    const { op, ledger, fromSlot, toSlot, amount } = change;
    return { op, ledger, fromSlot, toSlot, amount };
  }
  const { kind, id, expect } = change;
  if (change.op === "remove") return { op: "remove", kind, id, n: current(pending, kind, id).n };
  const terms = [...new Set(change.terms)];
  const n = expect === 0 ? nextN() : current(pending, kind, id).n;
  return { op: "put", kind, id, n, version: expect + 1, terms, dueAtMs: change.dueAtMs, body: bodyText(change) };
};

const claimRows = ({ rows }: Pending, record: JournalRecord): void => {
  for (const change of record.changes) {
    if (change.op === "reserve") continue;
    const version = change.op === "put" ? change.version : 0;
    rows.set(keyOf(change.kind, change.id), { seq: record.seq, n: change.n, version });
  }
};

const claimAmounts = ({ ledgers }: Pending, seq: number, left: Amounts): void => {
  for (const [ledger, slots] of left) {
    const known = ledgers.get(ledger) ?? { seq, slots: new Map<number, number>() };
    known.seq = seq;
    for (const [slot, amount] of slots) known.slots.set(slot, amount);
    ledgers.set(ledger, known);
  }
};

const take = (pending: Pending, commit: Commit): Claim => {
  checkChanges(commit.changes);
  const left: Amounts = new Map();
  const refused = refusalOf(pending, commit.changes, left);
  if (refused !== null) return { refused };
  let { n } = pending;
  const nextN = (): number => (n += 1);
  const changes = commit.changes.flatMap((change) => imageOf(pending, change, nextN) ?? []);
  if (changes.length === 0 && commit.audit === null) return { refused: null, record: null };
  const text = changesText(changes);
  const { chain } = pending.document;
  const audit = commit.audit === null ? null : linkAudit(chain, pending.audit, commit.audit, digestText(text));
  const record: JournalRecord = { seq: pending.seq + 1, audit, changes };
  const line = recordLine(record.seq, audit, text);
  // Nothing above changed anything and nothing below throws: a commit is claimed whole or not at all.
  pending.seq = record.seq;
  pending.n = n;
  if (audit !== null) pending.audit = { seq: audit.seq, hash: audit.hash };
  claimRows(pending, record);
  claimAmounts(pending, record.seq, left);
  return { refused: null, record, line };
};

const settle = ({ rows, ledgers }: Pending, record: JournalRecord): void => {
  for (const change of record.changes) {
    if (change.op === "reserve") {
      if (ledgers.get(change.ledger)?.seq === record.seq) ledgers.delete(change.ledger);
      continue;
    }
    const key = keyOf(change.kind, change.id);
    if (rows.get(key)?.seq === record.seq) rows.delete(key);
  }
};

/** A commit is claimed against the document and the commits before it that are still on their way to the disk. */
export const openClaims = (document: Document): Claims => {
  const pending: Pending = { document, rows: new Map(), ledgers: new Map(), ...document.mark };
  return {
    take: (commit) => take(pending, commit),
    settle: (record) => settle(pending, record),
  };
};
