import { anyOf } from "../any-of.ts";
import { volumesIn } from "./volumes.ts";
import { matchesOf, blanked, type Span, spansOf } from "../spans.ts";
import { dayMs } from "../../../../machines/inventory/dates.ts";

interface Change extends Span {
  readonly words: string;
}

/** "A week later", "start three days earlier", "extend it by a month". */
export interface Shift extends Change {
  /** Negative for earlier. */
  readonly count: number;
  readonly unit: "day" | "month";
  readonly moves: "start" | "end" | "both";
}

/** "100k more", "double it", "20% fewer impressions": the volume in force times `factor`, plus `add`. */
export interface Resize extends Change {
  readonly factor: number;
  readonly add: number;
}

const counts: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "one two three four five six seven eight nine ten eleven twelve".split(" ").map((name, at) => [name, at + 1]),
  ),
  a: 1,
  an: 1,
  another: 1,
  "a couple of": 2,
};
const unitDays: Readonly<Record<string, number>> = { day: 1, night: 1, week: 7, fortnight: 14 };

const length =
  `(\\d{1,3}|a couple of|${Object.keys(counts).join("|")})[\\s-](?:more |full |extra |calendar )?` +
  "(days?|nights?|weeks?|fortnights?|months?)\\b";
const moving =
  "move|moved|moving|shift|shifted|push|pushed|postpone|postponed|delay|delayed|bring|brought|pull|pulled|slide|slip|" +
  "reschedule|put back|extend|extended|prolong|lengthen|shorten|cut|start|starts|begin|end|ends|finish|stop|run|add";
const direction = "later|earlier|sooner|before|after|longer|shorter|out|back|on|forward|more|less";

const shiftPattern = new RegExp(
  [
    `\\b(?:${moving})\\b(?:\\s+[\\w-]+){0,4}?\\s+(?:(?:back|forward|out|on|up|in)\\s+)?(?:by\\s+|for\\s+)?${length}` +
      `(?:\\s+(?:${direction}))?`,
    `\\b${length}\\s+(?:later|earlier|sooner|longer|shorter)\\b`,
    `\\b(?:later|earlier|sooner|longer|shorter)\\s+by\\s+${length}`,
  ].join("|"),
  "gi",
);
const anyUnit = /\b(?:day|night|week|fortnight|month)/i;
/** A length with these is a flight of its own: "run for two weeks", "start on Monday for 10 days". */
const ownLength = /\bfor\b/i;
const isStretch = /\b(?:extend|prolong|lengthen|longer|add|more)/i;
const isShortening = /\b(?:shorten|cut|shorter|less)/i;
const isEarlier = /\b(?:earlier|sooner|before|(?:bring|brought|pull|pulled)\b.{0,30}\b(?:forward|up|in))\b/i;
/** Nobody knows which way "push it forward" goes. */
const isUnclear = /\b(?:move|moved|push|pushed|shift|shifted|slide)\b.{0,30}\bforward\b/i;
const namesStart = /\b(?:start|begin|launch)/i;
const namesEnd = /\b(?:end|finish|stop)/i;

const movesOf = (words: string): Shift["moves"] => {
  if (isStretch.test(words) || isShortening.test(words)) return namesStart.test(words) ? "start" : "end";
  if (namesStart.test(words) === namesEnd.test(words)) return "both";
  return namesStart.test(words) ? "start" : "end";
};

export const shiftIn = (text: string): Shift | null => {
  if (!anyUnit.test(text)) return null;
  for (const match of matchesOf(text, shiftPattern)) {
    const [words, ...groups] = match;
    if (isUnclear.test(words) || ownLength.test(words)) continue;
    const [size, unit] = groups.filter((group) => group !== undefined).map((group) => group.toLowerCase());
    const name = (unit ?? "").replace(/s$/, "");
    const count = (counts[size ?? ""] ?? Number(size)) * (unitDays[name] ?? 1);
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const isBack = isEarlier.test(words) || isShortening.test(words);
    return {
      start: match.index,
      end: match.index + words.length,
      words,
      count: isBack ? -count : count,
      unit: name === "month" ? "month" : "day",
      moves: movesOf(`${before.match(/\b(?:start|begin|end|finish)\w*\s+(?:\w+\s+)?$/i)?.[0] ?? ""}${words}`),
    };
  }
  return null;
};

const isoOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const lastOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

const moved = (day: string, { count, unit }: Shift): string => {
  const at = new Date(`${day}T00:00:00Z`);
  if (unit === "day") return isoOf(at.getTime() + count * dayMs);
  const month = at.getUTCMonth() + count;
  const last = lastOfMonth(at.getUTCFullYear(), month);
  const isLast = at.getUTCDate() === lastOfMonth(at.getUTCFullYear(), at.getUTCMonth());
  return isoOf(Date.UTC(at.getUTCFullYear(), month, isLast ? last : Math.min(at.getUTCDate(), last)));
};

export interface Flight {
  readonly flight_start: string;
  readonly flight_end: string;
}

/** Whole months stay whole months. */
export const shifted = ({ flight_start: start, flight_end: end }: Flight, shift: Shift): Flight => ({
  flight_start: shift.moves === "end" ? start : moved(start, shift),
  flight_end: shift.moves === "start" ? end : moved(end, shift),
});

const factors: readonly (readonly [RegExp, number])[] = [
  [/\b(?:doubled?|twice)\b/gi, 2],
  [/\b(?:tripled?|three times)\b/gi, 3],
  [
    new RegExp(
      "(?<!\\b(?:a|first|second|1st|2nd|back|last) )\\b(?:half|halved?)\\b" +
        "(?! (?:a|an)\\b| of (?!(?:that|it|this|the volume)))",
      "gi",
    ),
    0.5,
  ],
];

const counted = "(?:imp\\w*|volume|views|inventory)";
/** "3x the volume", "4 times as many impressions". */
const timesPattern = new RegExp(
  "\\b(\\d{1,2})\\s?(?:x|times)\\s+(?:the |that |our |as many |as much |of (?:the |that ))?" +
    `(?:original |current )?${counted}\\b`,
  "gi",
);
const shareOf = (after: string, named: string): RegExp =>
  new RegExp(
    `\\b(\\d{1,3})\\s?(?:%|percent)\\s+(more|less|fewer|extra|higher|lower)${after}|` +
      `\\b(increase|raise|up|cut|reduce|lower|decrease)\\s+(?:the\\s+)?${named}\\s+by\\s+(\\d{1,3})\\s?(?:%|percent)`,
    "gi",
  );
/** Of what a share is taken; of a budget also where nothing is named. */
const sharePatterns = {
  volume: shareOf(`\\s+${counted}\\b`, counted),
  budget: shareOf(`\\b(?:\\s+(?:budget|money|spend)\\b)?(?!\\s+${counted})`, "(?:budget|money|spend|it|that)"),
};
const isFewer = /^(?:less|fewer|lower|cut|reduce|decrease)$/i;

const addingBefore = {
  volume: /\b(?:add(?:ing)?|plus|another|extra|additional|increase(?: it)? by|raise(?: it)? by|up by)\s+(?:an? )?$/i,
  budget: /\b(?:add(?:ing)?|plus|another|extra|(?:increase|raise)(?: it| the budget)? by|up by)\s+(?:an? )?$/i,
};
const takingBefore = {
  volume: anyOf(
    /\b(?:(?:reduce|cut|lower|decrease|drop)(?:\s+(?:it|that|this|the volume|the deal|the booking))? by)\s+$/i,
    /\b(?:minus|take off)\s+$/i,
  ),
  budget: /\b(?:(?:reduce|cut|lower|decrease|drop)(?:\s+(?:it|that|this|the budget))? by|minus|take off)\s+$/i,
};
const moreAfter = /^\s*(?:imp\w*\s+)?(?:more|extra|on top|additional)\b/i;
const lessAfter = /^\s*(?:imp\w*\s+)?(?:less|fewer)\b/i;

const addedIn = (text: string, of: keyof typeof sharePatterns): Resize | null => {
  for (const { value, start, end } of volumesIn(text)) {
    const [before, after] = [text.slice(Math.max(0, start - 40), start), text.slice(end, end + 24)];
    const isMore = addingBefore[of].test(before) || (moreAfter.test(after) && !/^\s*more than/i.test(after));
    const words = text.slice(start, end);
    if (isMore) return { start, end, words, factor: 1, add: value };
    if (takingBefore[of].test(before) || (lessAfter.test(after) && !/^\s*less than/i.test(after)))
      return { start, end, words, factor: 1, add: -value };
  }
  return null;
};

const mayResize = anyOf(
  /\b(?:more|less|fewer|extra|higher|lower|increase|raise|up|cut|reduce|decrease|drop|add(?:ing)?|plus|another)\b/i,
  /\b(?:additional|minus|take off|on top|times|doubled?|twice|tripled?|half|halved?)\b|\dx\b/i,
);

/** Null without a change; "double the volume" has the factor 2. */
export const resizeIn = (text: string, of: keyof typeof sharePatterns = "volume"): Resize | null => {
  if (!mayResize.test(text)) return null;
  for (const match of matchesOf(text, sharePatterns[of])) {
    const share = Number(match[1] ?? match[4]) / 100;
    const factor = isFewer.test(match[2] ?? match[3] ?? "") ? 1 - share : 1 + share;
    return { start: match.index, end: match.index + match[0].length, words: match[0], factor, add: 0 };
  }
  for (const match of matchesOf(text, timesPattern))
    return {
      start: match.index,
      end: match.index + match[0].length,
      words: match[0],
      factor: Number(match[1]),
      add: 0,
    };
  const added = addedIn(text, of);
  if (added !== null) return added;
  for (const [pattern, factor] of factors) {
    const [span] = spansOf(text, pattern);
    if (span !== undefined) return { ...span, words: text.slice(span.start, span.end), factor, add: 0 };
  }
  return null;
};

export const resized = (volume: number, { factor, add }: Resize): number => Math.round(volume * factor + add);

export const withoutChanges = (text: string, changes: readonly (Span | null)[]): string =>
  blanked(
    text,
    changes.filter((change) => change !== null),
  );
