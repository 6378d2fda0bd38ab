import type { z } from "zod";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { inventoryLedger } from "../inventory.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import type { getCapacityReport } from "./contract.ts";

type Month = z.input<typeof getCapacityReport.output>["products"][number]["months"][number];

interface MonthSpan extends SlotSpan {
  readonly month: string;
}

export const monthsFrom = (
  date: string | null | undefined,
  count: number,
  nowMs: number,
): readonly MonthSpan[] | Refusal => {
  const today = slotOfTime(nowMs);
  const first = date == null || date === "" ? today : slotOfDate(date);
  if (first === null) return fieldRefusal("from", "Send a day as YYYY-MM-DD.");
  const months: MonthSpan[] = [];
  let month = (dateOfSlot(first) ?? "").slice(0, 7);
  while (months.length < count) {
    const start = slotOfDate(`${month}-01`);
    if (start === null) return fieldRefusal("from", "The months would leave the calendar.");
    const following = (dateOfSlot(start + 31) ?? "").slice(0, 7);
    const end = (slotOfDate(`${following}-01`) ?? start + 31) - 1;
    months.push({ month, fromSlot: Math.max(start, Math.min(today, end)), toSlot: end });
    month = following;
  }
  return months;
};

/** The fullest day limits what a flight over the whole month can take. */
export const capacityOf = (
  context: SellerContext,
  product: Product,
  months: readonly MonthSpan[],
): Promise<readonly Month[]> =>
  Promise.all(
    months.map(async ({ month, fromSlot, toSlot }) => {
      const held = await context.reserved(inventoryLedger(product.product_id), fromSlot, toSlot);
      const cap = product.maximum_impressions;
      return { month, cap, held, left: cap === null ? null : Math.max(0, cap - held) };
    }),
  );
