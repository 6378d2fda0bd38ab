import { isConditional } from "../../../../understanding/reading/clauses.ts";
import { dateWords } from "../../../../understanding/reading/dates/words.ts";
import { blanked, matchesOf, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import { plainWords } from "./vocabulary.ts";

export interface Words extends Span {
  readonly text: string;
}

/** What nothing took, neighbours together. */
export const leftIn = (text: string, taken: ReadonlySet<string> = plainWords): readonly Words[] => {
  const groups: Words[] = [];
  for (const match of matchesOf(text, /[\p{L}\p{N}$€£¥%][\p{L}\p{N}$€£¥%'_-]*(?:[.,]\d+)*/gu)) {
    const [word] = match;
    if (taken.has(word.toLowerCase())) continue;
    const last = groups.at(-1);
    const isNext = last !== undefined && /^[ \t]$/.test(text.slice(last.end, match.index));
    if (isNext) groups.pop();
    const start = isNext ? last.start : match.index;
    const end = match.index + word.length;
    groups.push({ start, end, text: text.slice(start, end) });
  }
  return groups;
};

const negation = /\b(?:no|not|never|without|except|excluding|avoid|nothing|neither)\b|n't\b/i;
/** They would change what the budget or a price means. */
const measures =
  /\b(?:per|each|every|daily|weekly|monthly|days?|weeks?|months?|half|third|split|share|fees?|net|only)\b/i;

export const isMeasure = (text: string): boolean => measures.test(text);

/** What it would change reaches beyond its part of the sentence. */
export const isFarReaching = (text: string): boolean => isMeasure(text) || negation.test(text);

/** "You may proceed" names no month. */
const mayDo = /\bmay(?= (?!until\b|to\b|and\b|or\b|on\b)[a-z])/gi;

export const isBinding = (text: string): boolean =>
  isFarReaching(text) ||
  /[\d$€£¥%]/.test(text) ||
  isConditional(text) ||
  new RegExp(dateWords.source, "i").test(text.replace(mayDo, ""));

/** "A 2nd one" is no figure of a brief. */
const another = /\b(?:\d(?:st|nd|rd|th)|second|third|another) (?:one|campaign|brief|flight plan)\b/gi;

const limitWords = new RegExp(
  "\\b(?:not? (?:more|higher)(?: than)?|" +
    "nothing (?:more|else(?=\\s*(?:please\\s*)?(?:[.,;!]|$)))|not (?:above|over)|at (?:the )?most|" +
    "max(?:imum)?|up to|under|below|" +
    "less than|or less|limit|tops|cap|ceiling)\\b",
  "gi",
);

export const withoutLimitWords = (text: string): string =>
  blanked(text, [...spansOf(text, limitWords), ...spansOf(text, another)]);

/** "No CTV" leaves CTV out, "no, CTV" does not. */
const leadIn = new RegExp(
  "^\\s*(?:(?:(?:yes|yep|ok(?:ay)?|sorry|well|hmm|actually|wait|oh|please|great|good|fine)\\b|" +
    "(?:no|nope)(?=\\s*[,.;:!-]|\\s+(?:wait|sorry|actually|i|we|it|that's|please|no)\\b))[\\s,.;:!-]*)+(?:but\\b)?",
  "i",
);

export const withoutLead = (text: string): string => text.replace(leadIn, (words) => " ".repeat(words.length));
