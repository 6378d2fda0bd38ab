import type { z } from "zod";
import { dateOfSlot, mondayOf } from "../../../machines/inventory/dates.ts";
import type { Flight } from "../../../machines/inventory/flight.ts";
import { impressionsLeft } from "../../../machines/inventory/holds.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { inventoryLedger } from "../inventory.ts";
import type { Product, SellerContext } from "../ports.ts";
import type { getAvailability } from "./contract.ts";

type Input = z.output<typeof getAvailability.input>;
type Calendar = z.input<typeof getAvailability.output>["products"][number];
type Day = Calendar["days"][number];

const smaller = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** A week is as full as its fullest day, as a flight over it is. */
const joined = (before: Day, { held, left }: Day): Day => ({
  date: before.date,
  held: before.held === null || held === null ? null : Math.max(before.held, held),
  left: smaller(before.left, left),
});

const byWeek = (days: readonly Day[], firstSlot: number): Day[] => {
  const weeks = new Map<number, Day>();
  for (const [place, day] of days.entries()) {
    const monday = mondayOf(firstSlot + place);
    const before = weeks.get(monday);
    weeks.set(monday, before === undefined ? day : joined(before, day));
  }
  return [...weeks.values()];
};

export const calendarOf = async (
  context: SellerContext,
  item: Product,
  { fromSlot, toSlot }: Flight,
  step: Input["step"],
): Promise<Calendar> => {
  const capImpressions = item.maximum_impressions;
  const amounts = await context.reservedSlots(inventoryLedger(item.product_id), fromSlot, toSlot);
  // Without a cap, what others hold would be the volume of their deals and nothing else.
  const showsHeld = capImpressions !== null || isOperator(context.caller);
  const leftIn = (first: number, last: number, heldImpressions: number): number | null =>
    impressionsLeft({
      capImpressions,
      heldImpressions,
      span: { fromSlot: first, toSlot: last },
      nowMs: context.nowMs,
    });
  const days = Array.from({ length: toSlot - fromSlot + 1 }, (_, place): Day => {
    const slot = fromSlot + place;
    const held = amounts.get(slot) ?? 0;
    return { date: dateOfSlot(slot) ?? "", held: showsHeld ? held : null, left: leftIn(slot, slot, held) };
  });
  const left = leftIn(fromSlot, toSlot, Math.max(0, ...amounts.values()));
  return {
    product_id: item.product_id,
    name: item.name,
    cap: capImpressions,
    available_impressions: left,
    unlimited: left === null,
    days: step === "day" ? days : byWeek(days, fromSlot),
  };
};
