import type { DealStatus } from "../deal/machine.ts";
import { slotOfTime } from "./dates.ts";
import type { SlotSpan } from "./flight.ts";

/** Only guaranteed deals hold inventory. */
export const holdsInventory = (dealType: string, status: DealStatus): boolean =>
  dealType === "PG" && (status === "proposed" || status === "active");

/**
 * The cap less the fullest day; null: no cap. None with a past day, on which nothing can be delivered.
 */
export const impressionsLeft = (stock: {
  readonly capImpressions: number | null;
  readonly heldImpressions: number;
  readonly span: SlotSpan;
  readonly nowMs: number;
}): number | null => {
  if (stock.span.fromSlot < slotOfTime(stock.nowMs)) return 0;
  if (stock.capImpressions === null) return null;
  return Math.max(0, stock.capImpressions - stock.heldImpressions);
};
