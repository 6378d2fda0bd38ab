import { dayMs } from "../../../../../machines/inventory/dates.ts";
import { anyLength, lengthOf } from "../../../../understanding/reading/dates/forms.ts";
import { month } from "../../../../understanding/reading/dates/month-words.ts";
import { shiftIn, shifted } from "../../../../understanding/reading/figures/changes.ts";
import { type Period, periodIn } from "../../../../understanding/reading/periods.ts";
import { blanked, matchesOf, type Span } from "../../../../understanding/reading/spans.ts";
import type { BriefInput } from "../input.ts";

type Flight = Pick<BriefInput, "start_date" | "end_date">;

export interface Days {
  readonly brief: Flight;
  readonly spans: readonly Span[];
}

const isoOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** Days without a year are those nearest to the flight that is corrected, "next month" is seen from today. */
const daysBefore = 31;
const isFromToday =
  /\b(?:next|this|coming|nachste[nrs]?|proxim[oa]|prochaine?)\s+(?:week|month|quarter|year|monday)\b|\btomorrow\b/i;
const seenFrom = (open: Flight, text: string, nowMs: number): number =>
  isFromToday.test(text) ? nowMs : Math.max(nowMs, Date.parse(open.start_date ?? "") - daysBefore * dayMs || nowMs);

const stretch = new RegExp(
  "\\b(?:for|over|runs?|running|lasts?|lasting|takes?)\\s+(?:(?:for|only|just|" +
    `about)\\s+){0,2}${anyLength}(?:\\s+(?:only|long))?`,
  "i",
);

/** "It runs for four weeks": from the first day that is known. */
const lengthened = (open: Flight, text: string): Days | null => {
  const match = stretch.exec(text);
  if (match === null || open.start_date === undefined) return null;
  const [count, unit] = match.slice(1);
  const first = new Date(`${open.start_date}T00:00:00Z`);
  const isMonths = /^mo|^mes|^mois/i.test(unit ?? "");
  const afterMs = isMonths
    ? first.setUTCMonth(first.getUTCMonth() + lengthOf(count, unit) / lengthOf("1", unit))
    : first.getTime() + lengthOf(count, unit) * dayMs;
  const span = { start: match.index, end: match.index + match[0].length };
  return { brief: { start_date: open.start_date, end_date: isoOf(afterMs - dayMs) }, spans: [span] };
};

const edge = new RegExp(`\\b(?:in |only |during )*the (first|last) (?:${anyLength})`, "i");

/** "In the first two weeks" of the flight. */
const ofEdge = (open: Flight, text: string): Days | null => {
  const match = edge.exec(text);
  const { start_date: start, end_date: end } = open;
  if (match === null || start === undefined || end === undefined) return null;
  const [side, count, unit] = match.slice(1);
  const lengthMs = (lengthOf(count, unit) - 1) * dayMs;
  const isFirst = side?.toLowerCase() === "first";
  const brief = isFirst
    ? { start_date: start, end_date: isoOf(Date.parse(start) + lengthMs) }
    : { start_date: isoOf(Date.parse(end) - lengthMs), end_date: end };
  return { brief, spans: [{ start: match.index, end: match.index + match[0].length }] };
};

const yearAlone = /(?<![\d.,$€/-])\b(20\d\d)\b(?![\d/-]|[.,]\d|\s?(?:usd|dollars?|k\b|[$€]))/;
const anyMonth = new RegExp(`\\b${month}\\b|\\bq[1-4]\\b`, "i");

/** "2027 of course": the same days of that year. */
const ofYear = (open: Flight, text: string): Days | null => {
  const { start_date: start, end_date: end } = open;
  const match = yearAlone.exec(text);
  if (match === null || start === undefined || end === undefined || anyMonth.test(text)) return null;
  const years = Number(match[1]) - Number(start.slice(0, 4));
  const moved = (day: string): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
  const span = { start: match.index, end: match.index + 4 };
  return { brief: { start_date: moved(start), end_date: moved(end) }, spans: [span] };
};

const named = ({ flight_start: first, flight_end: last, spans }: Period): Days => ({
  brief: { ...(first == null ? {} : { start_date: first }), ...(last == null ? {} : { end_date: last }) },
  spans,
});

const starts = /\b(?:start\w*|begin\w*|launch\w*|go(?:es)? live|erst|beginn\w*|empeza\w*|comenza\w*|commenc\w*)\b/i;
const finishes = /\b(?:ends?|ending|finish\w*|stops?|last day|endet|termina\w*|fin\w*)\b/i;

/** "Start only on 8 March" moves the first day alone. */
const oneSide = (open: Flight, text: string, { flight_start: first, flight_end: last, spans }: Period): Days | null => {
  if (first === null || first !== last || open.start_date === undefined || open.end_date === undefined) return null;
  const [isStart, isEnd] = [starts.test(text), finishes.test(text)];
  if (isStart === isEnd) return null;
  return { brief: isStart ? { start_date: first } : { end_date: first }, spans };
};

const dayOfMonth = new RegExp(
  "\\b(start\\w*|begin\\w*|launch\\w*|from|end\\w*|finish\\w*|stop\\w*|until|till?|to|by)\\s+(?:(?:it|this|that|" +
    "the campaign)\\s+)?" +
    "(?:(?:on|at|from)\\s+)?(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)\\b",
  "i",
);

/** "End on the 30th": of the month in which the flight ends now. */
const ofMonth = (open: Flight, text: string): Days | null => {
  const match = dayOfMonth.exec(text);
  const isStart = /^(?:start|begin|launch|from)/i.test(match?.[1] ?? "");
  const known = isStart ? open.start_date : (open.end_date ?? open.start_date);
  if (match === null || known === undefined) return null;
  const day = new Date(`${known.slice(0, 8)}01T00:00:00Z`);
  const isReal = day.setUTCDate(Number(match[2])) > 0 && day.getUTCDate() === Number(match[2]);
  if (!isReal) return null;
  const iso = isoOf(day.getTime());
  const span = { start: match.index, end: match.index + match[0].length };
  return { brief: isStart ? { start_date: iso } : { end_date: iso }, spans: [span] };
};

/** A single day is the side of the flight that is still open. */
const missingSide = (open: Flight, text: string, fromMs: number): Days | null => {
  const word = open.start_date === undefined ? "from " : "until ";
  if (open.start_date !== undefined && open.end_date !== undefined) return null;
  const at = text.search(/\S/);
  const period = at < 0 ? null : periodIn(`${word}${text.slice(at)}`, fromMs);
  if (period === null) return null;
  const spans = period.spans.map(({ start, end }) => ({
    start: Math.max(0, start - word.length) + at,
    end: end - word.length + at,
  }));
  return { ...named(period), spans };
};

/** "Run it 6 weeks" says how long, and moves nothing. */
const isOwnLength =
  /^(?:run|start)\w*\b(?!.*\b(?:later|earlier|sooner|before|after|longer|shorter|out|back|forward|more|less)\b)/i;

export const correctedDays = (open: Flight, text: string, nowMs: number): Days | null => {
  const { start_date: start, end_date: end } = open;
  const moves = start === undefined || end === undefined ? null : shiftIn(text);
  const shift = moves !== null && isOwnLength.test(moves.words) ? null : moves;
  const explicit = shift === null ? null : periodIn(blanked(text, [shift]), seenFrom(open, text, nowMs));
  if (shift !== null && explicit?.flight_start != null && explicit.flight_start !== explicit.flight_end) {
    return { ...named(explicit), spans: [shift, ...explicit.spans] };
  }
  if (shift !== null && start !== undefined && end !== undefined) {
    const moved = shifted({ flight_start: start, flight_end: end }, shift);
    return { brief: { start_date: moved.flight_start, end_date: moved.flight_end }, spans: [shift] };
  }
  const fromMs = seenFrom(open, text, nowMs);
  const period = periodIn(text, fromMs);
  if (period !== null) return oneSide(open, text, period) ?? named(period);
  const readers = [ofEdge, ofMonth, lengthened, ofYear];
  return readers.reduce((found, read) => found ?? read(open, text), missingSide(open, text, fromMs));
};

const slashed = /\b(\d{1,2})\/(\d{1,2})(?:\/\d{2,4})?\b/g;

/** Said where both halves of a date could be its month. */
export const monthFirst = (text: string, spans: readonly Span[]): readonly string[] => {
  const dates = spans.flatMap(({ start, end }) => matchesOf(text.slice(start, end), slashed));
  const isUnsure = dates.every(([, month, day]) => Number(month) <= 12 && Number(day) <= 12);
  const unsure = isUnsure ? dates.filter(([, month, day]) => month !== day) : [];
  return unsure.map(([date]) => `"${date}" is read with the month first.`);
};
