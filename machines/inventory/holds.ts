import type { DealStatus } from "../deal/machine.ts";
import { slotOfTime } from "./dates.ts";
import type { SlotSpan } from "./flight.ts";

/**
 * Whether a deal keeps its impressions from being sold again: programmatic guaranteed deals that are proposed or
 * active do; the other deal types reserve nothing (decision 59).
 */
export const holdsInventory = (dealType: string, status: DealStatus): boolean =>
  dealType === "PG" && (status === "proposed" || status === "active");

/**
 * Impressions that a flight still has: the cap less the most that is held on any of its days. Null: there is no
 * limit. A flight with a past day has none, since nothing can be delivered there any more (decision 76).
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
