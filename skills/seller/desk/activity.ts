import type { z } from "zod";
import { dateOfSlot, mondayOf, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { isRefusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { type DealScope, type DealSums, readDealSums } from "../deals/counters.ts";
import { dealTypes, type SellerContext } from "../ports.ts";
import { dealStatuses } from "../portfolio/statuses.ts";
import type { getActivity } from "./contract.ts";

type Input = z.output<typeof getActivity.input>;
type Booked = Pick<z.input<typeof getActivity.output>["totals"], "deals" | "lost" | "impressions" | "values">;

const mostPoints = 62;
const usualDays = 30;

const dayOf = (member: string, text: string | null | undefined, usual: number): number | Refusal =>
  text == null || text === "" ? usual : (slotOfDate(text) ?? fieldRefusal(member, "Send a day as YYYY-MM-DD."));

const startOf = (slot: number, step: Input["step"]): number => {
  if (step === "day") return slot;
  if (step === "week") return mondayOf(slot);
  return slotOfDate(`${dateOfSlot(slot)?.slice(0, 7) ?? ""}-01`) ?? slot;
};

const nextStart = (slot: number, step: Input["step"]): number => {
  if (step === "day") return slot + 1;
  return step === "week" ? slot + 7 : startOf(slot + 31, "month");
};

export const stepsOf = ({ from, to, step }: Input, nowMs: number): readonly SlotSpan[] | Refusal => {
  const last = dayOf("to", to, slotOfTime(nowMs));
  if (isRefusal(last)) return last;
  const first = dayOf("from", from, last - usualDays + 1);
  if (isRefusal(first)) return first;
  if (last < first) return fieldRefusal("to", "to lies before from.");
  const spans: SlotSpan[] = [];
  for (let start = startOf(first, step); start <= last; start = nextStart(start, step)) {
    if (spans.length === mostPoints) {
      return fieldRefusal("from", `At most ${mostPoints} points. Send a shorter span or a longer step.`);
    }
    spans.push({ fromSlot: Math.max(start, first), toSlot: Math.min(nextStart(start, step) - 1, last) });
  }
  return spans;
};

const shown = (all: DealSums, lost: DealSums): Booked => ({
  deals: all.count,
  lost: lost.count,
  impressions: all.impressions,
  values: Object.fromEntries(
    [...all.cents].filter(([, cents]) => cents > 0).map(([code, cents]) => [code, cents / 100]),
  ),
});

/** From sums that commits keep. */
export const bookedIn = async (
  context: SellerContext,
  scopes: readonly DealScope[],
  span: SlotSpan,
): Promise<Booked> => {
  const question = { dealTypes, currencies: context.ports.catalog.currencies, scopes, span };
  const [all, lost] = await Promise.all([
    readDealSums(context, { ...question, statuses: dealStatuses }),
    readDealSums(context, { ...question, statuses: ["rejected", "expired"] }),
  ]);
  return shown(all, lost);
};
