import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import { shownAcceptFrom } from "../../../machines/pricing/accept-from.ts";
import { finalMicrosFor } from "../../../machines/pricing/price.ts";
import { cpmRange } from "../../../machines/pricing/range.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { carriedAudiences } from "../audience/rules.ts";
import type { DealType, Product } from "./record.ts";
import type { SellerContext } from "../context.ts";
import { priceQuestion } from "../pricing/rules.ts";
import type { product } from "./contract.ts";

/** Names that flat product lists use. */
const longDealTypes: Readonly<Record<DealType, string>> = {
  PG: "programmaticguaranteed",
  PD: "preferreddeal",
  PA: "privateauction",
};

interface VisiblePrices {
  readonly baseMicros: number | null;
  readonly finalCpm: number | null;
  readonly floorCpm: number | null;
  readonly range: string | null;
}

const toUnits = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros));

/** Operators see every figure, tiers with exact prices the base price and their own, all others a range. */
export const visiblePrices = (context: SellerContext, item: Product): VisiblePrices => {
  const policy = context.ports.settings.pricing;
  const baseMicros = item.base_cpm_micros;
  if (isOperator(context.caller)) {
    const range = baseMicros === null ? null : cpmRange(baseMicros, item.currency);
    return { baseMicros, finalCpm: toUnits(baseMicros), floorCpm: toUnits(item.floor_cpm_micros), range };
  }
  if (baseMicros === null) return { baseMicros: null, finalCpm: null, floorCpm: null, range: null };
  if (!policy.tiers[context.tier].exactPrice) {
    return { baseMicros: null, finalCpm: null, floorCpm: null, range: cpmRange(baseMicros, item.currency) };
  }
  const finalMicros = finalMicrosFor(priceQuestion(context, item, context.tier), policy);
  return { baseMicros, finalCpm: toUnits(finalMicros), floorCpm: null, range: null };
};

const shownProduct = (
  context: SellerContext,
  item: Product,
  audiences: ReturnType<typeof carriedAudiences>,
): z.input<typeof product> => {
  const prices = visiblePrices(context, item);
  return {
    product_id: item.product_id,
    name: item.name,
    description: item.description,
    inventory_type: item.inventory_type,
    base_cpm: toUnits(prices.baseMicros),
    final_cpm: prices.finalCpm,
    floor_cpm: prices.floorCpm,
    ...(isOperator(context.caller) ? { accept_from: shownAcceptFrom(item.accept_from) } : {}),
    price_range: prices.range,
    currency: item.currency,
    deal_types: item.deal_types.map((type) => longDealTypes[type]),
    seller_organization_id: context.ports.settings.sellerId,
    base_price: prices.baseMicros === null ? null : { amount_micros: prices.baseMicros, currency: item.currency },
    pricing_type: prices.baseMicros === null && prices.finalCpm === null ? "on_request" : "fixed",
    pricing_model: item.pricing_models[0] ?? "cpm",
    delivery_type: item.deal_types.includes("PG") ? "Guaranteed" : "PMP",
    domain: null,
    ad_formats: [item.inventory_type],
    audience_targeting: copyOf(item.audience_targeting),
    ad_product_targeting: copyOf(item.ad_product_targeting),
    content_targeting: copyOf(item.content_targeting),
    available_impressions: item.maximum_impressions,
    commercial_terms: null,
    ext: {
      inventory_type: item.inventory_type,
      floor_cpm: prices.floorCpm,
      minimum_impressions: item.minimum_impressions,
      deal_types: [...item.deal_types],
      audience_capabilities: audiences,
    },
  };
};

export const productViews = (context: SellerContext, items: readonly Product[]): z.input<typeof product>[] => {
  const audiences = carriedAudiences(context.ports.settings.audience);
  return items.map((item) => shownProduct(context, item, audiences));
};

export const productView = (context: SellerContext, item: Product): z.input<typeof product> =>
  shownProduct(context, item, carriedAudiences(context.ports.settings.audience));

const copyOf = (targeting: Product["audience_targeting"]): Record<string, string[]> | null =>
  targeting === null
    ? null
    : Object.fromEntries(Object.entries(targeting).map(([name, values]) => [name, [...values]]));
