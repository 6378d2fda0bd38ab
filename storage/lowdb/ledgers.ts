import type { ReserveChange } from "../store.ts";
import { Slots } from "./slots.ts";

/** The amounts of a ledger by slot, and the journal record that was applied to it last. */
export interface Ledger {
  seq: number;
  readonly slots: Slots;
}

export type Ledgers = Map<string, Ledger>;

/** What a reservation does to a ledger, without its limit: that was met before it was journalled. */
export type Reservation = Omit<ReserveChange, "limit">;

/** A span of more slots than this (270 years of days) is a mistake of the caller. */
export const maxSlots = 100_000;

export const amountOf = (ledgers: Ledgers, ledger: string, slot: number): number =>
  ledgers.get(ledger)?.slots.get(slot) ?? 0;

/** The largest amount in any slot of the span. */
export const largestAmount = (ledgers: Ledgers, name: string, fromSlot: number, toSlot: number): number =>
  ledgers.get(name)?.slots.largest(fromSlot, toSlot) ?? 0;

/** The sum of the amounts of all slots of the span. */
export const sumOfAmounts = (ledgers: Ledgers, name: string, fromSlot: number, toSlot: number): number =>
  ledgers.get(name)?.slots.sum(fromSlot, toSlot) ?? 0;

/**
 * Applies a durable reservation. A ledger that is all zero is forgotten: should a snapshot be written without it and
 * the journal be replayed from before, then every slot starts at zero instead of above and, as no reservation can part
 * two amounts further and none goes below zero, is at zero again where this ledger was.
 */
export const applyReservation = (ledgers: Ledgers, seq: number, change: Reservation): void => {
  const ledger = ledgers.get(change.ledger) ?? { seq, slots: new Slots() };
  ledger.seq = seq;
  ledger.slots.add(change.fromSlot, change.toSlot, change.amount);
  if (ledger.slots.isEmpty) ledgers.delete(change.ledger);
  else ledgers.set(change.ledger, ledger);
};

/** Gives slots the amounts they had, where the ledger is still known. */
export const setAmounts = (ledgers: Ledgers, name: string, amounts: readonly (readonly [number, number])[]): void => {
  const ledger = ledgers.get(name) ?? { seq: 0, slots: new Slots() };
  for (const [slot, amount] of amounts) ledger.slots.set(slot, amount);
  if (ledger.slots.isEmpty) ledgers.delete(name);
  else ledgers.set(name, ledger);
};
