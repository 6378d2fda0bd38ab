import { dateOfSlot, slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { fromMicros, spentMicros } from "../../../machines/money.ts";
import { add } from "../../../protocol/seam/changes.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { AddChange } from "../../../storage/store.ts";
import type { DealRow } from "../deals/record.ts";
import { type DayFigures, dealSourcesTerm, deliverySourceKind, type DeliverySourceRow } from "./record.ts";

type Reader = Pick<Context, "added" | "list">;

/** Amounts of spend are in units of the deal's currency. */
export interface Figures {
  readonly impressions: number;
  readonly clicks: number | null;
  readonly spend: number | null;
}

/** `data_source`: `none`, or the names of the sources. */
export interface Delivered extends Figures {
  readonly data_source: string;
}

/**
 * What the sum of a deal holds of a day. `priced`: impressions whose spend was reported; `clicked`, `told`: rows of
 * ad servers with clicks, and all of them; `named`: impressions in those rows, so that the rest is what edges added.
 */
interface Sum {
  readonly impressions: number;
  readonly clicks: number;
  readonly spendMicros: number;
  readonly priced: number;
  readonly clicked: number;
  readonly told: number;
  readonly named: number;
}

const deliverySum = (dealId: string): string => `delivery/${dealId}`;

const amountsOf = ({ impressions, clicks, spend_micros: spend }: DayFigures): readonly number[] => [
  impressions,
  clicks ?? 0,
  spend ?? 0,
  spend === null ? 0 : impressions,
  clicks === null ? 0 : 1,
  1,
  impressions,
];

/** Counts of edges never conflict, and leave the deal's revision as it is. */
export const countedOn = (dealId: string, slot: number, impressions: number): AddChange =>
  add([deliverySum(dealId)], slot, [impressions]);

/** Takes back what the source had said of the day. */
export const replacedOn = (dealId: string, slot: number, before: DayFigures | null, after: DayFigures): AddChange => {
  const old = before === null ? [] : amountsOf(before);
  return add(
    [deliverySum(dealId)],
    slot,
    amountsOf(after).map((amount, index) => amount - (old[index] ?? 0)),
  );
};

const wholeTime: SlotSpan = { fromSlot: 0, toSlot: slotOfTime(Date.UTC(9999, 11, 31)) };

const sumIn = async (context: Reader, dealId: string, { fromSlot, toSlot }: SlotSpan): Promise<Sum> => {
  const amounts = await context.added([deliverySum(dealId)], fromSlot, toSlot);
  const [impressions = 0, clicks = 0, spendMicros = 0, priced = 0, clicked = 0, told = 0, named = 0] = amounts;
  return { impressions, clicks, spendMicros, priced, clicked, told, named };
};

/** An auction's price is not the deal's. */
const owedMicros = ({ deal_type: dealType, life }: DealRow, unpriced: number): number | null => {
  if (unpriced === 0) return 0;
  return dealType === "PA" ? null : spentMicros(life.context.terms.priceMicros, unpriced);
};

const figuresOf = (deal: DealRow, sum: Omit<Sum, "told" | "named">, isTold: boolean): Figures => {
  const owed = owedMicros(deal, sum.impressions - sum.priced);
  return {
    impressions: sum.impressions,
    clicks: sum.clicked > 0 || !isTold ? sum.clicks : null,
    spend: owed === null ? null : fromMicros(sum.spendMicros + owed),
  };
};

const isReported = ({ told, impressions }: Sum): boolean => told > 0 || impressions > 0;

const sourceRows = async (context: Reader, dealId: string): Promise<readonly DeliverySourceRow[]> =>
  (await context.list(deliverySourceKind, { terms: [dealSourcesTerm(dealId)], order: "oldest", limit: 500 })).map(
    ({ body }) => body,
  );

const namesOf = async (context: Reader, dealId: string, { told, impressions, named }: Sum): Promise<string> => {
  const rows = told > 0 ? await sourceRows(context, dealId) : [];
  const names = [...(impressions > named ? ["edge"] : []), ...rows.map(({ source }) => source)];
  return names.length === 0 ? "none" : names.join(", ");
};

/** Of a deal in all, or in a span of days. Zeros and `none` where nothing was reported. */
export const deliveredOf = async (context: Reader, deal: DealRow, span: SlotSpan = wholeTime): Promise<Delivered> => {
  const sum = await sumIn(context, deal.deal_id, span);
  return { ...figuresOf(deal, sum, isReported(sum)), data_source: await namesOf(context, deal.deal_id, sum) };
};

/** The days of the span for which something was reported, in their order. */
export const deliveredDays = async (
  context: Reader,
  deal: DealRow,
  { fromSlot, toSlot }: SlotSpan,
): Promise<readonly (Figures & { readonly date: string })[]> => {
  const slots = Array.from({ length: toSlot - fromSlot + 1 }, (_, index) => fromSlot + index);
  const sums = await Promise.all(slots.map((slot) => sumIn(context, deal.deal_id, { fromSlot: slot, toSlot: slot })));
  return sums.flatMap((sum, index) =>
    isReported(sum) ? [{ date: dateOfSlot(fromSlot + index) ?? "", ...figuresOf(deal, sum, true) }] : [],
  );
};

export interface SourceFigures extends Figures {
  readonly source: string;
  readonly last_date: string | null;
  readonly reported_at_ms: number | null;
}

const ofSource = (deal: DealRow, { source, days, reported_at_ms }: DeliverySourceRow): SourceFigures => {
  const amounts = Object.values(days).map(amountsOf);
  const at = (place: number): number => amounts.reduce((sum, one) => sum + (one[place] ?? 0), 0);
  const sum = { impressions: at(0), clicks: at(1), spendMicros: at(2), priced: at(3), clicked: at(4) };
  const last = Object.keys(days).reduce((newest, date) => (date > newest ? date : newest), "");
  return { source, ...figuresOf(deal, sum, true), last_date: last === "" ? null : last, reported_at_ms };
};

/** Each source of a deal with its own figures, that of the edges first. */
export const deliveredBySource = async (context: Reader, deal: DealRow): Promise<readonly SourceFigures[]> => {
  const { impressions, told, named } = await sumIn(context, deal.deal_id, wholeTime);
  const counted = { impressions: impressions - named, clicks: 0, spendMicros: 0, priced: 0, clicked: 0 };
  const edge = { source: "edge", ...figuresOf(deal, counted, true), last_date: null, reported_at_ms: null };
  const rows = told > 0 ? await sourceRows(context, deal.deal_id) : [];
  return [...(counted.impressions > 0 ? [edge] : []), ...rows.map((row) => ofSource(deal, row))];
};
