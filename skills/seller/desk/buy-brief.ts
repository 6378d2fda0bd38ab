import type { z } from "zod";
import { quoted, seenText } from "../../../protocol/neutral/seen-text.ts";
import { formatMoney, fromMicros } from "../../../machines/money.ts";
import type { ApprovalRow } from "../approvals/record.ts";
import type { SellerContext } from "../context.ts";
import { mediaBuyKind, type MediaBuyRow, totalMicros } from "../media-buys/record.ts";
import type { getApprovalBrief } from "./contract.ts";

type Brief = z.input<typeof getApprovalBrief.output>;

/** All of its packages are decided by one decision. Null: no media buy waits here. */
export const buyOfApproval = async (context: SellerContext, row: ApprovalRow): Promise<MediaBuyRow | null> =>
  row.flow_type === "media_buy" ? ((await context.load(mediaBuyKind, row.subject_id))?.body ?? null) : null;

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const nameOf = (context: SellerContext, productId: string): string =>
  context.ports.catalog.get(productId)?.name ?? productId;

/** What a brief says of a media buy beside what it says of all. */
export const buyBrief = (context: SellerContext, buy: MediaBuyRow, buyer: Brief["buyer"]) => {
  const who = buyer.name === null ? seenText(buyer.owner) : quoted(buyer.name);
  const { length } = buy.packages;
  const total = formatMoney(totalMicros(buy), buy.currency);
  return {
    headline: `${who} buys ${length === 1 ? "a package" : `${length} packages`} for ${total} at your shown prices.`,
    currency: buy.currency,
    value: fromMicros(totalMicros(buy)),
    flight_start: day(buy.start_ms),
    flight_end: day(buy.end_ms - 1),
    impressions: buy.packages.reduce((sum, { impressions }) => sum + impressions, 0),
    packages: buy.packages.map((bought) => ({
      product_id: bought.product_id,
      name: nameOf(context, bought.product_id),
      deal_type: bought.deal_type,
      price: fromMicros(bought.price_micros),
      budget: fromMicros(bought.budget_micros),
      impressions: bought.impressions,
    })),
  };
};
