import { expect } from "vitest";
import type {
  AuditEntry,
  Change,
  CheckChange,
  CommitOutcome,
  Json,
  PutChange,
  RemoveChange,
  ReserveChange,
  Store,
} from "../../../storage/store.ts";

/** `reopen` opens the same storage again; `destroy` removes it. */
export interface Opened {
  readonly store: Store;
  reopen(): Promise<Store>;
  destroy(): Promise<void>;
}

export type OpenStore = () => Promise<Opened>;

export interface Bench {
  readonly store: Store;
  reopen(): Promise<Store>;
}

export const ok: CommitOutcome = { ok: true };
export const conflict = (id: string, kind = "deal"): CommitOutcome => ({ ok: false, reason: "conflict", kind, id });
export const overLimit = (ledger: string): CommitOutcome => ({ ok: false, reason: "limit", ledger });

interface PutOptions {
  readonly kind?: string;
  readonly terms?: readonly string[];
  readonly dueAtMs?: number | null;
}

export const put = (id: string, version: number, body: Json, options: PutOptions = {}): PutChange => ({
  op: "put",
  kind: options.kind ?? "deal",
  id,
  expect: version,
  body,
  terms: options.terms ?? [],
  dueAtMs: options.dueAtMs ?? null,
});

export const remove = (id: string, version: number, kind = "deal"): RemoveChange => ({
  op: "remove",
  kind,
  id,
  expect: version,
});

export const check = (id: string, version: number, kind = "deal"): CheckChange => ({
  op: "check",
  kind,
  id,
  expect: version,
});

export const reserve = (
  ledger: string,
  [fromSlot, toSlot]: readonly [number, number],
  amount: number,
  limit: number | null = null,
): ReserveChange => ({ op: "reserve", ledger, fromSlot, toSlot, amount, limit });

export const commit = (store: Store, ...changes: readonly Change[]): Promise<CommitOutcome> =>
  store.commit({ changes, audit: null });

export const commitOk = async (store: Store, ...changes: readonly Change[]): Promise<void> => {
  expect(await commit(store, ...changes)).toEqual(ok);
};

export const auditEntry = (requestId: string): AuditEntry => ({
  at: "2026-11-21T10:00:00.000Z",
  request_id: requestId,
  operation: "book_deal",
  door: "rest",
  principal: "key:abc",
});

export const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map((row) => row.id);

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
