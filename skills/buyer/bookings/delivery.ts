import { z } from "zod";
import { dayMs, slotOfDate, startOfSlotMs } from "../../../machines/inventory/dates.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { getDelivery } from "../../seller/delivery/contract.ts";
import type { BuyerContext } from "../ports.ts";
import { callFrom } from "../seller-refusal.ts";
import type { SellerCallResult } from "../seller-door.ts";
import type { getBookingDelivery } from "./contract.ts";
import { flightOfLine } from "./news.ts";
import type { BookedLine, BookingRow } from "./record.ts";
import { isBooked } from "./views/words.ts";

const impressionCount = z.int().min(0);

/** Sellers of other makers may leave out all but the impressions. */
const asksDelivery = defineContract({
  ...getDelivery,
  output: z.looseObject({
    delivered_impressions: impressionCount,
    delivered_spend: z.number().min(0).nullish(),
    data_source: z.string().max(200).nullish(),
    currency: z.string().nullish(),
  }),
});

type Delivered = z.output<typeof asksDelivery.output>;
type Output = z.input<typeof getBookingDelivery.output>;
type Line = Output["lines"][number];
type Paced = Output["total"];

const usd = (cents: number): number => cents / 100;
const wholeCents = (amount: number): number => Math.round(amount * 100);

/** Of 1; a flight without days has no plan. */
const goneOf = ({ flight_start: start, flight_end: end }: ReturnType<typeof flightOfLine>, nowMs: number): number => {
  const [from, to] = [start, end].map((day) => (day === null ? null : slotOfDate(day)));
  if (from == null || to == null || to < from) return 0;
  const startMs = startOfSlotMs(from);
  return Math.max(0, Math.min(1, (nowMs - startMs) / (startOfSlotMs(to) + dayMs - startMs)));
};

/** Spend of another currency is no sum of this campaign. */
const spendOf = (line: BookedLine, { delivered_spend: said, currency, delivered_impressions: shown }: Delivered) => {
  if (currency != null && currency !== "USD") return null;
  return said ?? usd(Math.round((line.cost_cents * shown) / Math.max(1, line.impressions)));
};

const pacedLine = (job: BookingRow, line: BookedLine, answer: SellerCallResult<Delivered>, nowMs: number): Line => {
  const flight = flightOfLine(job, line);
  const source = answer.ok ? (answer.value.data_source ?? "seller") : "none";
  const told = answer.ok && source !== "none" ? answer.value : null;
  return {
    deal_id: line.deal_id,
    recommendation_id: line.recommendation_id,
    product_name: line.product_name,
    channel: line.channel,
    seller_url: line.seller_url,
    ...flight,
    chosen: usd(line.cost_cents),
    spent: told === null ? null : spendOf(line, told),
    booked_impressions: line.impressions,
    delivered_impressions: told?.delivered_impressions ?? null,
    planned_impressions: Math.round(line.impressions * goneOf(flight, nowMs)),
    data_source: source,
    error: answer.ok ? null : `${answer.code}: ${answer.detail}`,
  };
};

const counted = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const pacedSum = (lines: readonly Line[]): Paced => {
  const spent = counted(lines.map((line) => line.spent));
  const delivered = counted(lines.map((line) => line.delivered_impressions));
  return {
    chosen: usd(sumOf(lines.map(({ chosen }) => wholeCents(chosen)))),
    spent: spent.length === 0 ? null : usd(sumOf(spent.map(wholeCents))),
    booked_impressions: sumOf(lines.map((line) => line.booked_impressions)),
    delivered_impressions: delivered.length === 0 ? null : sumOf(delivered),
    planned_impressions: sumOf(lines.map((line) => line.planned_impressions)),
  };
};

/** At the same time at all sellers: a campaign of many flights would ask one of them for long. */
const atOnce = 8;

export const deliveryOf = async (context: BuyerContext, job: BookingRow): Promise<Output> => {
  const booked = job.booked_lines.filter(isBooked);
  const lines: Line[] = [];
  for (let at = 0; at < booked.length; at += atOnce) {
    const some = booked.slice(at, at + atOnce).map(async (line) => {
      const asked = { deal_id: line.deal_id };
      const answer = await context.ports.sellers.call(line.seller_url, asksDelivery, asked, callFrom(context));
      return pacedLine(job, line, answer, context.nowMs);
    });
    lines.push(...(await Promise.all(some)));
  }
  const channels = [...new Set(lines.map(({ channel }) => channel))];
  return {
    job_id: job.job_id,
    as_of: isoTime(context.nowMs),
    lines,
    channels: channels.map((channel) => ({
      channel,
      ...pacedSum(lines.filter((line) => line.channel === channel)),
    })),
    total: pacedSum(lines),
  };
};
