import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import { fromMicros } from "../../../machines/money.ts";
import { finalMicrosFor } from "../../../machines/pricing/price.ts";
import { cpmRange } from "../../../machines/pricing/range.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { SellerContext } from "../context.ts";
import { priceQuestion } from "../pricing/rules.ts";
import type { Catalog } from "../products/catalog.ts";
import { type DealType, dealTypes, type Product } from "../products/record.ts";

/** A product under one of its deal types. The first has the product's id, the others `id~PD`, `id~PA`. */
export interface Offer {
  readonly offerId: string;
  readonly item: Product;
  readonly dealType: DealType;
}

export const offersOf = (item: Product): readonly Offer[] =>
  item.deal_types.map((dealType, place) => ({
    offerId: place === 0 ? item.product_id : `${item.product_id}~${dealType}`,
    item,
    dealType,
  }));

const ending = new RegExp(`~(${dealTypes.join("|")})$`);

/** With the terms of flights that start on the day; a product that is called so goes before a deal type of another. */
export const offerById = (catalog: Catalog, offerId: string, flightSlot?: number | null): Offer | null => {
  const item = catalog.get(offerId, flightSlot) ?? catalog.get(offerId.replace(ending, ""), flightSlot);
  return item === null ? null : (offersOf(item).find((offer) => offer.offerId === offerId) ?? null);
};

/** Auctions have a least price, the others a fixed one. */
export const isAuction = ({ dealType }: Pick<Offer, "dealType">): boolean => dealType === "PA";

export const showsExactPrices = ({ caller, tier, ports }: SellerContext): boolean =>
  isOperator(caller) || ports.settings.pricing.tiers[tier].exactPrice;

/** Of the caller, before volume discounts: at the shown price an offer is booked. Null: it is not shown, or none. */
export const shownMicros = (context: SellerContext, { item }: Pick<Offer, "item">): number | null =>
  showsExactPrices(context)
    ? finalMicrosFor(priceQuestion(context, item, context.tier), context.ports.settings.pricing)
    : null;

/** The least whole cents that buy the least volume. */
const leastBudget = (priceMicros: number, impressions: number): number =>
  Number((BigInt(priceMicros) * BigInt(impressions) + 9_999_999n) / 10_000_000n) / 100;

/** A price that flights of later days have is another option than today's, so that none is booked unseen. */
const optionIdOf = (catalog: Catalog, { item, dealType }: Offer): string => {
  const id = `cpm-${dealType.toLowerCase()}`;
  const { priced_from: from } = item;
  if (from?.by !== "flight") return id;
  const isToday = catalog.get(item.product_id)?.base_cpm_micros === item.base_cpm_micros;
  return isToday ? id : `${id}@${dateOfSlot(from.slot) ?? ""}`;
};

/** What the caller may know of it. */
export const optionsOf = (context: SellerContext, offer: Offer) => {
  const micros = shownMicros(context, offer);
  const ids = context.ports.fixtures?.optionIds(offer.item.product_id) ?? [optionIdOf(context.ports.catalog, offer)];
  return ids.map((optionId) => ({
    option_id: optionId,
    price_kind: isAuction(offer) ? ("least" as const) : ("fixed" as const),
    price: micros === null ? null : fromMicros(micros),
    minimum_budget: micros === null ? null : leastBudget(micros, offer.item.minimum_impressions),
  }));
};

export const rangeOf = (context: SellerContext, { item }: Offer): string | null =>
  showsExactPrices(context) || item.base_cpm_micros === null ? null : cpmRange(item.base_cpm_micros, item.currency);
