import type { z } from "zod";
import { slotOfTime, startOfSlotMs } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { roundHalfEven } from "../../../machines/money.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { changeRequestKind, changeRequestTerm, shownStatuses } from "../change-requests/record.ts";
import type { TimeSpan } from "../../date-filter.ts";
import type { getOrderReport } from "./contract.ts";
import { readCounts } from "./counters.ts";
import type { SellerContext } from "../context.ts";

const wholeTime: SlotSpan = { fromSlot: 0, toSlot: slotOfTime(Date.UTC(9999, 11, 31)) };

const wholeDays = (member: string): Refusal =>
  fieldRefusal(member, "The report counts whole days (UTC). Send a day as YYYY-MM-DD.");

/** Counts are kept by day: an instant within a day is rejected. */
const daysOf = (span: TimeSpan): SlotSpan | Refusal => {
  const fromSlot = span.fromMs === null ? wholeTime.fromSlot : slotOfTime(span.fromMs);
  if (span.fromMs !== null && span.fromMs !== startOfSlotMs(fromSlot)) return wholeDays("from_date");
  const toSlot = span.toMs === null ? wholeTime.toSlot : slotOfTime(span.toMs);
  if (span.toMs !== null && span.toMs !== startOfSlotMs(toSlot + 1) - 1) return wholeDays("to_date");
  return { fromSlot, toSlot };
};

type Report = z.input<typeof getOrderReport.output>;

const changeRequestCounts = async (
  context: SellerContext,
  owner: string | null,
): Promise<Report["change_requests"]> => {
  const countOf = (status: (typeof shownStatuses)[number] | null) =>
    context.count(changeRequestKind, changeRequestTerm({ owner, orderId: null, status }));
  const counts = await Promise.all(shownStatuses.map(async (status) => [status, await countOf(status)] as const));
  return { total: await countOf(null), by_status: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
};

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const nothing: Report = {
  total_orders: 0,
  status_counts: {},
  total_transitions: 0,
  avg_transitions_per_order: 0,
  actor_type_counts: { system: 0, human: 0, agent: 0 },
  change_requests: { total: 0, by_status: {} },
};

/** A buyer over its own, an anonymous caller over nothing. Counters kept by commits. */
export const reportFor = async (context: SellerContext, span: TimeSpan): Promise<Report | Refusal> => {
  const days = daysOf(span);
  if (isRefusal(days)) return days;
  const { caller } = context;
  if (caller.kind === "anonymous") return nothing;
  const owner = isOperator(caller) ? null : caller.owner;
  const { statuses, actors } = await readCounts(context, owner, days);
  const orders = sumOf(Object.values(statuses));
  const transitions = sumOf(Object.values(actors));
  const { other, ...named } = actors;
  return {
    total_orders: orders,
    status_counts: { ...statuses },
    total_transitions: transitions,
    avg_transitions_per_order: orders === 0 ? 0 : roundHalfEven(transitions / orders, 1),
    actor_type_counts: other === 0 ? named : { ...named, other },
    change_requests: await changeRequestCounts(context, owner),
  };
};
