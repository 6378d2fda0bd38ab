import { anyOf } from "./any-of.ts";
import { type Resize, resizeIn, type Shift, shiftIn, withoutChanges } from "./changes.ts";
import { clausesOf, exclusionsIn, isWanting, ownWords, prepared } from "./clauses.ts";
import { isHarmless, type Leftover, leftoversIn } from "./leftovers.ts";
import { type Period, periodIn } from "./periods.ts";
import { type PriceCut, priceCutIn } from "./price-cuts.ts";
import type { NamedProduct, NameSpan } from "./names.ts";
import type { NamedInventory, ProductFinder } from "./product-finder.ts";
import {
  type Amount,
  barePricesIn,
  currencyIn,
  type Found,
  highestCpm,
  type Limit,
  limitIn,
  moneyIn,
  volumesIn,
} from "./quantities.ts";
import { plainText } from "./choice/spelling.ts";
import { spokenForm } from "./spoken-form.ts";
import { blanked, type Span, spansOf } from "./spans.ts";

/** Named as the operations' inputs (decision 28). */
export type Slots = Readonly<Record<string, unknown>>;

/** `inventory` has one entry for each thing named. */
export interface Heard {
  readonly slots: Slots;
  readonly inventory: readonly NamedInventory[];
  readonly excluded: readonly string[];
  /** Changes of the volume and of the flight in force. */
  readonly resize: Resize | null;
  readonly shift: Shift | null;
  /** With `@` for products and `#` for figures and dates. */
  readonly spoken: string;
  /** Without amounts and names: the CPM of "25 CPM" asks for nothing. */
  readonly words: string;
  readonly volumes: readonly number[];
  /** A price only where an offer is made. */
  readonly barePrice: number | null;
  readonly priceCut: PriceCut | null;
  readonly limit: Limit | null;
  readonly currency: string | null;
  /** A medium that no product of the catalog has. */
  readonly unsold: string | null;
  /** Numbers, dates, money and deal types that no term took. */
  readonly leftovers: readonly Leftover[];
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

const audiencePattern = anyOf(
  /\b[APMWF]\s?\d{2}(?:-\d{2}|\+)/gi,
  /\b(?:adults|women|men|people|ages?(?:d)?)\s(?:aged )?\d{2}(?:\s?(?:-|to)\s?\d{2}|\+)/gi,
);
const geoPattern =
  /(?<![/\w])(?:US|USA|UK|EU|DACH|LATAM|United States|United Kingdom|Canada|Germany|France|Spain|Mexico)(?![/\w])/g;

const budgetWords = /\bbudget|\bspend\b|\bin total\b|\btotal of\b/i;

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
 * "native and display", "CTV, pre-roll". Blanks only from their first: trying each of a long row would take quadratic
 * time.
 */
const separators = /(?<!\s)\s+(?:and|or|plus|with|than|against|over|und|y|et|e)\s+|[,;&+]|\b(?:vs\b\.?|versus\b)/gi;

const piecesOf = (text: string): readonly (Span & { readonly text: string })[] => {
  const cuts = spansOf(text, separators);
  const starts = [0, ...cuts.map(({ end }) => end)];
  return starts
    .map((start, place) => ({ start, end: cuts[place]?.start ?? text.length }))
    .map((span) => ({ ...span, text: text.slice(span.start, span.end) }))
    .filter((piece) => piece.text.trim() !== "");
};

const inventoryIn = (text: string, finder: ProductFinder): readonly NamedInventory[] => {
  const pieces = piecesOf(text).map((piece) => piece.text);
  const found = pieces.length > 8 ? [] : pieces.map((piece) => finder.find(piece));
  const clear = found.filter(({ products, isNamed }) => products.length === 1 || (products.length > 1 && !isNamed));
  const ids = new Set(clear.map(({ products }) => products.map(({ product_id }) => product_id).join()));
  const whole = finder.find(text);
  const isOfKinds = clear.every(({ isNamed, products }) => !isNamed || products.length === 1);
  if (ids.size < 2 || !isOfKinds) return whole.products.length > 0 ? [whole] : clear.slice(0, 1);
  return clear.filter((one, place) => clear.findIndex((other) => other.products[0] === one.products[0]) === place);
};

const idsOf = (inventory: readonly NamedInventory[]): readonly string[] =>
  inventory.flatMap(({ products }) => products.map(({ product_id }) => product_id));

/** A product that is left out is not named. */
const withoutExcluded = (inventory: readonly NamedInventory[], excluded: readonly string[]) =>
  inventory.flatMap((one) => {
    const products = one.products.filter(({ product_id: id }) => !excluded.includes(id));
    return products.length === 0 ? [] : [{ ...one, products }];
  });

/** `plain` is `text` without its numbers and dates. */
const wantingPart = (plain: string, text: string): string =>
  blanked(
    plain,
    clausesOf(text).filter((clause) => !isWanting(clause.text)),
  );

const moneySlots = (
  amounts: readonly Amount[],
  text: string,
): { readonly slots: Slots; readonly used: readonly Amount[] } => {
  const isBudget = ({ value, isCpm }: Amount): boolean =>
    !isCpm && (value >= highestCpm || (amounts.length === 1 && budgetWords.test(text)));
  const price = amounts.find((amount) => !isBudget(amount));
  const budget = amounts.find(isBudget);
  return {
    slots: {
      ...(price === undefined ? {} : { target_cpm: price.value }),
      ...(budget === undefined ? {} : { budget: budget.value }),
    },
    used: [price, budget].filter((amount) => amount !== undefined),
  };
};

const listSlot = (name: string, text: string, pattern: RegExp): Slots => {
  const found = [...new Set(text.match(pattern) ?? [])];
  return found.length === 0 ? {} : { [name]: found.join(", ") };
};

const flightSlots = (period: Period | null): Slots => ({
  ...(period?.flight_start == null ? {} : { flight_start: period.flight_start }),
  ...(period?.flight_end == null ? {} : { flight_end: period.flight_end }),
});

/** Of "from 1M to 2M" in a change, the second. */
const volumeIn = (text: string, volumes: readonly Found[]): Found | undefined => {
  const [first, second] = volumes;
  if (first === undefined || second === undefined) return first;
  const isChange =
    /\bfrom\s*$/i.test(text.slice(0, first.start)) &&
    /^\s*(?:imp\w*\s*)?to\s*$/i.test(text.slice(first.end, second.start));
  return isChange ? second : first;
};

/** Media without a type in the catalog. A thing may be sent by e-mail, and printed. */
const otherMedia = new RegExp(
  [
    /\b(?:audio|podcasts?|radio|newspapers?|magazines?|cinema|newsletters?|social media)\b/,
    /\b(?:search ads|sponsorships?|advertorials?|influencers?)\b/,
    /(?<!\b(?:by|via|an?|in|my|our|his|her|their|the) )\b(?:print|e-?mail)\b(?! (?:me|us|it|this|that|the|an?|out)\b)/,
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

interface Named {
  readonly inventory: readonly NamedInventory[];
  readonly excluded: readonly string[];
  readonly unsold: string | null;
  /** Nobody sells it here, yet it must not be dropped. */
  readonly unplaced: readonly Leftover[];
}

const mostBeside = 4;

const wordCount = (text: string): number => (text.match(/[\p{L}\d]+/gu) ?? []).length;

const fullyNamed = (text: string, names: readonly NameSpan[], finder: ProductFinder): readonly NamedInventory[] => {
  const full = names.flatMap(({ product, start }) => (product === null ? [] : [{ product, start }]));
  const beside = piecesOf(blanked(text, names))
    .filter((piece) => wordCount(piece.text) <= mostBeside)
    .flatMap(({ text: words, start }) => {
      const [product, other] = finder.find(words).products;
      return product === undefined || other !== undefined ? [] : [{ product, start }];
    });
  const inOrder = [...full, ...beside].toSorted((one, other) => one.start - other.start);
  const all = [...new Set(inOrder.map(({ product }) => product))];
  return all.map((product) => ({ products: [product], inventoryType: null, isNamed: true, isExact: true }));
};

/** Elsewhere a word that only resembles a name is no name: "where do we stand?" means no Standard Display. */
const asksForProduct = anyOf(
  /\b(?:pric\w*|quot\w*|costs?|rates?|cpms?|tkp|much|avail\w*|sell|offer|buy|about|details?|specs?|describe)\b/i,
  /\b(?:instead|switch|want|need|interested|compare|plan|preis|kostet|precio|cuesta|prix|coute|preco|custa)\b/i,
);
const mostGuessed = 3;

/** `plain` has no numbers, dates and deal types any more. */
const namedIn = (plain: string, text: string, names: readonly NameSpan[], finder: ProductFinder): Named => {
  const wanted = wantingPart(plain, text);
  const left = exclusionsIn(wanted).map((one) => ({ ...one, found: finder.find(one.phrase) }));
  const excluding = left.filter(({ found }) => found.products.length > 0);
  const excluded = idsOf(excluding.map(({ found }) => found));
  const positive = blanked(wanted, excluding);
  const unsold = unsoldIn(positive, finder);
  const productText = unsold === null ? positive : blanked(positive, spansOf(positive, otherMedia));
  const unplaced = left
    .filter(({ found, isSure }) => isSure && found.products.length === 0)
    .map(({ start, end }) => ({ text: wanted.slice(start, end).trim(), isBinding: true, isBarePrice: false }));
  const isWanted = ({ start, end }: Span): boolean => positive.slice(start, end).trim() !== "";
  const wholly = names.filter((name) => name.product !== null && isWanted(name));
  const inventory = wholly.length > 0 ? fullyNamed(productText, wholly, finder) : inventoryIn(productText, finder);
  const meant = inventory.filter(
    ({ isExact }) => isExact || asksForProduct.test(plainText(text)) || wordCount(text) <= mostGuessed,
  );
  return { inventory: withoutExcluded(meant, excluded), excluded, unsold, unplaced };
};

/** Each once, in text order; "rather than PD" wants another. */
const dealTypesIn = (text: string): readonly (Span & { readonly type: string })[] => {
  const out = exclusionsIn(text);
  return dealTypes
    .flatMap(([type, pattern]) => spansOf(text, pattern).map((span) => ({ ...span, type })))
    .filter(({ start, end }) => !out.some((one) => start >= one.start && end <= one.end))
    .sort((one, other) => one.start - other.start)
    .filter(({ type }, place, all) => all.findIndex((other) => other.type === type) === place);
};

const productsById = (ids: readonly string[], finder: ProductFinder): readonly NamedProduct[] =>
  ids.map((id) => finder.get(id)).filter((product) => product !== null);

const leftover = (text: string, { start, end }: Span, isBarePrice: boolean): Leftover => ({
  text: text.slice(start, end),
  isBinding: true,
  isBarePrice,
});

/** Each stretch is read once: what was a name or a date is no volume. */
export const hear = (said: string, finder: ProductFinder, nowMs: number): Heard => {
  const text = ownWords(prepared(said));
  const names = finder.namesIn(text);
  const audiences = [...spansOf(text, audiencePattern), ...spansOf(text, geoPattern)];
  const fixed = blanked(text, [...names, ...ownSpans(text), ...audiences]);
  const shift = shiftIn(fixed);
  const resize = resizeIn(fixed);
  const free = withoutChanges(fixed, [shift, resize]);
  const period = periodIn(free, nowMs);
  const undated = blanked(free, period?.spans ?? []);
  const money = moneyIn(undated);
  const unpriced = blanked(undated, money);
  const volumes = volumesIn(unpriced);
  const volume = volumeIn(unpriced, volumes);
  const counted = blanked(unpriced, volumes);
  const bare = barePricesIn(counted).filter((span) => !isHarmless(counted, span));
  const priced = moneySlots(money, text);
  const priceCut = priceCutIn(free);
  const types = dealTypesIn(text);
  const isDealType = dealTypes.flatMap(([, pattern]) => spansOf(text, pattern));
  const figures = [...(period?.spans ?? []), ...money, ...volumes];
  const bareText = blanked(text, [...isDealType, ...audiences, ...figures, ...ownSpans(text)]);
  // Inside a name no word is a deal type or a month.
  const plain = names.reduce(
    (left, { start, end }) => left.slice(0, start) + text.slice(start, end) + left.slice(end),
    bareText,
  );
  const given = productsById(text.match(/\bprod-[0-9a-z-]+/gi) ?? [], finder);
  const named = namedIn(plain, text, names, finder);
  const inventory =
    given.length > 0 ? [{ products: given, inventoryType: null, isNamed: true, isExact: true }] : named.inventory;
  const limit = limitIn(free, [...money, ...bare]);
  const took = [
    ...(period?.spans ?? []),
    ...priced.used,
    ...(volume === undefined ? [] : volumes.slice(0, volumes.indexOf(volume) + 1)),
    ...bare.slice(0, 1),
    ...(priceCut === null ? [] : [priceCut]),
  ];
  return {
    slots: {
      ...idsIn(text),
      ...(volume === undefined ? {} : { impressions: volume.value }),
      ...priced.slots,
      ...flightSlots(period),
      ...(types[0] === undefined ? {} : { deal_type: types[0].type }),
      ...listSlot("audience", text, audiencePattern),
      ...listSlot("geo", text, geoPattern),
    },
    inventory,
    excluded: named.excluded,
    spoken: spokenForm(text, names, [...figures, ...bare, ...ownSpans(text)], inventory),
    words: blanked(text, [...moneyIn(text), ...names]),
    resize,
    shift,
    volumes: volumes.map(({ value }) => value),
    barePrice: bare[0]?.value ?? null,
    priceCut,
    limit,
    currency: currencyIn(text, money),
    unsold: given.length > 0 ? null : named.unsold,
    leftovers: [
      ...leftoversIn(blanked(free, took), free),
      ...bare.slice(0, 1).map((span) => leftover(free, span, true)),
      ...(priceCut === null ? [] : [{ ...leftover(free, priceCut, false), isCut: true as const }]),
      ...types.slice(1).map((span) => leftover(text, span, false)),
      ...named.unplaced,
    ],
  };
};
