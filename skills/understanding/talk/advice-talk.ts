import type { Slots } from "../reading/slots.ts";
import { foreignBudget } from "./currency-talk.ts";
import { type Listed, listAll } from "./inventory-talk.ts";
import { type Priced, pricedOfAll } from "./own-prices.ts";
import { asLines, count, money, type Spoken, type Talk } from "./speech.ts";

/** There is a least volume, and no least sum: the smallest of them is said in money. */
export const minimum = async (talk: Talk): Promise<Spoken> => {
  const spoken = await listAll(talk);
  if (spoken.outcome !== "answer") return spoken;
  const priced = await pricedOfAll(talk, (spoken.result as Slots)["catalog"] as readonly Listed[]);
  const known: { readonly item: Priced; readonly least: number }[] = [];
  for (const item of priced) {
    const read = await talk.context.call("get_product", { product_id: item.product_id });
    const { ext } = read.kind === "done" ? (read.output as { readonly ext?: Slots }) : {};
    const { minimum_impressions: least } = ext ?? {};
    if (typeof least === "number") known.push({ item, least });
  }
  const costOf = ({ item, least }: (typeof known)[number]): number => (item.cpm * least) / 1000;
  const [first, ...others] = known.toSorted((one, other) => costOf(one) - costOf(other));
  if (first === undefined) return { ...spoken, text: "No minimum volume is set for what is on sale." };
  const range = others.every(({ least }) => least === first.least)
    ? `The minimum is ${count(first.least)} impressions`
    : `The minimum is from ${count(first.least)} impressions on, by product`;
  const { item } = first;
  const cost = `${money(costOf(first), item.currency)} of ${item.name}`;
  return { ...spoken, text: `${range}; no minimum spend is set beyond that. The least is ${cost}.` };
};

interface Reason {
  readonly words: string;
  readonly isMet: (item: Priced, kind: string | null) => boolean;
}

/** Only what the catalog and the caller's own prices say. */
const reasons: readonly Reason[] = [
  { words: "the cheapest of all", isMet: () => true },
  {
    words: "the cheapest with guaranteed delivery (PG)",
    isMet: ({ deal_types: types }) => types?.includes("PG") === true,
  },
  { words: "the cheapest video", isMet: (_item, kind) => kind === "video" || kind === "ctv" },
];

const boughtText = (budget: unknown, { cpm, currency }: Priced): string =>
  typeof budget === "number" && cpm > 0
    ? `; ${money(budget, currency)} buys about ${count(Math.floor((budget / cpm) * 1000))} impressions`
    : "";

/** A few with their reasons instead of all that is on sale. */
export const advice = async (talk: Talk): Promise<Spoken> => {
  const spoken = await listAll(talk);
  if (spoken.outcome !== "answer") return spoken;
  const priced = await pricedOfAll(talk, (spoken.result as Slots)["catalog"] as readonly Listed[]);
  const sorted = priced.toSorted((one, other) => one.cpm - other.cpm);
  const chosen = new Map<Priced, readonly string[]>();
  for (const { words, isMet } of reasons) {
    const item = sorted.find((one) => isMet(one, talk.finder.get(one.product_id)?.inventory_type ?? null));
    if (item !== undefined) chosen.set(item, [...(chosen.get(item) ?? []), words]);
  }
  if (chosen.size === 0) return spoken;
  const foreign = foreignBudget(talk, priced[0]?.currency);
  const lines = [...chosen].map(
    ([item, words]) =>
      `${item.name} at ${money(item.cpm, item.currency)} CPM: ${words.join(", and ")}` +
      (foreign === null ? boughtText(talk.memory.terms["budget"], item) : ""),
  );
  const catalog = [...chosen.keys()].map(({ output: _output, ...item }) => item);
  const next = "I have no audience figures. Tell me a volume or a budget and the dates, and I quote any of them.";
  return {
    ...spoken,
    ...(foreign === null ? {} : { learnt: { budget: null } }),
    result: { ...(spoken.result as Slots), catalog },
    text: `${asLines("A few to start with:", lines)}\n${foreign === null ? "" : `${foreign} `}${next}`,
  };
};
