import { matchesOf, outside, type Span, spansOf } from "../spans.ts";
import { figure, type Found, fromStart, quantitiesIn, scale, spanOf, type Quantity } from "./numbers.ts";

/** Any number before "impressions" is a volume, even an impossible one: it is rejected, not ignored. */
const countedPattern = /(?<![\d,.'])(-?\d{1,3})\s?imp(?:ression)?s?\b/gi;

/** Years, lengths, references and shares are no volume. */
const noVolume = new RegExp(
  [
    /\b(?:19|20)\d\d\b(?!\s*(?:imp|[km]\b|\d{3}))|:\d+|\b\d+(?:[.,]\d+)?\s?%|\b\d+x\d+\b/,
    /\b(?:ref(?:erence)?|po|no|nr|number|order|invoice)(?: (?:number|no|nr|id))?[.:#]?(?: is)?\s?#?\d[\d-]*/,
    /\b(?:ticket|id|phone|tel|ext|extension|slot|code)(?: (?:number|no|nr|id))?[.:#]?(?: is)?\s?#?\d[\d-]*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/** "5M", "5,000,000", "5.000.000", "five million"; small bare numbers are no volume. */
export const volumesIn = (text: string, quantities: readonly Quantity[] = quantitiesIn(text)): readonly Found[] =>
  (quantities.length === 0 ? [] : outside(quantities, spansOf(text, noVolume)))
    .map(({ value, start, end }) => ({ value: Math.round(value), start, end }))
    .filter(({ value }) => value >= 1000)
    .concat(matchesOf(text, countedPattern).map((match) => ({ value: Number(match[1]), ...spanOf(match) })));

const anySize = `${fromStart}[$€£]?${figure}\\s?(?:(?:${scale})\\b)?`;
const sized = `[$€£]?${figure}\\s?(?:(?:${scale})\\b|cpm\\b|[$€£]|usd\\b|eur\\b)`;
const unclear = new RegExp(
  [
    `\\b(?:between|zwischen|entre)\\s+${anySize}\\s?(?:-|–|and|to|und|y|et|e)\\s?[$€£]?${figure}` +
      `\\s?(?:(?:${scale}|cpm)\\b)?`,
    `${anySize}\\s?(?:-|–)\\s?${sized}`,
    `${fromStart}\\d{1,2}(?:[.,]\\d{1,2})?\\s(?:to|bis)\\s${sized}`,
    `${fromStart}\\d{1,2}\\s?(?:x|×|times)\\s?${figure}\\s?(?:${scale})\\b`,
  ].join("|"),
  "gi",
);

const perTime = new RegExp(
  "^\\s?(?:imp\\w*\\s)?(?:a|per|each|every|/|pro|por|par)\\s?" +
    "(?:day|week|month|tag|woche|monat|dia|semana|mes|semaine|mois)\\b",
  "i",
);

/** Neither impressions nor money. */
const otherCount =
  /^\s?(?:uniques?|unique \w+|users|people|persons|households|hhs|clicks|leads|installs|completes|grps?)\b/i;

const ratesIn = (text: string, quantities: readonly Quantity[]): readonly Span[] =>
  quantities.flatMap(({ value, start, end }) => {
    const after = text.slice(end, end + 40);
    const unit = perTime.exec(after) ?? otherCount.exec(after);
    return value < 1000 || unit === null ? [] : [{ start, end: end + unit[0].length }];
  });

/** "1-1.5M", "4 x 500k", "200k a week": several figures, or one of several. */
export const unclearIn = (text: string, quantities: readonly Quantity[]): readonly Span[] => {
  const several = quantities.length === 0 ? [] : spansOf(text, unclear);
  return [...several, ...ratesIn(text, outside(quantities, several))];
};
