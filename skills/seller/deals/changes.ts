import { holdsInventory } from "../../../machines/inventory/holds.ts";
import { reserve, update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, ReserveChange } from "../../../storage/store.ts";
import { inventoryLedger, spanOf } from "../inventory.ts";
import { changedCounts } from "./counters.ts";
import { dealKind, type DealRow } from "./record.ts";

/** Whether the deal, as it stands, keeps impressions from being sold again. */
const isHolding = (deal: DealRow): boolean => holdsInventory(deal.deal_type, deal.life.value);

/** Gives a deal's impressions back where a move from `before` to `after` ends its hold. */
const releaseChanges = (before: DealRow, after: DealRow): readonly ReserveChange[] => {
  const { impressions, flightStart, flightEnd } = before.life.context.terms;
  if (!isHolding(before) || isHolding(after) || impressions === null) return [];
  return [reserve(inventoryLedger(before.product.product_id), spanOf(flightStart, flightEnd), -impressions, null)];
};

/** Writes a deal that moved on: with its impressions given back where it holds them no longer, and the sums. */
export const dealChanges = (loaded: Loaded<DealRow>, after: DealRow): readonly Change[] => [
  update(dealKind, loaded, after),
  ...releaseChanges(loaded.body, after),
  ...changedCounts(loaded.body, after),
];
