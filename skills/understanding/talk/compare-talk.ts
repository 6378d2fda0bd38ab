import type { NamedProduct } from "../reading/names.ts";
import { mostProducts } from "../reading/product-finder.ts";
import type { Limit } from "../reading/figures/limits.ts";
import type { Slots } from "../reading/slots.ts";
import { productIdsOf } from "../terms.ts";
import { type Listed, listAll } from "./inventory-talk.ts";
import { clarify, count, money, type Spoken, type Talk } from "./speech.ts";

interface Priced extends Listed {
  readonly cpm: number;
  readonly output: Slots;
  readonly currency: unknown;
}

/** The caller's own price; null where none is set for it. */
const pricedOf = async (talk: Talk, item: Listed, volume: number): Promise<Priced | null> => {
  const outcome = await talk.context.call("get_pricing", { product_id: item.product_id, volume });
  if (outcome.kind !== "done") return null;
  const output = outcome.output as Slots;
  return { ...item, cpm: Number(output["final_price"]), currency: output["currency"], output };
};

const pricedOfAll = async (talk: Talk, items: readonly Listed[]): Promise<readonly Priced[]> => {
  const all = await Promise.all(items.slice(0, mostProducts).map((item) => pricedOf(talk, item, 0)));
  return all.filter((item) => item !== null);
};

const entriesOf = (items: readonly Priced[]) => items.map(({ output: _output, ...item }) => item);

const linesOf = (items: readonly Priced[]): string =>
  items.map(({ name, cpm, currency }) => `${name} at ${money(cpm, currency)} CPM`).join("; ");

const listWithin = async (talk: Talk, limit: Limit): Promise<Spoken> => {
  const spoken = await listAll(talk);
  if (spoken.outcome !== "answer") return spoken;
  const output = spoken.result as Slots;
  const priced = await pricedOfAll(talk, output["catalog"] as readonly Listed[]);
  const fitting = priced.filter(({ cpm }) => (limit.isMost ? cpm <= limit.value : cpm >= limit.value));
  const text =
    fitting.length === 0 ? "Nothing is on sale at that price." : `On sale at that price: ${linesOf(fitting)}.`;
  return { ...spoken, result: { ...output, catalog: entriesOf(fitting) }, text };
};

const asksForMost = /\b(?:most expensive|highest|dearest|priciest|most premium)\b/i;
const asksForLess = /\bcheaper\b|\bless expensive\b/i;

/** In the order of the caller's own prices; products in other currencies than the first cannot be ranked with it. */
export const rank = async (talk: Talk): Promise<Spoken> => {
  const spoken = await listAll(talk);
  if (spoken.outcome !== "answer") return spoken;
  const output = spoken.result as Slots;
  const priced = await pricedOfAll(talk, output["catalog"] as readonly Listed[]);
  const isMost = asksForMost.test(talk.text);
  const own = asksForLess.test(talk.text)
    ? priced.find((item) => productIdsOf(talk.memory.terms).includes(item.product_id))
    : undefined;
  const ranked = priced
    .filter(({ currency, cpm }) => currency === (own ?? priced[0])?.currency && (own === undefined || cpm < own.cpm))
    .toSorted((one, other) => (isMost ? other.cpm - one.cpm : one.cpm - other.cpm));
  const [nearest] = ranked;
  if (nearest === undefined) return { ...spoken, text: "Nothing on sale is cheaper." };
  const { limit } = talk.heard;
  const isWithin = ({ cpm }: Priced): boolean =>
    limit?.measure !== "cpm" || (limit.isMost ? cpm <= limit.value : cpm >= limit.value);
  const fitting = ranked.filter(isWithin);
  const [first] = fitting;
  if (first === undefined) {
    const text = `Nothing is on sale at that price; the nearest is ${linesOf([nearest])}.`;
    return { ...spoken, result: { ...output, catalog: [] }, text };
  }
  const words = isMost ? "The most expensive is" : "The cheapest is";
  const rest =
    fitting.length > 1
      ? ` ${isMost ? "Then, from the dearest" : "Then, from the cheapest"}: ${linesOf(fitting.slice(1))}.`
      : "";
  const text = `${words} ${linesOf([first])}, for you.${rest}`;
  return { ...spoken, result: { ...output, catalog: entriesOf(fitting) }, text };
};

const comparedIn = (talk: Talk): readonly NamedProduct[] => {
  const named = talk.heard.inventory.flatMap(({ products, isNamed }) =>
    isNamed || products.length === 1 ? products : [],
  );
  const inForce = productIdsOf(talk.memory.terms).map((id) => talk.finder.get(id));
  const all = named.length > 1 ? named : [...named, ...inForce.filter((product) => product !== null)];
  return [...new Set(all)].slice(0, mostProducts);
};

/** One line for each; no product comes into force by being compared. */
export const compare = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { terms } = talk.memory;
  const products = comparedIn(talk);
  if (products.length < 2) return [clarify("discovery", "Which products shall I compare? Name two or more.")];
  const volume = talk.heard.slots["impressions"] ?? terms["impressions"];
  const lines: Spoken[] = [];
  for (const product of products) {
    const priced = await pricedOf(talk, product, typeof volume === "number" ? volume : 0);
    const about = { ...terms, product_id: product.product_id };
    const total =
      priced !== null && typeof volume === "number"
        ? `, ${money((priced.cpm * volume) / 1000, priced.currency)} for ${count(volume)} impressions`
        : "";
    const price = priced === null ? "price on request" : `${money(priced.cpm, priced.currency)} CPM${total}`;
    const text = `${product.name}: ${price}; sold as ${product.deal_types.join(", ")}.`;
    lines.push({ skill: "pricing", outcome: "answer", result: priced?.output ?? null, about, text });
  }
  return lines;
};

export const list = (talk: Talk): Promise<Spoken> | Spoken => {
  const { limit } = talk.heard;
  return limit?.measure === "cpm" ? listWithin(talk, limit) : listAll(talk);
};
