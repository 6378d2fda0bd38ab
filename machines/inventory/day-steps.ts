import { type DaySlot, dateOfSlot, mondayOf, slotOfDate } from "./dates.ts";
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
