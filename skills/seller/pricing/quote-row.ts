import type { Price } from "../../../machines/pricing/price.ts";
import { newQuote } from "../../../machines/quote/machine.ts";
import type { SellerContext } from "../context.ts";
import { newQuoteId } from "../ids.ts";
import { digestOf, pricedFromText, type PricingRecord } from "../terms.ts";
import type { QuoteRow } from "./record.ts";
import type { CheckedWish, Stock } from "./rules.ts";

const pricingRecord = (wish: CheckedWish, price: Price, note: string): PricingRecord => ({
  base_micros: price.baseMicros,
  tier_discount_pct: price.tierDiscountPct,
  volume_discount_pct: price.volumeDiscountPct,
  currency: wish.item.currency,
  pricing_model: wish.item.pricing_models[0] ?? "cpm",
  rationale: `${price.rationale}${note}${pricedFromText(wish.item)}`,
  ...(wish.item.priced_from === undefined ? {} : { priced_from: wish.item.priced_from }),
});

/** Available, at the final price. */
export const newQuoteRow = (
  context: SellerContext,
  wish: CheckedWish,
  price: Price,
  stock: Stock,
  note: string,
): QuoteRow => {
  const { settings } = context.ports;
  const { item, impressions } = wish;
  const { flightStart, flightEnd } = wish.flight;
  const product = { product_id: item.product_id, name: item.name, inventory_type: item.inventory_type };
  const pricing = pricingRecord(wish, price, note);
  const agreed = { priceMicros: price.finalMicros, impressions, flightStart, flightEnd };
  return {
    quote_id: context.mint(newQuoteId),
    owner: context.caller.owner,
    product,
    parts: item.parts,
    deal_type: wish.dealType,
    pricing,
    impressions,
    flight_start: flightStart,
    flight_end: flightEnd,
    begun_on: wish.flight.begunOn,
    inventory_available: stock.available,
    available_impressions: stock.left ?? undefined,
    tier: context.tier,
    media_type: wish.mediaType,
    seller_id: settings.sellerId,
    created_at_ms: context.nowMs,
    terms_digest: digestOf({ product, deal_type: wish.dealType, pricing }, agreed),
    revision: 1,
    sandbox: settings.sandbox,
    dialect: context.dialect ?? undefined,
    life: newQuote({
      expiresAtMs: context.nowMs + Math.round(settings.quoteTtlSeconds * 1000),
      priceMicros: price.finalMicros,
      ceilingMicros: price.computedMicros,
    }),
  };
};
