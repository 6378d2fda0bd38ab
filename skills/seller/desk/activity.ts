import type { z } from "zod";
import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { type DealScope, readDealWorth } from "../deals/counters.ts";
import { type DealType, dealTypes, type SellerContext } from "../ports.ts";
import { dealStatuses } from "../portfolio/statuses.ts";
import {
  type Counts,
  type DayCounts,
  dayCountsIn,
  noCounts,
  sumOfCounts,
  withCounts,
} from "../oversight/day-counts.ts";
import type { getActivity } from "./contract.ts";

type Input = z.output<typeof getActivity.input>;
type Activity = z.input<typeof getActivity.output>;
type Booked = Pick<Activity["totals"], "deals" | "lost" | "impressions" | "values" | "standing_values">;

/** From sums that commits keep. */
export const bookedIn = async (
  context: SellerContext,
  scopes: readonly DealScope[],
  span: SlotSpan,
  types: readonly DealType[] = dealTypes,
): Promise<Booked> => {
  const question = { dealTypes: types, currencies: context.ports.catalog.currencies, scopes, span };
  const { all, lost, ...worth } = await readDealWorth(context, { ...question, statuses: dealStatuses });
  return { deals: all.count, lost: lost.count, impressions: all.impressions, ...worth };
};

const mostCountedDays = 366;
const groupedProducts = 50;

export interface ActivityScope {
  readonly owners: readonly string[] | null;
  readonly productId: string | null;
}

const scopesOf = ({ owners, productId }: ActivityScope): readonly DealScope[] =>
  owners === null ? [{ owner: null, productId }] : owners.map((owner) => ({ owner, productId }));

type Asked = Pick<Activity["totals"], "quotes" | "negotiated" | "refused">;

const countOf = (counts: Counts, names: readonly string[] | null): number =>
  names === null ? sumOfCounts(counts) : names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

const askedIn = (counts: DayCounts, { owners, productId }: ActivityScope): Asked => {
  if (productId === null) {
    return {
      quotes: countOf(counts.quotes_by_buyer, owners),
      negotiated: countOf(counts.negotiations_by_buyer, owners),
      refused: countOf(counts.buyer, owners),
    };
  }
  if (owners !== null) return { quotes: null, negotiated: null, refused: null };
  return {
    quotes: countOf(counts.quotes_by_product, [productId]),
    negotiated: countOf(counts.negotiations_by_product, [productId]),
    refused: null,
  };
};

const groupsOf = (context: SellerContext, by: Input["by"], scope: ActivityScope, span: SlotSpan) => {
  if (by === "none") return [];
  if (by === "deal_type") {
    return dealTypes.map(async (type) => ({
      key: type,
      name: type,
      ...(await bookedIn(context, scopesOf(scope), span, [type])),
    }));
  }
  const { catalog } = context.ports;
  const { products } = catalog.page({ inventoryTypes: [], offset: 0, limit: groupedProducts });
  return products
    .filter(({ product_id: id }) => scope.productId === null || id === scope.productId)
    .map(async ({ product_id: productId, name }) => ({
      key: productId,
      name,
      ...(await bookedIn(context, scopesOf({ ...scope, productId }), span)),
    }));
};

export const activityOf = async (
  context: SellerContext,
  input: Input,
  spans: readonly SlotSpan[],
  scope: ActivityScope,
): Promise<Activity> => {
  const whole = { fromSlot: spans.at(0)?.fromSlot ?? 0, toSlot: spans.at(-1)?.toSlot ?? 0 };
  const isCounted = whole.toSlot - whole.fromSlot < mostCountedDays;
  const days = isCounted ? await dayCountsIn(context, whole) : null;
  const scopes = scopesOf(scope);
  const within = async (span: SlotSpan): Promise<Activity["totals"]> => {
    const counts = days?.slice(span.fromSlot - whole.fromSlot, span.toSlot - whole.fromSlot + 1);
    const asked = counts === undefined ? null : askedIn(counts.reduce(withCounts, noCounts), scope);
    const { quotes = null, negotiated = null, refused = null } = asked ?? {};
    return { quotes, negotiated, refused, ...(await bookedIn(context, scopes, span)) };
  };
  const dateAt = (slot: number): string => dateOfSlot(slot) ?? "";
  return {
    from: dateAt(whole.fromSlot),
    to: dateAt(whole.toSlot),
    points: await Promise.all(spans.map(async (span) => ({ at: dateAt(span.fromSlot), ...(await within(span)) }))),
    totals: await within(whole),
    groups: await Promise.all(groupsOf(context, input.by, scope, whole)),
  };
};
