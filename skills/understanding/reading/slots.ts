import { anyOf } from "./any-of.ts";
import { type Resize, resizeIn, type Shift, shiftIn, withoutChanges } from "./figures/changes.ts";
import { audiencesIn } from "./audiences.ts";
import { exclusionsIn, ownWords, prepared } from "./clauses.ts";
import { corrected, correctedProductsIn } from "./corrections.ts";
import { month } from "./dates/month-words.ts";
import { dateWords } from "./dates/words.ts";
import { type FlightPart, flightPartIn, type LoneDay, loneDaysIn } from "./dates/lone-days.ts";
import { dealTypesIn } from "./deal-types.ts";
import { inMoney, unclearSumsIn } from "./figures/budgets.ts";
import { refusedIn } from "./figures/refused.ts";
import { idioms, namedIn } from "./inventory.ts";
import { deadlinesIn } from "./dates/deadlines.ts";
import { isHarmless, type Leftover, leftoversIn } from "./leftovers.ts";
import { type Period, periodIn } from "./periods.ts";
import { type PriceCut, priceCutIn } from "./figures/price-cuts.ts";
import type { NamedProduct, NameSpan } from "./names.ts";
import { exactly, type NamedInventory, type ProductFinder } from "./product-finder.ts";
import { type Limit, limitIn } from "./figures/limits.ts";
import { type Amount, currencyIn, highestCpm, isStep, moneyIn } from "./figures/money.ts";
import { type Found, quantitiesIn } from "./figures/numbers.ts";
import { barePricesIn } from "./figures/prices.ts";
import { unclearIn, volumesIn } from "./figures/volumes.ts";
import { personsIn } from "./persons.ts";
import { referencesIn } from "./references.ts";
import { spokenForm } from "./spoken-form.ts";
import { blanked, outside, type Span, spansOf } from "./spans.ts";
import { placesIn } from "./places.ts";

/** Named as the operations' inputs. */
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
  /** Whether a word such as "impressions" stands with the volume. */
  readonly isCounted: boolean;
  /** Money or impressions: no word tells. */
  readonly sums: readonly { readonly value: number; readonly text: string }[];
  readonly loneDays: readonly LoneDay[];
  readonly flightPart: FlightPart | null;
  /** A day is named by which something is answered or kept. */
  readonly hasDeadline: boolean;
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

const budgetWords = /\bbudget|\bspend\b|\bin total\b|\btotal of\b/i;

const anyId = /\b(?:qt|prop|neg|demo|prod)-/i;

const idsIn = (text: string): Slots =>
  !anyId.test(text)
    ? {}
    : Object.fromEntries(
        Object.entries(idForms).flatMap(([name, pattern]) => {
          const found = text.match(pattern)?.[0];
          return found === undefined ? [] : [[name, name === "deal_id" ? found.toUpperCase() : found.toLowerCase()]];
        }),
      );

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

const needed = /\b(?:need|want)\s+(?:about |only )?$/i;
const changed =
  /\b(?:change|make|reduce|cut|lower|raise|bring|take|put) (?:it|that|this) (?:(?:down|up|back) )?(?:to )?$/i;
const doubted = /^[^.!;\d]{0,40}\?/;

/** Of "from 1M to 2M" in a change, the second; of "only 10k? I need 400k" and "400k? Or 450k? 450k." the last. */
const volumeIn = (text: string, volumes: readonly Found[]): Found | undefined => {
  const [first, second] = volumes;
  if (first === undefined || second === undefined) return first;
  const last = volumes.at(-1) ?? first;
  const isRepeated = last.value !== first.value && volumes.slice(1, -1).some(({ value }) => value === last.value);
  const [before, after] = [text.slice(0, last.start), text.slice(first.end)];
  const isWanted = changed.test(before) || (doubted.test(after) && needed.test(before));
  if (isRepeated || (isWanted && second === last)) return last;
  const isChange =
    /\bfrom\s*$/i.test(text.slice(0, first.start)) &&
    /^\s*(?:imp\w*\s*)?to\s*$/i.test(text.slice(first.end, second.start));
  return isChange ? second : first;
};

/** Of "400k? Or 450k? 450k." only the last is asked about. */
const volumesMeant = (volumes: readonly Found[], volume: Found | undefined): readonly number[] => {
  const values = volumes.map(({ value }) => value);
  const isRepeated = volume !== undefined && values.length > 2 && values.indexOf(volume.value) < values.length - 1;
  return isRepeated && volume === volumes.at(-1) ? [volume.value] : values;
};

const productsById = (ids: readonly string[], finder: ProductFinder): readonly NamedProduct[] =>
  ids.map((id) => finder.get(id)).filter((product) => product !== null);

const leftover = (text: string, { start, end }: Span, isBarePrice: boolean): Leftover => ({
  text: text.slice(start, end),
  isBinding: true,
  isBarePrice,
});

const aside = (text: string, span: Span): Leftover => ({ ...leftover(text, span, false), isBinding: false });

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
  /** Figures that may mean several things. */
  readonly unclear: readonly Span[];
  readonly sums: readonly Found[];
  readonly priceCut: PriceCut | null;
}

const countWord = /\d[\d.,' ]*[a-z]*\s?-?(?:imp|views?\b|contacts?\b|kontakt|ai\b|plays?\b)|imp\w*\s*$/i;

const leavingOut = /\b(?:excluding|except(?: for)?|without|but not|not on|ohne|ausser|sauf|excepto|exceto)\b/gi;
const noDate = /[\p{L}\d]/u;
const smallWords = /\b(?:the|on|from|to|in|and|also|any|of|den|dem|am|les?|las?|los|el|o|os)\b/gi;

const idleFigures = /\b(?:1|one)\s?(?:to|on|:|-)\s?(?:1|one)\b(?![.,]\d)|\b24\/7\b/gi;

/** "Same dates in February" are those in force. */
const sameDates = new RegExp(
  `\\bsame (?:dates?|days|flight|period)\\b,? (?:in |of |as (?:in )?)?(?:${month})\\b(?! \\d)`,
  "gi",
);

/** "April, excluding 10-12 April": no flight has gaps. */
const datesLeftOut = (text: string): readonly Span[] =>
  spansOf(text, leavingOut).flatMap(({ start, end }) => {
    const phrase = /^[^,;.?!\n]{1,60}/.exec(text.slice(end))?.[0] ?? "";
    const isDate = phrase.search(dateWords) >= 0 && !noDate.test(phrase.replace(dateWords, "").replace(smallWords, ""));
    return isDate ? [{ start, end: end + phrase.trimEnd().length }] : [];
  });

const hasDigit = /\d/;
const bareIn = (text: string): readonly Found[] => barePricesIn(text).filter((span) => !isHarmless(text, span));

/** "ROS 3m 5-25 jan 6.50": beside a volume or dates, an amount with cents can only be the price. */
const priceInOrder = (text: string, bare: readonly Found[]): Found | null => {
  const [only, other] = bare;
  const isAlone = only !== undefined && other === undefined;
  return isAlone && /[.,]\d\d$/.test(text.slice(only.start, only.end)) ? only : null;
};

/** Each stretch is read once: what was a date is no volume. */
const figuresIn = (text: string, nowMs: number): Figures => {
  const fixed = blanked(text, spansOf(text, idleFigures));
  const shift = shiftIn(fixed);
  const resize = resizeIn(fixed);
  const deadlines = deadlinesIn(fixed);
  const idle = [...deadlines, ...refusedIn(fixed), ...spansOf(fixed, sameDates)];
  const free = blanked(withoutChanges(fixed, [shift, resize]), idle);
  const gaps = datesLeftOut(free);
  const period = periodIn(blanked(free, gaps), nowMs, shift?.moves ?? null);
  const undated = blanked(free, [...gaps, ...(period?.spans ?? [])]);
  const quantities = quantitiesIn(undated);
  const several = unclearIn(undated, quantities);
  const single = blanked(undated, several);
  const amounts = moneyIn(single, outside(quantities, several));
  const steps = amounts.filter((amount) => isStep(single, amount));
  const money = amounts.filter((amount) => !steps.includes(amount));
  const unpriced = blanked(single, amounts);
  const others = outside(quantities, [...several, ...amounts]);
  const hasBudget = money.some(({ value, isCpm }) => !isCpm && value >= highestCpm);
  const sums = unclearSumsIn(unpriced, others, hasBudget);
  const clear = blanked(unpriced, sums);
  const volumes = volumesIn(clear, outside(others, sums));
  const volume = volumeIn(clear, volumes);
  const found = hasDigit.test(clear) ? bareIn(blanked(clear, [...volumes, ...spansOf(clear, dateWords)])) : [];
  const isOrder = (volume !== undefined || period !== null) && money.length === 0;
  const price = isOrder ? priceInOrder(clear, found) : null;
  const bare = price === null ? found : found.filter((one) => one !== price);
  const unclear = [...gaps, ...several, ...steps, ...sums];
  const all = price === null ? money : [{ ...price, currency: null, isCpm: true }];
  return {
    free,
    shift,
    resize,
    deadlines,
    period,
    money: all,
    volumes,
    volume,
    bare,
    unclear,
    sums,
    priceCut: priceCutIn(free),
  };
};

/** Inside a name no word is a deal type or a month. */
const withNames = (left: string, text: string, names: readonly NameSpan[]): string =>
  names.reduce((rest, { start, end }) => rest.slice(0, start) + text.slice(start, end) + rest.slice(end), left);

/** "10k$" repeats "10k dollars". */
const digitsOf = (text: string): string =>
  /^\D*(\d[\d.,]*\s?[km]?)(?![a-z])/i
    .exec(text.trim())?.[1]
    ?.toLowerCase()
    .replace(/[\s.,]+$/, "") ?? text;

const unusedIn = (
  text: string,
  { free, period, bare, priceCut, volumes, volume, deadlines, unclear }: Figures,
  used: readonly Span[],
): readonly Leftover[] => {
  const took = [
    ...(period?.spans ?? []),
    ...used,
    ...unclear,
    ...(volume === undefined ? [] : volumes.slice(0, volumes.indexOf(volume) + 1)),
    ...bare.slice(0, 1),
    ...(priceCut === null ? [] : [priceCut]),
  ];
  const figures = [...used, ...(volume === undefined ? [] : [volume]), ...bare.slice(0, 1)];
  const said = new Set(figures.map(({ start, end }) => digitsOf(free.slice(start, end))));
  return [
    ...unclear.map((span) => leftover(free, span, false)),
    ...leftoversIn(blanked(free, took), free).filter((one) => !said.has(digitsOf(one.text))),
    ...bare.slice(0, 1).map((span) => leftover(free, span, true)),
    ...(priceCut === null ? [] : [{ ...leftover(free, priceCut, false), isCut: true as const }]),
    ...deadlines.map((span) => aside(text, span)),
  ];
};

/** No quote holds such a wish. */
const unwantedContext = new RegExp(
  "\\b(?:no|not? on|without|excluding|avoid)\\s(?:[\\p{L}-]+\\s){0,3}" +
    "(?:content|contexts?|environments?|sites|apps|channels|shows|competitors?)\\b",
  "giu",
);

interface Targeting {
  readonly audience: readonly Span[];
  readonly geo: readonly Span[];
  /** Places that are not wanted. */
  readonly left: readonly Span[];
}

const beforePlace = /^\s*(?:(?:in|from|for|the|any|all) )*$/i;

/** `text` is without the names of products. */
const targetingIn = (text: string, finder: ProductFinder): Targeting => {
  const isProduct = (words: string): boolean => finder.find(words).products.length > 0;
  const places = placesIn(text, isProduct);
  const audience = audiencesIn(blanked(text, places), isProduct);
  const left = (places.length === 0 ? [] : exclusionsIn(text)).filter(({ end, phrase }) =>
    places.some(({ start }) => start < end && beforePlace.test(text.slice(end - phrase.length, start))),
  );
  const isWanted = (place: Span): boolean => !left.some(({ start, end }) => place.start >= start && place.end <= end);
  return { audience, geo: places.filter(isWanted), left };
};

/** Without who speaks, and what is taken back. */
const heardWords = (said: string, finder: ProductFinder): string => {
  const text = ownWords(prepared(said));
  const isProduct = (words: string): boolean => finder.find(words).products.length > 0;
  const own = blanked(text, personsIn(text, isProduct));
  return inMoney(corrected(blanked(own, correctedProductsIn(own, isProduct))));
};

export const hear = (said: string, finder: ProductFinder, nowMs: number): Heard => {
  const text = heardWords(said, finder);
  const names = finder.namesIn(text);
  const target = targetingIn(blanked(text, names), finder);
  const targeted = [...target.audience, ...target.geo];
  const references = referencesIn(text);
  const ids = [...ownSpans(text), ...references];
  const read = figuresIn(blanked(text, [...names, ...ids, ...targeted, ...target.left]), nowMs);
  const { shift, resize, period, money, volumes, volume, bare, priceCut } = read;
  const priced = moneySlots(money, text);
  const types = dealTypesIn(text);
  const figures = [...(period?.spans ?? []), ...money, ...volumes];
  const terms = [...figures, ...targeted, ...target.left, ...types.spans, ...ids];
  const bareText = blanked(text, [...spansOf(text, idioms), ...terms]);
  const given = anyId.test(text) ? productsById(text.match(/\bprod-[0-9a-z-]+/gi) ?? [], finder) : [];
  const named = namedIn({ plain: withNames(bareText, text, names), text, terms }, names, finder);
  const inventory = given.length > 0 ? [exactly(given)] : named.inventory;
  return {
    slots: {
      ...idsIn(text),
      ...(volume === undefined ? {} : { impressions: volume.value }),
      ...priced.slots,
      ...flightSlots(period),
      ...(types.wanted[0] === undefined ? {} : { deal_type: types.wanted[0].type }),
      ...listSlot("audience", text, target.audience),
      ...listSlot("geo", text, target.geo),
    },
    inventory,
    excluded: named.excluded,
    spoken: spokenForm(text, names, [...figures, ...bare, ...ids, ...target.audience], inventory),
    words: blanked(text, [...money, ...names, ...spansOf(text, contentWith)]),
    resize,
    shift,
    volumes: volumesMeant(volumes, volume),
    isCounted: volume !== undefined && countWord.test(text.slice(volume.start, volume.end + 16)),
    sums: read.sums.map(({ value, start, end }) => ({ value, text: text.slice(start, end) })),
    hasDeadline: read.deadlines.length > 0,
    loneDays: period === null ? loneDaysIn(read.free) : [],
    flightPart: period === null ? flightPartIn(read.free) : null,
    barePrice: bare[0]?.value ?? null,
    priceCut,
    limit: limitIn(read.free, [...money, ...bare]),
    currency: currencyIn(text, money),
    unsold: given.length > 0 ? null : named.unsold,
    leftovers: [
      ...unusedIn(text, read, priced.used),
      ...types.wanted.slice(1).map((span) => leftover(text, span, false)),
      ...types.left.map((span) => leftover(text, span, false)),
      ...[...references, ...target.left, ...spansOf(text, unwantedContext)].map((span) => aside(text, span)),
      ...named.unplaced,
    ],
  };
};
