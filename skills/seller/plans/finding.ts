import { slotOfDate } from "../../../machines/inventory/dates.ts";
import type { SellerContext } from "../context.ts";
import { formatIdsOf } from "../creatives/formats.ts";
import type { DealType } from "../products/record.ts";
import { offerById, type Offer, offersOf } from "./offer.ts";
import { type Ranked, rankedBy } from "./ranking.ts";

/** Null or left out: all. */
export interface OfferFilter {
  readonly offer_ids?: readonly string[] | null | undefined;
  readonly deal_types?: readonly DealType[] | null | undefined;
  readonly inventory_types?: readonly string[] | null | undefined;
  readonly formats?: readonly string[] | null | undefined;
  readonly flight_start?: string | null | undefined;
}

const named = ({ ports }: SellerContext, ids: readonly string[], slot: number | null): readonly Offer[] =>
  [...new Set(ids)].map((id) => offerById(ports.catalog, id, slot)).filter((offer) => offer !== null);

const onSale = ({ ports }: SellerContext, types: readonly string[], slot: number | null): readonly Offer[] =>
  ports.catalog
    .page({
      inventoryTypes: types,
      offset: 0,
      limit: Number.MAX_SAFE_INTEGER,
      ...(slot === null ? {} : { flightSlot: slot }),
    })
    .products.filter((item) => item.base_cpm_micros !== null || item.floor_cpm_micros !== null)
    .flatMap(offersOf);

/** What has no price cannot be bought without a person, so it is no offer. */
export const foundOffers = (context: SellerContext, text: string | null, filter: OfferFilter): readonly Ranked[] => {
  const { offer_ids: ids, deal_types: deals, inventory_types: types, formats } = filter;
  const slot = filter.flight_start == null ? null : slotOfDate(filter.flight_start);
  const all = ids == null ? onSale(context, types ?? [], slot) : named(context, ids, slot);
  const kept = all.filter(
    ({ item, dealType }) =>
      (deals == null || deals.includes(dealType)) &&
      (types == null || types.length === 0 || types.includes(item.inventory_type)) &&
      (formats == null || formatIdsOf(item.inventory_type).some((format) => formats.includes(format))),
  );
  return rankedBy(text, kept, context.ports.catalog.inventoryTypes);
};

/** Of all that was found, the one with the highest score. */
export const bestScore = (ranked: readonly Ranked[]): number => ranked[0]?.score ?? 0;
