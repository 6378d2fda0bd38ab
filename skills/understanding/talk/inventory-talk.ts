import { productIdsOf } from "../terms.ts";
import { ask, count, pick, type Spoken, type Talk, usd } from "./speech.ts";
import type { ProductFinder } from "../reading/product-finder.ts";
import type { Slots } from "../reading/slots.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/** The default flight (seller spec, Limits). */
const flightDays = 30;

export interface Listed {
  readonly product_id: string;
  readonly name: string;
  readonly deal_types?: readonly string[];
}

const nameOf = ({ name, deal_types: types }: Listed): string =>
  types === undefined ? name : `${name} (${types.join(", ")})`;

const mostInline = 4;

/** Few in one line, more in a line for each kind. */
const named = (items: readonly Listed[], finder: ProductFinder): string => {
  if (items.length <= mostInline) return ` ${items.map(nameOf).join("; ")}.`;
  const kinds = new Map<string, readonly string[]>();
  for (const item of items) {
    const kind = (finder.get(item.product_id)?.inventory_type ?? "more").replaceAll("_", " ");
    kinds.set(kind, [...(kinds.get(kind) ?? []), nameOf(item)]);
  }
  return [...kinds].map(([kind, names]) => `\n- ${kind}: ${names.join("; ")}`).join("");
};

export const notSold = ({ heard }: Talk): Spoken => ({
  skill: "discovery",
  outcome: "refuse",
  result: null,
  text: `We do not sell ${heard.unsold ?? "that"}. Ask what is on sale.`,
});

export const listAll = (talk: Talk): Promise<Spoken> | Spoken => {
  const { heard, memory } = talk;
  const asked = heard.inventory.flatMap((one) => one.products);
  const type = memory.terms["inventory_type"];
  const query = typeof type === "string" ? `catalog ${type.replaceAll("_", " ")}` : "catalog";
  return ask(talk, "discovery", { name: "discover_inventory", input: { query, limit: 500 } }, (output) => {
    const all = (output["catalog"] ?? []) as readonly Listed[];
    const wanted = all.filter((item) => asked.some(({ product_id: id }) => id === item.product_id));
    const dealType = heard.slots["deal_type"];
    const sold = (item: Listed): boolean =>
      typeof dealType !== "string" || item.deal_types?.includes(dealType) !== false;
    const kept = (item: Listed): boolean => sold(item) && !heard.excluded.includes(item.product_id);
    const items = (wanted.length === 0 ? all : wanted).filter(kept);
    const text = items.length === 0 ? "Nothing of that is on sale." : `On sale:${named(items, talk.finder)}`;
    return { outcome: "answer", result: { ...output, catalog: items }, text };
  });
};

const describeOne = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "discovery", { name: "get_product", input: { product_id: id } }, (output) => {
    const types = talk.finder.get(id)?.deal_types ?? [];
    const about = typeof output["description"] === "string" ? ` ${output["description"]}` : "";
    const least = (output["ext"] as Slots | undefined)?.["minimum_impressions"];
    const from = typeof least === "number" ? `, from ${count(least)} impressions` : "";
    const asked = talk.heard.slots["deal_type"];
    const isSold = typeof asked !== "string" || types.includes(asked);
    const no = isSold ? "" : `No, it is not sold as ${asked}. `;
    const text = `${no}${String(output["name"])}:${about} Sold as ${types.join(", ")}${from}.`;
    return { outcome: "answer", result: output, about: { ...talk.memory.terms, product_id: id }, text };
  });

export const describe = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = productIdsOf(talk.memory.terms);
  return ids.length === 0 ? [await listAll(talk)] : Promise.all(ids.map((id) => describeOne(talk, id)));
};

const noSizes =
  " I have no sizes, lengths, file types or delivery deadlines on record; ask for a person and I pass the question on.";

/** The catalog knows what a product is, and nothing of its files. */
export const formats = async (talk: Talk): Promise<readonly Spoken[]> => {
  const told = await describe(talk);
  return told.map((one, place) => (place === told.length - 1 ? { ...one, text: `${one.text}${noSizes}` } : one));
};

const namesIn = (output: Slots, member: string): string =>
  ((output[member] ?? []) as readonly { readonly name?: string }[]).map(({ name }) => name ?? "").join("; ");

const listedBy =
  (name: string, member: string, title: string) =>
  (talk: Talk): Promise<Spoken> =>
    ask(talk, "discovery", { name, input: {} }, (output) => {
      const names = namesIn(output, member);
      return {
        outcome: "answer",
        result: output,
        text: names === "" ? `${title}: nothing yet.` : `${title}: ${names}.`,
      };
    });

export const packages = listedBy("list_packages", "packages", "Our packages");
export const mediaKit = listedBy("get_media_kit", "all_packages", "Our media kit");

export const targeting = (talk: Talk): Promise<Spoken> =>
  ask(talk, "discovery", { name: "discover_inventory", input: { query: "targeting" } }, (output) => ({
    outcome: "answer",
    result: output,
    text:
      "You can target by audience (demographics, interests, behaviors), by context, by geography and by device; " +
      "the data part lists what each product carries.",
  }));

const dateOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** A data part may hold anything; an invalid day is ignored. */
const dayIn = (value: unknown): string | null =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;

/** Today, for a flight that has begun and is not over: "Q4" asked in November; null for others. */
export const pastStart = (terms: Slots, nowMs: number): string | null => {
  const [start, end, today] = [dayIn(terms["flight_start"]), dayIn(terms["flight_end"]), dateOf(nowMs)];
  return start !== null && end !== null && start < today && end >= today ? today : null;
};

/** From today for a month where none is named. */
const flightOf = (terms: Slots, nowMs: number): { readonly startdate: string; readonly enddate: string } => {
  const start = pastStart(terms, nowMs) ?? dayIn(terms["flight_start"]) ?? dateOf(nowMs);
  const end = dayIn(terms["flight_end"]) ?? dateOf(Date.parse(start) + flightDays * dayMs);
  return { startdate: start, enddate: `${end}T23:59:59Z` };
};

const availabilityText = (
  what: { readonly name: string; readonly span: string; readonly wanted: unknown },
  output: Slots,
): string => {
  const { name, span, wanted } = what;
  const left = output["unlimited"] === true ? Number.POSITIVE_INFINITY : Number(output["available_impressions"] ?? 0);
  const price = `The price is ${usd(output["estimatedCpm"])} CPM.`;
  if (typeof wanted !== "number" && left > 0) return `Yes, ${name} is available ${span}. ${price}`;
  if (typeof wanted === "number" && left >= wanted)
    return `Yes, ${name} is available ${span} for ${count(wanted)} impressions. ${price}`;
  const short = left === 0 ? "Sold out" : `Only ${count(left)} impressions are left`;
  return `${short}: ${name} ${span}. ${price}`;
};

const availabilityOf = (talk: Talk, id: string): Promise<Spoken> => {
  const { context, memory, finder } = talk;
  const flight = flightOf(memory.terms, context.nowMs);
  const wanted = memory.terms["impressions"];
  const volume = typeof wanted === "number" ? { requestedImpressions: wanted } : pick(memory.terms, ["budget"]);
  const isBegun = pastStart(memory.terms, context.nowMs) !== null;
  const from = isBegun ? `today, ${flight.startdate},` : flight.startdate;
  const span = `from ${from} to ${flight.enddate.slice(0, 10)}`;
  const what = { name: finder.get(id)?.name ?? id, span, wanted };
  return ask(talk, "discovery", { name: "check_avails", input: { productid: id, ...flight, ...volume } }, (output) => ({
    outcome: "answer",
    result: output,
    about: { ...memory.terms, product_id: id },
    text: availabilityText(what, output),
  }));
};

export const availability = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = productIdsOf(talk.memory.terms);
  const type = talk.memory.terms["inventory_type"];
  const ofType = typeof type === "string" ? talk.finder.find(type.replaceAll("_", " ")).products : [];
  const wanted = ids.length > 0 ? ids : ofType.map((product) => product.product_id);
  return wanted.length === 0 ? [await listAll(talk)] : Promise.all(wanted.map((id) => availabilityOf(talk, id)));
};
