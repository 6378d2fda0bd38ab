import {
  type AddChange,
  type Change,
  type CheckChange,
  type Facts,
  type Kind,
  put,
  type PutChange,
  type RemoveChange,
  type ReserveChange,
  type StoredRow,
} from "../../storage/store.ts";

/** The commit is refused when the id is taken. */
export const create = <T>(kind: Kind<T>, id: string, body: T): PutChange => put(kind, id, 0, body);

type BeforeAndAfter = readonly [before: Facts, after: Facts];

/** Beside the changes, since the store journals all that is in them. */
const alterations = new WeakMap<Change, () => BeforeAndAfter>();

export const alterationOf = (change: Change): BeforeAndAfter | null => alterations.get(change)?.() ?? null;

/** For a change whose row does not hold what it alters. */
export const altering = <C extends Change>(change: C, before: Facts, after: Facts): C => {
  alterations.set(change, () => [before, after]);
  return change;
};

export const update = <T>(kind: Kind<T>, loaded: StoredRow<T>, body: T): PutChange => {
  const change = put(kind, loaded.id, loaded.version, body);
  const { facts } = kind;
  if (facts !== undefined) alterations.set(change, () => [facts(loaded.body), facts(body)]);
  return change;
};

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
