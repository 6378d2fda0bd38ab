import { flightNames, idsIn, pick, rowOfProduct, type Row, rowsOfList, type Slots, soleOf } from "../memory.ts";
import { says } from "../requests.ts";
import { ask, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { costOfVolume, count, listed, money, inQuotes } from "../wording.ts";
import { rowsMeant } from "../meant.ts";
import { isoOf } from "../../../talk/reader/moments.ts";

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

export const namesOf = (talk: Pick<Talk, "finder">, ids: readonly string[]): string =>
  ids.map((id) => nameOf(talk, id)).join(", ");

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

export const rowOf = ({ product_id: product, cpm }: Priced): Row => rowOfProduct(product, cpm);

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
  const named = idsIn(said);
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

/** What nobody here sells, where nothing else is named. */
const notSold = ({ request: { said } }: Talk): Spoken | null =>
  said.unsold === null || said.products.length > 0
    ? null
    : tell("discovery", `We do not sell ${said.unsold}. Ask what is on sale.`, {
        outcome: "refuse",
        reason: "not_sold",
      });

/** "Under $20": the limit of a list is a filter and becomes no price of a later quote. */
export const limitOf = ({ request: { said, text } }: Talk) => {
  const limit = said.price ?? soleOf(said.numbers);
  if (limit === null) return null;
  const isLeast = /\b(?:over|above|more than|at least|from|no less|not less)\b/i.test(text);
  const isMost = said.price !== null || /\b(?:under|below|less|most|max|up to|cheaper)\b/i.test(text);
  return isLeast || isMost ? { limit, holds: (cpm: number) => (isLeast ? cpm >= limit : cpm <= limit) } : null;
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
  const none = notSold(talk);
  if (none !== null) return none;
  const { output, items } = await itemsOf(talk);
  const limit = limitOf(talk);
  const kind = talk.request.said.products.find(({ inventoryType }) => inventoryType !== null)?.inventoryType;
  const about = {
    ...(kind == null ? {} : { inventory_type: kind }),
    ...pick(talk.terms, ["inventory_type", ...flightNames, "impressions", "budget", "audience", "geo"]),
    ...(items.length === 1 ? { product_id: items[0]?.product_id } : {}),
  };
  if (limit !== null) {
    const priced = (await pricesOf(talk, items)).filter(({ cpm }) => limit.holds(cpm));
    const words =
      priced.length === 0 ? "Nothing is on sale at that price." : `On sale at that price: ${pricedText(priced)}.`;
    return tell("discovery", words, {
      result: { ...output, catalog: withoutOutput(priced) },
      rows: priced.map(rowOf),
      about: { ...about, target_cpm: limit.limit },
      learnt: noTerms,
    });
  }
  const text = items.length === 0 ? "Nothing of that is on sale." : `On sale:${listText(talk, items)}`;
  const rows = items.map(({ product_id: id }) => rowOfProduct(id));
  return tell("discovery", text, { result: { ...output, catalog: items }, rows, about });
};

const describeOne = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "discovery", "get_product", { product_id: id }, (output) => {
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
  return `You can target by ${named}. A quote or deal here holds no targeting: it is set in your DSP.`;
};

export const targeting = async (talk: Talk): Promise<Spoken> => {
  const named = [...talk.request.said.audience, ...talk.request.said.geo];
  if (named.length > 0 && !talk.request.isQuestion) {
    const text = `No quote and no deal here holds an audience or a place: set ${inQuotes(named)} in your DSP.`;
    return tell("discovery", text, { about: talk.terms });
  }
  return ask(talk, "discovery", "discover_inventory", { query: "targeting" }, (output) => ({
    text: targetingText(output),
  }));
};

const listedBy =
  (name: string, member: string, title: string) =>
  (talk: Talk): Promise<Spoken> =>
    ask(talk, "discovery", name, {}, (output) => {
      const names = rowsOfList(output, member).map(({ name: one }) => (typeof one === "string" ? one : ""));
      return { text: `${title}: ${names.length === 0 ? "nothing yet" : listed(names, 12)}.` };
    });

export const packages = listedBy("list_packages", "packages", "Our packages");
export const mediaKit = listedBy("get_media_kit", "all_packages", "Our media kit");

/** Today, of a flight that has begun; else null. */
export const begunToday = ({ context }: Talk, { flight_start: start, flight_end: end }: Slots): string | null => {
  const today = isoOf(context.nowMs);
  return typeof start === "string" && typeof end === "string" && start < today && end >= today ? today : null;
};

const availableOne = (talk: Talk, id: string): Promise<Spoken> => {
  const { impressions, budget, flight_start: start, flight_end: end } = talk.terms;
  const from = begunToday(talk, talk.terms) ?? start;
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
  return ask(talk, "discovery", "check_avails", input, (output) => {
    const left = output["unlimited"] === true ? Number.POSITIVE_INFINITY : Number(output["available_impressions"] ?? 0);
    const name = nameOf(talk, id);
    const span = `${String(output["start_date"])} to ${String(output["end_date"])}`;
    const price = output["cpm"] == null ? "" : ` The price is ${money(output["cpm"], output["currency"])} CPM.`;
    const isEnough = typeof impressions !== "number" ? left > 0 : left >= impressions;
    const volume = typeof impressions === "number" ? ` for ${count(impressions)} impressions` : "";
    const isOver = String(output["end_date"]) < isoOf(talk.context.nowMs);
    const short = isOver ? "Over" : left === 0 ? "Sold out" : `Only ${count(left)} impressions are left`;
    const state = typeof output["status_text"] === "string" && !isEnough ? ` ${output["status_text"]}` : "";
    const uncapped = says(talk.request, "left remaining many much") ? " Its volume has no cap." : "";
    const rest = Number.isFinite(left) ? ` ${count(left)} impressions are left.` : uncapped;
    return {
      about: { ...talk.terms, product_id: id },
      text: isEnough
        ? `Yes, ${name} is available${volume}, ${span}.${rest}${price}`
        : `${short}: ${name}, ${span}.${state}${price}`,
    };
  });
};

export const availability = async (talk: Talk): Promise<readonly Spoken[]> => {
  const none = notSold(talk);
  if (none !== null) return [none];
  return talk.ids.length === 0 || talk.ids.length > 12
    ? [await list(talk)]
    : Promise.all(talk.ids.map((id) => availableOne(talk, id)));
};
