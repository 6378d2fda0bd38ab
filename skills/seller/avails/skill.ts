import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import { fromMicros } from "../../../machines/money.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { type Sold, soldById } from "../packages/sold.ts";
import type { SellerContext } from "../context.ts";
import { calendarOf } from "./calendar.ts";
import * as contract from "./contract.ts";
import { type Avails, availsOf, daysBetween, type PastWords, pastWords, spanOfDates, type Wanted } from "./rules.ts";

const soldByIds = async (
  context: SellerContext,
  ids: readonly string[],
  { fromSlot }: SlotSpan,
): Promise<readonly Sold[] | Refusal> => {
  const items = await Promise.all(ids.map(async (id) => soldById(context, id, fromSlot)));
  const unknown = ids.filter((_, place) => items[place] === null);
  if (unknown.length === 0) return items.filter((item) => item !== null);
  const message = ids.length === 1 ? `Product '${unknown[0]}' not found` : `Products not found: ${unknown.join(", ")}`;
  return refuse("product_not_found", { message });
};

interface Line {
  readonly target: string;
  readonly targetvalues: readonly string[];
}

const amountIn = (lines: readonly Line[], target: string): number | null | Refusal => {
  const text = lines.find((line) => line.target.toLowerCase() === target)?.targetvalues[0];
  if (text === undefined) return null;
  const amount = /^\d{1,13}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const isUsable = amount <= 1_000_000_000_000 && (target === "budget" || Number.isInteger(amount));
  return isUsable ? amount : fieldRefusal("producttargeting", `${target} must be a number that is not negative.`);
};

const wantedOf = (
  given: { readonly requestedImpressions?: number | null | undefined; readonly budget?: number | null | undefined },
  lines: readonly Line[],
): Wanted | Refusal => {
  const impressions = given.requestedImpressions ?? amountIn(lines, "requestedimpressions");
  if (isRefusal(impressions)) return impressions;
  const budget = given.budget ?? amountIn(lines, "budget");
  return isRefusal(budget) ? budget : { impressions, budget };
};

const allAvails = async (
  context: SellerContext,
  items: readonly Sold[],
  span: SlotSpan,
  wanted: Wanted,
): Promise<readonly Avails[] | Refusal> => {
  const found: Avails[] = [];
  for (const item of items) {
    const avails = await availsOf(context, item, span, wanted);
    if (isRefusal(avails)) return avails;
    found.push(avails);
  }
  return found;
};

const leftView = (left: number | null) => ({ available_impressions: left, unlimited: left === null });

const targetingNames = ({ audience_targeting, content_targeting, ad_product_targeting }: Sold): readonly string[] =>
  [
    ...new Set([audience_targeting, content_targeting, ad_product_targeting].flatMap((one) => Object.keys(one ?? {}))),
  ].sort();

/** The answer to whole days: each figure once, and none for a volume that was not asked for. */
const daysView = ({ item, requested, left, cpmMicros, costMicros }: Avails, { impressions, budget }: Wanted) => ({
  product_id: item.product_id,
  ...leftView(left),
  ...(impressions === null && budget === null
    ? {}
    : {
        requested_impressions: requested,
        is_enough: left === null || requested <= left,
        total_cost: fromMicros(costMicros),
      }),
  cpm: fromMicros(cpmMicros),
  currency: item.currency,
  deal_types: [...item.deal_types],
  targeting: [...targetingNames(item)],
});

/** Null members are left out. */
const shortView = ({ item, available, left, cpmMicros, costMicros }: Avails) => {
  const names = targetingNames(item);
  return {
    productid: item.product_id,
    availableImpressions: available,
    ...leftView(left),
    ...(item.deal_types.includes("PG") ? { guaranteedImpressions: available } : {}),
    estimatedCpm: fromMicros(cpmMicros),
    totalCost: fromMicros(costMicros),
    ...(names.length === 0 ? {} : { availableTargeting: [...names] }),
  };
};

const statusOf = ({ requested, available }: Avails, isOver: boolean) => {
  // OpenDirect 2.1 has no reason for days past; of those it lists, this one says that a period is not on sale.
  if (isOver) return { status: "Unavailable", reason: "OutOfCharge" };
  if (available === 0 && requested > 0) return { status: "Unavailable", reason: "Booked" };
  return available < requested ? { status: "Partially Available", reason: "Booked" } : { status: "Available" };
};

const longView = (
  avails: Avails,
  accountId: string,
  dates: { readonly startdate: string; readonly enddate: string },
  past: PastWords,
) => ({
  productid: avails.item.product_id,
  accountid: accountId,
  availability: avails.available,
  ...leftView(avails.left),
  availsstatus: {
    ...statusOf(avails, past.next_step !== undefined),
    producttargeting: [
      {
        name: "Inventory",
        type: "Audience",
        datasource: "iab-agentic-primitives",
        target: "impressions",
        targetvalues: [String(avails.available)],
        selectable: false,
        count: avails.available,
      },
    ],
  },
  currency: avails.item.currency,
  price: fromMicros(avails.cpmMicros),
  ...dates,
  ...past,
});

export const checkAvails = defineOperation(contract.checkAvails, async (context: SellerContext, input) => {
  const ids = input.productids ?? [input.product_id ?? input.productid ?? ""];
  const span = spanOfDates(input, context.nowMs);
  if (isRefusal(span)) return span;
  const items = await soldByIds(context, ids, span);
  if (isRefusal(items)) return items;
  const other = items.find((item) => input.currency != null && input.currency !== item.currency);
  if (other !== undefined) return refuse("currency_mismatch", { extras: { currency: other.currency } });
  const wanted = wantedOf(input, input.productids == null ? [] : (input.producttargeting ?? []));
  if (isRefusal(wanted)) return wanted;
  const found = await allAvails(context, items, span, wanted);
  if (isRefusal(found)) return found;
  const [firstDay, lastDay] = [dateOfSlot(span.fromSlot) ?? "", dateOfSlot(span.toSlot) ?? ""];
  const dates = { startdate: input.startdate ?? firstDay, enddate: input.enddate ?? lastDay };
  const [first] = found;
  if (input.productids == null && first !== undefined) {
    const days = { start_date: firstDay, end_date: lastDay, ...pastWords(span, context.nowMs) };
    const isByDays = input.product_id != null;
    return { output: isByDays ? { ...days, ...daysView(first, wanted) } : { ...days, ...shortView(first) } };
  }
  const past = pastWords(span, context.nowMs);
  return { output: { avails: found.map((avails) => longView(avails, input.accountid ?? "", dates, past)) } };
});

export const getAvailability = defineOperation(contract.getAvailability, async (context: SellerContext, input) => {
  const span = daysBetween({ from: "from", to: "to" }, input, context.nowMs);
  if (isRefusal(span)) return span;
  const items = await soldByIds(context, [...new Set(input.product_id)], span);
  if (isRefusal(items)) return items;
  const products = await Promise.all(items.map((item) => calendarOf(context, item, span, input.step)));
  const dates = { from: span.flightStart, to: span.flightEnd, ...pastWords(span, context.nowMs) };
  return { output: { ...dates, step: input.step, products } };
});
