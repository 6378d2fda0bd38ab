import { anyOf } from "./any-of.ts";
import { type Resize, resizeIn, type Shift, shiftIn, withoutChanges } from "./figures/changes.ts";
import { exclusionsIn, ownWords, prepared } from "./clauses.ts";
import { idioms, namedIn } from "./inventory.ts";
import { deadlinesIn } from "./dates/deadlines.ts";
import { isHarmless, type Leftover, leftoversIn } from "./leftovers.ts";
import { type Period, periodIn } from "./periods.ts";
import { type PriceCut, priceCutIn } from "./figures/price-cuts.ts";
import type { NamedProduct, NameSpan } from "./names.ts";
import { exactly, type NamedInventory, type ProductFinder } from "./product-finder.ts";
import { type Limit, limitIn } from "./figures/limits.ts";
import { type Amount, currencyIn, highestCpm, moneyIn } from "./figures/money.ts";
import type { Found } from "./figures/numbers.ts";
import { barePricesIn, refusedPricesIn } from "./figures/prices.ts";
import { volumesIn } from "./figures/volumes.ts";
import { referencesIn } from "./references.ts";
import { spokenForm } from "./spoken-form.ts";
import { blanked, type Span, spansOf } from "./spans.ts";
import { audiencesIn, placesIn } from "./targeting.ts";

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

const budgetWords = /\bbudget|\bspend\b|\bin total\b|\btotal of\b/i;

const idsIn = (text: string): Slots =>
  Object.fromEntries(
    Object.entries(idForms).flatMap(([name, pattern]) => {
      const found = text.match(pattern)?.[0];
      return found === undefined ? [] : [[name, name === "deal_id" ? found.toUpperCase() : found.toLowerCase()]];
    }),
  );

const anyId = /\b(?:qt|prop|neg|demo|prod)-/i;

const ownSpans = (text: string): readonly Span[] =>
  !anyId.test(text) ? [] : [...Object.values(idForms), /\bprod-\S+/gi].flatMap((pattern) => spansOf(text, pattern));

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

const listSlot = (name: string, text: string, spans: readonly Span[]): Slots => {
  const found = [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
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

/** They ask for no price and no quote. */
const contentWith = anyOf(
  /\b(?:per|as in|according to|as stated in|from|under) (?:your|the|this|that) (?:last |latest )?(?:quot\w+|offer)/gi,
  /\b(?:fine|ok|okay|happy|good|agreed?|comfortable|pleased|satisfied) with (?:the|this|that|your) \w+/gi,
);

interface Figures {
  /** Without names, ids, audiences, changes and deadlines. */
  readonly free: string;
  readonly shift: Shift | null;
  readonly resize: Resize | null;
  readonly deadlines: readonly Span[];
  readonly period: Period | null;
  readonly money: readonly Amount[];
  readonly volumes: readonly Found[];
  /** The one that is meant. */
  readonly volume: Found | undefined;
  readonly bare: readonly Found[];
  readonly priceCut: PriceCut | null;
}

/** Each stretch is read once: what was a date is no volume. */
const figuresIn = (fixed: string, nowMs: number): Figures => {
  const shift = shiftIn(fixed);
  const resize = resizeIn(fixed);
  const deadlines = deadlinesIn(fixed);
  const free = blanked(withoutChanges(fixed, [shift, resize]), [...deadlines, ...refusedPricesIn(fixed)]);
  const period = periodIn(free, nowMs);
  const undated = blanked(free, period?.spans ?? []);
  const money = moneyIn(undated);
  const unpriced = blanked(undated, money);
  const volumes = volumesIn(unpriced);
  const volume = volumeIn(unpriced, volumes);
  const counted = blanked(unpriced, volumes);
  const bare = barePricesIn(counted).filter((span) => !isHarmless(counted, span));
  return { free, shift, resize, deadlines, period, money, volumes, volume, bare, priceCut: priceCutIn(free) };
};

/** Inside a name no word is a deal type or a month. */
const withNames = (left: string, text: string, names: readonly NameSpan[]): string =>
  names.reduce((rest, { start, end }) => rest.slice(0, start) + text.slice(start, end) + rest.slice(end), left);

const unusedIn = (
  text: string,
  { free, period, bare, priceCut, volumes, volume, deadlines }: Figures,
  used: readonly Span[],
): readonly Leftover[] => {
  const took = [
    ...(period?.spans ?? []),
    ...used,
    ...(volume === undefined ? [] : volumes.slice(0, volumes.indexOf(volume) + 1)),
    ...bare.slice(0, 1),
    ...(priceCut === null ? [] : [priceCut]),
  ];
  return [
    ...leftoversIn(blanked(free, took), free),
    ...bare.slice(0, 1).map((span) => leftover(free, span, true)),
    ...(priceCut === null ? [] : [{ ...leftover(free, priceCut, false), isCut: true as const }]),
    ...deadlines.map((span) => ({ ...leftover(text, span, false), isBinding: false })),
  ];
};

export const hear = (said: string, finder: ProductFinder, nowMs: number): Heard => {
  const text = ownWords(prepared(said));
  const names = finder.namesIn(text);
  const audience = audiencesIn(text);
  const isProduct = (words: string): boolean => finder.find(words).products.length > 0;
  const geo = placesIn(blanked(text, names), isProduct);
  const audiences = [...audience, ...geo];
  const references = referencesIn(text);
  const ids = [...ownSpans(text), ...references];
  const read = figuresIn(blanked(text, [...names, ...ids, ...audiences]), nowMs);
  const { shift, resize, period, money, volumes, volume, bare, priceCut } = read;
  const priced = moneySlots(money, text);
  const types = dealTypesIn(text);
  const isDealType = dealTypes.flatMap(([, pattern]) => spansOf(text, pattern));
  const figures = [...(period?.spans ?? []), ...money, ...volumes];
  const bareText = blanked(text, [...spansOf(text, idioms), ...isDealType, ...audiences, ...figures, ...ids]);
  const given = productsById(text.match(/\bprod-[0-9a-z-]+/gi) ?? [], finder);
  const named = namedIn(withNames(bareText, text, names), text, names, finder);
  const inventory = given.length > 0 ? [exactly(given)] : named.inventory;
  return {
    slots: {
      ...idsIn(text),
      ...(volume === undefined ? {} : { impressions: volume.value }),
      ...priced.slots,
      ...flightSlots(period),
      ...(types[0] === undefined ? {} : { deal_type: types[0].type }),
      ...listSlot("audience", text, audience),
      ...listSlot("geo", text, geo),
    },
    inventory,
    excluded: named.excluded,
    spoken: spokenForm(text, names, [...figures, ...bare, ...ids, ...audience], inventory),
    words: blanked(text, [...moneyIn(text), ...names, ...spansOf(text, contentWith)]),
    resize,
    shift,
    volumes: volumes.map(({ value }) => value),
    barePrice: bare[0]?.value ?? null,
    priceCut,
    limit: limitIn(read.free, [...money, ...bare]),
    currency: currencyIn(text, money),
    unsold: given.length > 0 ? null : named.unsold,
    leftovers: [
      ...unusedIn(text, read, priced.used),
      ...types.slice(1).map((span) => leftover(text, span, false)),
      ...references.map((span) => ({ ...leftover(text, span, false), isBinding: false })),
      ...named.unplaced,
    ],
  };
};
