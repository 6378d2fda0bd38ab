import type { OrderStatus } from "../../../machines/order/moves.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { OrderRow, TransitionRecord } from "./record.ts";

/** An event of an order's life (decision 70). It belongs to the order's owner, whoever caused it. */
const orderEvent = (eventType: string, row: OrderRow, more: Readonly<Record<string, unknown>>): EventDraft => ({
  event_type: eventType,
  flow_id: row.order_id,
  flow_type: "order",
  deal_id: row.deal_id ?? "",
  owner: row.owner,
  payload: { order_id: row.order_id, deal_id: row.deal_id, quote_id: row.quote_id, status: row.life.value, ...more },
});

export const orderCreated = (row: OrderRow): EventDraft => orderEvent("order.created", row, {});

/** What an arrival says besides the move (wire contract 7): the ad server holds the deal, or has delivered it. */
const milestones: Partial<Record<OrderStatus, string>> = { booked: "deal.synced", completed: "execution.completed" };

/** The events of a move. An order without a deal reaches no milestone of one. */
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
