import { type Period, periodIn } from "./periods.ts";
import type { NamedInventory, ProductFinder } from "./product-finder.ts";
import { barePricesIn, moneyIn, volumeFactorIn, volumesIn } from "./quantities.ts";
import { blanked, type Span, spansOf } from "./spans.ts";

/** The terms that a conversation is about, under the names of the operations' inputs (decision 28). */
export type Slots = Readonly<Record<string, unknown>>;

/** What one message says by itself; `inventory` has one entry for each thing that it names. */
export interface Heard {
  readonly slots: Slots;
  readonly inventory: readonly NamedInventory[];
  readonly volumeFactor: number | null;
  /** The text without its amounts of money: the CPM of "25 CPM" asks for nothing, nor does a name. */
  readonly words: string;
  /** A number that is a price where an offer is being made. */
  readonly barePrice: number | null;
  /** A medium of the field that is named and that no product of the catalog has. */
  readonly unsold: string | null;
}

const idForms: Readonly<Record<string, RegExp>> = {
  quote_id: /\bqt-[0-9a-z]+\b/gi,
  proposal_id: /\bprop-[0-9a-z]+\b/gi,
  negotiation_id: /\bneg-[0-9a-z]+\b/gi,
  deal_id: /\bDEMO-[0-9A-Z]+\b/gi,
};

const dealTypes: readonly (readonly [string, RegExp])[] = [
  ["PG", /\b(?:programmatic[ -])?guaranteed\b|\bPG\b/g],
  ["PD", /\bpreferred(?: deals?)?\b|\bPD\b/g],
  ["PA", /\bprivate (?:auction|marketplace)\b|\bPA\b|\bPMP\b/g],
];

const audiencePattern = /\b[APMWF]\s?\d{2}(?:-\d{2}|\+)|\b(?:adults|women|men)\s\d{2}(?:\s?-\s?\d{2}|\+)/gi;
const geoPattern =
  /(?<![/\w])(?:US|USA|UK|EU|DACH|LATAM|United States|United Kingdom|Canada|Germany|France|Spain|Mexico)(?![/\w])/g;

const budgetWords = /\bbudget|\bspend\b|\bin total\b|\btotal of\b/i;

/** Above this an amount of money is no price per thousand impressions. */
const highestCpm = 1000;

const dealTypeIn = (text: string): string | null =>
  dealTypes.find(([, pattern]) => text.search(pattern) >= 0)?.[0] ?? null;

const idsIn = (text: string): Slots =>
  Object.fromEntries(
    Object.entries(idForms).flatMap(([name, pattern]) => {
      const found = text.match(pattern)?.[0];
      return found === undefined ? [] : [[name, name === "deal_id" ? found.toUpperCase() : found.toLowerCase()]];
    }),
  );

const ownSpans = (text: string): readonly Span[] =>
  [...Object.values(idForms), /\bprod-\S+/gi].flatMap((pattern) => spansOf(text, pattern));

/**
 * Things are named one after the other: "native and display", "CTV, pre-roll". Blanks are read from their first one
 * only: tried anew at each, a long row of them, as blanked words leave one, would take its square.
 */
const separators = /(?<!\s)\s+(?:and|or|plus|und|y)\s+|[,;&+]|\bvs\.?\b/i;

const inventoryIn = (text: string, finder: ProductFinder): readonly NamedInventory[] => {
  const pieces = text.split(separators).filter((piece) => piece.trim() !== "");
  const found = pieces.length > 8 ? [] : pieces.map((piece) => finder.find(piece));
  const clear = found.filter(({ products, isNamed }) => products.length === 1 || (products.length > 1 && !isNamed));
  const ids = new Set(clear.map(({ products }) => products.map(({ product_id }) => product_id).join()));
  const whole = finder.find(text);
  if (ids.size < 2 || clear.some(({ products }) => products.length !== 1))
    return whole.products.length > 0 ? [whole] : clear.slice(0, 1);
  return clear.filter((one, place) => clear.findIndex((other) => other.products[0] === one.products[0]) === place);
};

const moneySlots = (amounts: readonly { readonly value: number }[], text: string): Slots => {
  const isBudget = (value: number): boolean => value >= highestCpm || (amounts.length === 1 && budgetWords.test(text));
  const price = amounts.find(({ value }) => !isBudget(value));
  const budget = amounts.find(({ value }) => isBudget(value));
  return {
    ...(price === undefined ? {} : { target_cpm: price.value }),
    ...(budget === undefined ? {} : { budget: budget.value }),
  };
};

const listSlot = (name: string, text: string, pattern: RegExp): Slots => {
  const found = [...new Set(text.match(pattern) ?? [])];
  return found.length === 0 ? {} : { [name]: found.join(", ") };
};

const flightSlots = (period: Period | null): Slots =>
  period === null ? {} : { flight_start: period.flight_start, flight_end: period.flight_end };

/** Where two words of a product's name stand together: in "Local Avails" nobody asks what is available. */
const nameSpans = (text: string, inventory: readonly NamedInventory[]): readonly Span[] =>
  inventory
    .flatMap(({ products }) => (products.length === 1 ? products : []))
    .flatMap(({ name }) => {
      const words = name.match(/[\p{L}\d]+/gu) ?? [];
      return words.slice(1).map((word, place) => `\\b${words[place] ?? ""}[^\\p{L}\\d]+${word}\\b`);
    })
    .flatMap((pair) => spansOf(text, new RegExp(pair, "giu")));

/** Media of the field that have no type in the catalog. A thing may be sent by e-mail, and printed. */
const otherMedia = new RegExp(
  [
    /\b(?:audio|podcasts?|radio|newspapers?|magazines?|cinema|newsletters?|social media|search ads)\b/,
    /(?<!\b(?:by|via|an?|in|my|our) )\b(?:print|e-?mail)\b(?! (?:me|us|it|this|that|the|an?|out)\b)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

const unsoldIn = (text: string, finder: ProductFinder): string | null => {
  const medium = text.match(otherMedia)?.[0]?.toLowerCase();
  if (medium === undefined) return null;
  const word = medium.replace(/s$/, "");
  const isSold = finder
    .find(medium)
    .products.some(({ name, inventory_type: type }) => `${name} ${type}`.toLowerCase().includes(word));
  return isSold ? null : medium;
};

/** Reads the terms of one message. Each stretch of the text is read once: what was a date is no volume. */
export const hear = (said: string, finder: ProductFinder, nowMs: number): Heard => {
  const text = said.normalize("NFKD").replace(/\p{M}/gu, "");
  const idFree = blanked(text, ownSpans(text));
  const period = periodIn(idFree, nowMs);
  const undated = blanked(idFree, period?.spans ?? []);
  const money = moneyIn(undated);
  const unpriced = blanked(undated, money);
  const volumes = volumesIn(unpriced);
  const counted = blanked(unpriced, volumes);
  const audience = listSlot("audience", counted, audiencePattern);
  const dealType = dealTypeIn(text);
  const named = dealTypes.reduce((left, [, pattern]) => blanked(left, spansOf(left, pattern)), counted);
  const plain = blanked(named, [...spansOf(named, audiencePattern), ...spansOf(named, geoPattern)]);
  const unsold = unsoldIn(plain, finder);
  const productText = unsold === null ? plain : blanked(plain, spansOf(plain, otherMedia));
  const ids = text.match(/\bprod-[0-9a-z-]+/gi)?.join(" ") ?? "";
  const inventory = ids === "" ? inventoryIn(productText, finder) : [finder.find(ids)];
  return {
    slots: {
      ...idsIn(text),
      ...(volumes[0] === undefined ? {} : { impressions: volumes[0].value }),
      ...moneySlots(money, text),
      ...flightSlots(period),
      ...(dealType === null ? {} : { deal_type: dealType }),
      ...audience,
      ...listSlot("geo", counted, geoPattern),
    },
    inventory,
    words: blanked(text, [...moneyIn(text), ...nameSpans(text, inventory)]),
    volumeFactor: volumeFactorIn(text),
    barePrice: barePricesIn(counted)[0]?.value ?? null,
    unsold,
  };
};
