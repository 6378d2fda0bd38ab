import type { AddChange } from "../../store.ts";

type Amounts = readonly bigint[];

type SumSlots = Map<number, Amounts>;

/** Kept without slots too: a replay over a snapshot that lacks it would add again what led to zero. */
interface Sum {
  seq: number;
  readonly slots: SumSlots;
}

/** Whole numbers of any size: a double would lose cents beyond 2^53 and keep the difference for good. */
export type Sums = Map<string, Sum>;

const total = (left: Amounts, right: Amounts): Amounts =>
  Array.from(left.length > right.length ? left : right, (_, index) => (left[index] ?? 0n) + (right[index] ?? 0n));

/** A commit may name a sum twice: which sums hold it already is asked before the first is changed. */
export const applyAdditions = (sums: Sums, seq: number, added: readonly AddChange[]): void => {
  const missing = added.map((change) => change.sums.filter((name) => (sums.get(name)?.seq ?? 0) < seq));
  for (const [index, { slot, amounts }] of added.entries()) {
    const more = amounts.map(BigInt);
    for (const name of missing[index] ?? []) {
      const sum = sums.get(name) ?? { seq, slots: new Map() };
      sum.seq = seq;
      const after = total(sum.slots.get(slot) ?? [], more);
      if (after.some((amount) => amount !== 0n)) sum.slots.set(slot, after);
      else sum.slots.delete(slot);
      sums.set(name, sum);
    }
  }
};

/** A caller may ask for a span of any length. */
function* slotsIn(slots: SumSlots, fromSlot: number, toSlot: number): Generator<Amounts> {
  if (slots.size < toSlot - fromSlot) {
    for (const [slot, amounts] of slots) if (slot >= fromSlot && slot <= toSlot) yield amounts;
  } else {
    for (let slot = fromSlot; slot <= toSlot; slot += 1) yield slots.get(slot) ?? [];
  }
}

export const addedUp = (sums: Sums, names: readonly string[], fromSlot: number, toSlot: number): readonly number[] => {
  let all: Amounts = [];
  for (const name of new Set(names)) {
    const slots: SumSlots = sums.get(name)?.slots ?? new Map();
    for (const amounts of slotsIn(slots, fromSlot, toSlot)) all = total(all, amounts);
  }
  return all.map(Number);
};

interface StoredSum {
  readonly sum: string;
  readonly seq: number;
  readonly slots: readonly (readonly [slot: number, amounts: readonly string[]])[];
}

export const storedSum = (name: string, { seq, slots }: Sum): StoredSum => ({
  sum: name,
  seq,
  slots: [...slots].map(([slot, amounts]) => [slot, amounts.map(String)]),
});

export const restoreSum = (sums: Sums, { sum, seq, slots }: StoredSum): void => {
  sums.set(sum, { seq, slots: new Map(slots.map(([slot, amounts]) => [slot, amounts.map(BigInt)])) });
};
