import { costMicros, fromMicros } from "../../../machines/money.ts";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import {
  begunText,
  type Flight,
  isFlightProblem,
  overFlight,
  readFlight,
  type SlotSpan,
} from "../../../machines/inventory/flight.ts";
import { priceFor } from "../../../machines/pricing/price.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { Sold } from "../packages/sold.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { priceQuestion, stockFor } from "../pricing/rules.ts";

/** As long as the longest flight. */
const longestDays = 731;

const isoForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

const offsetOf = (given: string | undefined): string =>
  given === undefined || given === "Z" ? "Z" : given.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2");

/** UTC where it has no offset. */
const momentOf = (text: string): number | null => {
  const match = isoForm.exec(text);
  if (match === null || slotOfDate(String(match[1])) === null) return null;
  const atMs = Date.parse(`${match[1]}T${match[2] ?? "00:00"}${offsetOf(match[3])}`);
  return Number.isNaN(atMs) || dateOfSlot(slotOfTime(atMs)) === null ? null : atMs;
};

/** An end at midnight excludes its day. */
const spanBetween = (start: string, end: string): SlotSpan | Refusal => {
  const startMs = momentOf(start);
  if (startMs === null) return fieldRefusal("startdate", "startdate must be a date or time in ISO 8601.");
  const endMs = momentOf(end);
  if (endMs === null) return fieldRefusal("enddate", "enddate must be a date or time in ISO 8601.");
  if (endMs <= startMs) return fieldRefusal("enddate", "enddate must lie after startdate.", "end_before_start");
  const span = { fromSlot: slotOfTime(startMs), toSlot: slotOfTime(endMs - 1) };
  const isTooLong = span.toSlot - span.fromSlot + 1 > longestDays;
  return isTooLong ? fieldRefusal("enddate", `A flight has at most ${longestDays} days.`, "too_long") : span;
};

interface Dates {
  readonly start_date?: string | null | undefined;
  readonly end_date?: string | null | undefined;
  readonly startdate?: string | null | undefined;
  readonly enddate?: string | null | undefined;
}

const dayCures = {
  impossible_date: "Send a day as YYYY-MM-DD.",
  end_before_start: "The last day lies before the first.",
  too_long: `At most ${longestDays} days.`,
} as const;

/** Whole days, as quotes have them, past ones too. */
export const daysBetween = (
  members: { readonly from: string; readonly to: string },
  { from, to }: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
  nowMs: number,
): Flight | Refusal => {
  const given = (text: string | null | undefined): string | null => (text == null || text === "" ? null : text);
  const flight = readFlight({ flightStart: given(from), flightEnd: given(to) }, nowMs);
  if (!isFlightProblem(flight)) return flight;
  const member = flight.field === "flight_start" ? members.from : members.to;
  return fieldRefusal(member, dayCures[flight.problem], flight.problem);
};

/** `next_step`: only where none of it can be sold. */
export interface PastWords {
  readonly status_text?: string;
  readonly next_step?: string;
}

/** Nothing where no day is past. */
export const pastWords = (span: SlotSpan, nowMs: number): PastWords => {
  const over = overFlight(span, nowMs);
  if (over !== null) return { status_text: over.text, next_step: over.cure };
  const todaySlot = slotOfTime(nowMs);
  if (span.fromSlot >= todaySlot) return {};
  return { status_text: begunText(dateOfSlot(span.fromSlot) ?? "", dateOfSlot(todaySlot) ?? "") };
};

export const spanOfDates = (dates: Dates, nowMs: number): SlotSpan | Refusal => {
  const { startdate, enddate, start_date: from, end_date: to } = dates;
  if (startdate != null && enddate != null) return spanBetween(startdate, enddate);
  return daysBetween({ from: "start_date", to: "end_date" }, { from, to }, nowMs);
};

/** Impressions, else what a budget in units buys, else the product's minimum. */
export interface Wanted {
  readonly impressions: number | null;
  readonly budget: number | null;
}

export interface Avails {
  readonly item: Sold;
  readonly requested: number;
  /** Of what is requested. */
  readonly available: number;
  /** Whatever was requested, as quotes and discovery show it; null: no limit. */
  readonly left: number | null;
  readonly cpmMicros: number;
  readonly costMicros: number;
}

const requestedOf = (item: Product, wanted: Wanted, cpmMicros: number): number => {
  if (wanted.impressions !== null) return wanted.impressions;
  if (wanted.budget === null) return item.minimum_impressions;
  const bought = Math.floor((wanted.budget / fromMicros(cpmMicros)) * 1000);
  return Math.min(Math.max(0, bought), Number.MAX_SAFE_INTEGER);
};

/** At the caller's own price; no floor enters the answer. */
export const availsOf = async (
  context: SellerContext,
  item: Sold,
  span: SlotSpan,
  wanted: Wanted,
): Promise<Avails | Refusal> => {
  const question = priceQuestion(context, item, context.tier);
  const policy = context.ports.settings.pricing;
  const price = priceFor({ ...question, impressions: wanted.impressions ?? 0 }, policy);
  if (price === null) return refuse("unpriceable_product");
  const cpmMicros = price.computedMicros;
  const requested = requestedOf(item, wanted, cpmMicros);
  const stock = await stockFor(context, item, span, requested);
  const available = Math.min(requested, stock.left ?? requested);
  const cost = costMicros(cpmMicros, available);
  if (cost === null) return fieldRefusal("requestedImpressions", "So many impressions cannot be priced.");
  return { item, requested, available, left: stock.left, cpmMicros, costMicros: cost };
};
