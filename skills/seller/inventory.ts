import { slotOfDate } from "../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../machines/inventory/flight.ts";

/** The ledger of a product's guaranteed impressions; its slots are UTC days. */
export const inventoryLedger = (productId: string): string => `inventory/${productId}`;

/** The slots of a flight whose dates were checked when it was agreed. */
export const spanOf = (flightStart: string, flightEnd: string): SlotSpan => {
  const fromSlot = slotOfDate(flightStart);
  const toSlot = slotOfDate(flightEnd);
  if (fromSlot === null || toSlot === null) throw new RangeError(`Not a flight: ${flightStart} to ${flightEnd}.`);
  return { fromSlot, toSlot };
};
