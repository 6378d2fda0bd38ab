import type { z } from "zod";
import { dateOfSlot, slotOfTime } from "../../../machines/inventory/dates.ts";
import { unitsOrNull } from "../../../machines/money.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import type { Product, SellerContext } from "../ports.ts";
import type { plannedChange } from "./contract.ts";
import { type ProductChange, productChangesKind, productOn } from "./record.ts";

export const termsView = (product: Product) => ({
  base_cpm: unitsOrNull(product.base_cpm_micros),
  floor_cpm: unitsOrNull(product.floor_cpm_micros),
  maximum_impressions: product.maximum_impressions,
});

const whoAndWhy = (change: ProductChange) => ({
  effective_from: dateOfSlot(change.from_slot) ?? "",
  changed_by: change.changed_by,
  changed_at: isoTime(change.changed_at_ms),
  reason: change.reason,
});

export const shownChange = (change: ProductChange) => ({
  ...whoAndWhy(change),
  ...("base_cpm_micros" in change ? { base_cpm: unitsOrNull(change.base_cpm_micros ?? null) } : {}),
  ...("floor_cpm_micros" in change ? { floor_cpm: unitsOrNull(change.floor_cpm_micros ?? null) } : {}),
  ...("maximum_impressions" in change ? { maximum_impressions: change.maximum_impressions ?? null } : {}),
});

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

/** One for each later day on which a value changes; a change that was taken back is none. */
export const plannedChanges = async (
  context: SellerContext,
  product: Product,
): Promise<z.input<typeof plannedChange>[]> => {
  const changes = (await context.load(productChangesKind, product.product_id))?.body.changes ?? [];
  const today = slotOfTime(context.nowMs);
  const days = [...new Set(changes.map(({ from_slot: from }) => from))].filter((day) => day > today);
  return days
    .toSorted((one, other) => one - other)
    .flatMap((day) => {
      const last = changes.findLast(({ from_slot: from }) => from === day);
      const [before, after] = [day - 1, day].map((on) => termsView(productOn(product, changes, on)));
      if (last === undefined || before === undefined || after === undefined || isSame(before, after)) return [];
      return [{ ...whoAndWhy(last), before, after }];
    });
};
