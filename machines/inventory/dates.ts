export const dayMs = 86_400_000;

const lastSlot = Math.floor(Date.UTC(9999, 11, 31) / dayMs);

/** Days since 1970-01-01, negative before: the slot of an inventory ledger. */
export type DaySlot = number;

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

const zero = "0".charCodeAt(0);

const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;

/** Null also for a day that no calendar has. */
export const slotOfDate = (date: string): DaySlot | null => {
  if (!isoDate.test(date)) return null;
  const [month, day] = [twoDigits(date, 5) - 1, twoDigits(date, 8)];
  const start = new Date(0);
  start.setUTCFullYear(twoDigits(date, 0) * 100 + twoDigits(date, 2), month, day);
  return start.getUTCMonth() === month && start.getUTCDate() === day ? start.getTime() / dayMs : null;
};

export const dateOfSlot = (slot: DaySlot): string | null =>
  slot > lastSlot ? null : new Date(slot * dayMs).toISOString().slice(0, 10);

/** 1970-01-01 was a Thursday. */
export const mondayOf = (slot: DaySlot): DaySlot => slot - ((((slot + 3) % 7) + 7) % 7);

export const slotOfTime = (timeMs: number): DaySlot => Math.floor(timeMs / dayMs);

export const startOfSlotMs = (slot: DaySlot): number => slot * dayMs;
