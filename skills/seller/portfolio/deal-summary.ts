import type { z } from "zod";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { dealKind, type DealRow, isAwaitingApproval, settledDeal } from "../deals/record.ts";
import type { SellerContext } from "../context.ts";
import { type dealSummaryOutput, totalCost } from "../words.ts";
import { buyerNames } from "./buyer-names.ts";

type Summary = NonNullable<z.input<typeof dealSummaryOutput.deal_summary>>;

type WithSummary<V> = V & { readonly deal_summary?: Summary };

const summaryOf = (row: DealRow, buyerName: string | null): Summary => {
  const { deal_id, owner, product, pricing, life } = row;
  const { priceMicros, impressions, flightStart, flightEnd } = life.context.terms;
  return {
    deal_id,
    status: life.value,
    awaiting_approval: isAwaitingApproval(row),
    cancelled: life.context.isCancelled ?? false,
    product_name: product.name,
    buyer: owner,
    buyer_name: buyerName,
    flight_start: flightStart,
    flight_end: flightEnd,
    impressions,
    value: totalCost(priceMicros, impressions),
    currency: pricing.currency,
  };
};

const dealOf = async (context: SellerContext, view: Readonly<Record<string, unknown>>): Promise<DealRow | null> => {
  const { deal_id: id } = view;
  const loaded = typeof id === "string" && id !== "" ? await context.load(dealKind, id) : null;
  return loaded === null ? null : settledDeal(loaded.body, context.nowMs);
};

/** Adds what the deal of each view is; for operators, who see every buyer's. */
export const withDealSummaries = async <V extends Readonly<Record<string, unknown>>>(
  context: SellerContext,
  views: readonly V[],
): Promise<WithSummary<V>[]> => {
  if (!isOperator(context.caller)) return [...views];
  const found = await Promise.all(views.map(async (view) => ({ view, row: await dealOf(context, view) })));
  const names = await buyerNames(
    context,
    found.flatMap(({ row }) => (row === null ? [] : [row.owner])),
  );
  return found.map(({ view, row }) =>
    row === null ? view : { ...view, deal_summary: summaryOf(row, names.get(row.owner) ?? null) },
  );
};

export const withDealSummary = async <V extends Readonly<Record<string, unknown>>>(
  context: SellerContext,
  view: V,
): Promise<WithSummary<V>> => (await withDealSummaries(context, [view]))[0] ?? view;
