export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** `version` starts at 1 and grows with every write; `n` is the place in creation order. */
export interface StoredRow<T = unknown> {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly body: T;
}

/**
 * `terms` are exact filters, written `name=value`; `dueAtMs` is when the sweeper must look (null: never); `owner` may
 * load it (null: operators only).
 */
export interface Kind<T> {
  readonly name: string;
  terms(body: T): readonly string[];
  dueAtMs(body: T): number | null;
  owner(body: T): string | null;
  /** What the audit trail keeps of an update, before and after: no secret, money as decimal text. */
  facts?(body: T): Facts;
}

export type Fact = string | number | boolean | null;

export type Facts = Readonly<Record<string, Fact>>;

/** `expect` 0: no such row may exist. */
export interface PutChange {
  readonly op: "put";
  readonly kind: string;
  readonly id: string;
  readonly expect: number;
  readonly body: unknown;
  readonly terms: readonly string[];
  readonly dueAtMs: number | null;
}

export interface RemoveChange {
  readonly op: "remove";
  readonly kind: string;
  readonly id: string;
  readonly expect: number;
}

/** Lets the commit fail when a row that the decision read has changed (0: still absent). */
export interface CheckChange {
  readonly op: "check";
  readonly kind: string;
  readonly id: string;
  readonly expect: number;
}

/**
 * Adds `amount` (negative to give back) to each slot, ends included. Refused when a slot would pass `limit` (null: 2^53
 * - 1). Reservations of different commits never conflict; those of one add up in order. A slot never goes below zero.
 */
export interface ReserveChange {
  readonly op: "reserve";
  readonly ledger: string;
  readonly fromSlot: number;
  readonly toSlot: number;
  readonly amount: number;
  readonly limit: number | null;
}

/**
 * Adds each of `amounts` to the number at its position in the slot of every one of `sums`. Never refused and never
 * waits for another commit.
 */
export interface AddChange {
  readonly op: "add";
  readonly sums: readonly string[];
  readonly slot: number;
  readonly amounts: readonly number[];
}

export type RowChange = PutChange | RemoveChange | CheckChange;

export type Change = RowChange | ReserveChange | AddChange;

export interface AuditedChange {
  readonly kind: string;
  readonly id: string;
  readonly field: string;
  readonly from: Fact;
  readonly to: Fact;
}

export interface AuditEntry {
  readonly at: string;
  readonly request_id: string;
  readonly operation: string;
  readonly door: string;
  readonly principal: string;
  /** Absent where nothing that is kept has changed. */
  readonly changed?: readonly AuditedChange[];
}

/**
 * `digest`: SHA-256 of the changes as journalled; `hash`: SHA-256 over `prev` and the record without `hash`. `chain`
 * names the writer, `seq` counts from 1 in it.
 */
export interface AuditRecord extends AuditEntry {
  readonly chain: string;
  readonly seq: number;
  readonly digest: string;
  readonly prev: string;
  readonly hash: string;
  /** Words were taken out of `changed`, see `storage/erasure.ts`; `hash` is that of the record before. */
  readonly erased?: true;
}

/** Kept apart from the trail: a trail that ends before it was cut. Read it first, since the trail may grow. */
export interface ChainHead {
  readonly chain: string;
  readonly seq: number;
  readonly hash: string;
}

export interface Commit {
  readonly changes: readonly Change[];
  readonly audit: AuditEntry | null;
}

/**
 * `conflict`: a row was not at the expected version; `limit`: a slot would pass its limit. Both resolve after the
 * winning commit is durable, so that a retry sees it.
 */
export type CommitOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "conflict"; readonly kind: string; readonly id: string }
  | { readonly ok: false; readonly reason: "limit"; readonly ledger: string };

/** A caller's 500, and one more that tells whether another page follows. */
export const maxPage = 501;

/**
 * Rows that carry every term (empty: all). `after`: the `n` of the previous page's last row, exclusive. `limit`: at
 * most `maxPage`.
 */
export interface ListQuery {
  readonly kind: string;
  readonly terms: readonly string[];
  readonly order: "newest" | "oldest";
  readonly limit: number;
  readonly after?: number;
  readonly offset?: number;
}

/** Only durable rows are visible. */
export interface StoreReader {
  get(kind: string, id: string): Promise<StoredRow | null>;
  list(query: ListQuery): Promise<readonly StoredRow[]>;
  /** From a counter kept in the commits, never by a scan. Term null: all. */
  count(kind: string, term: string | null): Promise<number>;
  /** The largest amount, ends included; 0 without reservations. */
  reserved(ledger: string, fromSlot: number, toSlot: number): Promise<number>;
  /** The amount of each slot that has one, ends included. */
  reservedSlots(ledger: string, fromSlot: number, toSlot: number): Promise<ReadonlyMap<number, number>>;
  /** The numbers of all the sums and slots added up by position, ends included; a missing one is 0. */
  added(sums: readonly string[], fromSlot: number, toSlot: number): Promise<readonly number[]>;
}

/** What follows the first `bytes` belongs to later commits. */
export interface HeldFile {
  readonly path: string;
  readonly bytes: number;
}

/** `bytes`: what it takes on disk, 0 in memory. `rows` by kind, from counters, without those of which there is none. */
export interface StoreSize {
  readonly bytes: number;
  readonly rows: ReadonlyMap<string, number>;
}

/**
 * Every driver passes `test/storage/contract.ts`. `due` returns rows past their deadline, oldest first, each to one
 * process at a time. `watch` reports commits of every process.
 */
export interface Store extends StoreReader {
  readonly driver: "lowdb" | "memory" | "postgres";
  commit(commit: Commit): Promise<CommitOutcome>;
  due(nowMs: number, limit: number): Promise<readonly StoredRow[]>;
  watch(kind: string, listener: (id: string) => void): () => void;
  auditTrail(): AsyncIterable<AuditRecord>;
  /**
   * The newest first; where there are several chains, by time. With `before`, only the chains that it names, each below
   * its number.
   */
  auditTrailBack(before: ReadonlyMap<string, number> | null): AsyncIterable<AuditRecord>;
  auditHeads(): Promise<readonly ChainHead[]>;
  /** Its files as one moment had them, with what is durable of each, unchanged until `work` ends. Folders alone. */
  hold?<T>(work: (files: readonly HeldFile[]) => Promise<T>): Promise<T>;
  size(): Promise<StoreSize>;
  /** Null while commits work. Asks disk or database, never throws. */
  failure(): Promise<Error | null>;
  close(): Promise<void>;
}

/** A row as `kind` keeps it. `expect` is its version, 0: the id must be free. */
export const put = <T>(kind: Kind<T>, id: string, expect: number, body: T): PutChange => ({
  op: "put",
  kind: kind.name,
  id,
  expect,
  body,
  terms: kind.terms(body),
  dueAtMs: kind.dueAtMs(body),
});

const mostAttempts = 5;

/** Tries again after a lost race; false when others won each time. */
export const isCommitted = async (commit: () => Promise<boolean>): Promise<boolean> => {
  for (let made = 0; made < mostAttempts; made += 1) if (await commit()) return true;
  return false;
};
