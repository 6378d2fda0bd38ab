import type { NamedProduct } from "../reading/names.ts";
import { mostProducts } from "../reading/product-finder.ts";
import type { Limit } from "../reading/figures/limits.ts";
import type { Slots } from "../reading/slots.ts";
import { productIdsOf } from "../terms.ts";
import { type Listed, listAll } from "./inventory-talk.ts";
import { advice } from "./advice-talk.ts";
import { type Priced, pricedOf, pricedOfAll } from "./own-prices.ts";
import { openOf, referenceOf } from "./open-talk.ts";
import { type FullTerms, shortTerms, totalOf } from "./shown-terms.ts";
import { asLines, clarify, count, money, type Spoken, type Talk } from "./speech.ts";
import { asksForAdvice, asksWhichOpen } from "../asides.ts";
import { recordIds, type Topic } from "../memory.ts";
import { openTopics, topicsIn } from "../topics.ts";

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

/** "Those two" are the last that were talked about. */
const lastTwo = ({ finder, memory }: Talk): readonly NamedProduct[] => {
  const ids = new Set((memory.topics ?? []).filter(({ isReplaced }) => !isReplaced).map(({ product }) => product));
  return [...ids].slice(-2).flatMap((id) => finder.get(id) ?? []);
};

const comparedIn = (talk: Talk): readonly NamedProduct[] => {
  const named = talk.heard.inventory.flatMap(({ products, isNamed }) =>
    isNamed || products.length === 1 ? products : [],
  );
  const inForce = productIdsOf(talk.memory.terms).map((id) => talk.finder.get(id));
  const all = named.length > 1 ? named : [...named, ...inForce.filter((product) => product !== null)];
  const products = [...new Set(all)].slice(0, mostProducts);
  return products.length > 1 ? products : lastTwo(talk);
};

const asksForImpressions = /\b(?:impressions|volume|imps)\b/i;
const asksForLeast = /\b(?:cheap\w*|least|fewe\w+|lower|lowest|small\w*|less)\b/i;

interface Measured {
  readonly topic: Topic;
  readonly terms: FullTerms;
  readonly size: number;
}

/** What was asked for first, then the others; null unless several are open and can be read. */
const compareOpen = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const isVolume = asksForImpressions.test(talk.text);
  const open = openTopics(talk.memory);
  const measured: Measured[] = [];
  for (const topic of open.length > 1 ? open : topicsIn(talk.memory)) {
    const reference = referenceOf(topic);
    const read = reference === null ? null : await openOf(talk, reference);
    if (read === null) return null;
    const size = isVolume ? Number(read.terms.impressions) : (totalOf(read.terms) ?? Number(read.terms.cpm));
    measured.push({ topic, terms: read.terms, size });
  }
  const isLeast = asksForLeast.test(talk.text);
  const sorted = measured.toSorted((one, other) => (isLeast ? one.size - other.size : other.size - one.size));
  const [first, ...others] = sorted;
  if (first === undefined || others.length === 0) return null;
  const words = isVolume
    ? isLeast
      ? "the fewest impressions"
      : "the most impressions"
    : isLeast
      ? "cheaper"
      : "dearer";
  const verb = isVolume ? "has" : "is";
  const { product, terms: own, isNegotiating } = first.topic;
  const none = Object.fromEntries(recordIds.map((name) => [name, null]));
  return [
    {
      skill: "pricing",
      outcome: "answer",
      result: null,
      learnt: { ...none, ...own, product_id: product },
      isNegotiating,
      text: asLines(
        `${first.terms.product} ${verb} ${words}: ${shortTerms(first.terms)}.`,
        others.map(({ terms }) => `${shortTerms(terms)}.`),
      ),
    },
  ];
};

/** "What would I get for the 3,000 with each?" */
const boughtFor = ({ heard, memory }: Talk, { cpm, currency }: Priced): string => {
  const budget = heard.slots["budget"] ?? memory.terms["budget"] ?? memory.campaignBudget;
  const isForeign = heard.currency !== null && heard.currency !== currency;
  if (typeof budget !== "number" || isForeign || cpm <= 0) return "";
  return `, ${money(budget, currency)} buys about ${count(Math.floor((budget / cpm) * 1000))} impressions`;
};

/** One line for each; no product comes into force by being compared. */
export const compare = async (talk: Talk): Promise<readonly Spoken[]> => {
  const open = asksWhichOpen(talk.text, talk.heard, talk.memory) ? await compareOpen(talk) : null;
  if (open !== null) return open;
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
    const bought = priced === null || typeof volume === "number" ? "" : boughtFor(talk, priced);
    const price = priced === null ? "price on request" : `${money(priced.cpm, priced.currency)} CPM${total}${bought}`;
    const text = `${product.name}: ${price}; sold as ${product.deal_types.join(", ")}.`;
    lines.push({ skill: "pricing", outcome: "answer", result: priced?.output ?? null, about, text });
  }
  return lines;
};

export const list = (talk: Talk): Promise<Spoken> | Spoken => {
  const { limit } = talk.heard;
  if (asksForAdvice(talk.text, talk.heard)) return advice(talk);
  return limit?.measure === "cpm" ? listWithin(talk, limit) : listAll(talk);
};
