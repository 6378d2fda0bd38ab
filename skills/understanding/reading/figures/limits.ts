import { highestCpm } from "./money.ts";
import type { Found } from "./numbers.ts";

export interface Limit {
  readonly value: number;
  readonly measure: "cpm" | "total";
  readonly isMost: boolean;
  /** A price that was only named. */
  readonly isPrice?: true;
}

const negated = "(?:not|nothing|none|never|cannot|\\w+n't(?! you))";
const most =
  "under|below|less than|at most|at the most|no more than|not more than|" +
  `${negated}(?: \\w+){0,2} (?:above|over|more than|exceed)|up to|within|max(?:imum)?|sub|` +
  "cheaper than|stays? (?:under|below|within)|go above|go over|exceed|limit|ceiling|spend|only (?:have|spend)";
const least =
  `no (?:less|lower|fewer) than|${negated}(?: \\w+){0,2} (?:(?:less|lower|fewer|cheaper) than|under|below)|` +
  "over|above|more than|at least|at minimum|a minimum of|minimum|exceeds|starting at|upwards of";
const limitBefore = new RegExp(`\\b(?:(${most})|(${least}))\\b[^\\d.;?!]{0,24}$`, "i");
const limitBehind =
  /^\s*(?:\w+\s){0,2}(?:or less|max(?:imum)?\b|tops|at (?:the )?(?:very )?most|is (?:our|my|the) (?:limit|max))/i;
const totalWords = /\b(?:total|whole|altogether|in all|overall|spend|budget|sum|all in|everything|entire)\b/i;

export const limitIn = (text: string, amounts: readonly (Found & { readonly isCpm?: boolean })[]): Limit | null => {
  for (const { value, start, end, isCpm } of amounts) {
    const before = limitBefore.exec(text.slice(Math.max(0, start - 60), start));
    const behind = limitBehind.test(text.slice(end, end + 40));
    if (before === null && !behind) continue;
    const isTotal = isCpm !== true && (value >= highestCpm || totalWords.test(text));
    return { value, measure: isTotal ? "total" : "cpm", isMost: before?.[2] === undefined };
  }
  return null;
};
