import { cancellableStatuses } from "../../../machines/order/effects.ts";
import type { OrderStatus } from "../../../machines/order/moves.ts";
import type { ChangeType } from "../../../machines/change-request/proposal.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { changeRequestKind, changeRequestTerm } from "../change-requests/record.ts";
import type { Subject } from "../change-requests/rules.ts";
import { dealKind, settledDeal } from "../deals/record.ts";
import { draftOrder, withNewOrder } from "../orders/draft.ts";
import { newestOrderKind, orderKind, type OrderRow } from "../orders/record.ts";
import type { SellerContext } from "../context.ts";

export interface DealSubject {
  readonly subject: Subject;
  readonly isNew: boolean;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

const amendableStatuses: readonly OrderStatus[] = [...cancellableStatuses, "rejected", "syncing", "unbooked"];

const openOrder = async (
  context: SellerContext,
  dealId: string,
  type: ChangeType,
): Promise<Loaded<OrderRow> | null> => {
  const newest = await context.load(newestOrderKind, dealId);
  const order = newest === null ? null : await context.load(orderKind, newest.body.order_id);
  if (order === null) return null;
  const open = type === "cancellation" ? cancellableStatuses : amendableStatuses;
  return open.includes(order.body.life.value) ? order : null;
};

const mostPending = 100;

/** A second one would only be reviewed twice. */
const pendingRefusal = async (context: SellerContext, orderId: string, type: ChangeType): Promise<Refusal | null> => {
  const term = changeRequestTerm({ owner: null, orderId, status: "pending_approval" });
  const query = { terms: term === null ? [] : [term], order: "newest", limit: mostPending } as const;
  const waiting = (await context.list(changeRequestKind, query)).find(({ body }) => body.change_type === type);
  if (waiting === undefined) return null;
  return refuse("change_pending", { extras: { change_request_id: waiting.id, order_id: orderId } });
};

/** The order is the deal's own open one, or a new one. */
export const dealSubject = async (
  context: SellerContext,
  dealId: string,
  type: ChangeType,
): Promise<DealSubject | Refusal> => {
  const loaded = await context.own(dealKind, dealId, "deal_not_found");
  const row = settledDeal(loaded.body, context.nowMs);
  context.matchRevision(row.revision);
  const status = row.life.value;
  if (status !== "proposed" && status !== "active") {
    const message = `The deal is ${status} and can no longer be changed.`;
    return refuse("invalid_transition", { message, extras: { current_status: status, allowed_transitions: [] } });
  }
  const deal = { loaded, row };
  const known = await openOrder(context, dealId, type);
  if (known !== null) {
    const pending = await pendingRefusal(context, known.id, type);
    return pending ?? { subject: { order: known, deal }, isNew: false, changes: [], events: [] };
  }
  const body = draftOrder(context, { deal: row, dealId, quoteId: null, metadata: {} });
  const order = { kind: orderKind.name, id: body.order_id, n: 0, version: 0, body };
  return { subject: { order, deal }, isNew: true, ...(await withNewOrder(context, body)) };
};
