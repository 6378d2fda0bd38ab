import type { AddChange, Change, PutChange, ReserveChange, RowChange } from "../../store.ts";
import { decodeText, encodeText, fitsKey, isLongTerm, longTerm, maxKeyBytes, SEPARATOR } from "../../text.ts";

export interface WrittenRow {
  readonly kind: string;
  readonly id: string;
}

export interface Stoppers {
  readonly moved: readonly RowChange[];
  readonly present: readonly RowChange[];
  readonly taken: readonly RowChange[];
  readonly limit: readonly ReserveChange[];
}

export interface FlatCommit {
  readonly columns: readonly unknown[];
  readonly stoppers: Stoppers;
  readonly written: readonly WrittenRow[];
}

const MAX_SLOTS = 100_000;

export const encodeKey = (text: string): string | null => {
  const encoded = encodeText(text);
  return fitsKey(encoded) ? encoded : null;
};

const EMPTY_TERM = "\u0001empty";

/**
 * Long terms are hashed, since terms are only compared; "" already means the whole kind, so the empty term has its own
 * word.
 */
export const encodeTerm = (term: string): string => {
  if (term === "") return EMPTY_TERM;
  const encoded = encodeText(term);
  return fitsKey(encoded) ? encoded : longTerm(encoded);
};

export const decodeTerm = (encoded: string): string => {
  if (encoded === EMPTY_TERM) return "";
  return isLongTerm(encoded) ? encoded : decodeText(encoded);
};

const compare = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

export const storedKey = (text: string): string => {
  const encoded = encodeKey(text);
  if (encoded !== null) return encoded;
  throw new RangeError(`A key of the store holds at most ${maxKeyBytes} bytes: ${text.slice(0, 80)}…`);
};

const whole = (value: number, what: string): number => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${what} must be a safe integer, not ${value}.`);
  return value;
};

const jsonOf = (change: PutChange): string => {
  const text: unknown = JSON.stringify(change.body);
  if (typeof text !== "string") throw new TypeError(`The body of ${change.kind} ${change.id} is not JSON.`);
  return text;
};

const encodedTerms = (change: PutChange): string[] => [...new Set(change.terms.map(encodeTerm))].sort();

const dueOf = (change: PutChange): number | null => (change.dueAtMs === null ? null : whole(change.dueAtMs, "dueAtMs"));

const keyColumns = (rows: readonly RowChange[]): unknown[] => [
  rows.map((change) => storedKey(change.kind)),
  rows.map((change) => storedKey(change.id)),
];

const isPut = (change: RowChange): change is PutChange => change.op === "put";

const existingColumns = (rows: readonly RowChange[]): unknown[] => [
  rows.map((change) => change.op),
  ...keyColumns(rows),
  rows.map((change) => whole(change.expect, "expect")),
  rows.map((change) => (isPut(change) ? jsonOf(change) : null)),
  rows.map((change) => (isPut(change) ? encodedTerms(change).join(SEPARATOR) : null)),
  rows.map((change) => (isPut(change) ? dueOf(change) : null)),
];

const countColumns = (rows: readonly PutChange[], terms: readonly (readonly string[])[]): unknown[] => {
  const steps = new Map<string, readonly [kind: string, term: string, step: number]>();
  rows.forEach((change, index) => {
    for (const term of ["", ...(terms[index] ?? [])]) {
      const key = `${change.kind}${SEPARATOR}${term}`;
      steps.set(key, [encodeText(change.kind), term, (steps.get(key)?.[2] ?? 0) + 1]);
    }
  });
  const sorted = [...steps.values()].sort((left, right) => compare(left[0], right[0]) || compare(left[1], right[1]));
  return [sorted.map(([kind]) => kind), sorted.map(([, term]) => term), sorted.map(([, , step]) => step)];
};

const newColumns = (rows: readonly PutChange[], order: readonly RowChange[]): unknown[] => {
  const terms = rows.map(encodedTerms);
  const fresh = order.filter((change) => change.expect === 0 && isPut(change));
  const places = new Map(fresh.map((change, index) => [change, index + 1]));
  return [
    ...keyColumns(rows),
    rows.map(jsonOf),
    terms.map((list) => list.join(SEPARATOR)),
    rows.map(dueOf),
    rows.map((change) => places.get(change)),
    ...countColumns(rows, terms),
  ];
};

const checkReserve = (change: ReserveChange): void => {
  const { ledger, fromSlot, toSlot, amount, limit } = change;
  const numbers = [fromSlot, toSlot, amount, limit ?? 0];
  if (!numbers.every(Number.isSafeInteger)) {
    throw new RangeError(`Slots, amount and limit of ledger ${ledger} must be safe integers: ${numbers.join(", ")}.`);
  }
  if (fromSlot > toSlot || toSlot - fromSlot >= MAX_SLOTS) {
    throw new RangeError(`A span of ledger ${ledger} holds 1 to ${MAX_SLOTS} slots, not ${fromSlot} to ${toSlot}.`);
  }
};

const reserveColumns = (reserves: readonly ReserveChange[]): unknown[] => [
  reserves.map((change) => storedKey(change.ledger)),
  reserves.map((change) => change.fromSlot),
  reserves.map((change) => change.toSlot),
  reserves.map((change) => change.amount),
  reserves.map((change) => change.limit),
];

const byKey = (left: RowChange, right: RowChange): number =>
  compare(left.kind, right.kind) || compare(left.id, right.id);

const refuseRepeats = (sorted: readonly RowChange[]): void => {
  sorted.forEach((change, index) => {
    const next = sorted[index + 1];
    if (next !== undefined && byKey(change, next) === 0) {
      const cure = "put all that it does to a row into one change";
      throw new RangeError(`One commit names ${change.kind} ${change.id} twice: ${cure}.`);
    }
  });
};

/** Its parts are added up in JavaScript: one statement cannot write a row twice. */
const sumColumns = (additions: readonly AddChange[]): unknown[] => {
  const rows = new Map<string, { readonly name: string; readonly slot: number; readonly amounts: bigint[] }>();
  for (const { sums, slot, amounts } of additions) {
    for (const name of sums) {
      const key = `${name}${SEPARATOR}${whole(slot, "A slot")}`;
      const row = rows.get(key) ?? { name: storedKey(name), slot, amounts: [] };
      amounts.forEach((amount, index) => {
        row.amounts[index] = (row.amounts[index] ?? 0n) + BigInt(whole(amount, `An amount of the sum ${name}`));
      });
      rows.set(key, row);
    }
  }
  const all = [...rows.values()];
  return [all.map(({ name }) => name), all.map(({ slot }) => slot), all.map(({ amounts }) => `{${amounts.join(",")}}`)];
};

/** Rows are sorted so that all commits lock in one order. New rows get `n` in the order of the changes. */
export const flattenChanges = (changes: readonly Change[]): FlatCommit => {
  const order = changes.filter((change) => change.op !== "reserve" && change.op !== "add");
  const additions = changes.filter((change) => change.op === "add");
  const sorted = [...order].sort(byKey);
  refuseRepeats(sorted);
  const moved = sorted.filter((change) => change.expect !== 0);
  const present = sorted.filter((change) => change.expect === 0 && !isPut(change));
  const taken = sorted.filter(isPut).filter((change) => change.expect === 0);
  const limit = changes.filter((change) => change.op === "reserve");
  limit.forEach(checkReserve);
  return {
    columns: [
      ...existingColumns(moved),
      ...keyColumns(present),
      ...newColumns(taken, order),
      ...reserveColumns(limit),
      ...sumColumns(additions),
    ],
    stoppers: { moved, present, taken, limit },
    written: order.filter(isPut).map(({ kind, id }) => ({ kind, id })),
  };
};
