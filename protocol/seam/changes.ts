import {
  type AddChange,
  type CheckChange,
  type Kind,
  put,
  type PutChange,
  type RemoveChange,
  type ReserveChange,
  type StoredRow,
} from "../../storage/store.ts";

/** The commit is refused when the id is taken. */
export const create = <T>(kind: Kind<T>, id: string, body: T): PutChange => put(kind, id, 0, body);

export const update = <T>(kind: Kind<T>, loaded: StoredRow<T>, body: T): PutChange =>
  put(kind, loaded.id, loaded.version, body);

export const remove = <T>(kind: Kind<T>, loaded: StoredRow<T>): RemoveChange => ({
  op: "remove",
  kind: kind.name,
  id: loaded.id,
  expect: loaded.version,
});

/** The commit fails if a record changed that the decision read. */
export const unchanged = <T>(kind: Kind<T>, loaded: StoredRow<T>): CheckChange => ({
  op: "check",
  kind: kind.name,
  id: loaded.id,
  expect: loaded.version,
});

/** The commit fails if a record appeared that the decision did not find. */
export const absent = <T>(kind: Kind<T>, id: string): CheckChange => ({ op: "check", kind: kind.name, id, expect: 0 });

/** See `ReserveChange`. */
export const reserve = (
  ledger: string,
  span: { readonly fromSlot: number; readonly toSlot: number },
  amount: number,
  limit: number | null,
): ReserveChange => ({ op: "reserve", ledger, ...span, amount, limit });

/** See `AddChange`. */
export const add = (sums: readonly string[], slot: number, amounts: readonly number[]): AddChange => ({
  op: "add",
  sums,
  slot,
  amounts,
});
