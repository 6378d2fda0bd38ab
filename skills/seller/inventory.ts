import { slotOfDate } from "../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../machines/inventory/flight.ts";

/** Slots are UTC days. */
export const inventoryLedger = (productId: string): string => `inventory/${productId}`;

export const spanOf = (flightStart: string, flightEnd: string): SlotSpan => {
  const fromSlot = slotOfDate(flightStart);
  const toSlot = slotOfDate(flightEnd);
  if (fromSlot === null || toSlot === null) throw new RangeError(`Not a flight: ${flightStart} to ${flightEnd}.`);
  return { fromSlot, toSlot };
};
