import type { z } from "zod";
import { slotOfDate, slotOfTime, startOfSlotMs } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { costMicros, fromMicros } from "../../../machines/money.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { selectedTerms, type Selection } from "../../../protocol/seam/selection.ts";
import type { TimeSpan } from "../../date-filter.ts";
import { waitingChanges } from "../change-requests/waiting.ts";
import { readDealWorth } from "../deals/counters.ts";
import { dealKind, type DealRow, isAwaitingApproval, isWaitingDeal, settledDeal } from "../deals/record.ts";
import { deliveredOf } from "../delivery/figures.ts";
import { dealView } from "../deals/view.ts";
import { dealOrdersTerm, orderKind } from "../orders/record.ts";
import { dealTypes } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { buyerNames } from "./buyer-names.ts";
import type { listDeals } from "./contract.ts";
import { type DaySpan, isFoundIn, only } from "./filters.ts";
import { dealStatuses } from "./statuses.ts";

type Input = z.output<typeof listDeals.input>;
type Output = z.input<typeof listDeals.output>;
/** Dates already read. */
export interface DealFilter {
  readonly owners: readonly string[] | null;
  readonly flight: DaySpan;
  readonly created: TimeSpan;
}

export const valueMicros = (row: DealRow): number | null => {
  const { priceMicros, impressions } = row.life.context.terms;
  return impressions === null ? null : costMicros(priceMicros, impressions);
};

const isInFlight = (row: DealRow, { fromSlot, toSlot }: DaySpan): boolean => {
  const { flightStart, flightEnd } = row.life.context.terms;
  const [first, last] = [slotOfDate(flightStart) ?? 0, slotOfDate(flightEnd) ?? 0];
  return (fromSlot === null || last >= fromSlot) && (toSlot === null || first <= toSlot);
};

/** Filters without a term. */
const searchOf = (
  input: Input,
  { flight }: DealFilter,
  changing: ReadonlySet<string> | null,
): ((row: DealRow) => boolean) | null => {
  const { deal_type: dealType, q, waiting, awaiting_approval: isHeld } = input;
  const isTimed = flight.fromSlot !== null || flight.toSlot !== null;
  if (dealType == null && q == null && waiting == null && isHeld == null && !isTimed) return null;
  return (row) =>
    (dealType == null || row.deal_type === dealType) &&
    (isHeld == null || isAwaitingApproval(row) === isHeld) &&
    (waiting == null || isWaitingDeal(row, changing?.has(row.deal_id) === true) === waiting) &&
    (!isTimed || isInFlight(row, flight)) &&
    (q == null ||
      isFoundIn(q, [row.deal_id, row.quote_id, row.product.product_id, row.product.name, row.notes, row.owner]));
};

/** `changing`: deals with changes that wait; null where nobody asks. */
export const selectedDeals = (
  context: SellerContext,
  input: Input,
  filter: DealFilter,
  changing: ReadonlySet<string> | null,
): Selection<DealRow> => {
  const statuses = input.status ?? null;
  const isCurrent = (row: DealRow): boolean =>
    statuses === null || statuses.includes(settledDeal(row, context.nowMs).life.value);
  return {
    kind: dealKind,
    terms: selectedTerms([filter.owners, statuses, only(input.product_id)]),
    ...filter.created,
    createdAtMs: (row) => row.created_at_ms,
    isCurrent,
    keep: searchOf(input, filter, changing),
  };
};

type Sort = Input["sort"];

const sortKeys: Readonly<Record<Sort, (row: DealRow) => number>> = {
  created: (row) => -row.created_at_ms,
  value: (row) => -(valueMicros(row) ?? -1),
  flight: (row) => slotOfDate(row.life.context.terms.flightStart) ?? 0,
  price: (row) => -row.life.context.terms.priceMicros,
  impressions: (row) => -(row.life.context.terms.impressions ?? -1),
};

/** The smallest first. Null: as they are kept, newest first. */
export const dealOrder = ({ sort, reversed }: Input): ((row: DealRow) => number) | null => {
  if (sort === "created" && reversed !== true) return null;
  return reversed === true ? (row) => -sortKeys[sort](row) : sortKeys[sort];
};

const lastSlot = slotOfTime(Date.UTC(9999, 11, 31));

/** Null where it starts or ends within a day. */
const wholeDays = ({ fromMs, toMs }: TimeSpan): SlotSpan | null => {
  const fromSlot = fromMs === null ? 0 : slotOfTime(fromMs);
  const toSlot = toMs === null ? lastSlot : slotOfTime(toMs);
  const isWhole =
    (fromMs === null || fromMs === startOfSlotMs(fromSlot)) &&
    (toMs === null || toMs === startOfSlotMs(toSlot + 1) - 1);
  return isWhole ? { fromSlot, toSlot } : null;
};

/** One sum where all is in one currency; of none it is 0. */
export const oneValue = (
  values: Readonly<Record<string, number>>,
): { readonly value: number | null; readonly currency: string | null } => {
  const [currency = null, ...others] = Object.keys(values);
  if (others.length > 0) return { value: null, currency: null };
  return { value: currency === null ? 0 : (values[currency] ?? 0), currency };
};

/** Null where no kept sum covers the filter. */
export const dealTotals = async (
  context: SellerContext,
  input: Input,
  { owners, flight, created }: DealFilter,
): Promise<Output["totals"]> => {
  const span = wholeDays(created);
  const isSearched = [input.q, input.waiting, input.awaiting_approval, flight.fromSlot, flight.toSlot].some(
    (value) => value != null,
  );
  if (span === null || isSearched) return null;
  const productId = input.product_id ?? null;
  const question = {
    statuses: input.status ?? dealStatuses,
    dealTypes: input.deal_type == null ? dealTypes : [input.deal_type],
    currencies: context.ports.catalog.currencies,
    scopes: owners === null ? [{ owner: null, productId }] : owners.map((owner) => ({ owner, productId })),
    span,
  };
  const { all, lost, values, standing_values } = await readDealWorth(context, question);
  return {
    count: all.count,
    impressions: all.impressions,
    ...oneValue(values),
    values,
    standing_values,
    standing_count: all.count - lost.count,
    standing_impressions: all.impressions - lost.impressions,
  };
};

const mostOrders = 20;

const orderIds = async (context: SellerContext, dealId: string): Promise<string[]> => {
  const query = { terms: [dealOrdersTerm(dealId)], order: "newest", limit: mostOrders } as const;
  return (await context.list(orderKind, query)).map(({ id }) => id);
};

export const dealItems = async (context: SellerContext, rows: readonly Loaded<DealRow>[]): Promise<Output["deals"]> => {
  const names = await buyerNames(
    context,
    rows.map(({ body }) => body.owner),
  );
  return Promise.all(
    rows.map(async ({ body }) => {
      const row = settledDeal(body, context.nowMs);
      const value = valueMicros(row);
      const delivered = await deliveredOf(context, row);
      return {
        ...dealView(row, context.caller, await waitingChanges(context, row.deal_id)),
        value: value === null ? null : fromMicros(value),
        buyer: row.owner,
        buyer_name: names.get(row.owner) ?? null,
        order_ids: await orderIds(context, row.deal_id),
        delivered_impressions: delivered.impressions,
        delivered_clicks: delivered.clicks,
        delivered_spend: delivered.spend,
        data_source: delivered.data_source,
      };
    }),
  );
};
