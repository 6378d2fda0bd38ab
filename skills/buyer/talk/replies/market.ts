import type { z } from "zod";
import { roundHalfEven } from "../../../../machines/money.ts";
import { compareProducts } from "../../product-search/contract.ts";
import type { ListedAmount, MarketAsked } from "../reader/request.ts";
import { targetingWords } from "../brief/questions.ts";
import { answered, called, type Said, type Talk } from "../talk.ts";
import { table } from "./compare.ts";
import { count, usd } from "./job.ts";

const mostShown = 25;

export const nothingAsked: MarketAsked = {
  channels: [],
  unsold: [],
  isRanked: false,
  limits: [],
  amount: null,
  isOfSellers: false,
  isAimed: false,
};

const spoken = (channel: string): string => channel.replaceAll("_", " ");

type ListedProduct = z.output<typeof compareProducts.output>["products"][number];

/** The least that a product can be bought for, as its seller prices it now; null where a figure is not told. */
const leastCost = ({ price, minimum_impressions: least }: ListedProduct): number | null =>
  price === null || least === null ? null : roundHalfEven((least * price) / 1000, 2);

const pricesIn = (products: readonly ListedProduct[]): readonly number[] =>
  products.flatMap(({ price }) => (price === null ? [] : [price]));

const lowestOf = (products: readonly ListedProduct[]): number => Math.min(...pricesIn(products));

const rangeOf = (products: readonly ListedProduct[]): string => {
  const prices = pricesIn(products);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const range = low === high ? usd(low) : `${usd(low)} to ${usd(high)}`;
  return prices.length === 0 ? "on request" : `${range} per thousand impressions (CPM)`;
};

/** A seller shows each buyer the price of its own tier, which is no list price; a quote may still be lower. */
const forUs = "at the prices that sellers show us before a quote";

const smallestBuy = (products: readonly ListedProduct[]): string => {
  const costs = products.flatMap((one) => leastCost(one) ?? []);
  return costs.length === 0 ? "" : ` The smallest buy at that price is ${usd(Math.min(...costs))}.`;
};

/** One line a channel, the cheapest first. */
const byChannel = (products: readonly ListedProduct[]): readonly string[] =>
  [...new Set(products.map(({ inventory_type: type }) => type))]
    .map((type) => products.filter(({ inventory_type: own }) => own === type))
    .toSorted((one, other) => lowestOf(one) - lowestOf(other))
    .map((own) => `${spoken(own[0]?.inventory_type ?? "")} now: ${rangeOf(own)}, ${forUs}.${smallestBuy(own)}`);

/** What the sellers list for some channels, in a line each; nothing where no channel is named. */
export const listedPrices = async (talk: Talk, channels: readonly string[]): Promise<readonly string[]> => {
  const listed = channels.length === 0 ? null : await called(talk, compareProducts, {});
  if (listed === null || "failed" in listed) return [];
  return byChannel(listed.output.products.filter(({ inventory_type: type }) => channels.includes(type ?? "")));
};

/** "What would 2M CTV impressions cost?", "what does 10k get me on display?": of one product, at its present price. */
const estimateWords = (product: ListedProduct, { value, isVolume }: ListedAmount): string => {
  const { name, price, minimum_impressions: least } = product;
  if (price === null || price === 0) return `- ${name}: its price is told on request.`;
  const impressions = isVolume ? value : Math.floor((value / price) * 1000);
  const cost = usd(roundHalfEven((impressions * price) / 1000, 2));
  const words = isVolume
    ? `${count(impressions)} impressions cost ${cost} at ${usd(price)} CPM`
    : `${usd(value)} buy ${count(impressions)} impressions at ${usd(price)} CPM`;
  return `- ${name}: ${words}${least !== null && impressions < least ? `, below its least of ${count(least)}` : ""}.`;
};

const columns: readonly (readonly [string, (product: ListedProduct) => string])[] = [
  ["product", ({ name }) => name],
  ["channel", ({ inventory_type: type }) => spoken(type ?? "")],
  ["CPM", ({ price }) => (price === null ? "on request" : usd(price))],
  ["least impressions", ({ minimum_impressions: least }) => (least === null ? "" : count(least))],
  [
    "least cost",
    (product) => {
      const cost = leastCost(product);
      return cost === null ? "" : usd(cost);
    },
  ],
];

/** Of one seller its name need not stand in each row. */
const rowsWords = (products: readonly ListedProduct[]): readonly string[] => {
  const isOfSeveral = new Set(products.map(({ seller_url: url }) => url)).size > 1;
  const shown = isOfSeveral
    ? [...columns, ["seller", ({ seller_url: url }) => url] as (typeof columns)[number]]
    : columns;
  const rows = products.slice(0, mostShown).map((product) => shown.map(([, cell]) => cell(product)));
  const more = products.length - mostShown;
  return [
    ...table(
      shown.map(([head]) => head),
      rows,
    ),
    ...(isOfSeveral || products[0] === undefined ? [] : [`All of it is sold by ${products[0].seller_url}.`]),
    ...(more > 0 ? [`And ${count(more)} more: ask for one channel to see all of its products.`] : []),
  ];
};

/** "Under 8 or over 40 CPM" is one of both. */
const isWithin = ({ price }: ListedProduct, limits: MarketAsked["limits"]): boolean => {
  const fits = limits.map(({ value, isAbove }) => price !== null && (isAbove ? price > value : price < value));
  const [one, other] = limits.toSorted((first, second) => first.value - second.value);
  const isEither = one?.isAbove === false && other?.isAbove === true;
  return isEither ? fits.includes(true) : !fits.includes(false);
};

/** What the sellers that are set up here have, of some channels or of all, at the prices that they show. */
export const market = async (talk: Talk, asked: MarketAsked): Promise<Said> => {
  const { channels, unsold: others, isRanked, limits, amount, isAimed } = asked;
  const listed = await called(talk, compareProducts, {});
  if ("failed" in listed) return listed.failed;
  const { products, warnings } = listed.output;
  const isAll = channels.length + others.length === 0;
  const sold = products.filter(({ inventory_type: type }) => isAll || channels.includes(type ?? ""));
  const found = sold.filter((product) => isWithin(product, limits));
  const all = [...new Set(products.flatMap(({ inventory_type: type }) => (type === null ? [] : [spoken(type)])))];
  const failed = warnings.length === 0 ? [] : [`${count(warnings.length)} of the sellers did not answer.`];
  const unsold = [...channels.filter((one) => !all.includes(spoken(one))).map(spoken), ...others];
  const more = { isBeside: true, topic: ["market", ...channels].join(" ") };
  const have = all.length === 0 ? "No seller that is set up here lists anything now." : `They sell ${all.join(", ")}.`;
  const none = unsold.length === 0 ? [] : [`No seller that is set up here lists ${unsold.join(" and ")}. ${have}`];
  if (sold.length === 0) return answered([...(isAll ? [have] : none), ...failed], more);
  const next = "What you would pay is known after a brief; asking costs nothing.";
  const within = limits.length === 0 ? "" : " within that price";
  const head = isAll ? [`What the sellers have now${within}: ${rangeOf(found)}, ${forUs}.`] : byChannel(found);
  const rows = [...head, ...rowsWords(found)];
  const words =
    amount !== null
      ? [`An estimate, ${forUs}:`, ...sold.slice(0, mostShown).map((product) => estimateWords(product, amount))]
      : isRanked
        ? byChannel(sold)
        : found.length === 0
          ? [`Nothing is listed within that price: it is ${rangeOf(sold)}.`]
          : rows;
  return answered([...none, ...words, ...failed, ...(isAimed ? [targetingWords] : []), next], {
    ...more,
    result: listed.output,
  });
};
