import { dayMs } from "../../../machines/inventory/dates.ts";

export interface Moment {
  readonly year: number | null;
  readonly month: number;
  readonly day: number | null;
}

export type Days = readonly [startMs: number, endMs: number];

export const isoOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

export const todayOf = (nowMs: number): number => Math.floor(nowMs / dayMs) * dayMs;

const lastDayOf = (ofYear: number, ofMonth: number): number => new Date(Date.UTC(ofYear, ofMonth, 0)).getUTCDate();

/** Null for a date that does not exist. */
export const atOf = (ofYear: number, ofMonth: number, ofDay: number): number | null => {
  const exists = ofMonth >= 1 && ofMonth <= 12 && ofDay >= 1 && ofDay <= lastDayOf(ofYear, ofMonth);
  return exists ? Date.UTC(ofYear, ofMonth - 1, ofDay) : null;
};

/** A campaign over the turn of a year is shorter; a longer one has its ends the wrong way round. */
const mostMonthsOverTurn = 9;

const isTurned = (from: Moment, until: Moment): boolean =>
  until.month < from.month || (until.month === from.month && (until.day ?? 31) < (from.day ?? 1));

/** Years from the first day to the last, where they do not say it. */
const turnsOf = (from: Moment, until: Moment): number =>
  isTurned(from, until) && from.month - until.month >= 12 - mostMonthsOverTurn ? 1 : 0;

/** Without a year: the next such time that has not ended. The end is first where it was written so. */
export const between = (from: Moment, until: Moment, nowMs: number): Days | null => {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const todayMs = todayOf(nowMs);
  const turns = turnsOf(from, until);
  const startYear = from.year ?? (until.year === null ? null : until.year - turns);
  for (const first of startYear === null ? [thisYear, thisYear + 1] : [startYear]) {
    const last = until.year ?? first + turns;
    const startMs = atOf(first, from.month, from.day ?? 1);
    const endMs = atOf(last, until.month, until.day ?? lastDayOf(last, until.month));
    if (startMs === null || endMs === null) return null;
    if (endMs >= todayMs || startYear !== null) return [startMs, endMs];
  }
  return null;
};

export const quarterOf = (quarter: number, ofYear: number | null, nowMs: number): Days | null =>
  between({ year: ofYear, month: quarter * 3 - 2, day: 1 }, { year: ofYear, month: quarter * 3, day: null }, nowMs);

export const comingMonday = (nowMs: number): number => {
  const today = todayOf(nowMs);
  return today + ((8 - new Date(today).getUTCDay()) % 7 || 7) * dayMs;
};

export const monthFrom = (nowMs: number, ahead: number): Days => {
  const now = new Date(nowMs);
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1);
  return [startMs, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 0)];
};

export const yearFrom = (nowMs: number, ahead: number): Days => {
  const ofYear = new Date(nowMs).getUTCFullYear() + ahead;
  return [Date.UTC(ofYear, 0, 1), Date.UTC(ofYear, 11, 31)];
};
