import { matchesOf, type Span } from "../spans.ts";
import { countWord, lengthOf } from "./forms.ts";
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

/** "The first two weeks" of a flight that is in force. */
export interface FlightPart {
  readonly isFirst: boolean;
  /** Null for half of it. */
  readonly days: number | null;
  readonly text: string;
}

const part = new RegExp(
  `\\b(first|last|second|prim\\w+|ultim\\w+|segund\\w+|erste\\w*|letzte\\w*|zweite\\w*|premiere?|derniere?)\\s` +
    `(?:(${countWord})\\s)?(half|halfte|mitad|metade|moitie|quincena|quinzena|quinzaine|weeks?|days?|wochen?|` +
    `semanas?|semaines?|dias|tage|jours)\\b(?!\\s(?:of|in|im|de|del|do|du)\\s)`,
  "gi",
);
const daysOrWeeks = "(weeks?|days?|wochen?|semanas?|semaines?|dias|tage|jours)";
/** "2 weeks only": from the first day on. */
const only = new RegExp(
  `\\b(?:only|just|nur|solo|seulement)\\s(?:for )?(${countWord})\\s${daysOrWeeks}\\b|` +
    `\\b(${countWord})\\s${daysOrWeeks}\\s` +
    "(?:only|(?:is|are) enough|would do|will do|instead|reich\\w+|bastan?)\\b",
  "gi",
);
const isHalf = /^(?:half|halfte|mitad|metade|moitie|quin)/i;
const isFirstWord = /^(?:first|prim|erste|prem)/i;
const isSecondWord = /^(?:second|segund|zweite)/i;

export const flightPartIn = (text: string): FlightPart | null => {
  const [match, other] = matchesOf(text, part);
  const [length, another] = match === undefined ? matchesOf(text, only) : [];
  if (length !== undefined && another === undefined) {
    const [said, before, beforeUnit, after, afterUnit] = length;
    return { isFirst: true, days: lengthOf(before ?? after, beforeUnit ?? afterUnit), text: said };
  }
  if (match === undefined || other !== undefined) return null;
  const [words, place = "", count, unit = ""] = match;
  const half = isHalf.test(unit);
  if (isSecondWord.test(place) && !half) return null;
  return { isFirst: isFirstWord.test(place), days: half ? null : lengthOf(count ?? "1", unit), text: words };
};
