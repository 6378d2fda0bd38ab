import { anyOf } from "./any-of.ts";
import { exclusionsIn } from "./clauses.ts";
import { type Span, spansOf } from "./spans.ts";

/** PA in small letters is a word of other languages. */
const dealTypes: readonly (readonly [string, RegExp])[] = [
  ["PG", /(?<!\bnon[- ])\b(?:programmatic[ -])?guaranteed\b|\bpg\b/gi],
  ["PD", /\bpreferred(?: deals?)?\b|\bpd\b/gi],
  ["PA", /\b(?:[Pp]rivate (?:[Aa]uction|[Mm]arketplace)|PA|PMP|pmp|pa(?= deal))\b/g],
];

/** Guaranteed is something else than the deal. */
const otherGuarantee = anyOf(
  /\b(?:viewab\w*|completion|vtr|ctr|brand safety|make-?goods?)\b[^.?!,;]{0,16}\bguaranteed\b/gi,
  /\b(?:position|slots?|prices?|rates?|quality|reach)\b[^.?!,;]{0,16}\bguaranteed\b/gi,
  /\bguaranteed (?:viewab\w*|completion|vtr|ctr|clicks?|position|reach|grps?|views)\b/gi,
);
const notGuaranteed = /\b(?:non[- ]|not |un)guaranteed\b/gi;

export interface DealTypes {
  /** Each once, in text order. */
  readonly wanted: readonly (Span & { readonly type: string })[];
  /** "Without PG" and "non-guaranteed" leave others open. */
  readonly left: readonly Span[];
  readonly spans: readonly Span[];
}

/** "PD rather than PG" wants one of them. */
export const dealTypesIn = (text: string): DealTypes => {
  const other = spansOf(text, otherGuarantee);
  const isWithin = ({ start, end }: Span, outer: readonly Span[]): boolean =>
    outer.some((one) => start >= one.start && end <= one.end);
  const all = dealTypes
    .flatMap(([type, pattern]) => spansOf(text, pattern).map((span) => ({ ...span, type })))
    .filter((one) => !isWithin(one, other));
  const exclusions = all.length === 0 ? [] : exclusionsIn(text);
  const wanted = all
    .filter((one) => !isWithin(one, exclusions))
    .toSorted((one, next) => one.start - next.start)
    .filter(({ type }, place, found) => found.findIndex((next) => next.type === type) === place);
  const left = exclusions.filter((out) => wanted.length === 0 && all.some((one) => isWithin(one, [out])));
  return { wanted, left: [...left, ...spansOf(text, notGuaranteed)], spans: [...all, ...other] };
};
