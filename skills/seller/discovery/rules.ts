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

/** Words that only ask: whether they are read or not changes no answer. */
const askingWords = new Set(
  (
    "a about ad ads advertising all am an and any are at be can catalog catalogue could do does for from get " +
    "give got have hello help hi how i i'd i'm in inventory is it its like list looking me much my need of " +
    "offer offers on or our out please product products search see sell show some tell that the their there " +
    "these this to us want we what what's when where which who with would you your"
  ).split(" "),
);

const mostUnread = 50;

/** What the answer does not follow, as it was written. */
export const unreadWords = (query: string, topic: Topic, inventoryTypes: readonly string[]): readonly string[] => {
  const pattern = topicWords.find(([name]) => name === topic)?.[1];
  const typeWords = new Set(inventoryTypes.flatMap((type) => type.toLowerCase().split("_")));
  const isRead = (word: string): boolean =>
    askingWords.has(word) ||
    pattern?.test(word) === true ||
    word.split(/[^a-z0-9]+/).every((part) => part === "" || typeWords.has(part));
  const words = query.split(/[\s,;:!?"()]+/).map((word) => word.replace(/^[.']+|[.']+$/g, ""));
  return [...new Set(words)].filter((word) => word !== "" && !isRead(word.toLowerCase())).slice(0, mostUnread);
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
