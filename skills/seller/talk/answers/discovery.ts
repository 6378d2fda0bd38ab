import { pick, type Row, type Slots } from "../memory.ts";
import { says } from "../requests.ts";
import { ask, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { costOfVolume, count, listed, money } from "../wording.ts";
import { rowsMeant } from "../meant.ts";

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

export const typeOf = ({ finder }: Talk, id: string): string =>
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

/** Of some products; undefined where none of them has a price. */
export const cheapestOf = async (talk: Talk, ids: readonly string[]): Promise<Priced | undefined> => {
  const items = ids.flatMap((id) => talk.finder.get(id) ?? []);
  return (await pricesOf(talk, items)).toSorted((one, other) => one.cpm - other.cpm)[0];
};

export const rowOf = ({ product_id: product, cpm }: Priced): Row => ({ product, record: null, cpm, total: null });

const catalogOf = (talk: Talk): Promise<Slots | null> => {
  const kinds = new Set(talk.request.said.products.flatMap(({ inventoryType }) => inventoryType ?? []));
  const type = kinds.size > 1 ? undefined : talk.terms["inventory_type"];
  const query = typeof type === "string" ? `catalog ${type.replaceAll("_", " ")}` : "catalog";
  return read(talk, "discover_inventory", { query, limit: 500 });
};

/** "Overall", "every product": nothing of before narrows it. */
export const ofAll = (talk: Talk): Talk => ({
  ...talk,
  terms: pick(talk.terms, ["budget", "impressions"]),
  ids: [],
  memory: { ...talk.memory, rows: [] },
});

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
export const limitOf = ({
  request: { said, text },
}: Talk): { readonly cpm: number; readonly isMost: boolean } | null => {
  const cpm = said.price ?? (said.numbers.length === 1 ? (said.numbers[0] ?? null) : null);
  if (cpm === null) return null;
  if (/\b(?:over|above|more than|at least|from|no less|not less)\b/i.test(text)) return { cpm, isMost: false };
  return said.price !== null || /\b(?:under|below|less|most|max|up to|cheaper)\b/i.test(text)
    ? { cpm, isMost: true }
    : null;
};

export const pricedText = (items: readonly Priced[], volume = 0): string =>
  items
    .map(({ name, cpm, currency }) => {
      const total = costOfVolume(cpm, currency, volume);
      return `${name} at ${money(cpm, currency)} CPM${total === "" ? "" : ` (${total})`}`;
    })
    .join("; ");

export const withoutOutput = (items: readonly Priced[]) => items.map(({ output: _output, ...item }) => item);

export const noTerms = { target_cpm: null } as const;

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

const targetingText = (output: Slots): string => {
  const { targeting = {} } = output as { readonly targeting?: Slots };
  const kinds = Object.keys(targeting).filter(
    (name) => Array.isArray(targeting[name]) || typeof targeting[name] === "object",
  );
  const named =
    kinds.length === 0
      ? "audience, context, geography and device"
      : listed(kinds.map((name) => name.replaceAll("_", " ")));
  return `You can target by ${named}. ` + "A quote or deal here holds no targeting: it is set in your DSP.";
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
