import type { Change, Commit, CommitOutcome, ReserveChange, RowChange } from "../../store.ts";
import { digestText, linkAudit, type AuditHead, type AuditLink } from "../../audit.ts";
import {
  amountOf,
  applyReservation,
  changesText,
  copyLedgers,
  type CommitRecord,
  type Document,
  findRow,
  largestAmount,
  type Ledgers,
  type Row,
  type RowName,
  setAmounts,
} from "../rows/index.ts";
import { bodyText, checkChanges } from "./checks.ts";

type Refused = Exclude<CommitOutcome, { ok: true }>;

export interface Claimed {
  readonly record: CommitRecord;
  readonly changes: string;
  readonly audit: string | null;
}

export interface Claim {
  readonly refused: Refused | null;
  readonly claimed: Claimed | null;
}

export interface Claims {
  /** Compares and claims at once, so that a rival of the next moment is refused before this commit is durable. */
  take(commit: Commit): Claim;
  /** Claims rows, reservations and additions as they are, unasked. */
  load(changes: Partial<Loaded>): Claimed;
  settle(record: CommitRecord): void;
  /** Forgets every claim: none of them was written. */
  reset(): void;
}

type Loaded = Pick<CommitRecord, "rows" | "reserved" | "added">;

const absent: Pick<Row, "n" | "version"> = { n: 0, version: 0 };

interface Pending {
  readonly document: Document;
  /** Rows as unfinished commits will leave them, by kind and id; only the name of one that they remove. */
  readonly rows: Map<string, Map<string, Row | RowName>>;
  /** All ledgers as the last claimed commit leaves them. */
  ledgers: Ledgers;
  seq: number;
  n: number;
  audit: AuditHead;
}

const current = ({ rows, document }: Pending, { kind, id }: RowName): Pick<Row, "n" | "version"> => {
  const claimed = rows.get(kind)?.get(id);
  if (claimed === undefined) return findRow(document.tables, kind, id) ?? absent;
  return "version" in claimed ? claimed : absent;
};

const isConflict = (change: RowChange, version: number): boolean =>
  version !== change.expect || (change.op === "remove" && version === 0);

const fits = (ledgers: Ledgers, { ledger, fromSlot, toSlot, amount, limit }: ReserveChange): boolean =>
  amount <= 0 || largestAmount(ledgers, ledger, fromSlot, toSlot) <= (limit ?? Number.MAX_SAFE_INTEGER) - amount;

type Held = readonly [ledger: string, amounts: readonly (readonly [slot: number, amount: number])[]];

const heldBefore = (ledgers: Ledgers, { ledger, fromSlot, toSlot }: ReserveChange): Held => {
  const amounts: [number, number][] = [];
  for (let slot = fromSlot; slot <= toSlot; slot += 1) amounts.push([slot, amountOf(ledgers, ledger, slot)]);
  return [ledger, amounts];
};

const reserveAll = (ledgers: Ledgers, wanted: readonly ReserveChange[]): Refused | null => {
  const held: Held[] = [];
  for (const change of wanted) {
    if (!fits(ledgers, change)) {
      for (const [ledger, amounts] of held.toReversed()) setAmounts(ledgers, ledger, amounts);
      return { ok: false, reason: "limit", ledger: change.ledger };
    }
    if (wanted.length > 1) held.push(heldBefore(ledgers, change));
    applyReservation(ledgers, 0, change);
  }
  return null;
};

const resolveRows = (pending: Pending, changes: readonly Change[]) => {
  const rows: Row[] = [];
  const gone: RowName[] = [];
  let last = pending.n;
  for (const change of changes) {
    if (change.op === "reserve" || change.op === "add") continue;
    const { op, kind, id, expect } = change;
    const { n, version } = current(pending, change);
    if (isConflict(change, version)) return { ok: false, reason: "conflict", kind, id } as const;
    if (op === "remove") gone.push({ kind, id });
    if (op !== "put") continue;
    const { dueAtMs, terms, body } = change;
    const json = bodyText(kind, id, body);
    if (expect === 0) last += 1;
    rows.push({
      kind,
      id,
      n: expect === 0 ? last : n,
      version: expect + 1,
      terms: [...new Set(terms)],
      dueAtMs,
      json,
    });
  }
  return { ok: true, rows, gone, last } as const;
};

const claimRow = ({ rows }: Pending, row: Row | RowName): void => {
  const ids = rows.get(row.kind) ?? new Map<string, Row | RowName>();
  rows.set(row.kind, ids.set(row.id, row));
};

/** A later claim of the same row stays. */
const forgetRow = ({ rows }: Pending, row: Row | RowName): void => {
  const ids = rows.get(row.kind);
  if (ids?.get(row.id) === row) ids.delete(row.id);
};

const nothing: Claim = { refused: null, claimed: null };

const take = (pending: Pending, { changes, audit }: Commit): Claim => {
  checkChanges(changes);
  const resolved = resolveRows(pending, changes);
  if (!resolved.ok) return { refused: resolved, claimed: null };
  const { rows, gone, last } = resolved;
  const reserved = changes.filter((change) => change.op === "reserve");
  const added = changes.filter((change) => change.op === "add");
  if (rows.length + gone.length + reserved.length + added.length === 0 && audit === null) return nothing;
  const text = changesText({ rows, gone, reserved, added });
  const link: AuditLink | null =
    audit === null ? null : linkAudit(pending.document.chain, pending.audit, audit, digestText(text));
  const record: CommitRecord = { seq: pending.seq + 1, audit: link?.head ?? null, rows, gone, reserved, added };
  // Nothing above claims anything: the ledgers come last because they can refuse.
  const refused = reserveAll(pending.ledgers, reserved);
  if (refused !== null) return { refused, claimed: null };
  pending.seq = record.seq;
  pending.n = last;
  pending.audit = link?.head ?? pending.audit;
  for (const row of [...rows, ...gone]) claimRow(pending, row);
  return { refused: null, claimed: { record, changes: text, audit: link?.text ?? null } };
};

const load = (pending: Pending, { rows = [], reserved = [], added = [] }: Partial<Loaded>): Claimed => {
  const record: CommitRecord = { seq: pending.seq + 1, audit: null, rows, gone: [], reserved, added };
  for (const change of reserved) applyReservation(pending.ledgers, 0, change);
  for (const row of rows) {
    pending.n = Math.max(pending.n, row.n);
    claimRow(pending, row);
  }
  pending.seq = record.seq;
  return { record, changes: changesText(record), audit: null };
};

export const openClaims = (document: Document): Claims => {
  const pending: Pending = { document, rows: new Map(), ledgers: copyLedgers(document.ledgers), ...document.mark };
  return {
    take: (commit) => take(pending, commit),
    load: (changes) => load(pending, changes),
    settle: ({ rows, gone }) => {
      for (const row of [...rows, ...gone]) forgetRow(pending, row);
    },
    reset: () => {
      pending.rows.clear();
      pending.ledgers = copyLedgers(document.ledgers);
      Object.assign(pending, document.mark);
    },
  };
};
