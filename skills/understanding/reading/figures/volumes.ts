import { blanked, spansOf } from "../spans.ts";
import {
  figure,
  type Found,
  fromStart,
  hundredWords,
  scale,
  scaledFigure,
  scaleOf,
  spanOf,
  spelled,
  word,
} from "./numbers.ts";

const small = `(?:${word})(?:[\\s-](?:${word}))?`;
const spelledNumber =
  `half an?|(?:una? |eine |um |une )?(?:halbe|medio|media|demi|meio|meia)|(?:a |three )?quarters?(?: of)?(?: an?)?|` +
  `(?:${small}\\s+)?(?:${hundredWords})(?:\\s+(?:and\\s+)?${small})?|${small}(?: and a half)?`;
const volumePattern = new RegExp(
  `${fromStart}\\b(?:(${figure})\\s?(?:(${scale})\\b)?|(${spelledNumber})[\\s-]+(${scale}))(?!\\w)`,
  "gi",
);

/** Any number before "impressions" is a volume, even an impossible one: it is rejected, not ignored. */
const countedPattern = /(?<![\d,.'])(-?\d{1,3})\s?imp(?:ression)?s?\b/gi;

const scaled = (match: RegExpMatchArray): number => {
  if (match[1] !== undefined) return Math.round(scaledFigure(match[1], match[2]));
  return Math.round(spelled(match[3] ?? "") * scaleOf(match[4], 100));
};

/** Years, lengths, references and shares are no volume. */
const noVolume = new RegExp(
  [
    /\b(?:19|20)\d\d\b(?!\s*(?:imp|[km]\b|\d{3}))|:\d+|\b\d+(?:[.,]\d+)?\s?%|\b\d+x\d+\b/,
    /\b(?:ref(?:erence)?|po|no|nr|number|order|invoice)(?: (?:number|no|nr|id))?[.:#]?(?: is)?\s?#?\d[\d-]*/,
    /\b(?:ticket|id|phone|tel|slot|code)(?: (?:number|no|nr|id))?[.:#]?(?: is)?\s?#?\d[\d-]*/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

const mayBeVolume = new RegExp(`\\d|\\b(?:${scale})\\b`, "i");

/** "5M", "5,000,000", "5.000.000", "five million"; small bare numbers are no volume. */
export const volumesIn = (text: string): readonly Found[] => {
  if (!mayBeVolume.test(text)) return [];
  return [...blanked(text, spansOf(text, noVolume)).matchAll(volumePattern)]
    .map((match) => ({ value: scaled(match), ...spanOf(match) }))
    .filter((found) => found.value >= 1000)
    .concat([...text.matchAll(countedPattern)].map((match) => ({ value: Number(match[1]), ...spanOf(match) })));
};
