import { isOneOf, words } from "./word-lists.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";
import { type Day, dayAt, dayNumberAt, isOrdinalAt, monthAt, msOf, yearAt } from "./days.ts";
import type { Entity, EntityReader, Period, Words } from "./entity.ts";
import { figureAt } from "./figures.ts";
import { isOf, nameOf, valueOf } from "./lexicon.ts";
import { between, isoOf, monthFrom, todayOf } from "./moments.ts";
import {
  type Tokens,
  type Read,
  joined,
  readOf,
  spanDays,
  partOfMonth,
  quartersAt,
  weekAt,
  yearAlone,
} from "./parts-of-time.ts";
import { deadlineFrom } from "./deadlines.ts";

const isBetweenAt = (tokens: Tokens, at: number): boolean =>
  [1, 2].some((back) => isOneOf(tokens[at - back]?.word ?? "", "between zwischen entre from vom del du"));

/** Days from here: "for 4 weeks", "(30 days)"; null without a length. */
const lengthAt = (tokens: Tokens, start: number): { readonly days: number; readonly to: number } | null => {
  let at = start;
  while (
    isOneOf(tokens[at]?.word ?? "", "for over lasting fur pendant por durante , the ( running and runs run next") &&
    at < start + 3
  )
    at += 1;
  const figure = figureAt(tokens, at);
  if (figure === null || figure.hasCents || figure.scale > 1) return null;
  const dash = tokens[figure.to]?.text === "-" ? 1 : 0;
  const unit = valueOf(tokens[figure.to + dash], "unit");
  return unit === undefined ? null : { days: figure.value * unit, to: figure.to + dash + 1 };
};

/** "Mid May", "end of June", "beginning of March": an end of a flight, and alone no day that everybody means. */
const edgeAt = (tokens: Tokens, start: number, nowMs: number): Day | null => {
  const at = isOneOf(tokens[start]?.word ?? "", "the der dem o") ? start + 1 : start;
  const [isEarly, isMid, isLate] = [isOf(tokens[at], "early"), isOf(tokens[at], "mid"), isOf(tokens[at], "late")];
  if (!isEarly && !isMid && !isLate) return null;
  let place = at + 1;
  while (tokens[place]?.text === "-" || isOneOf(tokens[place]?.word ?? "", "of de do the")) place += 1;
  const month = monthAt(tokens, place);
  if (month === null) {
    const isThis = isOf(tokens[place], "this") ? 1 : 0;
    if (nameOf(tokens[place + isThis], "span") !== "month" || !isLate) return null;
    const [, endMs] = monthFrom(nowMs, 0);
    return {
      year: new Date(endMs).getUTCFullYear(),
      month: new Date(endMs).getUTCMonth() + 1,
      day: new Date(endMs).getUTCDate(),
      to: place + isThis + 1,
    };
  }
  const year = yearAt(tokens, place + 1, nowMs);
  const last = new Date(Date.UTC(year?.value ?? 2027, month, 0)).getUTCDate();
  return {
    year: year?.value ?? null,
    month,
    day: isEarly ? 1 : isMid ? 15 : last,
    to: year?.to ?? place + 1,
  };
};

const endAt = (tokens: Tokens, at: number, nowMs: number): Day | null =>
  edgeAt(tokens, at, nowMs) ?? dayAt(tokens, at, nowMs);

const nowAt = (tokens: Tokens, at: number, nowMs: number): Day | null => {
  if (!isOneOf(tokens[at]?.word ?? "", "now today tonight asap heute hoy hoje") || tokens[at]?.word === "asap")
    return null;
  const now = new Date(nowMs);
  return { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, day: now.getUTCDate(), to: at + 1 };
};

const rangeOfDays = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const first = endAt(tokens, at, nowMs) ?? nowAt(tokens, at, nowMs);
  if (first === null) return null;
  // Two columns of a table: "| 01.02.2027 | 14.02.2027 |".
  const column = tokens[first.to]?.text === "|" && first.year !== null ? first.to + 1 : null;
  const place = joined(tokens, first.to, isBetweenAt(tokens, at)) ?? column;
  if (place === null) return null;
  const second = endAt(tokens, place, nowMs);
  if (second === null && column !== null) return null;
  if (second !== null) {
    // "12/04/2027 to 25/04/2027" is day first throughout.
    const isSlashed = tokens[at + 1]?.text === "/" && tokens[place + 1]?.text === "/";
    if (isSlashed && Number(tokens[place]?.text) > 12 && Number(tokens[at]?.text) <= 12)
      return readOf(between({ ...first, month: first.day ?? 1, day: first.month }, second, nowMs), second.to);
    if (first.isWeekday === true && second.isWeekday === true) {
      const [from, until] = [msOf(first, nowMs), msOf(second, nowMs)];
      if (from === null || until === null) return null;
      return { days: [from, until < from ? until + 7 * dayMs : until], to: second.to };
    }
    return readOf(between(first, second, nowMs), second.to);
  }
  const day = dayNumberAt(tokens, place);
  const isEnd = day !== null && (isOrdinalAt(tokens, place) || isEndOfRange(tokens, day.to));
  if (day === null || !isEnd) return null;
  const year = yearAt(tokens, day.to, nowMs);
  const own = { ...first, year: first.year ?? year?.value ?? null };
  return readOf(between(own, { ...own, day: day.value }, nowMs), year?.to ?? day.to);
};

const isEndOfRange = (tokens: Tokens, to: number): boolean => {
  const next = tokens[to];
  const isSize =
    next?.text === "%" || isOf(next, "cpm") || isOf(next, "impressions") || valueOf(next, "scale") !== undefined;
  return !isSize && !(next?.kind === "mark" && next.isGlued && !isOneOf(next.text, ". , ; : ! ? ) ]"));
};

/** "1-15 March", "the 1st to the 15th of March". */
const daysOfMonth = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const first = dayNumberAt(tokens, at);
  if (first === null) return null;
  const dot = tokens[first.to]?.text === "." && tokens[first.to]?.isGlued === true ? 1 : 0;
  const place = joined(tokens, first.to + dot, isBetweenAt(tokens, at) || isOrdinalAt(tokens, at));
  const second = place === null ? null : dayAt(tokens, place, nowMs);
  if (second === null || second.isWeekday === true || second.day === null) return null;
  return readOf(between({ ...second, day: first.value }, second, nowMs), second.to);
};

/** "April, from the 5th for two weeks". */
const namedStart = (
  tokens: Tokens,
  at: number,
  { from, nowMs }: { readonly from: { readonly year: number | null; readonly month: number }; readonly nowMs: number },
): Read | null => {
  let place = at;
  while (isOneOf(tokens[place]?.word ?? "", ", from the starting on") && place < at + 4) place += 1;
  const day = place === at ? null : dayNumberAt(tokens, place);
  const length = day === null ? null : lengthAt(tokens, day.to);
  if (day === null || length === null || !isOrdinalAt(tokens, place)) return null;
  const atMs = msOf({ ...from, day: day.value }, nowMs);
  return atMs === null ? null : { days: [atMs, atMs + (length.days - 1) * dayMs], to: length.to };
};

const monthsAt = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const month = monthAt(tokens, at);
  if (month === null) return null;
  const isAbbreviated = tokens[at + 1]?.text === "." && tokens[at + 1]?.isGlued === true;
  const year = yearAt(tokens, at + 1, nowMs) ?? (isAbbreviated ? yearAt(tokens, at + 2, nowMs) : null);
  const end = year?.to ?? at + 1;
  const from = { year: year?.value ?? null, month, day: null };
  const isPair = isOf(tokens[end], "and") || isOneOf(tokens[end]?.text ?? "", "& + /");
  const place = isPair ? end + 1 : joined(tokens, end, true);
  const until = place === null ? null : monthAt(tokens, place);
  const isChoice = tokens[end]?.word === "or" || tokens[end]?.word === "oder";
  // "June or July" is either of them, and "July 1 to August 15" is no pair of months.
  if (isChoice && until !== null && place !== null) return { days: [null, null], to: place + 1 };
  const day = place === null ? null : dayAt(tokens, place, nowMs);
  const isDay = day !== null && (day.day ?? 0) <= 25;
  if (until === null || place === null || isDay || (isPair && until !== (month % 12) + 1)) {
    const fromDay = namedStart(tokens, end, { from, nowMs });
    return fromDay ?? readOf(between(from, from, nowMs), end);
  }
  const later = yearAt(tokens, place + 1, nowMs);
  const last = { year: later?.value ?? null, month: until, day: null };
  return readOf(between(from, last, nowMs), later?.to ?? place + 1);
};

/** "Next month", "this quarter", "the next two weeks", "rest of the year". */
const relativeAt = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const today = todayOf(nowMs);
  if (tokens[at]?.word === "month" && tokens[at + 1]?.word === "after" && tokens[at + 2]?.word === "next")
    return readOf(monthFrom(nowMs, 2), at + 3);
  const isNext = isOf(tokens[at], "next");
  if (isNext) {
    const length = lengthAt(tokens, at + 1);
    if (length !== null) return { days: [null, null], to: length.to };
    const ordinal = tokens[at + 1];
    const month = monthAt(tokens, at + 1);
    if (month !== null && ordinal !== undefined) return monthsAt(tokens, at + 1, nowMs);
  }
  if (isNext || isOf(tokens[at], "this")) {
    const name = nameOf(tokens[at + 1], "span");
    if (name === undefined) return null;
    // "This weekend" and "next week" both are the one that comes.
    const ahead = isNext || name === "weekend" ? 1 : 0;
    return readOf(spanDays(name, ahead, nowMs), at + 2);
  }
  if (isOf(tokens[at], "rest")) {
    let place = at + 1;
    while (isOneOf(tokens[place]?.word ?? "", "of the this des der")) place += 1;
    const name = nameOf(tokens[place], "span");
    const whole = name === undefined ? null : spanDays(name, 0, nowMs);
    return whole === null ? null : { days: [today, whole[1]], to: place + 1 };
  }
  return null;
};

const opens = words(`
  first from starting start starts begin begins beginning launch launching launches after ab desde since live
  earlier kick
`);

const closes = words(`
  last until till til through thru by end ends ending finish finishing stop bis hasta ate jusqu'au later latest
  before
`);

const between2 = words(`
  maximum max latest on the at is of to date day later week weeks one two three four should be
  stays stay remains , than no not run now moved moves it : = _ el le dem am den off a
`);

const turned = words("before until till after vor nach");

type Side = "start" | "end" | "on" | "week" | null;

const mostBetween = 10;

/** "Move the end of both to 3 April", "extend our CTV campaign to 3 April". */
const movedSide = (tokens: Tokens, at: number): Side => {
  for (let place = at - 2; place >= Math.max(0, at - mostBetween); place -= 1) {
    const word = tokens[place]?.word ?? "";
    if (isOneOf(tokens[place]?.text ?? "", ". ; ? !")) return null;
    if (isOneOf(word, "extend extended prolong lengthen shorten end ending")) return "end";
    if (isOneOf(word, "start beginning launch") && isOneOf(tokens[place - 1]?.word ?? "", "the its their"))
      return "start";
  }
  return null;
};

/** What the words before a single day make of it. */
const sideOf = (tokens: Tokens, at: number): Side => {
  let place = at - 1;
  if (isOneOf(`${tokens[at - 3]?.word ?? ""}/${tokens[at - 1]?.word ?? ""}`, "w/c w/b")) return "week";
  if (
    isOneOf(tokens[at - 1]?.word ?? "", "of from commencing starting beginning vom ab du del do") &&
    isOneOf(tokens[at - 2]?.word ?? "", "week wk woche semana semaine")
  )
    return "week";
  for (let steps = 0; steps < 7 && place >= 0; steps += 1, place -= 1) {
    const word = tokens[place]?.word ?? "";
    // "Not before 5 June" starts, and "not after 5 June" ends.
    if (isOneOf(tokens[place - 1]?.word ?? "", "not nothing nicht") && turned.has(word))
      return word === "after" || word === "nach" ? "end" : "start";
    if (opens.has(word)) return "start";
    // "No later than" ends, and "a week later, 19 April" does not.
    if (closes.has(word) && (word !== "later" || isOneOf(tokens[place - 1]?.word ?? "", "no not"))) return "end";
    if (!between2.has(word)) break;
  }
  const moved = tokens[at - 1]?.word === "to" ? movedSide(tokens, at) : null;
  if (moved !== null) return moved;
  const isOneDay = tokens
    .slice(Math.max(0, at - 4), at)
    .some(({ word }, step, all) => word === "day" && isOneOf(all[step - 1]?.word ?? "", "one single a"));
  return isOneDay || isOneOf(tokens[at - 1]?.word ?? "", "on only for am el le") ? "on" : null;
};

const singleDay = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const edge = edgeAt(tokens, at, nowMs);
  // "End April 3" is a day.
  if (edge !== null && dayNumberAt(tokens, edge.to) !== null) return null;
  const day = edge ?? dayAt(tokens, at, nowMs);
  if (day === null || (edge !== null && sideOf(tokens, at) === null))
    return edge === null ? null : { days: [null, null], to: edge.to };
  const atMs = msOf(day, nowMs);
  // "I'd sign today" names no flight.
  const last = tokens[day.to - 1];
  const isSpoken = (isOf(last, "today") || isOf(last, "tomorrow")) && sideOf(tokens, at) === null;
  if (isSpoken) return null;
  if (atMs === null) return { days: [null, null], to: day.to };
  const side = sideOf(tokens, at);
  if (side === "week") return { days: [atMs, atMs + 6 * dayMs], to: day.to };
  const length = lengthAt(tokens, day.to);
  if (length !== null && side !== "end") return { days: [atMs, atMs + (length.days - 1) * dayMs], to: length.to };
  if (side === "start") return { days: [atMs, null], to: day.to };
  if (side === "end") return { days: [null, atMs], to: day.to };
  return side === "on" ? { days: [atMs, atMs], to: day.to } : { days: [null, null], to: day.to };
};

/** "Four weeks from 1 May", "four weeks, starting next Monday". */
const lengthThenDay = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  const length = lengthAt(tokens, at);
  if (length === null) return null;
  let place =
    tokens[length.to]?.text === "," && opens.has(tokens[length.to + 1]?.word ?? "") ? length.to + 1 : length.to;
  while (opens.has(tokens[place]?.word ?? "") || isOneOf(tokens[place]?.word ?? "", "on the run flight as of next"))
    place += 1;
  if (place === length.to) return null;
  const day = dayAt(tokens, place, nowMs);
  const atMs = day === null ? null : msOf(day, nowMs);
  if (day === null || atMs === null) return null;
  // "For four weeks from March 1 to March 28": the days count.
  const range = rangeOfDays(tokens, place, nowMs);
  return range ?? { days: [atMs, atMs + (length.days - 1) * dayMs], to: day.to };
};

const tellsWhich = words("any some each every other another next more extra further full last first the of by");

/** "Four weeks in January": from the first day of the month that is still to come. */
const lengthInMonth = (tokens: Tokens, at: number, nowMs: number): Read | null => {
  if (tellsWhich.has(tokens[at - 1]?.word ?? "") || isOneOf(tokens[at]?.word ?? "", "next the ,")) return null;
  const length = lengthAt(tokens, at);
  const isOfWeeks = length !== null && (valueOf(tokens[length.to - 1], "unit") ?? 30) < 28;
  if (!isOfWeeks || tokens[length.to]?.word !== "in") return null;
  const month = monthsAt(tokens, length.to + 1, nowMs);
  const [startMs, endMs] = month?.days ?? [null, null];
  if (month === null || startMs === null || endMs === null || startMs + 31 * dayMs < endMs) return null;
  const from = Math.max(startMs, todayOf(nowMs));
  const last = from + (length.days - 1) * dayMs;
  return last > endMs ? null : { days: [from, last], to: month.to };
};

const isPartly = (tokens: Tokens, at: number): boolean => {
  const before = tokens[at - 1]?.text === "-" ? tokens[at - 2] : tokens[at - 1];
  const isPart = isOf(before, "early") || isOf(before, "mid") || isOf(before, "late");
  const second = isOneOf(before?.word ?? "", "of in") ? tokens[at - 2] : undefined;
  return (
    (isPart && !isOneOf(before?.word ?? "", "end ends start starts starting beginning")) ||
    isOf(second, "mid") ||
    isOf(second, "early") ||
    isOf(second, "late")
  );
};

const forms = [
  rangeOfDays,
  daysOfMonth,
  lengthThenDay,
  lengthInMonth,
  partOfMonth,
  quartersAt,
  weekAt,
  relativeAt,
  singleDay,
  monthsAt,
] as const;

const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoOf(atMs));

/** Without a year the next such time that has not ended; month first in figures; UTC. */
export const periodReader =
  (nowMs: number): EntityReader =>
  ({ tokens }, at): Entity | null => {
    const first = tokens[at];
    if (first === undefined || (first.kind !== "number" && first.kind !== "word")) return null;
    let read: Read | null = null;
    // "The 45th of June" is no day, and June no flight.
    const isWrong =
      /^\d{2}$/.test(first.text) &&
      Number(first.text) > 31 &&
      isOrdinalAt(tokens, at) &&
      tokens.slice(at + 2, at + 4).some((_, step) => monthAt(tokens, at + 2 + step) !== null);
    if (isWrong) read = { days: [null, null], to: tokens[at + 2]?.word === "of" ? at + 4 : at + 3 };
    else
      for (const form of forms) {
        read = form(tokens, at, nowMs);
        if (read !== null) break;
      }
    read ??= yearAlone(tokens, at);
    if (read === null) return null;
    const value = tokens
      .slice(at, read.to)
      .map(({ text }) => text)
      .join(" ");
    const words = (kind: Words["kind"]): Words => ({ kind, value, from: at, to: read.to });
    const from = deadlineFrom(tokens, at);
    if (from >= 0)
      return {
        kind: "deadline",
        value: tokens
          .slice(from, read.to)
          .map(({ text }) => text)
          .join(" "),
        from,
        to: read.to,
      };
    const [startMs, endMs] = read.days;
    if (startMs === null && endMs === null) return words("vague");
    if (isPartly(tokens, at) && read.to === at + 1) return words("vague");
    if (startMs !== null && endMs !== null && endMs < startMs) return words("vague");
    const period: Period = { kind: "period", start: isoOrNull(startMs), end: isoOrNull(endMs), from: at, to: read.to };
    return period;
  };

/** "The 15th", of a month that the conversation knows. */
export const loneDayAt: EntityReader = ({ tokens }, at) => {
  const day = dayNumberAt(tokens, at);
  const isNamed = tokens[at - 1]?.word === "the" || isOneOf(tokens[at - 1]?.word ?? "", "the on to from until by");
  if (day === null || !isOrdinalAt(tokens, at) || !isNamed) return null;
  // "The 2nd week" is a part of a flight.
  if (valueOf(tokens[day.to], "unit") !== undefined) return null;
  const from = deadlineFrom(tokens, at);
  if (from >= 0)
    return {
      kind: "deadline",
      value: tokens
        .slice(from, day.to)
        .map(({ text }) => text)
        .join(" "),
      from,
      to: day.to,
    };
  return { kind: "day", value: `${sideOf(tokens, at) ?? ""} ${day.value}`, from: at, to: day.to };
};
