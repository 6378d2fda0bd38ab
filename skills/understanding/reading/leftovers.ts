import { anyOf } from "./any-of.ts";
import { dateWords } from "./dates/words.ts";
import { blanked, type Span, spansOf } from "./spans.ts";

export interface Leftover {
  readonly text: string;
  /** It could change price, volume, dates or product, so nothing may be quoted without asking. */
  readonly isBinding: boolean;
  /** It is the price where an offer is made. */
  readonly isBarePrice: boolean;
  /** It lowers the price where an offer is made. */
  readonly isCut?: true;
}

const unit =
  "%|percent\\b|(?:days?|weeks?|months?)\\b|[$€£]|(?:k|m|mm|mio|million|thousand|bn)\\b|(?:st|nd|rd|th)\\b|x\\d+\\b";
const figures = new RegExp(`(?<![\\w:.])(?:[$€£¥]\\s?)?\\d[\\d.,']*(?<![.,'])\\s?(?:${unit})?`, "gi");

/** Numbers that are no term of a deal. */
const harmlessBefore = anyOf(
  /\b(?:ref(?:erence)?|po|no|nr|(?<!\b(?:our|my|your|best) )number|order|invoice|ticket|id)[.:#]?(?: is)?\s?#?$/i,
  /\bfrequency(?: cap)?(?: of)?:?\s?$/i,
  /\b(?:payment|viewability|completion|vtr|vat|iva|tva|mwst|fee)(?: (?:of|is|rate|above|at|in|within))*\s?$/i,
  /\b(?:version|page|slot|room|phone|tel|ext(?:ension)?|code|option|step|top)[.:#]?(?: is)?\s?#?$/i,
);
const harmlessAfter = anyOf(
  /^\s?(?:sizes?|formats?|languages?|variants?)\b/i,
  /^\s?(?:new |different |other )?(?:models?|brands?|stores?|shops?|cities|launches|versions?|teams?|clients?)\b/i,
  /^\s?-?(?:campaigns?|creatives?|people|persons?|colleagues|markets|years?|times|a year)/i,
  /^\s?-?(?:per (?:day|user|week)|seconds?|secs?|s\b|hours?|minutes?|pm\b|am\b|dmas?\b|fps|[km]bps|[km]b\b|px|dpi)/i,
  /^\s?(?:and|or|\/|,|&)\s?\d+\s?-?(?:seconds?|secs?|s\b|")/i,
  /^\s?(?:days?|weeks?|months?)? ?(?:net\b(?= (?:payment|terms|ok))|notice|payment|lines?\b|items|products|rows)/i,
  /^\s?(?:days?|weeks?|months?) net\b|^\s?(?:quotes|deals|offers|options)\b/i,
  /^\s?(?:%|percent)?\s(?:\w+ )?(?:viewab|vat\b|tax|mwst|fees?\b|commission|deliver|completion|vtr|sov|share of)/i,
  /^x\d/i,
);

/** A count of something that is no term of a deal: "2 new models", "ref 4711". */
export const isHarmless = (whole: string, { start, end }: Span): boolean =>
  harmlessBefore.test(whole.slice(Math.max(0, start - 24), start)) || harmlessAfter.test(whole.slice(end, end + 16));

/** `whole` is the text before terms were blanked, for the words around. */
export const leftoversIn = (rest: string, whole: string): readonly Leftover[] => {
  const dates = spansOf(rest, dateWords);
  const numbers = spansOf(blanked(rest, dates), figures);
  const found = [...dates, ...numbers].toSorted((one, other) => one.start - other.start);
  const texts = found.map(({ start, end }) => {
    const text = whole.slice(start, end).trim();
    return { text, isBinding: !isHarmless(whole, { start, end }) && !/\dx\d/.test(text), isBarePrice: false };
  });
  return texts.filter(({ text }, place) => text !== "" && texts.findIndex((one) => one.text === text) === place);
};
