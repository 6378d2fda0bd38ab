import { pick, productIdsOf, type Row, type Slots } from "../memory.ts";
import { says } from "../requests.ts";
import { ask, clarify, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { count, listed, money } from "../wording.ts";
import { rowsMeant } from "../terms.ts";

export interface Item {
  readonly product_id: string;
  readonly name: string;
  readonly deal_types?: readonly string[];
}

export interface Priced extends Item {
  readonly cpm: number;
  readonly currency: string;
  readonly output: Slots;
}

export const nameOf = ({ finder }: Pick<Talk, "finder">, id: string): string => finder.get(id)?.name ?? id;

const typeOf = ({ finder }: Talk, id: string): string =>
  (finder.get(id)?.inventory_type ?? "more").replaceAll("_", " ");

const mostPriced = 50;

/** The caller's own price; null where none is set for it. */
export const priceOf = async (talk: Talk, item: Item, volume = 0): Promise<Priced | null> => {
  const output = await read(talk, "get_pricing", { product_id: item.product_id, volume });
  return output === null
    ? null
    : { ...item, cpm: Number(output["final_price"]), currency: String(output["currency"]), output };
};

export const pricesOf = async (talk: Talk, items: readonly Item[], volume = 0): Promise<readonly Priced[]> => {
  const all = await Promise.all(items.slice(0, mostPriced).map((item) => priceOf(talk, item, volume)));
  return all.filter((item) => item !== null);
};

export const rowOf = ({ product_id: product, cpm }: Priced): Row => ({ product, record: null, cpm, total: null });

const catalogOf = (talk: Talk): Promise<Slots | null> => {
  const kinds = new Set(talk.request.said.products.flatMap(({ inventoryType }) => inventoryType ?? []));
  const type = kinds.size > 1 ? undefined : talk.terms["inventory_type"];
  const query = typeof type === "string" ? `catalog ${type.replaceAll("_", " ")}` : "catalog";
  return read(talk, "discover_inventory", { query, limit: 500 });
};

/** On sale, as far as the message narrows it: kinds, products, deal types, and what it leaves out. */
export const itemsOf = async (talk: Talk): Promise<{ readonly output: Slots; readonly items: readonly Item[] }> => {
  const { said } = talk.request;
  const output = (await catalogOf(talk)) ?? {};
  const all = (output["catalog"] ?? []) as readonly Item[];
  const meant = rowsMeant(talk.request, talk.memory)?.flatMap(({ product }) => product ?? []) ?? [];
  const named = said.products.flatMap(({ ids }) => ids);
  const earlier = says(talk.request, "them those these")
    ? talk.memory.rows.flatMap(({ product }) => product ?? [])
    : [];
  const wanted = named.length > 0 ? named : meant.length > 0 ? meant : earlier;
  const types = said.dealTypes.filter((type) => type !== "");
  const items = all.filter(
    ({ product_id: id, deal_types: own = [] }) =>
      (wanted.length === 0 || wanted.includes(id)) &&
      !said.excluded.includes(id) &&
      (types.length === 0 || types.some((type) => own.includes(type))),
  );
  return { output, items };
};

const mostInline = 4;

const itemText = ({ name, deal_types: types }: Item): string =>
  types === undefined ? name : `${name} (${types.join(", ")})`;

const listText = (talk: Talk, items: readonly Item[]): string => {
  if (items.length <= mostInline) return ` ${items.map(itemText).join("; ")}.`;
  const kinds = new Map<string, readonly string[]>();
  for (const item of items) {
    const kind = typeOf(talk, item.product_id);
    kinds.set(kind, [...(kinds.get(kind) ?? []), itemText(item)]);
  }
  return [...kinds].map(([kind, names]) => `\n- ${kind}: ${names.join("; ")}`).join("");
};

const notSold = (talk: Talk): Spoken => ({
  skill: "discovery",
  outcome: "refuse",
  result: null,
  reason: "not_sold",
  text: `We do not sell ${talk.request.said.unsold ?? "that"}. Ask what is on sale.`,
});

/** "Under $20": the limit of a list is a filter and becomes no price of a later quote. */
const limitOf = ({ request: { said, text } }: Talk): { readonly cpm: number; readonly isMost: boolean } | null => {
  const cpm = said.price ?? (said.numbers.length === 1 ? (said.numbers[0] ?? null) : null);
  if (cpm === null) return null;
  if (/\b(?:over|above|more than|at least|from|no less|not less)\b/i.test(text)) return { cpm, isMost: false };
  return said.price !== null || /\b(?:under|below|less|most|max|up to|cheaper)\b/i.test(text)
    ? { cpm, isMost: true }
    : null;
};

const pricedText = (items: readonly Priced[]): string =>
  items.map(({ name, cpm, currency }) => `${name} at ${money(cpm, currency)} CPM`).join("; ");

const withoutOutput = (items: readonly Priced[]) => items.map(({ output: _output, ...item }) => item);

const noTerms = { target_cpm: null } as const;

export const list = async (talk: Talk): Promise<Spoken> => {
  if (talk.request.said.unsold !== null && talk.request.said.products.length === 0) return notSold(talk);
  const { output, items } = await itemsOf(talk);
  const limit = limitOf(talk);
  const kind = talk.request.said.products.find(({ inventoryType }) => inventoryType !== null)?.inventoryType;
  const about = {
    ...(kind == null ? {} : { inventory_type: kind }),
    ...pick(talk.terms, ["inventory_type", "flight_start", "flight_end", "impressions", "budget", "audience", "geo"]),
    ...(items.length === 1 ? { product_id: items[0]?.product_id } : {}),
  };
  if (limit !== null) {
    const priced = (await pricesOf(talk, items)).filter(({ cpm }) =>
      limit.isMost ? cpm <= limit.cpm : cpm >= limit.cpm,
    );
    const words =
      priced.length === 0 ? "Nothing is on sale at that price." : `On sale at that price: ${pricedText(priced)}.`;
    return tell("discovery", words, {
      result: { ...output, catalog: withoutOutput(priced) },
      rows: priced.map(rowOf),
      about: { ...about, target_cpm: limit.cpm },
      learnt: noTerms,
    });
  }
  const text = items.length === 0 ? "Nothing of that is on sale." : `On sale:${listText(talk, items)}`;
  const rows = items.map(({ product_id: product }): Row => ({ product, record: null, cpm: null, total: null }));
  return tell("discovery", text, { result: { ...output, catalog: items }, rows, about });
};

const describeOne = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "discovery", { name: "get_product", input: { product_id: id } }, (output) => {
    const types = talk.finder.get(id)?.deal_types ?? [];
    const about = typeof output["description"] === "string" ? ` ${output["description"]}` : "";
    const least = (output["ext"] as Slots | undefined)?.["minimum_impressions"];
    const from = typeof least === "number" ? `, from ${count(least)} impressions` : "";
    const asked = talk.request.said.dealTypes.find((type) => type !== "");
    const lead =
      asked === undefined
        ? ""
        : types.includes(asked)
          ? `Yes, it is sold as ${asked}. `
          : `No, it is not sold as ${asked}. `;
    return {
      outcome: "answer",
      result: output,
      about: { ...talk.terms, product_id: id },
      text: `${lead}${String(output["name"])}:${about} Sold as ${types.join(", ")}${from}.`,
    };
  });

const mostDescribed = 8;

export const describe = async (talk: Talk): Promise<readonly Spoken[]> =>
  talk.ids.length === 0 || talk.ids.length > mostDescribed
    ? [await list(talk)]
    : Promise.all(talk.ids.map((id) => describeOne(talk, id)));

const noSizes = "Sizes, lengths, file types and delivery deadlines are not on record here; a person can tell you.";

export const formats = async (talk: Talk): Promise<readonly Spoken[]> => {
  const told = (await describe(talk)).slice(0, 1);
  const names = talk.ids.length > mostDescribed ? "" : listed(talk.ids.map((id) => nameOf(talk, id)));
  return told.map((one) => ({ ...one, text: `${names === "" ? one.text : `${names}:`} ${noSizes}` }));
};

const targetingText = (output: Slots): string => {
  const { targeting = {} } = output as { readonly targeting?: Slots };
  const kinds = Object.keys(targeting).filter(
    (name) => Array.isArray(targeting[name]) || typeof targeting[name] === "object",
  );
  const named =
    kinds.length === 0
      ? "audience, context, geography and device"
      : listed(kinds.map((name) => name.replaceAll("_", " ")));
  return (
    `You can target by ${named}; the data part lists what each product carries. ` +
    "A quote or deal here holds no targeting: it is set in your DSP."
  );
};

export const targeting = async (talk: Talk): Promise<Spoken> => {
  const named = [...talk.request.said.audience, ...talk.request.said.geo];
  if (named.length > 0 && !talk.request.isQuestion)
    return tell(
      "discovery",
      "No quote and no deal here holds an audience or a place: " +
        `set ${named.map((one) => `"${one}"`).join(" and ")} in your DSP.`,
      { about: talk.terms },
    );
  return whatTargets(talk);
};

const whatTargets = (talk: Talk): Promise<Spoken> =>
  ask(talk, "discovery", { name: "discover_inventory", input: { query: "targeting" } }, (output) => ({
    outcome: "answer",
    result: output,
    text: targetingText(output),
  }));

const namesIn = (output: Slots, member: string): readonly string[] =>
  ((output[member] ?? []) as readonly { readonly name?: string }[]).map(({ name }) => name ?? "");

const listedBy =
  (name: string, member: string, title: string) =>
  (talk: Talk): Promise<Spoken> =>
    ask(talk, "discovery", { name, input: {} }, (output) => {
      const names = namesIn(output, member);
      return {
        outcome: "answer",
        result: output,
        text: names.length === 0 ? `${title}: nothing yet.` : `${title}: ${listed(names, 12)}.`,
      };
    });

export const packages = listedBy("list_packages", "packages", "Our packages");
export const mediaKit = listedBy("get_media_kit", "all_packages", "Our media kit");

const today = ({ context }: Talk): string => new Date(context.nowMs).toISOString().slice(0, 10);

const availableOne = (talk: Talk, id: string): Promise<Spoken> => {
  const { impressions, budget, flight_start: start, flight_end: end } = talk.terms;
  const from =
    typeof start === "string" && start < today(talk) && typeof end === "string" && end >= today(talk)
      ? today(talk)
      : start;
  const input = {
    product_id: id,
    ...(from == null ? {} : { start_date: from }),
    ...(end == null ? {} : { end_date: end }),
    ...(typeof impressions === "number"
      ? { requestedImpressions: impressions }
      : typeof budget === "number"
        ? { budget }
        : {}),
  };
  return ask(talk, "discovery", { name: "check_avails", input }, (output) => {
    const left = output["unlimited"] === true ? Number.POSITIVE_INFINITY : Number(output["available_impressions"] ?? 0);
    const name = nameOf(talk, id);
    const span = `${String(output["start_date"])} to ${String(output["end_date"])}`;
    const price = output["cpm"] == null ? "" : ` The price is ${money(output["cpm"], output["currency"])} CPM.`;
    const isEnough = typeof impressions !== "number" ? left > 0 : left >= impressions;
    const volume = typeof impressions === "number" ? ` for ${count(impressions)} impressions` : "";
    const short = left === 0 ? "Sold out" : `Only ${count(left)} impressions are left`;
    const state = typeof output["status_text"] === "string" && !isEnough ? ` ${output["status_text"]}` : "";
    const uncapped = says(talk.request, "left remaining many much") ? " Its volume has no cap." : "";
    const rest = Number.isFinite(left) ? ` ${count(left)} impressions are left.` : uncapped;
    return {
      outcome: "answer",
      result: output,
      about: { ...talk.terms, product_id: id },
      text: isEnough
        ? `Yes, ${name} is available${volume}, ${span}.${rest}${price}`
        : `${short}: ${name}, ${span}.${state}${price}`,
    };
  });
};

export const availability = async (talk: Talk): Promise<readonly Spoken[]> => {
  if (talk.request.said.unsold !== null && talk.request.said.products.length === 0) return [notSold(talk)];
  return talk.ids.length === 0 || talk.ids.length > 12
    ? [await list(talk)]
    : Promise.all(talk.ids.map((id) => availableOne(talk, id)));
};

/** Cheapest first, or dearest, at the caller's own prices; other currencies than the first cannot be ranked with it. */
export const rank = async (talk: Talk): Promise<Spoken> => {
  const { output, items } = await itemsOf(talk);
  const named = [...new Set(talk.request.said.products.flatMap(({ ids }) => ids))];
  const isMost = /\b(?:most expensive|highest|dearest|priciest|most premium)\b/i.test(talk.request.text);
  const [current] = talk.request.said.products.length > 0 ? [] : talk.ids;
  const isLess = /\bcheaper\b|\bless expensive\b|\blower priced\b/i.test(talk.request.text);
  const priced = await pricesOf(talk, named.length > 1 ? named.flatMap((id) => talk.finder.get(id) ?? []) : items);
  const own = isLess ? priced.find(({ product_id: id }) => id === current) : undefined;
  const limit = limitOf(talk);
  const fits = ({ cpm, currency }: Priced): boolean =>
    currency === priced[0]?.currency &&
    (own === undefined || cpm < own.cpm) &&
    (limit === null || (limit.isMost ? cpm <= limit.cpm : cpm >= limit.cpm));
  const ranked = priced.filter(fits).toSorted((one, other) => (isMost ? other.cpm - one.cpm : one.cpm - other.cpm));
  const [first, ...others] = ranked;
  const result = { ...output, catalog: withoutOutput(ranked) };
  if (first === undefined)
    return tell("discovery", limit === null ? "Nothing on sale is cheaper." : "Nothing is on sale at that price.", {
      result,
    });
  const rest =
    others.length === 0 ? "" : ` Then ${isMost ? "from the dearest" : "from the cheapest"}: ${pricedText(others)}.`;
  const text = `The ${isMost ? "most expensive" : "cheapest"} is ${pricedText([first])}, for you.${rest}`;
  const learnt = { ...noTerms, product_id: first.product_id };
  return tell("discovery", text, { result, rows: ranked.map(rowOf), learnt });
};

const comparedIds = (talk: Talk): readonly string[] => {
  const named = talk.request.said.products.flatMap(({ ids }) => (ids.length === 1 ? ids : []));
  const recent = talk.memory.topics.filter(({ isOver }) => !isOver).map(({ product }) => product);
  const all = [
    ...new Set(
      named.length === 1
        ? [
            ...named,
            ...productIdsOf(talk.memory.terms),
            ...talk.memory.topics.slice(-1).map(({ product }) => product),
          ].slice(0, 2)
        : named,
    ),
  ];
  return all.length > 1 ? all : [...new Set(recent)].slice(-2);
};

const budgetWords = ({ terms: { budget }, request: { said } }: Talk, cpm: number, currency: string): string =>
  typeof budget === "number" && cpm > 0 && (said.currency ?? currency) === currency
    ? `; ${money(budget, currency)} buys about ${count(Math.floor((budget / cpm) * 1000))} impressions`
    : "";

export const compare = async (talk: Talk): Promise<Spoken> => {
  const ids = comparedIds(talk);
  if (ids.length < 2) {
    const kinds = talk.request.said.products.some(({ ids: own }) => own.length > 1);
    return kinds
      ? rank(talk)
      : clarify("pricing", "Which products shall I compare? Name two.", { reason: "missing_product" });
  }
  const { impressions } = talk.terms;
  const volume = typeof impressions === "number" ? impressions : 0;
  const items = ids.flatMap((id) => talk.finder.get(id) ?? []);
  const priced = await pricesOf(talk, items, volume);
  const lines = priced.map(({ name, product_id: id, cpm, currency, deal_types: types = [] }) => {
    const total = volume > 0 ? `, ${money((cpm * volume) / 1000, currency)} for ${count(volume)} impressions` : "";
    const bought = volume > 0 ? "" : budgetWords(talk, cpm, currency);
    return `- ${name} (${typeOf(talk, id)}): ${money(cpm, currency)} CPM${total}${bought}; sold as ${types.join(", ")}`;
  });
  const sorted = priced.toSorted((one, other) => one.cpm - other.cpm);
  const [low, high] = [sorted[0], sorted.at(-1)];
  const isOne = low !== undefined && high !== undefined && low.currency === high.currency && low.cpm < high.cpm;
  const lead = isOne
    ? `${low.name} is cheaper, by ${money(high.cpm - low.cpm, low.currency)} CPM.`
    : "They cost the same.";
  return tell("pricing", [lead, ...lines].join("\n"), {
    result: { products: withoutOutput(priced) },
    rows: priced.map(rowOf),
    about: { ...pick(talk.terms, ["impressions", "flight_start", "flight_end"]), product_id: ids },
  });
};

const reasons: readonly { readonly words: string; readonly fits: (item: Priced, kind: string) => boolean }[] = [
  { words: "the cheapest of these", fits: () => true },
  {
    words: "the cheapest of these with guaranteed delivery (PG)",
    fits: ({ deal_types: types }) => types?.includes("PG") === true,
  },
  { words: "the cheapest video of these", fits: (_item, kind) => kind === "video" || kind === "ctv" },
];

/** A few with their reasons, which the catalog and the caller's own prices tell. */
export const advice = async (talk: Talk): Promise<Spoken> => {
  const { output, items } = await itemsOf(talk);
  const sorted = (await pricesOf(talk, items)).toSorted((one, other) => one.cpm - other.cpm);
  const chosen = new Map<Priced, readonly string[]>();
  for (const { words, fits } of reasons) {
    const item = sorted.find((one) => fits(one, typeOf(talk, one.product_id)));
    if (item !== undefined) chosen.set(item, [...(chosen.get(item) ?? []), words]);
  }
  const lines = [...chosen].map(([item, words]) => {
    const bought = budgetWords(talk, item.cpm, item.currency);
    return `- ${item.name} at ${money(item.cpm, item.currency)} CPM: ${words.join(", and ")}${bought}`;
  });
  const next = "There are no audience figures here. Tell me a volume or a budget and the dates, and I quote them.";
  return tell("discovery", ["A few to start with:", ...lines, next].join("\n"), {
    result: { ...output, catalog: withoutOutput([...chosen.keys()]) },
    rows: [...chosen.keys()].map(rowOf),
    learnt: pick(talk.terms, ["budget", "flight_start", "flight_end"]),
  });
};

/** There is a least volume, and no least sum: the smallest of them is said in money. */
export const minimum = async (talk: Talk): Promise<Spoken> => {
  const { output, items } = await itemsOf(talk);
  const own = talk.ids.length > 0 ? items.filter(({ product_id: id }) => talk.ids.includes(id)) : items;
  const known: { readonly item: Priced; readonly least: number }[] = [];
  for (const item of await pricesOf(talk, own.length > 0 ? own : items)) {
    const product = await read(talk, "get_product", { product_id: item.product_id });
    const least = (product?.["ext"] as Slots | undefined)?.["minimum_impressions"];
    if (typeof least === "number") known.push({ item, least });
  }
  const costOf = ({ item, least }: (typeof known)[number]): number => (item.cpm * least) / 1000;
  const [first, ...others] = known.toSorted((one, other) => costOf(one) - costOf(other));
  if (first === undefined)
    return tell("discovery", "No minimum volume is set for what is on sale.", { result: output });
  const range = others.every(({ least }) => least === first.least)
    ? `The minimum is ${count(first.least)} impressions`
    : `The minimum is from ${count(first.least)} impressions on, by product`;
  const cost = `${money(costOf(first), first.item.currency)} of ${first.item.name}`;
  return tell("discovery", `${range}; no minimum spend is set beyond that. The least is ${cost}.`, { result: output });
};
