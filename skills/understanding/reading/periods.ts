import { anyOf } from "./any-of.ts";
import * as chrono from "chrono-node";
import { clausesOf, isForeign } from "./clauses.ts";
import { anyLength, countWord, days, flights, type Form, lengthOf, type Needs, year } from "./dates/forms.ts";
import { between, type Days, isoOf, named, todayOf, yearFrom } from "./dates/moments.ts";
import { month, weekdays } from "./dates/month-words.ts";
import { matchesOf, blanked, type Span, spansOf } from "./spans.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/** ISO dates, both included; one end may be open. */
export interface Period {
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly spans: readonly Span[];
}

const wholeMonth = new RegExp(`\\b(${month})\\b${year}`, "gi");
const anyMonth = new RegExp(`\\b(?:${month})(?:halfte)?\\b`, "i");

/** Most clauses name no time at all, and every form of one would be tried on them. */
const signsOf: Readonly<Record<Needs, RegExp>> = {
  figures: /\d[-/.]\d|\b20\d{6}\b/,
  month: anyMonth,
  words: anyOf(
    /\b(?:q[1-4]|[1-4]q\d|h[12]|w\d|quarter|week|wk|kw\s?\d|cw\s?\d|month|year|whole|full|entire|all of|throughout)/i,
    /\b(?:today|now(?= (?:to|until|till|through))|tomorrow|monday)\b/i,
    /\b(?:quartal|trimestre|woche|monat|jahr|semana|mes|ano|semaine|mois)\b/i,
  ),
};

const needed = ["figures", "month", "words"] as const;

const formsFor = <Read>(text: string, forms: Readonly<Record<Needs, readonly Form<Read>[]>>): readonly Form<Read>[] =>
  needed.flatMap((needs) => (signsOf[needs].test(text) ? forms[needs] : []));

const lengthPattern = new RegExp(
  `\\b(?:for|over|lasting|fur|pendant|por|durante|uber)\\s+(?:the\\s+)?${anyLength}`,
  "gi",
);
/** Beside a single day a bare length is the flight's. */
const bareLength = new RegExp(`\\b${anyLength}`, "gi");

interface Read {
  readonly days: readonly [startMs: number | null, endMs: number | null];
  readonly spans: readonly Span[];
}

const firstFlight = (text: string, nowMs: number): Read | null => {
  for (const [pattern, read] of formsFor(text, flights)) {
    for (const match of matchesOf(text, pattern)) {
      const found = read(match.slice(1), nowMs);
      const span = { start: match.index, end: match.index + match[0].length };
      if (found !== null) return { days: found, spans: [span] };
    }
  }
  return null;
};

interface Day extends Span {
  readonly atMs: number;
}

/** Days that do not exist have no time. */
const daysIn = (text: string, nowMs: number): readonly (Span & { readonly atMs: number | null })[] => {
  let left = text;
  const found: (Span & { readonly atMs: number | null })[] = [];
  for (const [pattern, read] of formsFor(text, days)) {
    for (const match of matchesOf(left, pattern)) {
      const span = { start: match.index, end: match.index + match[0].length };
      found.push({ atMs: read(match.slice(1), nowMs), ...span });
    }
    left = blanked(left, found);
  }
  return found.sort((one, other) => one.start - other.start);
};

const isDay = (day: Span & { readonly atMs: number | null }): day is Day => day.atMs !== null;

const laterDay = /\b(?:until|till|to|by|through|bis)\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\b/gi;

/** "From 12 April, out by the 25th". */
const withLater = (text: string, found: readonly Day[]): readonly Day[] => {
  const [first, second] = found;
  if (first === undefined || second !== undefined) return found;
  const [match] = matchesOf(text.slice(first.end), laterDay);
  if (match === undefined) return found;
  const start = first.end + match.index;
  const from = new Date(first.atMs);
  const atMs = from.setUTCDate(Number(match[1]));
  const isSound = atMs > first.atMs && new Date(atMs).getUTCDate() === Number(match[1]);
  return isSound ? [first, { atMs, start, end: start + match[0].length }] : found;
};

const lengthIn = (text: string): (Span & { readonly days: number }) | null => {
  const [length] = [...matchesOf(text, lengthPattern), ...matchesOf(text, bareLength)];
  if (length === undefined) return null;
  return { days: lengthOf(length[1], length[2]), start: length.index, end: length.index + length[0].length };
};

const beside =
  "(?:[\\s:]+(?:date|day|now|moved|moves|changed|changes|shifted|on|to|at|is|of|the|el|le|o|du|am|dem|maximum|max|" +
  "latest|spatestens|the latest))*[\\s:]*$";
const opens = new RegExp(
  "\\b(?:from|starting|starts?|begin(?:s|ning)?|launch(?:es|ing)?|as of|after|not before|no earlier than|ab|desde|" +
    "a partir d[eu]|ab dem)" +
    beside,
  "i",
);
const closes = new RegExp(
  "\\b(?:until|till|through|by|end(?:s|ing)?|finish(?:es|ing)?|stop(?:s|ping)?|no later than|at (?:the )?latest|bis|" +
    "hasta|jusqu'au|ate)" +
    beside,
  "i",
);
const isOn = /\b(?:on|only|for|am|el|le|dia|den)(?: (?:the|one day|a day|day|only))*,?\s*(?:the )?$/i;
const isWeekOf = anyOf(
  /\b(?:w\/c|w\/b|(?:week|wk) (?:of|from|starting|beginning|commencing)|semana d[eo]l?|semaine du)\s*(?:the )?$/i,
  /\b(?:woche (?:vom|ab)|settimana del)(?: (?:mon(?:day)?|montag|lunes|lundi))?,?\s*$/i,
  /\b(?:w\/c|w\/b|(?:week|wk) (?:of|from|starting|beginning|commencing)) (?:the )?mon(?:day)?,?\s*$/i,
);

/** What a shift beside the day moves. */
type Moves = "start" | "end" | "both" | null;

/** The word before a single day makes it start, end or all of a flight; without one it is none. */
const flightOfDay = (text: string, { atMs, start, end }: Day, moves: Moves): Read | null => {
  const before = text.slice(Math.max(0, start - 40), start);
  const spans = [{ start, end }];
  if (isWeekOf.test(before)) return { days: [atMs, atMs + 6 * dayMs], spans };
  if (opens.test(before)) return { days: [atMs, null], spans };
  if (closes.test(before)) return { days: [null, atMs], spans };
  if (moves !== null) return { days: moves === "end" ? [null, atMs] : [atMs, null], spans };
  return isOn.test(before) ? { days: [atMs, atMs], spans } : null;
};

const flightOfDays = (text: string, found: readonly Day[], moves: Moves): Read | null => {
  const [first, second] = found;
  if (first === undefined) return null;
  const length = second === undefined ? lengthIn(text) : null;
  if (length !== null) return { days: [first.atMs, first.atMs + (length.days - 1) * dayMs], spans: [first, length] };
  if (second === undefined) return flightOfDay(text, first, moves);
  return second.atMs < first.atMs ? null : { days: [first.atMs, second.atMs], spans: [first, second] };
};

const inPart = new RegExp(
  "\\b(?:early|mid|late|beginning of|start of|middle of|end of|anfang|mitte|ende|" +
    `(?:first|second|third|fourth|last) (?:${weekdays}) (?:in|of)|` +
    `(?:${countWord}) (?:days?|weeks?) (?:in|of|during))[\\s-]+$`,
  "i",
);

/** A day of a month is not all of it. */
const flightOfMonth = (text: string, found: readonly Span[], nowMs: number): Read | null => {
  for (const match of matchesOf(blanked(text, found), wholeMonth)) {
    const at = named(match[1], undefined, match[2]);
    const whole = between(at, at, nowMs);
    const span = { start: match.index, end: match.index + match[0].length };
    // A part of a month has no days that everybody means.
    const isPart = inPart.test(text.slice(Math.max(0, span.start - 30), span.start));
    if (whole !== null && !isPart) return { days: whole, spans: [span] };
  }
  return null;
};

const inEnglish = [chrono.en];
const inAll = [chrono.en, chrono.de, chrono.es, chrono.fr, chrono.pt];
/** What chrono takes for a date and no buyer does: a bare number, a length, a time of day. */
const noDate = /^(?:at )?[\d.,:\s]+[kmh]?m?$|^\S*\d+[km]$|\b(?:hours?|minutes?|weeks?|days?|months?)\b/i;

/** Words that only chrono knows; it is the slowest reader, so it reads only the clauses with one. */
const mayBeDay = new RegExp(`\\b(?:${weekdays}|tomorrow|morgen|manana|demain|amanha|weekend)\\b`, "i");

const severalDays = new RegExp(`\\b(?:${weekdays})\\b.*\\b(?:${weekdays})\\b`, "i");
const weekMs = 7 * dayMs;

const withDays = (text: string): string =>
  blanked(
    text,
    clausesOf(text).filter((clause) => !mayBeDay.test(clause.text)),
  );

/** Days that the forms above lack: "from Friday to Sunday", "ab 3. Mai". */
const flightInWords = (text: string, nowMs: number, moves: Moves): Read | null => {
  const said = withDays(text);
  for (const locale of isForeign(text) ? inAll : inEnglish) {
    const found = locale
      .parse(said, { instant: new Date(nowMs), timezone: 0 }, { forwardDate: true })
      .filter(({ text: words, start }) =>
        start.isCertain("day") || start.isCertain("weekday") ? !noDate.test(words) : false,
      );
    const read = found.map(({ index, text: words, start, end }) => ({
      start: index,
      end: index + words.length,
      atMs: todayOf(start.date().getTime()),
      untilMs: end == null ? null : todayOf(end.date().getTime()),
      isOfWeek: !start.isCertain("day"),
    }));
    const [first, second] = read;
    if (first === undefined) continue;
    const lastMs = first.untilMs ?? second?.atMs ?? null;
    if (lastMs === null) return flightOfDay(text, first, moves);
    // "From Monday until Friday", said on a Friday, ends in the week after.
    const untilMs =
      lastMs < first.atMs && first.atMs - lastMs < weekMs && second?.isOfWeek === true ? lastMs + weekMs : lastMs;
    if (untilMs >= first.atMs)
      return { days: [first.atMs, untilMs], spans: read.slice(0, first.untilMs === null ? 2 : 1) };
  }
  return null;
};

const readIn = (text: string, nowMs: number, moves: Moves): Read | null => {
  const flight = firstFlight(text, nowMs);
  // Read one by one, "March to January 2027" would be one month of them.
  if (flight !== null) return (flight.days[1] ?? 0) < (flight.days[0] ?? 0) ? null : flight;
  const all = daysIn(text, nowMs);
  const found = withLater(text, all.filter(isDay));
  return (
    (all.length < 2 && severalDays.test(text) ? flightInWords(text, nowMs, moves) : null) ??
    (all.every(isDay) ? flightOfDays(text, found, moves) : null) ??
    (mayBeDay.test(text) ? flightInWords(text, nowMs, moves) : null) ??
    (anyMonth.test(text) ? flightOfMonth(text, all, nowMs) : null)
  );
};

/** The Friday of "Fri 5 Feb". */
const besideDay = new RegExp(
  `\\b(?:${weekdays})\\b\\.?,?\\s+(?:(?:the|den|dem|dia)\\s+)?` +
    `(?=\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+|de\\s+)?(?:${month})\\b|(?:${month})\\s+\\d)`,
  "gi",
);
/** Either of two months is none. */
const choice = new RegExp(`\\b(?:${month})\\b${year},?\\s(?:or|oder|ou?)\\s(?:${month})\\b${year}`, "gi");

const ofYear = /\b(?:of )?(this|next) year\b:?/i;

/** "For this year: 2M in May" means May; "May next year" that of the next. */
const readInYear = (text: string, nowMs: number, moves: Moves): Read | null => {
  const match = ofYear.exec(text);
  if (match === null) return readIn(text, nowMs, moves);
  const span = { start: match.index, end: match.index + match[0].length };
  const fromMs = match[1]?.toLowerCase() === "next" ? yearFrom(nowMs, 1)[0] : nowMs;
  const narrow = readIn(blanked(text, [span]), fromMs, moves);
  return narrow === null ? readIn(text, nowMs, moves) : { ...narrow, spans: [...narrow.spans, span] };
};

const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoOf(atMs));

const mayHoldTime = new RegExp(
  `\\d|\\b(?:${month}|${weekdays}|week|wk|month|quarter|quartal|trimestre|woche|monat|semana|semaine|mois|mes|year|` +
    "today|tomorrow|morgen|manana|demain|amanha|weekend)",
  "i",
);

/**
 * Without a year the next one that has not ended; month first in figures; UTC. Null where none is named or it is
 * impossible.
 */
export const periodIn = (text: string, nowMs: number, moves: Moves = null): Period | null => {
  if (!mayHoldTime.test(text)) return null;
  const namesMonth = anyMonth.test(text);
  const idle = namesMonth ? spansOf(text, besideDay) : [];
  const open = namesMonth ? spansOf(text, choice) : [];
  const read = readInYear(blanked(text, [...open, ...idle]), nowMs, moves);
  if (read === null) return null;
  const [startMs, endMs]: readonly [Days[0] | null, Days[1] | null] = read.days;
  const spans = [...read.spans, ...idle, ...spansOf(text, lengthPattern)];
  return { flight_start: isoOrNull(startMs), flight_end: isoOrNull(endMs), spans };
};
