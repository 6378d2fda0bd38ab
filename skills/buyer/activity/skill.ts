import type { z } from "zod";
import { dateOfSlot, slotOfTime } from "../../../machines/inventory/dates.ts";
import { askedSteps, stepsBetween } from "../../../machines/inventory/day-steps.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { costMicros, fromMicros } from "../../../machines/money.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { type Context, defineOperation } from "../../../protocol/seam/operation.ts";
import { scanNewest } from "../scan.ts";
import { isLost } from "../seller-deals/contract.ts";
import { bookedAtMs, bookedTerm, sellerDealKind, type SellerDealRow } from "../seller-deals/record.ts";
import { sellerUrlOf } from "../seller-refusal.ts";
import * as contract from "./contract.ts";

type Input = z.output<typeof contract.getActivity.input>;

const monthsOf = (spans: readonly SlotSpan[]): readonly string[] => {
  const [first, last] = [spans.at(0)?.fromSlot ?? 0, spans.at(-1)?.toSlot ?? -1];
  const months = stepsBetween(first, last, "month", Infinity) ?? [];
  return months.map(({ fromSlot }) => dateOfSlot(fromSlot)?.slice(0, 7) ?? "");
};

const slotOf = (row: SellerDealRow): number => slotOfTime(bookedAtMs(row) ?? 0);

const valuesOf = (rows: readonly SellerDealRow[]): Record<string, number> => {
  const micros = new Map<string, number>();
  for (const { currency, cpm_micros, impressions } of rows) {
    const cost = costMicros(cpm_micros ?? 0, impressions ?? 0) ?? 0;
    if (cost > 0) micros.set(currency, (micros.get(currency) ?? 0) + cost);
  }
  return Object.fromEntries([...micros].map(([currency, amount]) => [currency, fromMicros(amount)]));
};

const sumsOf = (rows: readonly SellerDealRow[]) => {
  const standing = rows.filter(({ status }) => !isLost(status));
  return {
    deals: rows.length,
    lost: rows.length - standing.length,
    impressions: rows.reduce((sum, { impressions }) => sum + (impressions ?? 0), 0),
    values: valuesOf(rows),
    standing_values: valuesOf(standing),
  };
};

const keyOf: Readonly<
  Record<Exclude<Input["by"], "none">, (row: SellerDealRow) => readonly [key: string, name: string]>
> = {
  seller: ({ seller_url }) => [seller_url, seller_url],
  product: ({ product_id, product_name }) => [product_id, product_name],
  deal_type: ({ deal_type }) => [deal_type, deal_type],
};

/** Most deals first. */
const groupsOf = (rows: readonly SellerDealRow[], by: Input["by"]) => {
  if (by === "none") return [];
  const groups = new Map<string, { readonly name: string; readonly rows: SellerDealRow[] }>();
  for (const row of rows) {
    const [key, name] = keyOf[by](row);
    const group = groups.get(key) ?? { name, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups]
    .map(([key, group]) => ({ key, name: group.name, ...sumsOf(group.rows) }))
    .toSorted((left, right) => right.deals - left.deals);
};

export const getActivity = defineOperation(contract.getActivity, async (context: Context, input) => {
  const asked = askedSteps(input, context.nowMs);
  if (!("spans" in asked)) return fieldRefusal(asked.field, asked.message);
  const { spans } = asked;
  const seller = input.seller_url == null ? [] : [`seller=${sellerUrlOf(input.seller_url)}`];
  const [fromSlot, toSlot] = [spans.at(0)?.fromSlot ?? 0, spans.at(-1)?.toSlot ?? 0];
  const isWanted = (row: SellerDealRow): boolean =>
    slotOf(row) >= fromSlot &&
    slotOf(row) <= toSlot &&
    (input.product_id == null || row.product_id === input.product_id);
  const months = monthsOf(spans).map((month) =>
    scanNewest(context, sellerDealKind, [bookedTerm(month), ...seller], isWanted),
  );
  const rows = (await Promise.all(months)).flat();
  const dateAt = (slot: number): string => dateOfSlot(slot) ?? "";
  return {
    output: {
      from: dateAt(fromSlot),
      to: dateAt(toSlot),
      points: spans.map((span) => {
        const ofSpan = rows.filter((row) => slotOf(row) >= span.fromSlot && slotOf(row) <= span.toSlot);
        return { at: dateAt(span.fromSlot), ...sumsOf(ofSpan) };
      }),
      totals: sumsOf(rows),
      groups: groupsOf(rows, input.by),
    },
  };
});
