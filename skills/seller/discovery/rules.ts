import type { Flight } from "../../../machines/inventory/flight.ts";
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

/** What people call a type besides its own name. */
const spokenNames: Readonly<Record<string, readonly string[]>> = {
  ctv: ["connected tv", "connected tvs", "streaming", "streaming tv", "ott"],
  linear_tv: ["linear", "broadcast", "broadcast tv", "cable", "cable tv"],
  mobile_app: ["mobile", "mobile app", "mobile apps", "in app", "app", "apps"],
  dooh: ["ooh", "out of home", "digital out of home", "billboard", "billboards"],
  video: ["videos", "preroll", "pre roll", "midroll", "mid roll"],
  display: ["displays", "banner", "banners"],
};

/** Blanks around each word; `linear tv` and `linear_tv` alike. */
const plainWords = (query: string): string => ` ${query.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;

const spokenIn = (words: string, type: string): readonly string[] =>
  (spokenNames[type] ?? []).filter((name) => words.includes(` ${name} `));

export const typesNamed = (query: string, inventoryTypes: readonly string[]): readonly string[] => {
  const words = plainWords(query);
  return inventoryTypes.filter(
    (type) => words.includes(` ${type.replaceAll("_", " ")} `) || spokenIn(words, type).length > 0,
  );
};

const mostUnread = 50;

const months = "january february march april may june july august september october november december".split(" ");

/** As a query may repeat the days that were sent beside it: whole, or by month, day and year. */
const dateWords = ({ flightStart, flightEnd }: Flight): ReadonlySet<string> =>
  new Set(
    [flightStart, flightEnd].flatMap((date) => {
      const [year = "", month = "", day = ""] = date.split("-");
      const name = months[Number(month) - 1] ?? "";
      const number = String(Number(day));
      const ordinals = ["st", "nd", "rd", "th"].map((ending) => `${number}${ending}`);
      return [date, year, name, name.slice(0, 3), day, number, ...ordinals, "between", "until", "till"];
    }),
  );

/** What the answer does not follow, as it was written. `flight`: what was sent beside the query and is followed. */
export const unreadWords = (
  query: string,
  {
    topic,
    inventoryTypes,
    flight,
  }: { readonly topic: Topic; readonly inventoryTypes: readonly string[]; readonly flight: Flight | null },
): readonly string[] => {
  const dates = flight === null ? null : dateWords(flight);
  const pattern = topicWords.find(([name]) => name === topic)?.[1];
  const words = plainWords(query);
  const names = inventoryTypes.flatMap((type) => [type.toLowerCase().replaceAll("_", " "), ...spokenIn(words, type)]);
  const typeWords = new Set(names.flatMap((name) => name.split(" ")));
  const isRead = (word: string): boolean =>
    askingWords.has(word) ||
    dates?.has(word) === true ||
    pattern?.test(word) === true ||
    word.split(/[^a-z0-9]+/).every((part) => part === "" || typeWords.has(part));
  const written = query.split(/[\s,;:!?"()]+/).map((word) => word.replace(/^[.']+|[.']+$/g, ""));
  return [...new Set(written)].filter((word) => word !== "" && !isRead(word.toLowerCase())).slice(0, mostUnread);
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
