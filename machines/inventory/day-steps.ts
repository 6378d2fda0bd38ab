import { type DaySlot, dateOfSlot, mondayOf, slotOfDate, slotOfTime } from "./dates.ts";
import type { SlotSpan } from "./flight.ts";

export type DayStep = "day" | "week" | "month";

const startOf = (slot: DaySlot, step: DayStep): DaySlot => {
  if (step === "day") return slot;
  if (step === "week") return mondayOf(slot);
  return slotOfDate(`${dateOfSlot(slot)?.slice(0, 7) ?? ""}-01`) ?? slot;
};

const nextStart = (slot: DaySlot, step: DayStep): DaySlot => {
  if (step === "day") return slot + 1;
  return step === "week" ? slot + 7 : startOf(slot + 31, "month");
};

/** Both ends included; weeks start on Monday. Null for more than `most`. */
export const stepsBetween = (
  first: DaySlot,
  last: DaySlot,
  step: DayStep,
  most: number,
): readonly SlotSpan[] | null => {
  const spans: SlotSpan[] = [];
  for (let start = startOf(first, step); start <= last; start = nextStart(start, step)) {
    if (spans.length === most) return null;
    spans.push({ fromSlot: Math.max(start, first), toSlot: Math.min(nextStart(start, step) - 1, last) });
  }
  return spans;
};

const mostPoints = 62;
const usualDays = 30;

interface AskedSpan {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly step: DayStep;
}

type AskedSteps = { readonly spans: readonly SlotSpan[] } | { readonly field: "from" | "to"; readonly message: string };

/** Without dates the days up to today. */
export const askedSteps = ({ from, to, step }: AskedSpan, nowMs: number): AskedSteps => {
  const dayOf = (text: string | null | undefined, usual: number): number | null =>
    text == null || text === "" ? usual : slotOfDate(text);
  const notADay = "Send a day as YYYY-MM-DD.";
  const last = dayOf(to, slotOfTime(nowMs));
  if (last === null) return { field: "to", message: notADay };
  const first = dayOf(from, last - usualDays + 1);
  if (first === null) return { field: "from", message: notADay };
  if (last < first) return { field: "to", message: "to lies before from." };
  const spans = stepsBetween(first, last, step, mostPoints);
  const tooMany = `At most ${mostPoints} points. Send a shorter span or a longer step.`;
  return spans === null ? { field: "from", message: tooMany } : { spans };
};
