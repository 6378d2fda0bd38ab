import type { z } from "zod";
import { compareProducts } from "../../product-search/contract.ts";
import { answered, called, type Said, type Talk } from "../talk.ts";
import { table } from "./compare.ts";
import { count, usd } from "./job.ts";

const mostShown = 12;

const spoken = (channel: string): string => channel.replaceAll("_", " ");

interface Asked {
  readonly channels: readonly string[];
  /** What is no channel here: "radio". */
  readonly others: readonly string[];
  /** Which channel is the cheapest, or the dearest. */
  readonly isRanked: boolean;
}

type ListedProduct = z.output<typeof compareProducts.output>["products"][number];

const pricesIn = (products: readonly ListedProduct[]): readonly number[] =>
  products.flatMap(({ price }) => (price === null ? [] : [price]));

const lowestOf = (products: readonly ListedProduct[]): number => Math.min(...pricesIn(products));

const rangeOf = (products: readonly ListedProduct[]): string => {
  const prices = pricesIn(products);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const range = low === high ? usd(low) : `${usd(low)} to ${usd(high)}`;
  return prices.length === 0 ? "on request" : `${range} per thousand impressions (CPM)`;
};

/** One line a channel, the cheapest first. */
const byChannel = (products: readonly ListedProduct[]): readonly string[] =>
  [...new Set(products.map(({ inventory_type: type }) => type))]
    .map((type) => products.filter(({ inventory_type: own }) => own === type))
    .toSorted((one, other) => lowestOf(one) - lowestOf(other))
    .map((own) => `${spoken(own[0]?.inventory_type ?? "")} now: ${rangeOf(own)}, as listed.`);

/** What the sellers list for some channels, in a line each; nothing where no channel is named. */
export const listedPrices = async (talk: Talk, channels: readonly string[]): Promise<readonly string[]> => {
  const listed = channels.length === 0 ? null : await called(talk, compareProducts, {});
  if (listed === null || "failed" in listed) return [];
  return byChannel(listed.output.products.filter(({ inventory_type: type }) => channels.includes(type ?? "")));
};

/** What the sellers that are set up here have, of some channels or of all, at the prices that they list. */
export const market = async (talk: Talk, { channels, others, isRanked }: Asked): Promise<Said> => {
  const listed = await called(talk, compareProducts, {});
  if ("failed" in listed) return listed.failed;
  const { products, warnings } = listed.output;
  const isAll = channels.length + others.length === 0;
  const found = products.filter(({ inventory_type: type }) => isAll || channels.includes(type ?? ""));
  const all = [...new Set(products.flatMap(({ inventory_type: type }) => (type === null ? [] : [spoken(type)])))];
  const failed = warnings.length === 0 ? [] : [`${count(warnings.length)} of the sellers did not answer.`];
  const named = [...channels.map(spoken), ...others].join(" and ");
  const more = { isBeside: true, topic: "market" };
  if (found.length === 0) {
    const have =
      all.length === 0 ? "No seller that is set up here lists anything now." : `They sell ${all.join(", ")}.`;
    return answered([isAll ? have : `No seller that is set up here lists ${named}. ${have}`, ...failed], more);
  }
  const next = "What you would pay is known after a brief; asking costs nothing.";
  if (isRanked) return answered([...byChannel(found), ...failed, next], { ...more, result: listed.output });
  const rows = found
    .slice(0, mostShown)
    .map(({ name, inventory_type: type, price, minimum_impressions: least }) => [
      name,
      spoken(type ?? ""),
      price === null ? "on request" : usd(price),
      least === null ? "" : count(least),
    ]);
  return answered(
    [
      `${isAll ? "What the sellers have now" : `${named} now`}: ${rangeOf(found)}, as listed.`,
      ...table(["product", "channel", "CPM", "least impressions"], rows),
      ...(found.length > mostShown ? [`And ${count(found.length - mostShown)} more.`] : []),
      ...failed,
      next,
    ],
    { ...more, result: listed.output },
  );
};
