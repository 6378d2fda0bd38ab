import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { reserve } from "../../../protocol/seam/changes.ts";
import type { ReserveChange } from "../../../storage/store.ts";
import type { DealRow } from "../deals/record.ts";
import { holdsOf, inventoryLedger } from "../inventory.ts";
import type { SellerContext } from "../context.ts";

interface Hold {
  readonly span: SlotSpan;
  readonly impressions: number;
}

interface Step extends SlotSpan {
  readonly amount: number;
}

const heldOn = ({ span, impressions }: Hold, slot: number): number =>
  slot >= span.fromSlot && slot <= span.toSlot ? impressions : 0;

const stepsBetween = (before: Hold, after: Hold): readonly Step[] => {
  const starts = [before, after].flatMap(({ span }) => [span.fromSlot, span.toSlot + 1]);
  const ordered = [...new Set(starts)].sort((one, other) => one - other);
  return ordered.slice(0, -1).flatMap((fromSlot, index) => {
    const amount = heldOn(after, fromSlot) - heldOn(before, fromSlot);
    const toSlot = (ordered[index + 1] ?? fromSlot + 1) - 1;
    return amount === 0 ? [] : [{ fromSlot, toSlot, amount }];
  });
};

/** Null when a day has no room. */
const rereservePart = async (
  context: SellerContext,
  productId: string,
  before: Hold,
  after: Hold,
): Promise<readonly ReserveChange[] | null> => {
  const item = context.ports.catalog.get(productId, after.span.fromSlot);
  if (item === null) return null;
  const ledger = inventoryLedger(productId);
  const steps = stepsBetween(before, after);
  for (const step of steps.filter(({ amount }) => amount > 0)) {
    const held = await context.reserved(ledger, step.fromSlot, step.toSlot);
    if (item.maximum_impressions !== null && held + step.amount > item.maximum_impressions) return null;
  }
  return steps.map((step) => reserve(ledger, step, step.amount, item.maximum_impressions));
};

/** Null where a part of a package has no room. */
export const rereserve = async (
  context: SellerContext,
  deal: Pick<DealRow, "product" | "parts">,
  before: Hold,
  after: Hold,
): Promise<readonly ReserveChange[] | null> => {
  const changes: ReserveChange[] = [];
  const holdsAfter = holdsOf(deal, after.impressions);
  for (const [place, { productId, impressions }] of holdsOf(deal, before.impressions).entries()) {
    const wanted = { ...after, impressions: holdsAfter[place]?.impressions ?? 0 };
    const part = await rereservePart(context, productId, { ...before, impressions }, wanted);
    if (part === null) return null;
    changes.push(...part);
  }
  return changes;
};
