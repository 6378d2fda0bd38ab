import type { OrderStatus } from "../../../machines/order/moves.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { OrderRow, TransitionRecord } from "./record.ts";

/** Belongs to the order's owner, whoever caused it. */
const orderEvent = (eventType: string, row: OrderRow, more: Readonly<Record<string, unknown>>): EventDraft => ({
  event_type: eventType,
  flow_id: row.order_id,
  flow_type: "order",
  deal_id: row.deal_id ?? "",
  owner: row.owner,
  payload: { order_id: row.order_id, deal_id: row.deal_id, quote_id: row.quote_id, status: row.life.value, ...more },
});

export const orderCreated = (row: OrderRow): EventDraft => orderEvent("order.created", row, {});

/** The ad server holds the deal, or has delivered it. */
const milestones: Partial<Record<OrderStatus, string>> = { booked: "deal.synced", completed: "execution.completed" };

export const orderMoved = (row: OrderRow, move: TransitionRecord): readonly EventDraft[] => {
  const milestone = row.deal_id === null ? undefined : milestones[move.to_status];
  const transitioned = orderEvent("order.transitioned", row, {
    transition_id: move.transition_id,
    from_status: move.from_status,
    to_status: move.to_status,
    actor: move.actor,
    reason: move.reason,
  });
  return milestone === undefined ? [transitioned] : [transitioned, orderEvent(milestone, row, {})];
};
