import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import type { Entity, Scan } from "../../talk/reader/entity.ts";
import { isoOf } from "../../talk/reader/moments.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";
import { focusOf, type Memory, topicFor } from "./memory.ts";
import type { Request } from "./requests.ts";
import { sureIds } from "./said.ts";

/** "100k more", "double it", "20 % fewer": what is in force times `factor`, plus `add`. */
export interface Resize {
  readonly factor: number;
  readonly add: number;
  /** The figure that says so. */
  readonly by?: Entity;
}

const more = words("more extra additional add adding another plus increase raise up top additionally higher grow");
const less = words("less fewer reduce cut lower decrease minus off shrink drop");

/** Between the verb and the figure "to" names the new size, "by" the step. */
const isTo = ({ tokens }: Scan, from: number): boolean => isOneOf(tokens[from - 1]?.word ?? "", "to at =");

const fixed: readonly (readonly [RegExp, number])[] = [
  [/\b(?:double|doubled|twice (?:as|the|that)|verdoppel\w*|doppelt)\b/, 2],
  [/\b(?:triple|tripled|three times)\b/, 3],
  [
    new RegExp(
      "\\b(?:halve|halved|by half|half (?:of )?(?:that|it|this|the (?:volume|budget|impressions|amount))|" +
        "half as (?:many|much)|cut (?:it|that) in half|half the(?! (?:price|cpm|rate|cost|flight|time|month)))\\b",
    ),
    0.5,
  ],
];

export const resizeIn = ({ scan, said, text }: Request): Resize | null => {
  const plain = text.toLowerCase();
  const times = /\b(\d{1,2}) ?(?:x|times) (?:the|that|as|our|this)\b/.exec(plain)?.[1];
  if (times !== undefined) return { factor: Number(times), add: 0 };
  for (const [pattern, factor] of fixed) if (pattern.test(plain)) return { factor, add: 0 };
  for (const one of said.entities) {
    if (one.kind !== "volume" && one.kind !== "percent" && one.kind !== "money") continue;
    if (isTo(scan, one.from)) continue;
    const behind = scan.tokens.slice(one.to, one.to + 2).map(({ word }) => word);
    const isBy = scan.tokens[one.from - 1]?.word === "by";
    // "Increase the volume of it by 200,000", "raise the CTV deal by $2,000 and the pre-roll one by $1,000".
    const before = scan.tokens.slice(Math.max(0, one.from - (isBy ? 24 : 3)), one.from).map(({ word }) => word);
    const verb = before.findLast((word) => more.has(word) || less.has(word)) ?? "";
    const isMore =
      behind.some((word) => more.has(word)) ||
      (more.has(verb) &&
        (isBy ||
          isOneOf(before.at(-1) ?? "", "add another extra additional plus") ||
          isOneOf(before.at(-2) ?? "", "add another plus")));
    const isLess = behind.some((word) => less.has(word)) || (less.has(verb) && isBy);
    if (!isMore && !isLess) continue;
    const sign = isLess ? -1 : 1;
    if (one.kind === "percent")
      return /\b(?:discount|off|cheaper|price|cpm)\b/.test(plain) ||
        !/\b(?:volume|impressions|imps|budgets?|money|spend|deals?|campaigns?|bookings?|it|that)\b/.test(plain)
        ? null
        : { factor: 1 + (sign * one.value) / 100, add: 0, by: one };
    return { factor: 1, add: sign * one.value, by: one };
  }
  return null;
};

/** "$1,000 more, so $6,000 in total": the whole beside the step. */
export const totalSaid = ({ scan, said }: Request, { by }: Resize): number | null => {
  const one = said.entities.findLast(({ kind, from, to }) => {
    const [next, last] = scan.tokens.slice(to, to + 2).map(({ word }) => word);
    const isTotal =
      isOneOf(next ?? "", "total altogether overall") || (next === "in" && isOneOf(last ?? "", "total all"));
    return kind === "money" && from !== by?.from && (isTotal || isTo(scan, from));
  });
  return one?.kind === "money" ? one.value : null;
};

/** Whole impressions that a sum buys; a quotient that is whole but for its last digit is whole. */
export const boughtFor = (sum: number, cpm: number): number => Math.floor((1000 * sum) / cpm + 1e-6);

export const resized = (volume: number, { factor, add }: Resize): number => Math.round(volume * factor + add);

/** "A week later", "start three days earlier", "extend it by a month". */
export interface Shift {
  /** Negative for earlier. */
  readonly days: number;
  readonly moves: "start" | "end" | "both";
}

const later = /\b(?:(?:move|shift|push)\b.*\bby|later|back|out|postpone|postponed|delay|delayed|push|pushed|after)\b/;
const earlier =
  /\b(?:earlier|sooner|forward|before|ahead)\b|\b(?:bring|pull)\b(?![^,.;]*\b(?:volume|impressions|budget|down)\b)/;
const pushed = /\b(?:push|put|move|shift)\b[^,.;]*\bback\b/;
const kept = (side: string): RegExp =>
  new RegExp(`\\b(?:leave|keep)\\b[^,.;]*\\b${side}\\b|\\b${side}\\b[^,.;]*\\b(?:stays?|as is|unchanged)\\b`);
const [keptStart, keptEnd] = [kept("start"), kept("end")];
const longer = /\b(?:longer|extend|extended|prolong|lengthen|add|more|extra)\b/;
const shorter = /\b(?:shorter|shorten|cut|less)\b/;

export const shiftIn = ({ said, text }: Request): Shift | null => {
  const [length] = said.lengths;
  const plain = text.toLowerCase();
  if (length === undefined || Object.keys(said.flight).length > 0) return null;
  if (/\bfor\b/.test(plain) && !/\b(?:extend|longer|later|earlier|move|shift|push)\b/.test(plain)) return null;
  // "Start a week later, same length"
  const isWhole = plain.includes("same length") || plain.includes("same duration");
  const ofStart = /\b(?:start|starts|begin|begins|launch)\b/.test(plain) && !keptStart.test(plain) && !isWhole;
  const ofEnd = /\b(?:end|ends|finish|stop)\b/.test(plain) && !keptEnd.test(plain);
  if (longer.test(plain)) return { days: ofStart ? -length : length, moves: ofStart ? "start" : "end" };
  if (shorter.test(plain)) return { days: -length, moves: "end" };
  const isEarlier = earlier.test(plain) && !pushed.test(plain);
  if (!isEarlier && !later.test(plain)) return null;
  return { days: isEarlier ? -length : length, moves: ofStart === ofEnd ? "both" : ofStart ? "start" : "end" };
};

interface Flight {
  readonly flight_start: string;
  readonly flight_end: string;
}

const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** Whole months move by the calendar, so that March becomes April. */
const moved = (day: string, days: number): string => {
  const at = new Date(`${day}T00:00:00Z`);
  if (days % 30 !== 0) return isoOf(at.getTime() + days * dayMs);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + days / 30];
  const isLast = at.getUTCDate() === lastOf(year, at.getUTCMonth());
  const last = lastOf(year, month);
  return isoOf(Date.UTC(year, month, isLast ? last : Math.min(at.getUTCDate(), last)));
};

export const shifted = ({ flight_start: start, flight_end: end }: Flight, { days, moves }: Shift): Flight => ({
  flight_start: moves === "end" ? start : moved(start, days),
  flight_end: moves === "start" ? end : moved(end, days),
});

/** "Take 2 dollars off" is a step and no price. */
export const isStep = (request: Request): boolean =>
  /\b(?:off|cheaper|less|lower by|down by)\b/i.test(request.text) && !/\bless than\b/i.test(request.text);

/** The figure of the message that is a price where a price is open. */
export const priceSaid = (request: Request, memory: Memory): number | null => {
  const { said } = request;
  const shown = said.entities.findLast(({ kind }) => kind === "price");
  // "31.50 is too high, can you do 26?": of two the last is the buyer's own.
  const after = said.entities.find(
    (one) =>
      shown !== undefined &&
      said.price !== null &&
      one.kind === "number" &&
      one.from > shown.from &&
      one.value < said.price &&
      one.value >= said.price / 2,
  );
  if (after?.kind === "number") return after.value;
  if (said.price !== null) return isStep(request) && said.price < (focusOf(memory)?.cpm ?? 10) / 2 ? null : said.price;
  const [own] = sureIds(said);
  const focus = (own === undefined ? null : topicFor(memory, own)) ?? focusOf(memory);
  const open = focus?.cpm ?? null;
  const [number] = /\b(?:too|trop|zu|muito|demasiado|muy)\b/i.test(request.text)
    ? said.numbers.slice(-1)
    : said.numbers;
  if (number === undefined || number <= 0 || number >= 500) return null;
  if (open !== null) return number >= open * 0.3 && number <= open * 1.5 ? number : null;
  const isOffered = [request.command, memory.asked ?? ""].some((one) => isOneOf(one, "offer propose"));
  return number >= 3 && (number % 1 !== 0 || isOffered) ? number : null;
};
