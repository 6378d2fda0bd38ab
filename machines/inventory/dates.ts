/** A UTC day in milliseconds. */
export const dayMs = 86_400_000;

/** The last day that an ISO date of four-digit years can name. */
const lastSlot = Math.floor(Date.UTC(9999, 11, 31) / dayMs);

/** A UTC day as its number of days since 1970-01-01: the slot of an inventory ledger. Earlier days are negative. */
export type DaySlot = number;

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

const zero = "0".charCodeAt(0);

/** The number that two digits of a text are. */
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;

/** The slot of an ISO date `YYYY-MM-DD`; null for any other form and for a day that no calendar has. */
export const slotOfDate = (date: string): DaySlot | null => {
  if (!isoDate.test(date)) return null;
  const [month, day] = [twoDigits(date, 5) - 1, twoDigits(date, 8)];
  const start = new Date(0);
  start.setUTCFullYear(twoDigits(date, 0) * 100 + twoDigits(date, 2), month, day);
  return start.getUTCMonth() === month && start.getUTCDate() === day ? start.getTime() / dayMs : null;
};

/** The ISO date of a slot; null beyond the year 9999. */
export const dateOfSlot = (slot: DaySlot): string | null =>
  slot > lastSlot ? null : new Date(slot * dayMs).toISOString().slice(0, 10);

/** The day in which a moment lies. */
export const slotOfTime = (timeMs: number): DaySlot => Math.floor(timeMs / dayMs);

/** 00:00 UTC of a day. */
export const startOfSlotMs = (slot: DaySlot): number => slot * dayMs;
