import { newOrder } from "../../../machines/order/machine.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import type { DealRow } from "../deals/record.ts";
import { newOrderId } from "../ids.ts";
import type { SellerContext } from "../context.ts";
import { principalOf } from "../principal.ts";
import { createdCounts } from "./counters.ts";
import { orderCreated } from "./events.ts";
import { newestOrderKind, type OrderRow } from "./record.ts";

/** An operator makes it for the owner of its deal. */
export const draftOrder = (
  context: SellerContext,
  of: {
    readonly deal: Pick<DealRow, "owner" | "trial"> | null;
    readonly dealId: string | null;
    readonly quoteId: string | null;
    readonly metadata: OrderRow["metadata"];
    /** Minted before. */
    readonly orderId?: string;
  },
): OrderRow => ({
  order_id: of.orderId ?? context.mint(newOrderId),
  owner: of.deal !== null && isOperator(context.caller) ? of.deal.owner : context.caller.owner,
  deal_id: of.dealId,
  quote_id: of.quoteId,
  metadata: of.metadata,
  transitions: [],
  created_at_ms: context.nowMs,
  created_by: principalOf(context.caller),
  revision: 1,
  sandbox: of.deal?.trial === true || context.ports.settings.sandbox,
  trial: of.deal?.trial,
  life: newOrder(),
});

/** Two orders made at once for one deal conflict here. */
const newestOf = async (context: SellerContext, dealId: string, orderId: string): Promise<Change> => {
  const known = await context.load(newestOrderKind, dealId);
  const body = { order_id: orderId };
  return known === null ? create(newestOrderKind, dealId, body) : update(newestOrderKind, known, body);
};

export const withNewOrder = async (
  context: SellerContext,
  row: OrderRow,
): Promise<{ readonly changes: readonly Change[]; readonly events: readonly EventDraft[] }> => {
  const newest = row.deal_id === null ? [] : [await newestOf(context, row.deal_id, row.order_id)];
  return { changes: [...newest, ...createdCounts(row)], events: [orderCreated(row)] };
};
