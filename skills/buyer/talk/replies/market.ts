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
}

/** What the sellers that are set up here have, of some channels or of all, at the prices that they list. */
export const market = async (talk: Talk, { channels, others }: Asked): Promise<Said> => {
  const listed = await called(talk, compareProducts, {});
  if ("failed" in listed) return listed.failed;
  const { products, warnings } = listed.output;
  const isAll = channels.length + others.length === 0;
  const found = products.filter(({ inventory_type: type }) => isAll || channels.includes(type ?? ""));
  const all = [...new Set(products.flatMap(({ inventory_type: type }) => (type === null ? [] : [spoken(type)])))];
  const failed = warnings.length === 0 ? [] : [`${count(warnings.length)} of the sellers did not answer.`];
  const named = [...channels.map(spoken), ...others].join(" and ");
  if (found.length === 0) {
    const have =
      all.length === 0 ? "No seller that is set up here lists anything now." : `They sell ${all.join(", ")}.`;
    return answered([isAll ? have : `No seller that is set up here lists ${named}. ${have}`, ...failed], {
      isBeside: true,
      topic: "market",
    });
  }
  const prices = found.flatMap(({ price }) => (price === null ? [] : [price]));
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const range = low === high ? usd(low) : `${usd(low)} to ${usd(high)}`;
  const head = prices.length === 0 ? "on request" : `${range} per thousand impressions (CPM)`;
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
      `${isAll ? "What the sellers have now" : `${named} now`}: ${head}, as listed.`,
      ...table(["product", "channel", "CPM", "least impressions"], rows),
      ...(found.length > mostShown ? [`And ${count(found.length - mostShown)} more.`] : []),
      ...failed,
      "What you would pay is known after a brief; asking costs nothing.",
    ],
    { isBeside: true, topic: "market", result: listed.output },
  );
};
