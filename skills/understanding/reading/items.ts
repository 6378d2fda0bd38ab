import type { Act } from "./choice/acts.ts";
import { inMoney } from "./figures/budgets.ts";
import { matchesOf } from "./spans.ts";
import type { Heard } from "./slots.ts";

/** A message with more is read whole. */
const mostItems = 8;

/** What may be asked of several products at once, each with figures of its own. */
const leads: Partial<Record<Act, string>> = {
  quote: "Quote",
  book: "Book",
  price: "Price of",
  availability: "Availability of",
  offer: "Can you do",
};

const volumes = ["impressions", "budget"];
const separator = /,\s+|;\s*|\n+|\s*[+&]\s*|,?\s+(?:and|plus|und|y|et|e)\s+(?:also\s+)?(?:for\s+)?/gi;
/** What is said of all holds for each, and what is changed needs the record that it changes. */
const ofDates = "(?!\\s+(?:(?:in|from|during|for|over)\\b|\\d))";
const staysWhole = new RegExp(`\\b(?:each|(?:both|all)${ofDates}|every|change|move|shift|instead)\\b`, "i");

/** Elsewhere the first product would be asked for by its figures alone. */
const asksForQuote = /\b(?:quot\w*|qte|offers?|proposals?|rfq)\b/i;

interface Item {
  readonly text: string;
  readonly heard: Heard;
}

const productOf = ({ inventory }: Heard): string | null => {
  const [only, other] = inventory.flatMap(({ products }) => products);
  return other === undefined ? (only?.product_id ?? null) : null;
};

interface Groups {
  /** What is said ahead of the first product. */
  readonly before: Heard;
  readonly items: readonly Item[];
}

/** From each product to the next; null where a part names more than one. */
const groupsOf = (text: string, hear: (text: string) => Heard): Groups | null => {
  const cuts = matchesOf(text, separator);
  const starts = [0, ...cuts.map((match) => match.index + match[0].length)];
  const pieces = starts.map((start, at) => ({ start, text: text.slice(start, cuts[at]?.index ?? text.length) }));
  const named = pieces.flatMap((piece) => {
    const { inventory } = hear(piece.text);
    return inventory.length === 0 ? [] : [{ start: piece.start, product: productOf(hear(piece.text)) }];
  });
  if (named.length < 2 || named.length > mostItems || named.some(({ product }) => product === null)) return null;
  const ends = named.slice(1).map(({ start }) => start);
  const items = named.map(({ start }, at) => {
    const group = text.slice(start, ends[at] ?? text.length).replace(/[\s,;+&]+$|,?\s+and\s*$/i, "");
    return { text: group, heard: hear(group) };
  });
  return { before: hear(text.slice(0, named[0]?.start ?? 0)), items };
};

const has = ({ slots }: Heard, names: readonly string[]): boolean => names.some((name) => slots[name] !== undefined);

const hasOwn = (act: Act, items: readonly Item[]): boolean => {
  if (act === "offer") return items.every(({ heard }) => has(heard, ["target_cpm"]) || heard.barePrice !== null);
  return items.every(({ heard }) => has(heard, volumes)) || items.every(({ heard }) => has(heard, ["flight_start"]));
};

/** Dates said once are those of all. */
const sharedDates = ({ before, items }: Groups): string => {
  const own = items.filter(({ heard }) => heard.slots["flight_end"] !== undefined).map(({ heard }) => heard.slots);
  const dated = own.length === 0 && before.slots["flight_end"] !== undefined ? [before.slots] : own;
  const [only, other] = dated;
  if (only === undefined || other !== undefined) return "";
  const { flight_start: start, flight_end: end } = only;
  return typeof start === "string" && typeof end === "string" ? ` ${start} to ${end}` : "";
};

/** "CTV 500k and native 2m for May": one request for each product; null where the figures are not each its own. */
export const itemsOf = (said: string, act: Act | null, hear: (text: string) => Heard): readonly string[] | null => {
  const text = inMoney(said);
  const lead = act === null ? "Quote" : leads[act];
  if (lead === undefined || staysWhole.test(text)) return null;
  const groups = groupsOf(text, hear);
  if (groups === null) return null;
  const { items } = groups;
  if (new Set(items.map(({ heard }) => productOf(heard))).size < items.length) return null;
  if (items.some(({ heard }) => productOf(heard) === null) || !hasOwn(act ?? "quote", items)) return null;
  const dates = sharedDates(groups);
  return items.map(({ text: item, heard }, at) => {
    const isAsked =
      at === 0 && /\p{L}/u.test(heard.spoken) && ((act !== null && act !== "quote") || asksForQuote.test(item));
    const words = isAsked ? item : `${lead} ${item}`;
    return heard.slots["flight_end"] === undefined ? `${words}${dates}` : words;
  });
};
