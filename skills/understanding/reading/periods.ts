import { anyOf } from "./any-of.ts";
import * as chrono from "chrono-node";
import { isForeign } from "./clauses.ts";
import { month, monthOf, weekdays } from "./month-words.ts";
import { blanked, type Span, spansOf } from "./spans.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/** ISO dates, both included; one end may be open. */
export interface Period {
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly spans: readonly Span[];
}

/** Bounded: several readers would try every length of a long row of blanks. */
const gap = "\\s{0,8}";
const year = `(?:,?${gap}(?:'(?=\\d\\d\\b))?((?:19|20)\\d\\d|(?<=')\\d\\d))?`;
const day = "(\\d{1,2})(?:st|nd|rd|th|er|\\u00ba)?";
const until = "-|–|—|to|through|thru|until|till|and|bis(?: zum)?|a|al|au|ate(?: o)?|hasta(?: el)?";
const to = `${gap}(?:${until})(?: the)?${gap}`;
const of = "(?:of\\s+|de\\s+|do\\s+|d')?";

interface Moment {
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

const isoOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const lastDayOf = (ofYear: number, ofMonth: number): number => new Date(Date.UTC(ofYear, ofMonth, 0)).getUTCDate();

/** Null for a date that does not exist. */
const atOf = (ofYear: number, ofMonth: number, ofDay: number): number | null => {
  const exists = ofMonth >= 1 && ofMonth <= 12 && ofDay >= 1 && ofDay <= lastDayOf(ofYear, ofMonth);
  return exists ? Date.UTC(ofYear, ofMonth - 1, ofDay) : null;
};

const yearOf = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  return text.length === 2 ? 2000 + Number(text) : Number(text);
};

type Days = readonly [startMs: number, endMs: number];

/** Without a year: the next such time that has not ended. */
const between = (from: Moment, until: Moment, nowMs: number): Days | null => {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const endYear = until.year ?? from.year;
  for (const first of from.year !== null || endYear !== null
    ? [from.year ?? endYear ?? thisYear]
    : [thisYear, thisYear + 1]) {
    const wraps = until.month < from.month || (until.month === from.month && (until.day ?? 31) < (from.day ?? 1));
    const last = endYear !== null && from.year !== endYear && from.year !== null ? endYear : first + (wraps ? 1 : 0);
    const startMs = atOf(first, from.month, from.day ?? 1);
    const endMs = atOf(last, until.month, until.day ?? lastDayOf(last, until.month));
    if (startMs === null || endMs === null) return null;
    if (endMs >= todayMs || from.year !== null || endYear !== null) return [startMs, endMs];
  }
  return null;
};

type Groups = readonly (string | undefined)[];
type Reader = (groups: Groups, nowMs: number) => Days | null;

/** Month first, except where that is no month. */
const numeric = (m: string | undefined, d: string | undefined, y: string | undefined): Moment =>
  Number(m) > 12 && Number(d) <= 12
    ? { year: yearOf(y), month: Number(d), day: Number(m) }
    : { year: yearOf(y), month: Number(m), day: Number(d) };

const named = (name: string | undefined, d: string | undefined, y: string | undefined): Moment => ({
  year: yearOf(y),
  month: monthOf(name ?? ""),
  day: d === undefined ? null : Number(d),
});

const iso = "(\\d{4})-(\\d{2})-(\\d{2})";
const us = "(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?";
const dotted = "(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}|\\d{2}\\b)?";

const todayOf = (nowMs: number): number => Math.floor(nowMs / dayMs) * dayMs;

const quarterOf = (quarter: number, ofYear: number | null, nowMs: number): Days | null =>
  between({ year: ofYear, month: quarter * 3 - 2, day: 1 }, { year: ofYear, month: quarter * 3, day: null }, nowMs);

const comingMonday = (nowMs: number): number => {
  const today = todayOf(nowMs);
  return today + ((8 - new Date(today).getUTCDay()) % 7 || 7) * dayMs;
};

const monthFrom = (nowMs: number, ahead: number): Days => {
  const now = new Date(nowMs);
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);
  return [startMs, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 0)];
};

const relative: Readonly<Record<string, (nowMs: number, ahead: number) => Days | null>> = {
  month: (nowMs, ahead) => monthFrom(nowMs, ahead),
  week: (nowMs, ahead) => {
    const monday = comingMonday(nowMs) + (ahead - 1) * 7 * dayMs;
    return [monday, monday + 6 * dayMs];
  },
  quarter: (nowMs, ahead) => {
    const now = new Date(nowMs);
    const place = Math.floor(now.getUTCMonth() / 3) + ahead;
    return quarterOf((place % 4) + 1, now.getUTCFullYear() + Math.floor(place / 4), nowMs);
  },
  year: (nowMs, ahead) => {
    const ofYear = new Date(nowMs).getUTCFullYear() + ahead;
    return [Date.UTC(ofYear, 0, 1), Date.UTC(ofYear, 11, 31)];
  },
};

const weekOf = "(?:the )?(?:w/c|(?:week|wk) (?:of|from|starting|beginning|commencing)) (?:the )?";

const weekFrom = (at: Moment, nowMs: number): Days | null => {
  const start = firstOf(between(at, at, nowMs));
  return start === null ? null : [start, start + 6 * dayMs];
};

const countWords: Readonly<Record<string, number>> = {
  a: 1,
  ...Object.fromEntries(
    "one two three four five six seven eight nine ten eleven twelve".split(" ").map((name, at) => [name, at + 1]),
  ),
};
const countWord = `\\d{1,3}|${Object.keys(countWords).join("|")}`;
const lengthDays: Readonly<Record<string, number>> = { day: 1, week: 7, fortnight: 14, month: 30 };

const lengthOf = (count: string | undefined, unit: string | undefined): number => {
  const each = lengthDays[(unit ?? "").toLowerCase().replace(/s$/, "")] ?? 1;
  return (countWords[(count ?? "").toLowerCase()] ?? Number(count)) * each;
};

const orNull = (startMs: number | null, endMs: number | null): Days | null =>
  startMs === null || endMs === null ? null : [startMs, endMs];

const atIso = (y?: string, m?: string, d?: string): number | null => atOf(Number(y), Number(m), Number(d));

/** Longest first: a later form does not see what an earlier one covers. */
const flights: readonly (readonly [RegExp, Reader])[] = [
  [new RegExp(`${iso}${to}${iso}`, "gi"), ([y1, m1, d1, y2, m2, d2]) => orNull(atIso(y1, m1, d1), atIso(y2, m2, d2))],
  [
    new RegExp(`\\b${us}${to}${us}\\b`, "gi"),
    ([m1, d1, y1, m2, d2, y2], now) => between(numeric(m1, d1, y1), numeric(m2, d2, y2), now),
  ],
  [
    new RegExp(`\\b${dotted}${to}${dotted}`, "gi"),
    ([d1, m1, y1, d2, m2, y2], now) => between(numeric(m1, d1, y1 ?? y2), numeric(m2, d2, y2), now),
  ],
  [
    new RegExp(`\\b(first|second|1st|2nd) half of (${month})\\b${year}`, "gi"),
    ([half, name, y], now) => {
      const isFirst = /^(?:first|1st)$/i.test(half ?? "");
      return between(named(name, isFirst ? "1" : "16", y), named(name, isFirst ? "15" : undefined, y), now);
    },
  ],
  [
    new RegExp(`\\b${weekOf}(${month})\\.?\\s+${day}\\b${year}`, "gi"),
    ([name, d, y], now) => weekFrom(named(name, d, y), now),
  ],
  [
    new RegExp(`\\b${weekOf}${day}\\.?\\s+${of}(${month})\\b${year}`, "gi"),
    ([d, name, y], now) => weekFrom(named(name, d, y), now),
  ],
  [
    new RegExp(`\\b(?:the )?first (${countWord}) (days|weeks) of (${month})\\b${year}`, "gi"),
    ([count, unit, name, y], now) => {
      const start = firstOf(between(named(name, "1", y), named(name, undefined, y), now));
      return start === null ? null : [start, start + (lengthOf(count, unit) - 1) * dayMs];
    },
  ],
  [/\bthe month after next\b/gi, (_, now) => monthFrom(now, 2)],
  [
    new RegExp(`\\b(${month})\\.?\\s+${day}${year}${to}(?:(${month})\\.?\\s+)?${day}\\b${year}`, "gi"),
    ([n1, d1, y1, n2, d2, y2], now) => between(named(n1, d1, y1 ?? y2), named(n2 ?? n1, d2, y2), now),
  ],
  [
    new RegExp(`\\b${day}\\.?${gap}${of}(?:(${month})\\.?)?${year}${to}${day}\\.?\\s+${of}(${month})\\b${year}`, "gi"),
    ([d1, n1, y1, d2, n2, y2], now) => between(named(n1 ?? n2, d1, y1 ?? y2), named(n2, d2, y2), now),
  ],
  [
    new RegExp(`\\b${day}\\.?\\s+${of}(${month})\\b${year}${to}${day}(?<=st|nd|rd|th)\\b`, "gi"),
    ([d1, name, y, d2], now) => between(named(name, d1, y), named(name, d2, y), now),
  ],
  [
    new RegExp(`\\b(${month})\\b${year}${to}(${month})\\b${year}`, "gi"),
    ([n1, y1, n2, y2], now) => between(named(n1, undefined, y1 ?? y2), named(n2, undefined, y2), now),
  ],
  [
    /\b(?:q([1-4])|(first|second|third|fourth) quarter)(?:\s*(?:of\s*)?'?((?:20)?\d\d))?\b/gi,
    ([digit, name, ofYear], now) => {
      const quarter =
        digit === undefined ? ["first", "second", "third", "fourth"].indexOf(name ?? "") + 1 : Number(digit);
      return quarterOf(quarter, yearOf(ofYear), now);
    },
  ],
  [
    /\bh([12])(?:\s*((?:20)?\d\d))?\b/gi,
    ([half, ofYear], now) => {
      const first = Number(half) * 6 - 5;
      const at = yearOf(ofYear);
      return between({ year: at, month: first, day: 1 }, { year: at, month: first + 5, day: null }, now);
    },
  ],
  [
    /\b(?:the )?(?:(?:whole|full|entire) (?:of |year )?|all of |year |throughout )(20\d\d)\b/gi,
    ([ofYear]) => [Date.UTC(Number(ofYear), 0, 1), Date.UTC(Number(ofYear), 11, 31)],
  ],
  [/\bnext (week|month|quarter|year)\b/gi, ([unit], now) => relative[unit?.toLowerCase() ?? ""]?.(now, 1) ?? null],
  [/\bthis (month|quarter|year)\b/gi, ([unit], now) => relative[unit?.toLowerCase() ?? ""]?.(now, 0) ?? null],
];

/** Two of them are a flight, one with a length too. */
const days: readonly (readonly [RegExp, (groups: Groups, nowMs: number) => number | null])[] = [
  [new RegExp(iso, "g"), ([y, m, d]) => atIso(y, m, d)],
  [new RegExp(`\\b${dotted}`, "g"), ([d, m, y], now) => firstOf(between(numeric(m, d, y), numeric(m, d, y), now))],
  [new RegExp(`\\b${us}\\b`, "g"), ([m, d, y], now) => firstOf(between(numeric(m, d, y), numeric(m, d, y), now))],
  [
    new RegExp(`\\b(${month})\\.?\\s+${day}\\b(?!\\s?(?:[km]\\b|mm\\b|million|thousand|,\\d{3}))${year}`, "gi"),
    ([name, d, y], now) => firstOf(between(named(name, d, y), named(name, d, y), now)),
  ],
  [
    new RegExp(`\\b${day}\\.?\\s+${of}(${month})\\b${year}`, "gi"),
    ([d, name, y], now) => firstOf(between(named(name, d, y), named(name, d, y), now)),
  ],
  [
    new RegExp(`(?<=\\b(?:until|till|through|thru|to|by) (?:the )?)end of (${month})\\b${year}`, "gi"),
    ([name, y], now) => between(named(name, undefined, y), named(name, undefined, y), now)?.[1] ?? null,
  ],
  [/\btomorrow\b/gi, (_, now) => todayOf(now) + dayMs],
  [/\btoday\b/gi, (_, now) => todayOf(now)],
  [/\b(?:next |coming )?monday\b/gi, (_, now) => comingMonday(now)],
];

const firstOf = (found: Days | null): number | null => found?.[0] ?? null;

/** Last, because a month's name is part of most other forms. */
const wholeMonth = new RegExp(`\\b(${month})\\b${year}`, "gi");

const anyLength = `(${countWord})[\\s-]?(days?|weeks?|fortnights?|months?)\\b`;
const lengthPattern = new RegExp(`\\b(?:for|over|lasting)\\s+(?:the\\s+)?${anyLength}`, "gi");
/** Beside a single day a bare length is the flight's. */
const bareLength = new RegExp(`\\b${anyLength}`, "gi");

interface Read {
  readonly days: readonly [startMs: number | null, endMs: number | null];
  readonly spans: readonly Span[];
}

const firstFlight = (text: string, nowMs: number): Read | null => {
  for (const [pattern, read] of flights) {
    for (const match of text.matchAll(pattern)) {
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

const daysIn = (text: string, nowMs: number): readonly Day[] => {
  let left = text;
  const found: Day[] = [];
  for (const [pattern, read] of days) {
    for (const match of left.matchAll(pattern)) {
      const atMs = read(match.slice(1), nowMs);
      const span = { start: match.index, end: match.index + match[0].length };
      if (atMs !== null) found.push({ atMs, ...span });
    }
    left = blanked(left, found);
  }
  return found.sort((one, other) => one.start - other.start);
};

const lengthIn = (text: string): (Span & { readonly days: number }) | null => {
  const [length] = [...text.matchAll(lengthPattern), ...text.matchAll(bareLength)];
  if (length === undefined) return null;
  return { days: lengthOf(length[1], length[2]), start: length.index, end: length.index + length[0].length };
};

const opens = anyOf(
  /\b(?:from|starting|starts?|begins?|beginning|as of|ab|desde|a partir de)(?: (?:on|the|el|le))?\s*$/i,
  /\b(?:a partir du|after)(?: (?:on|the|el|le))?\s*$/i,
);
const closes =
  /\b(?:until|till|through|by|ends?|ending|no later than|bis|hasta|jusqu'au|ate)(?: (?:on|the|el|le))?\s*$/i;
const isOn = /\b(?:on|only|am|el|le)(?: the)?\s*$/i;

/** The word before a single day makes it start, end or all of a flight; without one it is none. */
const flightOfDay = (text: string, { atMs, start, end }: Day): Read | null => {
  const before = text.slice(Math.max(0, start - 24), start);
  const spans = [{ start, end }];
  if (opens.test(before)) return { days: [atMs, null], spans };
  if (closes.test(before)) return { days: [null, atMs], spans };
  return isOn.test(before) ? { days: [atMs, atMs], spans } : null;
};

const flightOfDays = (text: string, nowMs: number): Read | null => {
  const found = daysIn(text, nowMs);
  const [first, second] = found;
  if (first === undefined) return null;
  const length = second === undefined ? lengthIn(text) : null;
  if (length !== null) return { days: [first.atMs, first.atMs + (length.days - 1) * dayMs], spans: [first, length] };
  if (second === undefined) return flightOfDay(text, first);
  return second.atMs < first.atMs ? null : { days: [first.atMs, second.atMs], spans: [first, second] };
};

const inPart = /\b(?:early|mid|late|beginning of|start of|middle of|end of|anfang|mitte|ende)[\s-]+$/i;

const flightOfMonth = (text: string, nowMs: number): Read | null => {
  for (const match of text.matchAll(wholeMonth)) {
    const at = named(match[1], undefined, match[2]);
    const found = between(at, at, nowMs);
    const span = { start: match.index, end: match.index + match[0].length };
    // A part of a month has no days that everybody means.
    const isPart = inPart.test(text.slice(Math.max(0, span.start - 16), span.start));
    if (found !== null && !isPart) return { days: found, spans: [span] };
  }
  return null;
};

const inEnglish = [chrono.en];
const inAll = [chrono.en, chrono.de, chrono.es, chrono.fr, chrono.pt];
/** What chrono takes for a date and no buyer does: a bare number, a length, a time of day. */
const noDate = /^(?:at )?[\d.,:\s]+[kmh]?m?$|^\S*\d+[km]$|\b(?:hours?|minutes?|weeks?|days?|months?)\b/i;

/** Days that the forms above lack: "from Friday to Sunday", "ab 3. Mai". */
const flightInWords = (text: string, nowMs: number): Read | null => {
  for (const locale of isForeign(text) ? inAll : inEnglish) {
    const found = locale
      .parse(text, { instant: new Date(nowMs), timezone: 0 }, { forwardDate: true })
      .filter(({ text: words, start }) =>
        start.isCertain("day") || start.isCertain("weekday") ? !noDate.test(words) : false,
      );
    const days = found.map(({ index, text: words, start, end }) => ({
      start: index,
      end: index + words.length,
      atMs: todayOf(start.date().getTime()),
      untilMs: end == null ? null : todayOf(end.date().getTime()),
    }));
    const [first, second] = days;
    if (first === undefined) continue;
    const untilMs = first.untilMs ?? second?.atMs ?? null;
    if (untilMs === null) return flightOfDay(text, first);
    if (untilMs >= first.atMs)
      return { days: [first.atMs, untilMs], spans: days.slice(0, first.untilMs === null ? 2 : 1) };
  }
  return null;
};

const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoOf(atMs));

/**
 * Without a year the next one that has not ended; month first in figures; UTC. Null where none is named or it is
 * impossible.
 */
export const periodIn = (text: string, nowMs: number): Period | null => {
  if (!mayHoldTime.test(text)) return null;
  const read =
    firstFlight(text, nowMs) ??
    flightOfDays(text, nowMs) ??
    (mayBeDay.test(text) ? flightInWords(text, nowMs) : null) ??
    flightOfMonth(text, nowMs);
  if (read === null) return null;
  const [startMs, endMs] = read.days;
  const spans = [...read.spans, ...spansOf(text, lengthPattern)];
  return { flight_start: isoOrNull(startMs), flight_end: isoOrNull(endMs), spans };
};

/** chrono is the slowest reader, so it runs only for such words. */
const mayBeDay = new RegExp(`\\b(?:${weekdays}|tomorrow|morgen|manana|demain|amanha|weekend)\\b`, "i");

/** Most clauses name no time at all, and every form of one would be tried on them. */
const mayHoldTime = new RegExp(
  `\\d|\\b(?:${month}|${weekdays}|week|wk|month|quarter|year|today|tomorrow|morgen|manana|demain|amanha|weekend)`,
  "i",
);

/** What of these no flight took was not understood. */
export const dateWords = new RegExp(
  [
    `\\b(?:(?:early|mid|late|beginning of|end of|middle of)[\\s-]+)?(?:${month})\\b${year}`,
    `\\b(?:${weekdays})\\b(?=[\\s,.;?!]|$)`,
    "\\bq[1-4]\\b|\\b(?:tomorrow|yesterday|tonight)\\b|\\bnext (?:week|month|quarter|year)\\b",
    "\\b(?:black friday|cyber (?:monday|week)|thanksgiving)\\b",
    "(?<=\\b(?:in|this|next|for|until|by|over|of|around|at|during|before|after|since)(?: the)? )" +
      "(?:spring|summer|autumn|fall|winter|christmas|easter)\\b" +
      "(?! (?:launch|campaign|sale|collection))(?: 20\\d\\d)?",
    "\\bweekends?\\b|\\d{4}-\\d{2}-\\d{2}|\\b\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?\\b|\\b20\\d\\d\\b",
  ].join("|"),
  "gi",
);
