import {
  flightNames,
  focusOf,
  idsIn,
  numberIn,
  openTopics,
  pick,
  productIdsOf,
  sizeNames,
  type Slots,
  soleOf,
  type Topic,
  costOf,
  inCents,
} from "../memory.ts";
import { bookingOf } from "../drafts.ts";
import { clarify, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { sureIds } from "../said.ts";
import { asLines, costOfVolume, count, money } from "../wording.ts";
import {
  type Item,
  itemsOf,
  limitOf,
  nameOf,
  noTerms,
  ofAll,
  type Priced,
  pricedText,
  pricesOf,
  rowOf,
  typeOf,
  withoutOutput,
} from "./discovery.ts";
import { boughtText, unpricedText } from "./pricing.ts";
import { meansMoney } from "../terms.ts";
import { says } from "../requests.ts";

/** Cheapest first, or dearest, at the caller's own prices; other currencies than the first cannot be ranked with it. */
export const rank = async (talk: Talk): Promise<Spoken> => {
  const isOfAll = /\b(?:every\w*|all|overall|first)\b/i.test(talk.request.text);
  const { output, items } = await itemsOf(isOfAll ? ofAll(talk) : talk);
  const named = [...new Set(idsIn(talk.request.said))];
  const isMost = /\b(?:most expensive|highest|dearest|priciest|most premium)\b/i.test(talk.request.text);
  const [current] = talk.request.said.products.length > 0 ? [] : talk.ids;
  const isLess = /\bcheaper\b|\bless expensive\b|\blower priced\b/i.test(talk.request.text);
  const isMoney = meansMoney(talk.request, talk.memory);
  const volume = isMoney ? 0 : Number(talk.request.said.volumes[0] ?? 0);
  const of = named.length > 1 ? named.flatMap((id) => talk.finder.get(id) ?? []) : items;
  const priced = await pricesOf(talk, of, volume);
  const own = isLess ? priced.find(({ product_id: id }) => id === current) : undefined;
  const limit = limitOf(talk);
  const fits = ({ cpm, currency }: Priced): boolean =>
    currency === priced[0]?.currency && (own === undefined || cpm < own.cpm) && (limit === null || limit.holds(cpm));
  const ranked = priced.filter(fits).toSorted((one, other) => (isMost ? other.cpm - one.cpm : one.cpm - other.cpm));
  const [first, ...others] = ranked;
  const result = { ...output, catalog: withoutOutput(ranked) };
  if (first === undefined)
    return tell("discovery", limit === null ? "Nothing on sale is cheaper." : "Nothing is on sale at that price.", {
      result,
    });
  const rest =
    others.length === 0
      ? ""
      : ` Then ${isMost ? "from the dearest" : "from the cheapest"}: ${pricedText(others, volume)}.`;
  const bought = budgetWords(talk, first.cpm, first.currency);
  const which = isMost ? "most expensive" : "cheapest";
  const text = `The ${which} is ${pricedText([first], volume)}, for you${bought}.${rest}`;
  const learnt = {
    ...pick(talk.terms, [...flightNames, "impressions", "budget"]),
    ...noTerms,
    product_id: first.product_id,
  };
  return tell("discovery", text, { result, rows: ranked.map(rowOf), learnt });
};

const comparedIds = (talk: Talk): readonly string[] => {
  const { said, text } = talk.request;
  const focus = productIdsOf(talk.memory.terms)[0] ?? focusOf(talk.memory)?.product;
  // "How does that compare to CTV and rewarded video?"
  const isOfLast = focus !== undefined && /\bdo(?:es)? (?:that|it|this) compare\b/i.test(text);
  const named = [...new Set([...(isOfLast ? [focus] : []), ...sureIds(said)])];
  const recent = talk.memory.topics.filter(({ isOver }) => !isOver).map(({ product }) => product);
  const told = productIdsOf(talk.memory.terms);
  const last = talk.memory.topics.slice(-1).map(({ product }) => product);
  const all = [...new Set(named.length === 1 ? [...named, ...told, ...last].slice(0, 2) : named)];
  if (all.length > 1) return all;
  // "Which one gives more for 20k?", of what was compared a moment ago.
  return recent.length < 2 && told.length > 1 ? told : [...new Set(recent)].slice(-2);
};

const budgetWords = (talk: Talk, cpm: number, currency: string): string => {
  const bought = boughtText(talk, cpm, currency);
  return bought === null ? "" : `; ${money(talk.terms["budget"], currency)} buys about ${bought} impressions`;
};

/** What a difference in price comes to at a volume. */
const apart = (cpm: number, currency: string, volume: number): string =>
  [`${money(cpm, currency)} CPM`, costOfVolume(cpm, currency, volume)].filter((words) => words !== "").join(", ");

/** "What is the difference to the first one?", of a sale that stands for another of its product. */
export const compareFormer = (talk: Talk): Spoken | null => {
  const focus = focusOf(talk.memory);
  const former = focus?.former;
  const isAsked = /\b(?:difference|differ|more|less|first|before|former|old|original|previous)\b/i.test(
    talk.request.text,
  );
  const now = costOf(focus?.cpm ?? null, focus?.terms["impressions"]);
  const before = costOf(former?.cpm ?? null, former?.impressions);
  if (now === null || before === null || !isAsked) return null;
  return tell(
    "pricing",
    `That is ${money(Math.abs(now - before))} ${now < before ? "less" : "more"} than before: ` +
      `${count(focus?.terms["impressions"])} impressions cost ${money(now)}, ` +
      `and ${count(former?.impressions)} cost ${money(before)}.`,
  );
};

/** "Which of the two splits gives more impressions?": the plan that is open, and the one that it stands for. */
export const comparePlans = (talk: Talk): Spoken | null => {
  const lines = openTopics(talk.memory).flatMap(({ cpm, terms: { impressions }, former }) =>
    cpm === null || typeof impressions !== "number" || former === undefined ? [] : [{ cpm, impressions, former }],
  );
  if (lines.length < 2 || lines.length < openTopics(talk.memory).length) return null;
  if (!says(talk.request, "splits plans versions variants")) return null;
  const of = (all: readonly { readonly cpm: number; readonly impressions: number }[]) => ({
    impressions: all.reduce((sum, one) => sum + one.impressions, 0),
    total: all.reduce((sum, one) => sum + inCents(costOf(one.cpm, one.impressions) ?? 0), 0),
  });
  const [now, before] = [of(lines), of(lines.map(({ former }) => former))];
  const words = ({ impressions, total }: typeof now): string => `${count(impressions)} impressions for ${money(total)}`;
  const which = now.impressions > before.impressions ? "The plan now" : "The plan before";
  const lead = now.impressions === before.impressions ? "Both give the same" : `${which} gives more impressions`;
  return tell("pricing", `${lead}: now it is ${words(now)}, before it was ${words(before)}.`);
};

export const compare = async (talk: Talk): Promise<Spoken> => {
  const ids = comparedIds(talk);
  if (ids.length < 2) {
    const kinds = talk.request.said.products.some(({ ids: own }) => own.length > 1);
    return kinds
      ? rank(talk)
      : clarify("pricing", "Which products shall I compare? Name two.", { reason: "missing_product" });
  }
  const volume = numberIn(talk.terms["impressions"]) ?? 0;
  const items = ids.flatMap((id) => talk.finder.get(id) ?? []);
  const priced = await pricesOf(talk, items, volume);
  const lines = priced.map(({ name, product_id: id, cpm, currency, deal_types: types = [] }) => {
    const total = volume > 0 ? `, ${costOfVolume(cpm, currency, volume)}` : "";
    const bought = volume > 0 ? "" : budgetWords(talk, cpm, currency);
    return `- ${name} (${typeOf(talk, id)}): ${money(cpm, currency)} CPM${total}${bought}; sold as ${types.join(", ")}`;
  });
  const sorted = priced.toSorted((one, other) => one.cpm - other.cpm);
  const [low, high] = [sorted[0], sorted.at(-1)];
  const isOne = low !== undefined && high !== undefined && low.currency === high.currency && low.cpm < high.cpm;
  const lead = isOne
    ? `${low.name} is cheaper, by ${apart(high.cpm - low.cpm, low.currency, volume)}.`
    : "They cost the same.";
  return tell("pricing", [lead, ...lines].join("\n"), {
    result: { products: withoutOutput(priced) },
    rows: priced.map(rowOf),
    about: { ...pick(talk.terms, sizeNames), product_id: ids },
  });
};

const reasons: readonly { readonly words: string; readonly fits: (item: Priced, kind: string) => boolean }[] = [
  { words: "the cheapest of these", fits: () => true },
  {
    words: "the cheapest of these with guaranteed delivery (PG)",
    fits: ({ deal_types: types }) => types?.includes("PG") === true,
  },
  { words: "the cheapest of the kinds video and CTV", fits: (_item, kind) => kind === "video" || kind === "ctv" },
];

const chosenOf = async (talk: Talk, items: readonly Item[]): Promise<ReadonlyMap<Priced, readonly string[]>> => {
  const sorted = (await pricesOf(talk, items)).toSorted((one, other) => one.cpm - other.cpm);
  const chosen = new Map<Priced, readonly string[]>();
  for (const { words, fits } of reasons) {
    const item = sorted.find((one) => fits(one, typeOf(talk, one.product_id)));
    if (item !== undefined) chosen.set(item, [...(chosen.get(item) ?? []), words]);
  }
  return chosen;
};

/** Products to start with, of all that are on sale: the catalog and the caller's own prices choose them. */
export const recommended = async (talk: Talk): Promise<readonly string[]> => {
  const all = { ...talk, ids: [] };
  return [...(await chosenOf(all, (await itemsOf(all)).items)).keys()].map(({ product_id: id }) => id);
};

/** "Which of them would you take?", of what is open: what differs, and that nothing else is known. */
const adviceOnOpen = (talk: Talk, open: readonly Topic[]): Spoken => {
  const lines = open.map(({ product, terms, cpm }) => {
    const { deal_types: types = [] } = talk.finder.get(product) ?? {};
    const volume = numberIn(terms["impressions"]) ?? 0;
    const total = cpm === null || volume === 0 ? "" : `, ${costOfVolume(cpm, "USD", volume)}`;
    const cost = cpm === null ? "no price yet" : `${money(cpm)} CPM${total}`;
    return `${nameOf(talk, product)}: ${cost}; ${types.includes("PG") ? "guaranteed delivery (PG)" : "no guarantee"}`;
  });
  const lead = "There are no audience figures here, so I can tell price and guarantee alone:";
  const ids = open.flatMap(({ terms }) => (terms["negotiation_id"] == null ? (terms["quote_id"] ?? []) : []));
  return tell("pricing", asLines(lead, lines), { drafts: ids.map(bookingOf) });
};

/** A few with their reasons, which the catalog and the caller's own prices tell. */
export const advice = async (talk: Talk): Promise<Spoken> => {
  const { products } = talk.request.said;
  const open = openTopics(talk.memory);
  if (products.length === 0 && open.length > 1) return adviceOnOpen(talk, open);
  const { output, items } = await itemsOf(products.length === 0 ? ofAll(talk) : talk);
  const chosen = await chosenOf(talk, items);
  const lines = [...chosen].map(([item, words]) => {
    const bought = budgetWords(talk, item.cpm, item.currency);
    return `- ${item.name} at ${money(item.cpm, item.currency)} CPM: ${words.join(", and ")}${bought}`;
  });
  const next = "There are no audience figures here. Tell me a volume or a budget and the dates, and I quote them.";
  return tell("discovery", ["A few to start with:", ...lines, next].join("\n"), {
    result: { ...output, catalog: withoutOutput([...chosen.keys()]) },
    rows: [...chosen.keys()].map(rowOf),
    learnt: pick(talk.terms, ["budget", ...flightNames]),
  });
};

interface Least {
  readonly item: Priced;
  readonly least: number;
  readonly cost: number;
}

/** "What is the minimum spend on each?": a line a product, and which of them a budget does not reach. */
const leastOfEach = (talk: Talk, known: readonly Least[], unpriced: readonly Item[]): string => {
  const isSame = known.every(({ least }) => least === known[0]?.least);
  const lines = known.map((one) => {
    const from = isSame ? "" : ` (${count(one.least)} impressions)`;
    return `${one.item.name}: ${money(one.cost, one.item.currency)}${from}`;
  });
  const lead = isSame
    ? `The minimum is ${count(known[0]?.least)} impressions of each; no minimum spend is set beyond that.`
    : "The minimum is one of impressions, by product; no minimum spend is set beyond that.";
  const { budget } = talk.terms;
  const over = typeof budget === "number" ? known.filter(({ cost }) => cost > budget) : [];
  const [first] = known;
  const names = over.map(({ item }) => item.name).join(", ");
  const reach =
    typeof budget !== "number" || first === undefined
      ? ""
      : over.length === 0
        ? `\nEach of them is within ${money(budget, first.item.currency)}.`
        : `\nMore than ${money(budget, first.item.currency)}: ${names}.`;
  const none = unpriced.map(({ name }) => `${name}: has no price here`);
  return `${asLines(`${lead} So the least is:`, [...lines, ...none])}${reach}`;
};

/** There is a least volume, and no least sum: the smallest of them is said in money. */
export const minimum = async (talk: Talk): Promise<Spoken> => {
  const { said, text } = talk.request;
  const isEach = says(talk.request, "each every all apiece reach range") || text.includes("per product");
  const isOfEach = said.products.length > 1 || isEach;
  const { output, items } = await itemsOf(isEach && said.products.length === 0 ? ofAll(talk) : talk);
  const own =
    talk.ids.length > 0 && !(isEach && said.products.length === 0)
      ? items.filter(({ product_id: id }) => talk.ids.includes(id))
      : items;
  const wanted = own.length > 0 ? own : items;
  const priced = await pricesOf(talk, wanted);
  const known: Least[] = [];
  for (const item of priced) {
    const product = await read(talk, "get_product", { product_id: item.product_id });
    const least = (product?.["ext"] as Slots | undefined)?.["minimum_impressions"];
    if (typeof least === "number") known.push({ item, least, cost: inCents(costOf(item.cpm, least) ?? 0) });
  }
  const [first, ...others] = known.toSorted((one, other) => one.cost - other.cost);
  const only = soleOf(own);
  if (first === undefined && only !== null && priced.length === 0)
    return tell("discovery", unpricedText(talk, only.product_id), { result: output });
  if (first === undefined)
    return tell("discovery", "No minimum volume is set for what is on sale.", { result: output });
  if (isOfEach && known.length > 1) {
    const unpriced = wanted.filter(({ product_id: id }) => !priced.some((one) => one.product_id === id));
    return tell("discovery", leastOfEach(talk, known, unpriced), { result: output });
  }
  const range = others.every(({ least }) => least === first.least)
    ? `The minimum is ${count(first.least)} impressions`
    : `The minimum is from ${count(first.least)} impressions on, by product`;
  const cost = `${money(first.cost, first.item.currency)} of ${first.item.name}`;
  return tell("discovery", `${range}; no minimum spend is set beyond that. The least is ${cost}.`, { result: output });
};
