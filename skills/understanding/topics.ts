import { anyOf } from "./reading/any-of.ts";
import { hasRecord, type Memory, recordIds, type Topic } from "./memory.ts";
import type { Heard, Slots } from "./reading/slots.ts";

export const sold = ["impressions", "flight_start", "flight_end", "deal_type"];
/** What was quoted for a sum of money has no volume of its own. */
const kept = [...sold, "budget", ...recordIds];

const mostKept = 30;

export const only = (terms: Slots, names: readonly string[]): Slots =>
  Object.fromEntries(names.flatMap((name) => (terms[name] == null ? [] : [[name, terms[name]]])));

const hasAny = (terms: Slots, names: readonly string[]): boolean => names.some((name) => terms[name] != null);

/** A negotiation is of a quote or a proposal, which it leaves as it is. */
const rooted = recordIds.filter((name) => name !== "negotiation_id");

const isOfSame = ({ terms }: Topic, of: Slots): boolean =>
  rooted.some((name) => terms[name] != null && terms[name] === of[name]);

const hasSameIds = (one: Slots, other: Slots): boolean => recordIds.every((name) => one[name] === other[name]);

const isDeal = ({ terms }: Topic): boolean => terms["deal_id"] != null;

/** "The same for April" is one more; other terms alone replace those of before. */
const addsOne = anyOf(
  /\b(?:same|also|another|second|additional(?:ly)?|too|as well|plus|besides)\b/i,
  /^\W*(?:(?:ok|great|thanks|yes) )?and\b/i,
);

const insteadOf = /\b(?:instead|not|rather|only|actually|change|make it)\b/i;

const keeps = /\b(?:keep|stay (?:with|at)|stick (?:with|to)|back to|rather|leave it at)\b/i;

interface Mentioned {
  readonly terms: Slots;
  readonly isNegotiating: boolean;
}

const unspoken: Pick<Topic, "terms" | "isReplaced" | "wish"> = { terms: {}, isReplaced: false, wish: null };

/** Terms asked about later are not those of the record, so only a new record replaces what is kept. */
const withTopic = (topics: readonly Topic[], { terms, isNegotiating }: Mentioned, text: string): readonly Topic[] => {
  const { product_id: product } = terms;
  if (typeof product !== "string") return topics;
  const isRecord = hasRecord(terms);
  const before =
    topics.find((topic) => isRecord && isOfSame(topic, terms)) ??
    topics.findLast((topic) => topic.product === product && (!isRecord || !hasRecord(topic.terms)));
  if (!isRecord && before !== undefined && hasRecord(before.terms)) return topics;
  const place = before?.place ?? Math.max(0, ...topics.map((topic) => topic.place + 1));
  const isNew = !isRecord || before === undefined || !hasSameIds(before.terms, terms);
  const own = isNew ? only(terms, isRecord ? kept : sold) : before.terms;
  const topic: Topic = { ...unspoken, ...before, product, place, terms: own, isNegotiating, isReplaced: false };
  const isFirst = before === undefined || !hasRecord(before.terms);
  // "No, keep June" goes back to the one that another replaced.
  const returns = before?.isReplaced === true && keeps.test(text);
  const replaces = isRecord && (returns || (isFirst && (!addsOne.test(text) || insteadOf.test(text))));
  const others = topics
    .filter((one) => one !== before)
    .map((one) => (replaces && one.product === product && !isDeal(one) ? { ...one, isReplaced: true } : one));
  return [...others, topic].slice(-mostKept);
};

/** A negotiation that ended leaves no price behind. */
const droppedOf = (topic: Topic): Topic => {
  const { negotiation_id: _ended, ...terms } = topic.terms;
  return { ...topic, isReplaced: true, isNegotiating: false, terms: topic.isNegotiating ? terms : topic.terms };
};

export const withoutTopics = (memory: Memory, dropped: readonly Topic[]): Memory => {
  const places = dropped.map(({ place }) => place);
  const topics = (memory.topics ?? []).map((one) => (places.includes(one.place) ? droppedOf(one) : one));
  return dropped.length === 0 ? memory : { ...memory, topics };
};

export const withTopics = (memory: Memory, said: readonly Mentioned[], text: string): Memory => {
  const { topics: before = [] } = memory;
  const topics = said.reduce((known, one) => withTopic(known, one, text), before);
  return topics === before ? memory : { ...memory, topics };
};

const recorded = ({ topics = [] }: Memory): readonly Topic[] => topics.filter(({ terms }) => hasRecord(terms));

/** With their records, in the order in which they came up. */
export const topicsIn = (memory: Memory): readonly Topic[] =>
  recorded(memory)
    .filter(({ isReplaced }) => !isReplaced)
    .toSorted((one, other) => one.place - other.place);

/** Asked about, and neither quoted nor dropped. */
export const pricedTopics = ({ topics = [] }: Memory): readonly Topic[] =>
  topics
    .filter(({ terms, isReplaced }) => !isReplaced && !hasRecord(terms))
    .toSorted((one, other) => one.place - other.place);

const ofFew = /\b(?:both|two|three)\b/i;

/** What "both" and "all" mean: what was last shown together, else what is open, else what was only priced. */
export const allMeant = (memory: Memory, text: string): readonly Topic[] => {
  const ids = memory.life.context.shown.map(({ id }) => id);
  const open = openTopics(memory);
  const shown = open.filter(({ terms }) => Object.values(terms).some((value) => ids.includes(String(value))));
  if (shown.length > 1) return shown;
  const isOpen = open.length > 1 || (open.length === 1 && !ofFew.test(text));
  return isOpen ? open : [...open, ...pricedTopics(memory)];
};

export const openTopics = (memory: Memory): readonly Topic[] => topicsIn(memory).filter((topic) => !isDeal(topic));

export const dealTopics = (memory: Memory): readonly Topic[] => topicsIn(memory).filter(isDeal);

/** The last one of the product that has a record. */
export const topicOf = (memory: Memory, product: string | undefined): Topic | null =>
  recorded(memory).findLast((topic) => topic.product === product) ?? null;

/** The last deal of the product; a later quote leaves it as it is. */
export const dealOf = (memory: Memory, product: string | undefined): string | null => {
  const id = recorded(memory).findLast((topic) => topic.product === product && isDeal(topic))?.terms["deal_id"];
  return typeof id === "string" ? id : null;
};

const fits = (of: Slots, named: readonly (readonly [string, unknown])[]): boolean =>
  named.length > 0 && named.every(([name, value]) => of[name] === value);

/** Of several of one product the one that the message names by its terms: "the ctv in March". */
export const topicNamed = (memory: Memory, product: string | undefined, slots: Slots): Topic | null => {
  const of = recorded(memory).filter((topic) => topic.product === product);
  const named = Object.entries(only(slots, sold));
  const [topic, other] = of.filter(({ terms }) => fits(terms, named));
  return topic !== undefined && other === undefined ? topic : null;
};

/** "No, keep 1.5M" goes back to what was quoted or agreed for it. */
export const keptTopic = (memory: Memory, { slots, inventory }: Heard, text: string): Topic | null => {
  const { product_id: product } = memory.terms;
  if (inventory.length > 0 || typeof product !== "string" || !keeps.test(text)) return null;
  const named = Object.entries(only(slots, sold));
  const inForce = recorded(memory).find((topic) => topic.product === product && isInFocus(memory, topic));
  if (inForce !== undefined && fits(inForce.terms, named)) return inForce;
  return topicNamed(memory, product, slots);
};

const noRecords: Slots = Object.fromEntries(recordIds.map((name) => [name, null]));

/** What an answer teaches that goes on with it; null where nothing stays in force. */
export const focusOf = (topic: Topic | null): { readonly learnt: Slots; readonly isNegotiating: boolean } => ({
  learnt: {
    ...noRecords,
    deal_type: null,
    target_cpm: null,
    budget: null,
    ...topic?.terms,
    product_id: topic?.product ?? null,
  },
  isNegotiating: topic?.isNegotiating ?? false,
});

export const isInFocus = ({ terms }: Memory, topic: Topic): boolean =>
  hasRecord(topic.terms) ? isOfSame(topic, terms) : terms["product_id"] === topic.product && !hasRecord(terms);

/** Of the campaign, not of one product. */
export const ofCampaign = ["audience", "geo"];

export const focusedOn = (memory: Memory, { product, terms, isNegotiating }: Topic): Memory => ({
  ...memory,
  isNegotiating,
  terms: { ...only(memory.terms, ofCampaign), ...terms, product_id: product },
});

const backTo = /\b(?:back|return|revert)\s+to\s+(?:(?:the|that|our|my|your|this|first|earlier|old)\s+)*@/i;

export const comesBack = (spoken: string): boolean => backTo.test(spoken);

const otherTerms = [...sold, "target_cpm", "budget"];

/** "Back to the homepage quote": shows what is open of that product, at its own terms. */
export const returnsToOpen = (
  memory: Memory,
  { spoken, slots, inventory, barePrice, resize, shift }: Heard,
): boolean => {
  const [product, another] = inventory.flatMap(({ products }) => products);
  const isOther = barePrice !== null || resize !== null || shift !== null || hasAny(slots, otherTerms);
  if (product === undefined || another !== undefined || isOther || !comesBack(spoken)) return false;
  const topic = topicOf(memory, product.product_id);
  return topic !== null && !isDeal(topic);
};

const takesOver = anyOf(
  /\b(?:same|also|as well|too|instead|likewise|each|both|identical)\b/i,
  /\b(?:those|these|that) ?(?:volume|dates?|flight|terms|budget)?\b/i,
);

/** "And pre-roll?" asks the same of another product. */
const onlyName = /^[^\w#]*(?:(?:and|or|what about|how about|for|with|on|the)\W+)*@\W*$/;

export const isOnlyName = (spoken: string): boolean => onlyName.test(spoken);

/** "12.50 on the homepage" bids for the volume that the homepage was asked about with, not for that of another. */
export const pricedTerms = (
  memory: Memory,
  product: string | undefined,
  text: string,
  spoken: string,
): Slots | null => {
  const own = pricedTopics(memory).find((topic) => topic.product === product)?.terms;
  return own === undefined || takesOver.test(text) || isOnlyName(spoken) ? null : own;
};

/** What a record was made for belongs to its product; another takes it over only where the message says so. */
export const withoutBound = (terms: Slots, text: string, spoken: string): Slots =>
  !hasRecord(terms) || takesOver.test(text) || isOnlyName(spoken)
    ? terms
    : Object.fromEntries(Object.entries(terms).filter(([name]) => !sold.includes(name)));

const ofAgreed = anyOf(
  /\b(?:as|we|i|was|were|already|had|have|price|terms) (?:\w+ )?(?:agreed|negotiated|discussed|settled)\b/i,
  /\bagreed (?:at|on|to|price|terms)\b/i,
);

const saysAgreed = (text: string): boolean => ofAgreed.test(text);

/** "We agreed 1.5M, 5 to 25 April" names its product by its terms. */
export const agreedProduct = (memory: Memory, text: string, slots: Slots): string | null => {
  if (!saysAgreed(text)) return null;
  const named = Object.entries(only(slots, sold));
  const mayFit = ({ terms }: Topic): boolean =>
    named.every(([name, value]) => terms[name] === undefined || terms[name] === value);
  const fitting = [
    ...new Set(
      topicsIn(memory)
        .filter(mayFit)
        .map(({ product }) => product),
    ),
  ];
  const [first, second] = fitting;
  if (fitting.some((product) => product === memory.terms["product_id"])) return null;
  return named.length === 0 || first === undefined || second !== undefined ? null : first;
};
