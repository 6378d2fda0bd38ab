import { holdsInventory } from "../../../machines/inventory/holds.ts";
import { reserve, update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, ReserveChange } from "../../../storage/store.ts";
import { holdsOf, inventoryLedger, spanOf } from "../inventory.ts";
import { changedCounts } from "./counters.ts";
import { dealKind, type DealRow } from "./record.ts";

const isHolding = (deal: DealRow): boolean => holdsInventory(deal.deal_type, deal.life.value);

const releaseChanges = (before: DealRow, after: DealRow): readonly ReserveChange[] => {
  const { impressions, flightStart, flightEnd } = before.life.context.terms;
  if (!isHolding(before) || isHolding(after) || impressions === null) return [];
  const span = spanOf(flightStart, flightEnd);
  return holdsOf(before, impressions).map((hold) =>
    reserve(inventoryLedger(hold.productId), span, -hold.impressions, null),
  );
};

export const dealChanges = (loaded: Loaded<DealRow>, after: DealRow): readonly Change[] => [
  update(dealKind, loaded, after),
  ...releaseChanges(loaded.body, after),
  ...changedCounts(loaded.body, after),
];
