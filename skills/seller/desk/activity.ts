import type { z } from "zod";
import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { ownerOf } from "../../../protocol/seam/caller.ts";
import { apiKeyKind } from "../api-keys/record.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import { type DealScope, readDealWorth } from "../deals/counters.ts";
import { type DealType, dealTypes } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
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
type Group = Activity["groups"][number];
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

/** Keys that are looked at for buyers with a name. */
const newestKeys = 200;

const others = "(others)";

const less = (from: Record<string, number>, amounts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(from)
      .map(
        ([code, amount]) => [code, (Math.round(amount * 100) - Math.round((amounts[code] ?? 0) * 100)) / 100] as const,
      )
      .filter(([, amount]) => amount > 0),
  );

const without = (whole: Booked, part: Booked): Booked => ({
  deals: whole.deals - part.deals,
  lost: whole.lost - part.lost,
  impressions: whole.impressions - part.impressions,
  values: less(whole.values, part.values),
  standing_values: less(whole.standing_values, part.standing_values),
});

/** Who booked, most deals first; what no listed buyer booked stands at the end, so that the groups add up. */
const buyerGroups = async (context: SellerContext, scope: ActivityScope, span: SlotSpan): Promise<Group[]> => {
  const keys = scope.owners === null ? await context.list(apiKeyKind, { order: "newest", limit: newestKeys }) : [];
  const ofBuyers = keys.map(({ body }) => body).filter(({ role }) => role === "buyer");
  const owners = scope.owners ?? [
    ...new Set(ofBuyers.map(({ key_id: id, identity, life }) => ownerOf(id, identity, life.context.verified))),
  ];
  const names = await buyerNames(context, owners);
  const groups = await Promise.all(
    owners.map(async (owner) => ({
      key: owner,
      name: owner,
      buyer_name: names.get(owner) ?? null,
      ...(await bookedIn(context, scopesOf({ ...scope, owners: [owner] }), span)),
    })),
  );
  const rest = groups.reduce<Booked>(without, await bookedIn(context, scopesOf(scope), span));
  return [
    ...groups.filter(({ deals }) => deals > 0).sort((one, other) => other.deals - one.deals),
    ...(rest.deals > 0 ? [{ key: others, name: others, ...rest }] : []),
  ];
};

const groupsOf = async (
  context: SellerContext,
  by: Input["by"],
  scope: ActivityScope,
  span: SlotSpan,
): Promise<Group[]> => {
  if (by === "none") return [];
  if (by === "buyer") return buyerGroups(context, scope, span);
  if (by === "deal_type") {
    return Promise.all(
      dealTypes.map(async (type) => ({
        key: type,
        name: type,
        ...(await bookedIn(context, scopesOf(scope), span, [type])),
      })),
    );
  }
  const { catalog } = context.ports;
  const { products } = catalog.page({ inventoryTypes: [], offset: 0, limit: groupedProducts });
  const asked = products.filter(({ product_id: id }) => scope.productId === null || id === scope.productId);
  return Promise.all(
    asked.map(async ({ product_id: productId, name }) => ({
      key: productId,
      name,
      ...(await bookedIn(context, scopesOf({ ...scope, productId }), span)),
    })),
  );
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
    groups: await groupsOf(context, input.by, scope, whole),
  };
};
