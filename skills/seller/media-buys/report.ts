import type { z } from "zod";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { fromMicros, roundHalfEven } from "../../../machines/money.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { SellerContext } from "../context.ts";
import { dealKind } from "../deals/record.ts";
import { deliveredDays, deliveredOf } from "../delivery/figures.ts";
import type { reportMediaBuys } from "./contract.ts";
import type { BoughtPackage } from "./record.ts";
import type { BuyNow } from "./state.ts";

type Input = z.output<typeof reportMediaBuys.input>;
type Reported = z.input<typeof reportMediaBuys.output>["media_buys"][number];
type Counts = Pick<Reported, "impressions" | "clicks" | "spend">;

const daysBack = 35;
const mostDays = 400;

export const reportSpan = ({ start_date: start, end_date: end }: Input, nowMs: number): SlotSpan | Refusal => {
  const today = slotOfTime(nowMs);
  const toSlot = end == null ? today : slotOfDate(end);
  if (toSlot === null) return fieldRefusal("end_date", "Send a day that exists.");
  const fromSlot = start == null ? toSlot - daysBack : slotOfDate(start);
  if (fromSlot === null) return fieldRefusal("start_date", "Send a day that exists.");
  if (toSlot < fromSlot) return fieldRefusal("end_date", "Send an end_date on or after start_date.");
  if (toSlot - fromSlot > mostDays) return fieldRefusal("end_date", `Ask for at most ${mostDays} days at once.`);
  return { fromSlot, toSlot };
};

export const spanDates = ({ fromSlot, toSlot }: SlotSpan) => ({
  start_date: dateOfSlot(fromSlot) ?? "",
  end_date: dateOfSlot(toSlot) ?? "",
});

const nothing: Counts = { impressions: 0, clicks: null, spend: null };

const packageReport = async (
  context: SellerContext,
  bought: BoughtPackage,
  span: SlotSpan,
  byDay: boolean,
): Promise<Reported["packages"][number]> => {
  const deal = (await context.load(dealKind, bought.deal_id))?.body ?? null;
  const figures = deal === null ? { ...nothing, data_source: "none" } : await deliveredOf(context, deal, span);
  const { impressions, clicks, spend, data_source } = figures;
  const days = byDay && deal !== null ? await deliveredDays(context, deal, span) : null;
  return {
    package_id: bought.package_id,
    price: fromMicros(bought.price_micros),
    data_source,
    impressions,
    clicks,
    spend,
    days: days === null ? null : days.map((day) => ({ ...day })),
  };
};

const added = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

const sourcesOf = (packages: Reported["packages"]): string => {
  const names = new Set(packages.flatMap(({ data_source: source }) => source.split(/, ?/)));
  names.delete("none");
  return names.size === 0 ? "none" : [...names].join(", ");
};

export const buyReport = async (
  context: SellerContext,
  { row, status, orders }: BuyNow,
  span: SlotSpan,
  byDay: boolean,
): Promise<Reported> => {
  const bought = orders.length === 0 ? [] : row.packages;
  const packages = await Promise.all(bought.map((one) => packageReport(context, one, span, byDay)));
  const spend = added(packages.map((one) => one.spend));
  return {
    media_buy_id: row.media_buy_id,
    status,
    currency: row.currency,
    data_source: sourcesOf(packages),
    impressions: packages.reduce((sum, one) => sum + one.impressions, 0),
    clicks: added(packages.map((one) => one.clicks)),
    spend: spend === null ? null : roundHalfEven(spend, 6),
    packages,
  };
};
