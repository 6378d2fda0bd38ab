import { matchesOf, type Span } from "../spans.ts";
import { month } from "./month-words.ts";

/** "The 11th": only the flight in force says of which month. */
export interface LoneDay extends Span {
  readonly day: number;
  readonly text: string;
  /** Null where nothing says whether it is the first or the last day. */
  readonly side: "start" | "end" | null;
}

const lone = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)\\b(?!\\s+(?:of )?(?:${month}|the month|days?|weeks?|half|quarter|` +
    "line|one|option|quote))",
  "gi",
);
const opens = /\b(?:from|starting|starts?|begin(?:s|ning)?|launch(?:es|ing)?|as of|live)\b[^,.;?!\d]{0,16}$/i;
const closes = /\b(?:until|till|to|through|by|end(?:s|ing)?|finish(?:es)?|stops?|-|–)[^,.;?!\d]{0,16}$/i;
const nearby = 30;

export const loneDaysIn = (text: string): readonly LoneDay[] =>
  matchesOf(text, lone).map((match) => {
    const before = text.slice(Math.max(0, match.index - nearby), match.index);
    const end = closes.test(before) ? "end" : null;
    return {
      day: Number(match[1]),
      text: match[0],
      side: opens.test(before) ? "start" : end,
      start: match.index,
      end: match.index + match[0].length,
    };
  });
