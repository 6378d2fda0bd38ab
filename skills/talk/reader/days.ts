import { isOneOf, words } from "./word-lists.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";
import { isOf, nameOf, valueOf } from "./lexicon.ts";
import { atOf, type Moment, monthFrom, todayOf } from "./moments.ts";
import type { Token } from "./tokens.ts";

/** A day as it was written, with the year where it was said. `to` is exclusive. */
export interface Day extends Moment {
  readonly to: number;
  readonly isWeekday?: boolean;
}

interface Found {
  readonly value: number;
  readonly to: number;
}

const whole = (token: Token | undefined, least: number, most: number): number | null => {
  if (token?.kind !== "number" || !/^\d{1,4}$/.test(token.text)) return null;
  const value = Number(token.text);
  return value >= least && value <= most ? value : null;
};

/** "2027", "'27", "/27", ", 2027"; null without one. */
export const yearAt = (tokens: readonly Token[], at: number, nowMs: number): Found | null => {
  const lead = isOneOf(tokens[at]?.word ?? "", "of in") ? 1 : 0;
  if (
    nameOf(tokens[at + lead + 1], "span") === "year" &&
    (isOf(tokens[at + lead], "next") || isOf(tokens[at + lead], "this"))
  ) {
    const thisYear = new Date(nowMs).getUTCFullYear();
    return { value: isOf(tokens[at + lead], "next") ? thisYear + 1 : thisYear, to: at + lead + 2 };
  }
  const skip = isOneOf(tokens[at]?.word ?? "", ", / of de del do .") ? 1 : 0;
  const year = whole(tokens[at + skip], 2000, 2099);
  if (year !== null && !(tokens[at + skip + 1]?.text === "-" && tokens[at + skip + 1]?.isGlued === true))
    return { value: year, to: at + skip + 1 };
  const mark = tokens[at + skip]?.text ?? "";
  const short =
    isOneOf(mark, "' ’") || (skip === 1 && tokens[at]?.text === "/")
      ? whole(tokens[at + skip + (isOneOf(mark, "' ’") ? 1 : 0)], 20, 60)
      : null;
  if (short !== null) return { value: 2000 + short, to: at + skip + (isOneOf(mark, "' ’") ? 2 : 1) };
  // "5 April 27": two digits that nothing else claims.
  const bare = skip === 0 && tokens[at]?.isGlued === false ? whole(tokens[at], 26, 39) : null;
  const next = tokens[at + 1];
  const isFree =
    next === undefined || next.isFirst || /^(?:[.,;!?)]|-|–|to|until|and|please|for|at|pg|pd|pa)$/.test(next.word);
  return bare === null || !isFree ? null : { value: 2000 + bare, to: at + 1 };
};

/** Before "may" it is a month, behind it a verb. */
const asksFor = words("i we you it they he she who which that there client team brand budget");
const does = words("i we you it be have they also need want not well still take change differ go add the use get");

const timed = words("in of until till by from since during for early mid late next this last before after through");

export const monthAt = (tokens: readonly Token[], at: number): number | null => {
  const month = valueOf(tokens[at], "month");
  if (month === undefined) return null;
  const { word } = tokens[at] ?? { word: "" };
  // "In May we go ahead" is for May, and "we may go ahead" is not.
  const isTimed = timed.has(tokens[at - 1]?.word ?? "");
  const isVerb = asksFor.has(tokens[at - 1]?.word ?? "") || does.has(tokens[at + 1]?.word ?? "");
  if (word === "may" && isVerb && !isTimed) return null;
  // "This is Jan", "April from our office": a name.
  const isPerson =
    isOneOf(word, "jan may april june august") &&
    ((isOneOf(tokens[at - 1]?.word ?? "", "is am i'm name") &&
      isOneOf(tokens[at + 1]?.word ?? "", "from aus here hier of")) ||
      (at === 0 && isOneOf(tokens[at + 1]?.word ?? "", "aus here hier")));
  return isPerson ? null : month;
};

const ordinalMark = words("st nd rd th er º ° a");

/** "5", "5th", "5.": a day of a month. */
export const dayNumberAt = (tokens: readonly Token[], at: number): Found | null => {
  const token = tokens[at];
  if (token?.kind === "number" && /^\d{1,2}(?:st|nd|rd|th)?$/.test(token.word)) {
    const value = Number.parseInt(token.text, 10);
    if (value < 1 || value > 31) return null;
    const next = tokens[at + 1];
    const isOrdinal = next?.isGlued === true && ordinalMark.has(next.word);
    return { value, to: isOrdinal ? at + 2 : at + 1 };
  }
  return null;
};

export const isOrdinalAt = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.isGlued === true && ordinalMark.has(tokens[at + 1]?.word ?? "");

const isoAt = (tokens: readonly Token[], at: number): Day | null => {
  const compact = /^(20\d\d)([01]\d)([0-3]\d)$/.exec(tokens[at]?.text ?? "");
  if (compact !== null)
    return { year: Number(compact[1]), month: Number(compact[2]), day: Number(compact[3]), to: at + 1 };
  const year = whole(tokens[at], 1900, 2100);
  const mark = tokens[at + 1]?.text ?? "";
  const [month, day] = [whole(tokens[at + 2], 0, 99), whole(tokens[at + 4], 0, 99)];
  if (year === null || month === null || day === null || !isOneOf(mark, "- /") || tokens[at + 3]?.text !== mark)
    return null;
  const isGlued = [1, 2, 3, 4].every((step) => tokens[at + step]?.isGlued === true);
  return isGlued ? { year, month, day, to: at + 5 } : null;
};

/** Month first, except where that is no month. */
const numeric = (first: number, second: number): Pick<Day, "month" | "day"> =>
  first > 12 && second <= 12 ? { month: second, day: first } : { month: first, day: second };

const usAt = (tokens: readonly Token[], at: number): Day | null => {
  const [first, second] = [whole(tokens[at], 1, 31), whole(tokens[at + 2], 1, 31)];
  const isGlued = tokens[at + 1]?.isGlued === true && tokens[at + 2]?.isGlued === true;
  if (first === null || second === null || tokens[at + 1]?.text !== "/" || !isGlued) return null;
  if ((first > 12 && second > 12) || (first === 24 && second === 7)) return null;
  const year = tokens[at + 3]?.text === "/" ? whole(tokens[at + 4], 0, 2100) : null;
  const own = numeric(first, second);
  return year === null
    ? { ...own, year: null, to: at + 3 }
    : { ...own, year: year < 100 ? 2000 + year : year, to: at + 5 };
};

/** "1.4.2027", "1.4.": day first. */
const dottedAt = (tokens: readonly Token[], at: number): Day | null => {
  const token = tokens[at];
  const parts = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{2}|\d{4}))?$/.exec(token?.text ?? "");
  if (parts === null) return null;
  const [, day, month, year] = parts;
  const isClosed = tokens[at + 1]?.text === "." && tokens[at + 1]?.isGlued === true;
  const isLed = isOneOf(tokens[at - 1]?.word ?? "", "vom ab bis am zum seit den");
  const isRange = isOneOf(tokens[at + 2]?.word ?? "", "- – bis") || isOneOf(tokens[at - 1]?.word ?? "", "- – bis");
  if (year === undefined && !(isClosed && (isLed || isRange))) return null;
  if (Number(month) > 12 || Number(day) > 31) return null;
  return {
    year: year === undefined ? null : Number(year) + (year.length === 2 ? 2000 : 0),
    month: Number(month),
    day: Number(day),
    to: isClosed && year === undefined ? at + 2 : at + 1,
  };
};

const skipOf = (tokens: readonly Token[], at: number): number => {
  let to = at;
  if (tokens[to]?.text === "." && tokens[to]?.isGlued === true) to += 1;
  if (isOneOf(tokens[to]?.word ?? "", "of de do den d'")) to += 1;
  return to;
};

const isDayNumber = (tokens: readonly Token[], to: number): boolean => {
  const next = tokens[to];
  return !(
    next?.text === "%" ||
    isOf(next, "cpm") ||
    isOf(next, "impressions") ||
    (valueOf(next, "scale") !== undefined && (next?.isGlued === true || next?.word.length !== 1)) ||
    valueOf(next, "unit") !== undefined
  );
};

/** "The 1st of next month". */
const relativeDayAt = (
  tokens: readonly Token[],
  { day, to }: { readonly day: number; readonly to: number },
  nowMs: number,
): Day | null => {
  const isNext = isOf(tokens[to], "next");
  const isMonth = nameOf(tokens[to + 1], "span") === "month" && tokens[to - 1]?.word === "of";
  if (!isMonth || !(isNext || isOf(tokens[to], "this"))) return null;
  const [startMs] = monthFrom(nowMs, isNext ? 1 : 0);
  return { ...ofMs(startMs), day, to: to + 2 };
};

const namedDayAt = (tokens: readonly Token[], at: number, nowMs: number): Day | null => {
  const first = dayNumberAt(tokens, at);
  if (first !== null) {
    const place = skipOf(tokens, first.to);
    const month = monthAt(tokens, place);
    if (month === null) return relativeDayAt(tokens, { day: first.value, to: place }, nowMs);
    const dot =
      tokens[place + 1]?.text === "." && tokens[place + 1]?.isGlued === true && tokens[place + 2]?.kind === "number"
        ? 1
        : 0;
    const year = yearAt(tokens, place + 1 + dot, nowMs);
    return { year: year?.value ?? null, month, day: first.value, to: year?.to ?? place + 1 };
  }
  const month = monthAt(tokens, at);
  if (month === null) return null;
  let place = at + 1;
  if (tokens[place]?.text === "." && tokens[place]?.isGlued === true) place += 1;
  if (isOneOf(tokens[place]?.word ?? "", "the ,")) place += 1;
  const day = dayNumberAt(tokens, place);
  if (day === null || !isDayNumber(tokens, day.to) || tokens[place - 1]?.text === "$") return null;
  const near = day.value - (new Date(nowMs).getUTCFullYear() % 100);
  const isIn = isOneOf(tokens[at - 1]?.word ?? "", "in im en em");
  // "In March 27" of 2026 or 2027 is a month with its year.
  if (isIn && (near === 0 || near === 1) && !isOrdinalAt(tokens, place) && yearAt(tokens, place, nowMs) !== null)
    return null;
  // "March 27" may be a year; a range behind it makes it a day.
  const year = yearAt(tokens, day.to, nowMs);
  return { year: year?.value ?? null, month, day: day.value, to: year?.to ?? day.to };
};

const weekdayAt = (tokens: readonly Token[], at: number): number | null => {
  const short = tokens[at]?.word === "sat" ? 6 : tokens[at]?.word === "sun" ? 0 : null;
  if (short !== null) return tokens[at + 1]?.kind === "number" || tokens[at + 1]?.word === "the" ? short : null;
  const weekday = valueOf(tokens[at], "weekday");
  return weekday === undefined || (tokens[at]?.word === "mon" && tokens[at]?.text !== "Mon") ? null : weekday;
};

const ofMs = (atMs: number): Moment => {
  const date = new Date(atMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

/** "The day after tomorrow", whose last word alone is another day. */
const afterTomorrow = (tokens: readonly Token[], at: number): boolean =>
  isOf(tokens[at], "tomorrow") && tokens[at - 1]?.word === "after" && tokens[at - 2]?.word === "day";

/** One day, in any form. */
export const dayAt = (tokens: readonly Token[], start: number, nowMs: number): Day | null => {
  const at = tokens[start]?.word === "the" ? start + 1 : start;
  const weekday = weekdayAt(tokens, at);
  if (weekday !== null) {
    const skip = isOneOf(tokens[at + 1]?.text ?? "", ", .") ? 2 : 1;
    const lead = isOneOf(tokens[at + skip]?.word ?? "", "the den dem") ? 1 : 0;
    const own = namedDayAt(tokens, at + skip + lead, nowMs) ?? isoAt(tokens, at + skip) ?? usAt(tokens, at + skip);
    if (own !== null) return own;
    const today = todayOf(nowMs);
    const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7 || 7;
    return { ...ofMs(today + ahead * dayMs), to: at + 1, isWeekday: true };
  }
  if (isOf(tokens[at], "today") && tokens[at]?.word !== "now") return { ...ofMs(todayOf(nowMs)), to: at + 1 };
  if (afterTomorrow(tokens, at + 2)) return { ...ofMs(todayOf(nowMs) + 2 * dayMs), to: at + 3 };
  if (afterTomorrow(tokens, at)) return null;
  if (isOf(tokens[at], "tomorrow")) return { ...ofMs(todayOf(nowMs) + dayMs), to: at + 1 };
  return isoAt(tokens, at) ?? usAt(tokens, at) ?? dottedAt(tokens, at) ?? namedDayAt(tokens, at, nowMs);
};

/** The next such day that has not passed; null for a day that does not exist. */
export const msOf = ({ year, month, day }: Moment, nowMs: number): number | null => {
  const own = year ?? new Date(nowMs).getUTCFullYear();
  const atMs = atOf(own, month, day ?? 1);
  if (atMs === null || year !== null || atMs >= todayOf(nowMs)) return atMs;
  return atOf(own + 1, month, day ?? 1);
};
