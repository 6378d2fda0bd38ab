import { slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { reserve } from "../../../protocol/seam/changes.ts";
import type { ReserveChange } from "../../../storage/store.ts";
import { inventoryLedger } from "../inventory.ts";
import type { SellerContext } from "../ports.ts";

/** Impressions held on every day of a span. */
interface Hold {
  readonly span: SlotSpan;
  readonly impressions: number;
}

/** Days on which the change of a hold adds or gives back the same amount; `isNew` where nothing was held before. */
interface Step extends SlotSpan {
  readonly amount: number;
  readonly isNew: boolean;
}

const heldOn = ({ span, impressions }: Hold, slot: number): number =>
  slot >= span.fromSlot && slot <= span.toSlot ? impressions : 0;

/** What turns one hold into another, at most one step between any two ends of their spans. */
const stepsBetween = (before: Hold, after: Hold): readonly Step[] => {
  const starts = [before, after].flatMap(({ span }) => [span.fromSlot, span.toSlot + 1]);
  const ordered = [...new Set(starts)].sort((one, other) => one - other);
  return ordered.slice(0, -1).flatMap((fromSlot, index) => {
    const amount = heldOn(after, fromSlot) - heldOn(before, fromSlot);
    const toSlot = (ordered[index + 1] ?? fromSlot + 1) - 1;
    return amount === 0 ? [] : [{ fromSlot, toSlot, amount, isNew: heldOn(before, fromSlot) === 0 }];
  });
};

/**
 * The reservations that move a guaranteed deal's hold to its new terms, to be committed with them; null when a day has
 * no room left, or lies in the past and was not held before (decisions 59 and 76).
 */
export const rereserve = async (
  context: SellerContext,
  productId: string,
  before: Hold,
  after: Hold,
): Promise<readonly ReserveChange[] | null> => {
  const item = context.ports.catalog.get(productId);
  if (item === null) return null;
  const ledger = inventoryLedger(productId);
  const steps = stepsBetween(before, after);
  for (const step of steps.filter(({ amount }) => amount > 0)) {
    if (step.isNew && step.fromSlot < slotOfTime(context.nowMs)) return null;
    const held = await context.reserved(ledger, step.fromSlot, step.toSlot);
    if (item.maximum_impressions !== null && held + step.amount > item.maximum_impressions) return null;
  }
  return steps.map((step) => reserve(ledger, step, step.amount, item.maximum_impressions));
};
