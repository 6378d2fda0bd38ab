import { anyOf } from "./any-of.ts";
import { dateWords } from "./periods.ts";
import type { Span } from "./spans.ts";
import { spansOf } from "./spans.ts";

const people =
  "adults|women|men|females?|males?|people|families|parents|kids|children|girls|boys|millennials|frauen|manner";
const age = "\\d{2}\\s?(?:-|–|to|bis)\\s?\\d{2}|\\d{2}\\s?\\+";

const audience = anyOf(
  /\b[APMWF]\s?\d{2}(?:-\d{2}|\+)/gi,
  new RegExp(
    `\\b(?:(?:${people})(?:\\s?(?:and|&|or|/|und)\\s?(?:${people}))*|ages?|aged|alter)[\\s,:]+(?:aged? |ages )?` +
      `(?:between )?(?:${age})(?:(?: |-)?(?:year|yr)s?(?:[ -]olds?)?)?`,
  ),
  new RegExp(`\\b(?:${age})(?: |-)?(?:(?:year|yr)s?[ -]?olds?\\b|y/?o\\b|jahre\\b)`),
);

const countries =
  "United States|United Kingdom|Great Britain|Canada|Mexico|Brazil|Germany|Deutschland|Austria|Switzerland|France|" +
  "Spain|Portugal|Italy|Netherlands|Belgium|Luxembourg|Ireland|Denmark|Sweden|Norway|Finland|Poland|Czechia|" +
  "Hungary|Greece|Australia|Japan|India";
const cities =
  "Berlin|Hamburg|Munich|Cologne|Frankfurt|Stuttgart|Vienna|Zurich|Paris|Madrid|Barcelona|London|Amsterdam|Brussels|" +
  "New York|Los Angeles|Chicago|Boston|Texas|Florida|California";

const fixedPlaces = anyOf(
  /(?<![/\w])(?:US|USA|UK|EU|DACH|LATAM|NYC)(?![/\w])/g,
  new RegExp(
    `(?<![/\\w])(?:${[countries, cities].join("|").replace(/[A-Z]/g, (at) => `[${at}${at.toLowerCase()}]`)})(?![/\\w])`,
  ),
);

const otherPlace =
  /(?<=\b(?:in|across|throughout|within|geo|geo:|region|region:)\s)(?:the )?\p{Lu}\p{Ll}{3,}(?:\s\p{Lu}\p{Ll}{3,})?/gu;

export const audiencesIn = (text: string): readonly Span[] => (/\d/.test(text) ? spansOf(text, audience) : []);

/** Places that are known, and a name behind "in" that is neither a date nor `isTaken`. */
export const placesIn = (text: string, isTaken: (words: string) => boolean): readonly Span[] => {
  const fixed = spansOf(text, fixedPlaces);
  const other = spansOf(text, otherPlace).filter((span) => {
    const words = text.slice(span.start, span.end);
    const isKnown = fixed.some(({ start, end }) => start < span.end && end > span.start);
    return !isKnown && words.search(dateWords) < 0 && !isTaken(words);
  });
  return [...fixed, ...other].toSorted((one, next) => one.start - next.start);
};
