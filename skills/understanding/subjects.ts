import { anyOf } from "./reading/any-of.ts";
import { hasRecord, type Memory, recordIds, type Subject } from "./memory.ts";
import type { Heard, Slots } from "./reading/slots.ts";

const sold = ["impressions", "flight_start", "flight_end", "deal_type"];
const kept = [...sold, ...recordIds];

const mostKept = 30;

const only = (terms: Slots, names: readonly string[]): Slots =>
  Object.fromEntries(names.flatMap((name) => (terms[name] == null ? [] : [[name, terms[name]]])));

const hasAny = (terms: Slots, names: readonly string[]): boolean => names.some((name) => terms[name] != null);

const isOfSame = (one: Slots, other: Slots): boolean => recordIds.every((name) => one[name] === other[name]);

/** Terms asked about later are not those of the record, so only a new record replaces what is kept. */
export const withSubjects = (
  memory: Memory,
  said: readonly { readonly terms: Slots; readonly isNegotiating: boolean }[],
): Memory => {
  let subjects = memory.subjects ?? {};
  for (const { terms, isNegotiating } of said) {
    const { product_id: id } = terms;
    if (typeof id !== "string" || !hasRecord(terms)) continue;
    const before = subjects[id];
    const isNew = before === undefined || !isOfSame(before.terms, terms);
    const dealId = typeof terms["deal_id"] === "string" ? terms["deal_id"] : (before?.dealId ?? null);
    const subject: Subject = { terms: isNew ? only(terms, kept) : before.terms, isNegotiating, dealId };
    const others = Object.entries(subjects).filter(([name]) => name !== id);
    subjects = Object.fromEntries([...others, [id, subject] as const].slice(-mostKept));
  }
  return subjects === memory.subjects || Object.keys(subjects).length === 0 ? memory : { ...memory, subjects };
};

export const subjectOf = ({ subjects }: Memory, id: string | undefined): Subject | null =>
  id === undefined || subjects === undefined || !Object.hasOwn(subjects, id) ? null : (subjects[id] ?? null);

const backTo = /\b(?:back|return|revert)\s+to\s+(?:(?:the|that|our|my|your|this|first|earlier|old)\s+)*@/i;

const otherTerms = [...sold, "target_cpm", "budget"];

/** "Back to the homepage quote": shows what is open of that product, at its own terms. */
export const returnsToOpen = (
  memory: Memory,
  { spoken, slots, inventory, barePrice, resize, shift }: Heard,
): boolean => {
  const [product, another] = inventory.flatMap(({ products }) => products);
  const isOther = barePrice !== null || resize !== null || shift !== null || hasAny(slots, otherTerms);
  if (product === undefined || another !== undefined || isOther || !backTo.test(spoken)) return false;
  const subject = subjectOf(memory, product.product_id);
  return subject !== null && subject.terms["deal_id"] === undefined;
};

const takesOver = anyOf(
  /\b(?:same|also|as well|too|instead|likewise|each|both|identical)\b/i,
  /\b(?:those|these|that) ?(?:volume|dates?|flight|terms|budget)?\b/i,
);

/** "And pre-roll?" asks the same of another product. */
const namesOnlyProduct = /^\W*(?:(?:and|or|what about|how about|for)\W+)*@\W*$/;

/** What a record was made for belongs to its product; another takes it over only where the message says so. */
export const withoutBound = (terms: Slots, text: string, spoken: string): Slots =>
  !hasRecord(terms) || takesOver.test(text) || namesOnlyProduct.test(spoken)
    ? terms
    : Object.fromEntries(Object.entries(terms).filter(([name]) => !sold.includes(name)));

const ofAgreed = anyOf(
  /\b(?:as|we|i|was|were|already|had|have|price|terms) (?:\w+ )?(?:agreed|negotiated|discussed|settled)\b/i,
  /\bagreed (?:at|on|to|price|terms)\b/i,
);

const saysAgreed = (text: string): boolean => ofAgreed.test(text);

/** "We agreed 1.5M, 5 to 25 April" names its product by its terms. */
export const agreedProduct = ({ subjects = {}, terms }: Memory, text: string, slots: Slots): string | null => {
  if (!saysAgreed(text)) return null;
  const named = Object.entries(only(slots, sold));
  const fits = (of: Slots): boolean => named.every(([name, value]) => of[name] === undefined || of[name] === value);
  const fitting = Object.entries(subjects).filter(([, subject]) => fits(subject.terms));
  const { product_id: inForce } = terms;
  if (fitting.some(([id]) => id === inForce)) return null;
  const [first, second] = fitting;
  return named.length === 0 || first === undefined || second !== undefined ? null : first[0];
};
