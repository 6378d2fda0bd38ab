import { mayNegotiate, type TierTerms } from "../../../machines/pricing/tiers.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";

/** Tried in this order. */
export type Topic = "pricing" | "availability" | "targeting" | "catalog";

const topicWords: readonly (readonly [Topic, RegExp])[] = [
  ["pricing", /price|cost|cpm/],
  ["availability", /avail|inventory|impressions/],
  ["targeting", /target|audience/],
];

export const topicOf = (query: string): Topic => {
  const words = query.toLowerCase();
  return topicWords.find(([, pattern]) => pattern.test(words))?.[0] ?? "catalog";
};

/** `linear tv` and `linear_tv` alike. */
export const typesNamed = (query: string, inventoryTypes: readonly string[]): readonly string[] => {
  const words = ` ${query.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;
  return inventoryTypes.filter((type) => words.includes(` ${type.replaceAll("_", " ")} `));
};

const tierNames: Readonly<Record<Tier, readonly [name: string, description: string]>> = {
  public: ["Public", "Price ranges and general availability; send an API key for exact prices."],
  seat: ["Seat", "Exact prices for a DSP seat and limited negotiation."],
  agency: ["Agency", "Agency discounts, volume discounts and standard negotiation."],
  advertiser: ["Advertiser", "Full discounts with volume pricing and premium negotiation."],
};

export const tierConfig = (tier: Tier, terms: TierTerms) => ({
  tier,
  tier_name: tierNames[tier][0],
  description: tierNames[tier][1],
  show_exact_price: terms.exactPrice,
  price_range_variance: terms.exactPrice ? 0 : 0.2,
  tier_discount: terms.discountPct / 100,
  negotiation_enabled: mayNegotiate(terms),
  premium_inventory_access: terms.premiumInventory,
  custom_deals_enabled: terms.customDeals,
  volume_discounts_enabled: terms.volumeDiscounts,
  avails_granularity: terms.availsGranularity,
});
