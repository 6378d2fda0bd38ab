import type { Act } from "./choice/acts.ts";
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
const staysWhole = /\b(?:each|both|all(?!\s+(?:in|from|during)\b)|every|change|move|shift|instead)\b/i;

interface Item {
  readonly text: string;
  readonly heard: Heard;
}

const productOf = ({ inventory }: Heard): string | null => {
  const [only, other] = inventory.flatMap(({ products }) => products);
  return other === undefined ? (only?.product_id ?? null) : null;
};

/** From each product to the next; null where a part names more than one. */
const groupsOf = (text: string, hear: (text: string) => Heard): readonly Item[] | null => {
  const cuts = matchesOf(text, separator);
  const starts = [0, ...cuts.map((match) => match.index + match[0].length)];
  const pieces = starts.map((start, at) => ({ start, text: text.slice(start, cuts[at]?.index ?? text.length) }));
  const named = pieces.flatMap((piece) => {
    const { inventory } = hear(piece.text);
    return inventory.length === 0 ? [] : [{ start: piece.start, product: productOf(hear(piece.text)) }];
  });
  if (named.length < 2 || named.length > mostItems || named.some(({ product }) => product === null)) return null;
  const ends = named.slice(1).map(({ start }) => start);
  return named.map(({ start }, at) => {
    const group = text.slice(at === 0 ? 0 : start, ends[at] ?? text.length).replace(/[\s,;+&]+$|,?\s+and\s*$/i, "");
    return { text: group, heard: hear(group) };
  });
};

const has = ({ slots }: Heard, names: readonly string[]): boolean => names.some((name) => slots[name] !== undefined);

const hasOwn = (act: Act, items: readonly Item[]): boolean => {
  if (act === "offer") return items.every(({ heard }) => has(heard, ["target_cpm"]) || heard.barePrice !== null);
  return items.every(({ heard }) => has(heard, volumes)) || items.every(({ heard }) => has(heard, ["flight_start"]));
};

/** Dates said once are those of all. */
const sharedDates = (items: readonly Item[]): string => {
  const dated = items.flatMap(({ heard: { slots } }) => (slots["flight_end"] === undefined ? [] : [slots]));
  const [only, other] = dated;
  if (only === undefined || other !== undefined) return "";
  const { flight_start: start, flight_end: end } = only;
  return typeof start === "string" && typeof end === "string" ? ` ${start} to ${end}` : "";
};

/** "CTV 500k and native 2m for May": one request for each product; null where the figures are not each its own. */
export const itemsOf = (text: string, act: Act | null, hear: (text: string) => Heard): readonly string[] | null => {
  const lead = act === null ? "Quote" : leads[act];
  if (lead === undefined || staysWhole.test(text)) return null;
  const items = groupsOf(text, hear);
  if (items === null || new Set(items.map(({ heard }) => productOf(heard))).size < items.length) return null;
  if (items.some(({ heard }) => productOf(heard) === null) || !hasOwn(act ?? "quote", items)) return null;
  const dates = sharedDates(items);
  return items.map(({ text: item, heard }, at) => {
    const words = at === 0 && /\p{L}/u.test(heard.spoken) ? item : `${lead} ${item}`;
    return heard.slots["flight_end"] === undefined ? `${words}${dates}` : words;
  });
};
