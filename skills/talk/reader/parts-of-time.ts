import { isOneOf, words } from "./word-lists.ts";
import type { Token } from "./tokens.ts";
import { type Days, quarterOf, between, todayOf, monthFrom, yearFrom, comingMonday } from "./moments.ts";
import { isOf, valueOf, nameOf } from "./lexicon.ts";
import { yearAt, monthAt, dayNumberAt, isOrdinalAt } from "./days.ts";
import { figureAt } from "./figures.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

export type Tokens = readonly Token[];

export interface Read {
  readonly days: readonly [startMs: number | null, endMs: number | null];
  readonly to: number;
}

export const readOf = (days: Days | null, to: number): Read | null => (days === null ? null : { days, to });

const joins = words("- – — > → to through thru until till til bis al a au ate hasta by /");

/** The place behind "to" and "to the"; null where no such word stands. */
export const joined = (tokens: Tokens, at: number, isBetween: boolean): number | null => {
  const word = tokens[at]?.word ?? "";
  const isAnd = isBetween && isOf(tokens[at], "and");
  if (word === "-" && tokens[at + 1]?.text === ">" && tokens[at + 1]?.isGlued === true) return at + 2;
  if (word === "." && tokens[at + 1]?.text === "." && tokens[at + 1]?.isGlued === true) return at + 2;
  if (!joins.has(word) && !isAnd) return null;
  return isOneOf(tokens[at + 1]?.word ?? "", "the zum el le o dem") ? at + 2 : at + 1;
};

/** "Q2", "Q2 2027", "2Q27", "second quarter", "H1". */
const quarterAt = (
  tokens: Tokens,
  at: number,
): { readonly first: number; readonly last: number; readonly to: number } | null => {
  const word = tokens[at]?.word ?? "";
  const number = (place: number): number | null =>
    isOneOf(tokens[place]?.text ?? "", "1 2 3 4") ? Number(tokens[place]?.text) : null;
  const glued = tokens[at + 1]?.isGlued === true;
  if (word === "q" && number(at + 1) !== null && glued)
    return { first: number(at + 1) ?? 1, last: number(at + 1) ?? 1, to: at + 2 };
  if (word === "h" && glued && (number(at + 1) ?? 9) < 3)
    return { first: number(at + 1) === 1 ? 1 : 3, last: number(at + 1) === 1 ? 2 : 4, to: at + 2 };
  if (number(at) !== null && glued && tokens[at + 1]?.word === "q")
    return { first: number(at) ?? 1, last: number(at) ?? 1, to: at + 2 };
  const place = valueOf(tokens[at], "ordinal");
  if (place !== undefined && place > 0 && place < 5 && nameOf(tokens[at + 1], "span") === "quarter")
    return { first: place, last: place, to: at + 2 };
  return null;
};

export const quartersAt = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const first = quarterAt(tokens, at);
  if (first === null) return null;
  const year = yearAt(tokens, first.to, nowMs);
  const end = year?.to ?? first.to;
  const isPair = isOf(tokens[end], "and") || isOneOf(tokens[end]?.text ?? "", "& + /");
  const place = isPair ? end + 1 : joined(tokens, end, true);
  const last = place === null ? null : quarterAt(tokens, place);
  const later = last === null ? null : yearAt(tokens, last.to, nowMs);
  const until = last ?? first;
  const ofYear = year?.value ?? null;
  const [startQuarter, endQuarter] = [first.first, until.last];
  const days =
    startQuarter === endQuarter
      ? quarterOf(startQuarter, ofYear, nowMs)
      : between(
          { year: ofYear, month: startQuarter * 3 - 2, day: 1 },
          { year: later?.value ?? null, month: endQuarter * 3, day: null },
          nowMs,
        );
  return readOf(days, later?.to ?? last?.to ?? end);
};

/** "Any two weeks in September", "the first Monday in June": no days that everybody means. */
const anyPart = (tokens: Tokens, at: number): Read | null => {
  const isAny = isOneOf(tokens[at]?.word ?? "", "any some");
  const figure = isAny ? figureAt(tokens, at + 1) : null;
  const isWeekday = ordinalAt(tokens, at) !== null && valueOf(tokens[at + 1], "weekday") !== undefined;
  const unit = figure === null ? at + 1 : figure.to;
  if (!isWeekday && valueOf(tokens[unit], "unit") === undefined) return null;
  if (!isWeekday && !isAny) return null;
  const place = unit + 2;
  return isOneOf(tokens[unit + 1]?.word ?? "", "in of during") && monthAt(tokens, place) !== null
    ? { days: [null, null], to: place + 1 }
    : null;
};

/** "First half of March", "the last two weeks of June". */
export const ordinalAt = (tokens: Tokens, at: number): { readonly value: number; readonly to: number } | null => {
  const word = valueOf(tokens[at], "ordinal");
  if (word !== undefined) return { value: word, to: at + 1 };
  const number = dayNumberAt(tokens, at);
  return number !== null && isOrdinalAt(tokens, at) && number.value < 6 ? number : null;
};

export const partOfMonth = (tokens: Tokens, start: number, nowMs: number): Read | null => {
  const compound = /^(.+)halfte$/.exec(tokens[start + 1]?.word ?? "")?.[1];
  const ordinal = ordinalAt(tokens, start);
  if (ordinal === null) return anyPart(tokens, start);
  const { value: place } = ordinal;
  const at = ordinal.to - 1;
  if (compound !== undefined) {
    const month = valueOf({ ...(tokens[start + 1] as Token), word: compound }, "month");
    const all =
      month === undefined ? null : between({ year: null, month, day: null }, { year: null, month, day: null }, nowMs);
    return all === null
      ? null
      : readOf(place === 1 ? [all[0], all[0] + 14 * dayMs] : [all[0] + 15 * dayMs, all[1]], start + 2);
  }
  if (valueOf(tokens[ordinal.to], "weekday") !== undefined) return anyPart(tokens, start);
  const half = nameOf(tokens[at + 1], "span") === "half" || isOneOf(tokens[at + 1]?.word ?? "", "quinzaine quincena");
  const figure = half ? null : figureAt(tokens, at + 1);
  const unitAt = figure?.to ?? at + 1;
  const unit = valueOf(tokens[unitAt], "unit");
  if (!half && unit === undefined) return null;
  let next = (half ? at + 1 : unitAt) + 1;
  while (isOf(tokens[next], "of")) next += 1;
  const month = monthAt(tokens, next);
  if (month === null) return null;
  const year = yearAt(tokens, next + 1, nowMs);
  const all = between(
    { year: year?.value ?? null, month, day: null },
    { year: year?.value ?? null, month, day: null },
    nowMs,
  );
  if (all === null) return null;
  const [startMs, endMs] = all;
  const to = year?.to ?? next + 1;
  if (half) return readOf(place === 1 ? [startMs, startMs + 14 * dayMs] : [startMs + 15 * dayMs, endMs], to);
  const length = (figure?.value ?? 1) * (unit ?? 1);
  if (place === -1) return readOf([Math.max(startMs, endMs - (length - 1) * dayMs), endMs], to);
  const from = startMs + (figure === null ? (place - 1) * length : 0) * dayMs;
  return readOf([from, Math.min(from + (length - 1) * dayMs, endMs)], to);
};

/** By ISO 8601 the first week of a year holds its 4 January. */
const isoWeek = (week: number, ofYear: number): Days => {
  const fourth = Date.UTC(ofYear, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs;
  return [monday, monday + 6 * dayMs];
};

export const weekAt = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const isWeek = (place: number): boolean =>
    isOneOf(tokens[place]?.word ?? "", "week kw cw wk weeks semana semaine woche wochen") ||
    (tokens[place]?.word === "w" && tokens[place + 1]?.isGlued === true);
  const number = Number(tokens[at + 1]?.text);
  if (!isWeek(at) || !(number >= 1 && number <= 53) || tokens[at + 1]?.kind !== "number") return null;
  let end = at + 2;
  let last: number | null = null;
  for (;;) {
    const comma = tokens[end]?.text === "," ? end + 1 : joined(tokens, end, true);
    const place = comma !== null && isWeek(comma) ? comma + 1 : comma;
    if (
      place === null ||
      !/^\d{1,2}$/.test(tokens[place]?.text ?? "") ||
      Number(tokens[place]?.text) <= (last ?? number)
    )
      break;
    last = Number(tokens[place]?.text);
    end = place + 1;
  }
  const year = yearAt(tokens, end, nowMs);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const read = (ofYear: number): Days => [isoWeek(number, ofYear)[0], isoWeek(last ?? number, ofYear)[1]];
  const own = read(year?.value ?? thisYear);
  return readOf(year === null && own[1] < todayOf(nowMs) ? read(thisYear + 1) : own, year?.to ?? end);
};

export const spanDays = (name: string, ahead: number, nowMs: number): Days | null => {
  const now = new Date(nowMs);
  if (name === "month") return monthFrom(nowMs, ahead);
  if (name === "year") return yearFrom(nowMs, ahead);
  if (name === "quarter") {
    const place = Math.floor(now.getUTCMonth() / 3) + ahead;
    return quarterOf((place % 4) + 1, now.getUTCFullYear() + Math.floor(place / 4), nowMs);
  }
  const monday = comingMonday(nowMs) + (ahead - 1) * 7 * dayMs;
  if (name === "weekend") return [monday + 5 * dayMs, monday + 6 * dayMs];
  return name === "week" ? [monday, monday + 6 * dayMs] : null;
};

export const yearAlone = (tokens: Tokens, at: number): Read | null => {
  const led = isOf(tokens[at - 1], "of") || isOf(tokens[at - 1], "whole") || tokens[at - 1]?.word === "year";
  const text = tokens[at]?.text ?? "";
  if (!led || !/^20[2-9]\d$/.test(text) || isOf(tokens[at + 1], "impressions")) return null;
  return { days: [Date.UTC(Number(text), 0, 1), Date.UTC(Number(text), 11, 31)], to: at + 1 };
};
