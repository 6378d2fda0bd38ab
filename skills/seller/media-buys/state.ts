import { type BuyStatus, standingOfBuy, type PackageState } from "../../../machines/media-buy/status.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { SellerContext } from "../context.ts";
import { creativeKey, creativeKind } from "../creatives/record.ts";
import type { OrderStatus } from "../../../machines/order/moves.ts";
import { orderKind, type OrderRow } from "../orders/record.ts";
import type { BoughtPackage, MediaBuyRow } from "./record.ts";

/** A buy as it stands, with the orders of its packages in their order; none of one that waits. */
export interface BuyNow {
  readonly row: MediaBuyRow;
  readonly status: BuyStatus;
  readonly orders: readonly (Loaded<OrderRow> | null)[];
}

const hasCreative = async (
  context: SellerContext,
  { owner }: MediaBuyRow,
  { creative_ids: ids }: BoughtPackage,
): Promise<boolean> => {
  const rows = await Promise.all(ids.map((id) => context.load(creativeKind, creativeKey(owner, id))));
  return rows.some((loaded) => loaded?.body.life.value === "approved");
};

const stateOf = async (
  context: SellerContext,
  row: MediaBuyRow,
  place: number,
  order: OrderStatus,
): Promise<PackageState> => {
  const bought = row.packages[place] as BoughtPackage;
  return {
    order,
    isCanceled: bought.canceled_at_ms !== null,
    isPaused: bought.paused,
    hasCreative: await hasCreative(context, row, bought),
  };
};

/** What a test has set, until the buyer ends or pauses it. */
const forcedStatus = ({ forced, paused, life }: MediaBuyRow): BuyStatus | null => {
  if (forced === null || life.value !== "confirmed") return null;
  return forced === "active" && paused ? "paused" : forced;
};

const standingWith = async (
  context: SellerContext,
  row: MediaBuyRow,
  orders: readonly OrderStatus[],
): Promise<BuyStatus> => {
  const packages = await Promise.all(orders.map((order, place) => stateOf(context, row, place, order)));
  const { life, paused: isPaused, start_ms: startMs, end_ms: endMs } = row;
  return forcedStatus(row) ?? standingOfBuy({ life: life.value, isPaused, startMs, endMs, packages }, context.nowMs);
};

export const buyNow = async (context: SellerContext, row: MediaBuyRow): Promise<BuyNow> => {
  const isBought = row.life.value === "confirmed" || row.life.value === "canceled";
  const ids = isBought ? row.packages.map(({ package_id: id }) => id) : [];
  const orders = await Promise.all(ids.map((id) => context.load(orderKind, id)));
  return { row, orders, status: await standingWith(context, row, statusesOf(orders)) };
};

const statusesOf = (orders: BuyNow["orders"]): readonly OrderStatus[] =>
  orders.map((order) => order?.body.life.value ?? "draft");

/** Just bought: its orders are approved, and not stored yet. */
export const newBuyNow = async (context: SellerContext, row: MediaBuyRow): Promise<BuyNow> => {
  const status = await standingWith(
    context,
    row,
    row.packages.map(() => "approved"),
  );
  return { row, orders: [], status };
};

/** What a change makes of it, with the orders as they were before. */
export const buyAfter = async (context: SellerContext, { orders }: BuyNow, row: MediaBuyRow): Promise<BuyNow> => ({
  row,
  orders,
  status: await standingWith(context, row, statusesOf(orders)),
});
