import type { Reservation } from "./record.ts";
import { Slots } from "./slots.ts";

interface Ledger {
  seq: number;
  readonly slots: Slots;
}

export type Ledgers = Map<string, Ledger>;

export const amountOf = (ledgers: Ledgers, ledger: string, slot: number): number =>
  ledgers.get(ledger)?.slots.get(slot) ?? 0;

export const largestAmount = (ledgers: Ledgers, name: string, fromSlot: number, toSlot: number): number =>
  ledgers.get(name)?.slots.largest(fromSlot, toSlot) ?? 0;

export const amountsBySlot = (
  ledgers: Ledgers,
  name: string,
  fromSlot: number,
  toSlot: number,
): ReadonlyMap<number, number> => new Map(ledgers.get(name)?.slots.within(fromSlot, toSlot));

const keep = (ledgers: Ledgers, name: string, ledger: Ledger): void => {
  if (ledger.slots.isEmpty) ledgers.delete(name);
  else ledgers.set(name, ledger);
};

/**
 * A ledger that is all zero is removed: if the journal is replayed over a snapshot without it, its slots start at zero
 * and end at zero again.
 */
export const applyReservation = (ledgers: Ledgers, seq: number, change: Reservation): void => {
  const ledger = ledgers.get(change.ledger) ?? { seq, slots: new Slots() };
  ledger.seq = seq;
  ledger.slots.add(change.fromSlot, change.toSlot, change.amount);
  keep(ledgers, change.ledger, ledger);
};

export const setAmounts = (ledgers: Ledgers, name: string, amounts: readonly (readonly [number, number])[]): void => {
  const ledger = ledgers.get(name) ?? { seq: 0, slots: new Slots() };
  for (const [slot, amount] of amounts) ledger.slots.set(slot, amount);
  keep(ledgers, name, ledger);
};

export const copyLedgers = (ledgers: Ledgers): Ledgers =>
  new Map([...ledgers].map(([name, { seq, slots }]) => [name, { seq, slots: new Slots(slots) }]));
