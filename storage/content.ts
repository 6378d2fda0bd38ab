import type { AuditRecord, ChainHead, PutChange, Store, StoredRow } from "./store.ts";

/** A row with its filters and its deadline. The body stays JSON text, so that every reader gets a copy of its own. */
export interface WholeRow extends Omit<StoredRow, "body">, Pick<PutChange, "terms" | "dueAtMs"> {
  readonly json: string;
}

/** Slots without an amount are left out. */
export interface WholeLedger {
  readonly ledger: string;
  readonly slots: readonly (readonly [slot: number, amount: number])[];
}

/** Whole numbers of any size, in decimal digits; slots without one are left out. */
export interface WholeSum {
  readonly sum: string;
  readonly slots: readonly (readonly [slot: number, amounts: readonly string[]])[];
}

/** All rows, ledgers and sums of one moment. Kinds and names are in the order of their bytes, rows in that of `n`. */
export interface StoreContent {
  /** Another one after every commit. */
  readonly mark: string;
  /** No row created later has a smaller or an equal `n`. */
  readonly lastPlace: number;
  readonly kinds: readonly string[];
  /** Those that have a record. */
  readonly heads: readonly ChainHead[];
  rows(kind: string, after: number): AsyncIterable<readonly WholeRow[]>;
  ledgers(): AsyncIterable<readonly WholeLedger[]>;
  sums(): AsyncIterable<readonly WholeSum[]>;
  /** Each chain up to its head, in order; several may be mixed. */
  trail(): AsyncIterable<AuditRecord>;
  /** What the store keeps twice and does not agree in; each is a sentence. */
  faults(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Writes rows, ledgers and records as they are, where `commit` numbers them anew. Each call is durable as a whole when
 * it resolves. Ledgers and sums that are there already stay as they are.
 */
export interface StoreLoader {
  rows(page: readonly WholeRow[]): Promise<void>;
  ledgers(page: readonly WholeLedger[]): Promise<void>;
  sums(page: readonly WholeSum[]): Promise<void>;
  /** The number of the last record of a chain, 0 without any. */
  lastRecord(chain: string): Promise<number>;
  /** They follow the last one; none makes sure that its number and hash are kept. */
  records(chain: string, page: readonly AuditRecord[]): Promise<void>;
}

/** Takes out what must not stay. Each call is durable when it resolves, and may be repeated. */
export interface StoreEraser {
  /** Throws where the user of the store may not do what follows. */
  expectPermitted(): Promise<void>;
  /** Each in the place of the record with its chain and number. */
  records(replaced: readonly AuditRecord[]): Promise<void>;
  /** Leaves nothing of removed rows, old versions, and sums that are zero in files and tables. */
  purge(): Promise<void>;
}

/** A store that no agent has opened. */
export interface MovableStore {
  readonly label: string;
  readonly store: Store;
  readonly loader: StoreLoader;
  readonly eraser: StoreEraser;
  read(): Promise<StoreContent>;
  /** Throws where an agent may be writing. */
  expectUnused(): Promise<void>;
}

/** Rows that a copy keeps about itself: they are no content. */
export const unfinishedKind = "unfinished_copy";
export const chainKind = "copied_chain";
export const ownKinds: readonly string[] = [unfinishedKind, chainKind];

export const pageRows = 1_000;
