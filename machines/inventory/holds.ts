import type { DealStatus } from "../deal/machine.ts";

/** Only guaranteed deals hold inventory. */
export const holdsInventory = (dealType: string, status: DealStatus): boolean =>
  dealType === "PG" && (status === "proposed" || status === "active");

/** The cap less the fullest day; null: no cap. */
export const impressionsLeft = (stock: {
  readonly capImpressions: number | null;
  readonly heldImpressions: number;
}): number | null => {
  if (stock.capImpressions === null) return null;
  return Math.max(0, stock.capImpressions - stock.heldImpressions);
};
