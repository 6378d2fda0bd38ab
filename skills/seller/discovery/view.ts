import type { Flight, SlotSpan } from "../../../machines/inventory/flight.ts";
import { fromMicros } from "../../../machines/money.ts";
import { priceRange } from "../../../machines/pricing/range.ts";
import { isOperator, type Tier } from "../../../protocol/seam/caller.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import type { SellerSettings } from "../settings.ts";
import { stockFor } from "../pricing/rules.ts";
import { visiblePrices } from "../products/view.ts";
import { tierConfig } from "./rules.ts";

const isPriced = (item: Product): boolean => item.base_cpm_micros !== null || item.floor_cpm_micros !== null;

export const catalogItem = (context: SellerContext, item: Product) => {
  const prices = visiblePrices(context, item);
  const head = {
    product_id: item.product_id,
    name: item.name,
    description: item.description,
    inventory_type: item.inventory_type,
    deal_types: [...item.deal_types],
  };
  if (!isPriced(item)) return { ...head, pricing: "on request" };
  if (prices.baseMicros === null) return { ...head, price_range: prices.range };
  const price = { price: prices.finalCpm, base_cpm: fromMicros(prices.baseMicros), currency: item.currency };
  return { ...head, ...price };
};

/** `floor` is for operators alone. */
const pricingItem = (context: SellerContext, item: Product) => {
  const prices = visiblePrices(context, item);
  const head = { product_id: item.product_id, name: item.name };
  if (!isPriced(item)) return { ...head, pricing: "on request" };
  if (prices.baseMicros === null) {
    const range = item.base_cpm_micros === null ? null : priceRange(item.base_cpm_micros, item.currency);
    return { ...head, price_range: range };
  }
  const figures = { price: prices.finalCpm, floor: prices.floorCpm, currency: item.currency };
  return { ...head, ...figures, pricing_model: "CPM" };
};

export const pricingBlock = (context: SellerContext, items: readonly Product[]) => {
  const config = tierConfig(context.tier, context.ports.settings.pricing.tiers[context.tier]);
  const discount = context.ports.settings.pricing.tiers[context.tier].discountPct;
  return {
    tier: config.tier,
    tier_name: config.tier_name,
    description: config.description,
    negotiation_enabled: config.negotiation_enabled,
    volume_discounts_enabled: config.volume_discounts_enabled,
    ...(discount > 0 ? { discount_from_msrp: `${discount}%` } : {}),
    products: items.map((item) => pricingItem(context, item)),
  };
};

/** As exact as the caller's tier may see. */
const availabilityItem = async (context: SellerContext, item: Product, span: SlotSpan) => {
  const stock = await stockFor(context, item, span, item.minimum_impressions);
  const head = { product_id: item.product_id, name: item.name, inventory_type: item.inventory_type };
  const granularity = granularityFor(context);
  if (granularity === "high_level") return { ...head, availability: stock.available ? "Available" : "Sold out" };
  if (granularity === "moderate") return { ...head, availability: degreeOf(stock.left, item.maximum_impressions) };
  return {
    ...head,
    availability: degreeOf(stock.left, item.maximum_impressions),
    available_impressions: stock.left,
    unlimited: stock.left === null,
    minimum_impressions: item.minimum_impressions,
  };
};

const degreeOf = (left: number | null, cap: number | null): string => {
  if (left === null || cap === null) return "High";
  if (left === 0) return "Sold out";
  return left * 2 >= cap ? "High" : "Limited";
};

const granularityFor = (context: SellerContext): string =>
  isOperator(context.caller) ? "detailed" : context.ports.settings.pricing.tiers[context.tier].availsGranularity;

export const availabilityBlock = async (context: SellerContext, items: readonly Product[], flight: Flight) => ({
  granularity: granularityFor(context),
  flight_start: flight.flightStart,
  flight_end: flight.flightEnd,
  products: await Promise.all(items.map((item) => availabilityItem(context, item, flight))),
});

const targetingOf = (items: readonly Product[], member: "audience_targeting" | "content_targeting") => {
  const found = new Map<string, Set<string>>();
  for (const item of items) {
    for (const [name, values] of Object.entries(item[member] ?? {})) {
      const known = found.get(name) ?? new Set();
      for (const value of values) known.add(value);
      found.set(name, known);
    }
  }
  return Object.fromEntries([...found].map(([name, values]) => [name, [...values].sort()]));
};

export const targetingBlock = (tier: Tier, items: readonly Product[]) => ({
  audience_targeting: { demographics: true, interests: true, behaviors: true },
  contextual_targeting: { content_categories: true, keywords: true, brand_safety: true },
  geographic_targeting: { country: true, region: true, dma: true, zip: tier !== "public" },
  device_targeting: { device_type: true, os: true, browser: true },
  ...(tier === "public"
    ? {}
    : { advanced_targeting: { first_party_data: true, custom_segments: true, lookalike_modeling: true } }),
  product_attributes: {
    audience: targetingOf(items, "audience_targeting"),
    content: targetingOf(items, "content_targeting"),
  },
});

export const tierBlock = (tier: Tier, settings: SellerSettings) => ({
  access_tier: tier,
  tier_config: tierConfig(tier, settings.pricing.tiers[tier]),
});
