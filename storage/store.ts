export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A row as it was read: `version` starts at 1 and grows by 1 with every write; `n` is its place in creation order. */
export interface StoredRow<T = unknown> {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly body: T;
}

/**
 * `terms` are the exact filters of lists and counts, written `name=value`; `dueAtMs` is when the sweeper must look at
 * the row (null: never); `owner` decides who may load it (null: operators only).
 */
export interface Kind<T> {
  readonly name: string;
  terms(body: T): readonly string[];
  dueAtMs(body: T): number | null;
  owner(body: T): string | null;
}

/** Writes a row. `expect` is the version it was read at; 0 means that no such row may exist. */
export interface PutChange {
  readonly op: "put";
  readonly kind: string;
  readonly id: string;
  readonly expect: number;
  readonly body: unknown;
  readonly terms: readonly string[];
  readonly dueAtMs: number | null;
}

/** Removes a row that still has the version it was read at. */
export interface RemoveChange {
  readonly op: "remove";
  readonly kind: string;
  readonly id: string;
  readonly expect: number;
}

/** Changes nothing, but lets the commit fail when a row that the decision leaned on has moved (0: still absent). */
export interface CheckChange {
  readonly op: "check";
  readonly kind: string;
  readonly id: string;
  readonly expect: number;
}

/**
 * Adds `amount` (integer, negative to give back) to each slot from `fromSlot` to `toSlot`, both included. The commit is
 * refused when a slot would pass the `limit` (null: 2^53 - 1). Reservations of different commits never conflict; those
 * of one commit add up in the order given. A slot never goes below zero.
 */
export interface ReserveChange {
  readonly op: "reserve";
  readonly ledger: string;
  readonly fromSlot: number;
  readonly toSlot: number;
  readonly amount: number;
  readonly limit: number | null;
}

export type Change = PutChange | RemoveChange | CheckChange | ReserveChange;

export interface AuditEntry {
  readonly at: string;
  readonly request_id: string;
  readonly operation: string;
  readonly door: string;
  readonly principal: string;
}

/**
 * One link of an audit chain. `digest` is the SHA-256 of the commit's changes as journalled, `hash` is
 * SHA-256 over `prev` and the record without `hash`. `chain` names the writer, `seq` counts from 1 within it.
 */
export interface AuditRecord extends AuditEntry {
  readonly chain: string;
  readonly seq: number;
  readonly digest: string;
  readonly prev: string;
  readonly hash: string;
}

/**
 * The end of a chain as the store remembers it apart from the trail: a trail that ends before it was cut. Ask for it
 * before the trail is read, which may grow meanwhile.
 */
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
 * `conflict`: a row was not at the expected version; `limit`: a ledger slot would pass its limit. Both resolve only
 * after the commit that won is durable, so that a retry from the load sees the winner.
 */
export type CommitOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "conflict"; readonly kind: string; readonly id: string }
  | { readonly ok: false; readonly reason: "limit"; readonly ledger: string };

/** Rows of the largest page: 500 that a caller may ask for, and one more that tells whether another page follows. */
export const maxPage = 501;

/**
 * A page of rows that carry every term of `terms` (empty: all of the kind). `after` is the `n` of the last row of the
 * page before, exclusive, in the direction of `order`. `limit` is at most `maxPage`.
 */
export interface ListQuery {
  readonly kind: string;
  readonly terms: readonly string[];
  readonly order: "newest" | "oldest";
  readonly limit: number;
  readonly after?: number;
  readonly offset?: number;
}

/** The reading half of the port: what a handler sees. Only durable rows are visible. */
export interface StoreReader {
  get(kind: string, id: string): Promise<StoredRow | null>;
  list(query: ListQuery): Promise<readonly StoredRow[]>;
  /** How many rows of the kind carry the term (null: all), from a counter kept in the commits, never by a scan. */
  count(kind: string, term: string | null): Promise<number>;
  /** The largest amount in any slot from `fromSlot` to `toSlot`, both included; 0 where nothing was reserved. */
  reserved(ledger: string, fromSlot: number, toSlot: number): Promise<number>;
  /** The sum of the amounts of all slots from `fromSlot` to `toSlot`, both included: counts that are kept per slot. */
  reservedSum(ledger: string, fromSlot: number, toSlot: number): Promise<number>;
}

/**
 * Every driver passes `test/storage/contract.ts`. `due` returns rows whose deadline has passed, oldest first; on a
 * store that processes share, each row goes to one of them at a time. `watch` reports committed rows of a kind, whoever
 * wrote them.
 */
export interface Store extends StoreReader {
  readonly driver: "lowdb" | "memory" | "postgres";
  commit(commit: Commit): Promise<CommitOutcome>;
  due(nowMs: number, limit: number): Promise<readonly StoredRow[]>;
  watch(kind: string, listener: (id: string) => void): () => void;
  auditTrail(): AsyncIterable<AuditRecord>;
  auditHeads(): Promise<readonly ChainHead[]>;
  /** Why nothing can be committed now; null while all is well. Asks the disk or the database, and never throws. */
  failure(): Promise<Error | null>;
  close(): Promise<void>;
}
