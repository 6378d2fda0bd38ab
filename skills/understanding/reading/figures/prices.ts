import { matchesOf } from "../spans.ts";
import { highestCpm } from "./money.ts";
import { figure, type Found, fromStart, moneyValue, scale } from "./numbers.ts";

const priceWords =
  "at|to|for|with|of|bid|than|take|about|is|offer|counter|do|pay|say|accept|around|only|above|over|below|under|" +
  "says|like|most|max|maximum|limit|ceiling|offer:|price:|cpm:|as|on|paid|agreed|see|auch|por|zu|fur|faire|hacer";
/** Makes a number a volume, a length, a share or part of a date. */
const noPrice =
  `[\\d.,]*\\s?(?:%|:|/|x\\d|-\\s?\\d|-\\w|` +
  `(?:${scale}|imp\\w*|days?|weeks?|months?|percent|hours?|sec\\w*|times)\\b)`;
const barePricePattern = new RegExp(`\\b(?:${priceWords})\\s+${fromStart}(${figure})(?!${noPrice})`, "gi");
const pleasing = "ok|okay|fine|good|great|perfect|nice|better|ideal|fair|doable|acceptable";
const limitAfter = new RegExp(
  `${fromStart}(${figure})(?!${noPrice})\\s+` +
    "(?:is what\\b|is (?:about )?(?:our|my|the) (?:limit|max\\w*|ceiling|target|offer|most|best|highest)|" +
    `and not a cent|(?:would|could|might) (?:work|do|be (?:\\w+ )?(?:${pleasing}))|` +
    "(?:feels|sounds|seems|looks) (?:about )?(?:right|fair|good|better|ok|okay|fine)\\b|" +
    "works|(?:and|n|&) (?:(?:we|you)(?:'ve| have)? (?:got |have )?|it'?s |that'?s )?(?:a |the )?" +
    "(?:deal|done|go|sign)\\b)",
  "gi",
);
/** "Too pricey: 19.5." */
const afterRefusal = new RegExp(
  `\\b(?:expensive|pricey|high|steep|much|rich|teuer|cher|caro|cara)[\\s,;:.!-]+${fromStart}(${figure})(?!${noPrice})` +
    "(?!\\s*(?:for|of|on|in)\\b)",
  "gi",
);
/** "ok then 29", "45 please". */
const beforeNumber =
  "ok|okay|fine|alright|well|hm+|uh|er+|no|then|so|and|say|let's say|actually|make (?:it|that)|" +
  "i mean|rather|maybe";
const afterNumber =
  "final|max|tops|then|please|flat|and done|(?:is )?(?:my |our |the )?(?:last|final) offer|take it or leave it";
const onlyNumber = new RegExp(
  `^[\\s,;:–-]*(?:(?:${beforeNumber})[\\s,]+)*(${figure})(?:[\\s,]+(?:${afterNumber}))*[\\s?!.]*$`,
  "gi",
);

/** "Can you sharpen the price? 18.50". */
const lastNumber = new RegExp(`[.?!;]\\s+(${figure})[\\s?!.]*$`, "gi");
/** "13.20" says by itself that it is a price. */
const withCents = new RegExp(`${fromStart}(?<![-–]\\s?)(\\d{1,3}[.,]\\d{1,2})(?!\\d|${noPrice})`, "gi");

/** "come down to 9", "at 20.50". */
export const barePricesIn = (text: string): readonly Found[] => {
  if (!/\d/.test(text)) return [];
  const found = [barePricePattern, onlyNumber, limitAfter, afterRefusal, lastNumber, withCents]
    .flatMap((pattern) => matchesOf(text, pattern))
    .map((match) => {
      const start = (match.index ?? 0) + match[0].indexOf(match[1] ?? "");
      return { value: moneyValue(match[1] ?? "0", undefined, text), start, end: start + (match[1] ?? "").length };
    });
  const once = new Map(found.map((one) => [one.start, one]));
  return [...once.values()].filter(({ value }) => value > 0 && value < highestCpm);
};
