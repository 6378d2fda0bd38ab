import type { z } from "zod";
import { dateOfSlot, mondayOf, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { Flight, SlotSpan } from "../../../machines/inventory/flight.ts";
import { impressionsLeft } from "../../../machines/inventory/holds.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { inventoryLedger, type PackagePart, wholeLeft } from "../inventory.ts";
import type { Sold } from "../packages/sold.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
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

const byWeek = (days: readonly Day[], firstSlot: number, todaySlot: number): Day[] => {
  const weeks = new Map<number, Day>();
  for (const [place, day] of days.entries()) {
    const slot = firstSlot + place;
    const before = weeks.get(mondayOf(slot));
    // Of the week that runs, days past take nothing away from what is left.
    const known = before !== undefined && slot === todaySlot ? { ...before, left: day.left } : before;
    weeks.set(mondayOf(slot), known === undefined ? day : joined(known, day));
  }
  return [...weeks.values()];
};

interface Stock {
  readonly cap: number | null;
  readonly left: number | null;
  readonly days: readonly Day[];
}

const stockOfProduct = async (
  context: SellerContext,
  { product_id: id, maximum_impressions: capImpressions }: Product,
  { fromSlot, toSlot }: SlotSpan,
): Promise<Stock> => {
  const amounts = await context.reservedSlots(inventoryLedger(id), fromSlot, toSlot);
  // Without a cap, what others hold would be the volume of their deals and nothing else.
  const showsHeld = capImpressions !== null || isOperator(context.caller);
  const todaySlot = slotOfTime(context.nowMs);
  const leftOf = (heldImpressions: number): number | null => impressionsLeft({ capImpressions, heldImpressions });
  const days = Array.from({ length: toSlot - fromSlot + 1 }, (_, place): Day => {
    const slot = fromSlot + place;
    const held = amounts.get(slot) ?? 0;
    return { date: dateOfSlot(slot) ?? "", held: showsHeld ? held : null, left: slot < todaySlot ? 0 : leftOf(held) };
  });
  const ahead = [...amounts].flatMap(([slot, held]) => (slot < todaySlot ? [] : [held]));
  return { cap: capImpressions, left: toSlot < todaySlot ? 0 : leftOf(Math.max(0, ...ahead)), days };
};

/** The parts hold what is booked, each for several packages, so `held` has no figure. */
const stockOfParts = async (context: SellerContext, parts: readonly PackagePart[], span: SlotSpan): Promise<Stock> => {
  const stocks = await Promise.all(
    parts.map(({ product_id: id }) => {
      const part = context.ports.catalog.get(id, span.fromSlot);
      if (part === null) throw new Error(`The part ${id} of a package on sale is not in the catalog.`);
      return stockOfProduct(context, part, span);
    }),
  );
  const whole = (of: (stock: Stock) => number | null): number | null => wholeLeft(parts, stocks.map(of));
  const days = (stocks[0]?.days ?? []).map(({ date }, place): Day => {
    return { date, held: null, left: whole((stock) => stock.days[place]?.left ?? null) };
  });
  return { cap: whole(({ cap }) => cap), left: whole(({ left }) => left), days };
};

export const calendarOf = async (
  context: SellerContext,
  item: Sold,
  span: Flight,
  step: Input["step"],
): Promise<Calendar> => {
  const { cap, left, days } =
    item.parts === undefined
      ? await stockOfProduct(context, item, span)
      : await stockOfParts(context, item.parts, span);
  return {
    product_id: item.product_id,
    name: item.name,
    cap,
    available_impressions: left,
    unlimited: left === null,
    days: step === "day" ? [...days] : byWeek(days, span.fromSlot, slotOfTime(context.nowMs)),
  };
};
