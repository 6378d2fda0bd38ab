import type { Reservation } from "./record.ts";
import { Slots } from "./slots.ts";

/** The amounts of a ledger by slot, and the last commit that changed it. */
interface Ledger {
  seq: number;
  readonly slots: Slots;
}

export type Ledgers = Map<string, Ledger>;

export const amountOf = (ledgers: Ledgers, ledger: string, slot: number): number =>
  ledgers.get(ledger)?.slots.get(slot) ?? 0;

/** The largest amount in any slot of the span. */
export const largestAmount = (ledgers: Ledgers, name: string, fromSlot: number, toSlot: number): number =>
  ledgers.get(name)?.slots.largest(fromSlot, toSlot) ?? 0;

/** The sum of the amounts of all slots of the span. */
export const sumOfAmounts = (ledgers: Ledgers, name: string, fromSlot: number, toSlot: number): number =>
  ledgers.get(name)?.slots.sum(fromSlot, toSlot) ?? 0;

const keep = (ledgers: Ledgers, name: string, ledger: Ledger): void => {
  if (ledger.slots.isEmpty) ledgers.delete(name);
  else ledgers.set(name, ledger);
};

/**
 * Applies a durable reservation. A ledger that is all zero is removed: should a snapshot be written without it and the
 * journal be replayed from before, then every slot starts at zero instead of above and, as no reservation can part two
 * amounts further and none goes below zero, is at zero again where this ledger was.
 */
export const applyReservation = (ledgers: Ledgers, seq: number, change: Reservation): void => {
  const ledger = ledgers.get(change.ledger) ?? { seq, slots: new Slots() };
  ledger.seq = seq;
  ledger.slots.add(change.fromSlot, change.toSlot, change.amount);
  keep(ledgers, change.ledger, ledger);
};

/** Gives slots the amounts they had. */
export const setAmounts = (ledgers: Ledgers, name: string, amounts: readonly (readonly [number, number])[]): void => {
  const ledger = ledgers.get(name) ?? { seq: 0, slots: new Slots() };
  for (const [slot, amount] of amounts) ledger.slots.set(slot, amount);
  keep(ledgers, name, ledger);
};

export const copyLedgers = (ledgers: Ledgers): Ledgers =>
  new Map([...ledgers].map(([name, { seq, slots }]) => [name, { seq, slots: new Slots(slots) }]));
