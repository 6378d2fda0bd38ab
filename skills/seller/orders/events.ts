import type { EventDraft } from "../../../protocol/operation.ts";
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

export const orderTransitioned = (row: OrderRow, move: TransitionRecord): EventDraft =>
  orderEvent("order.transitioned", row, {
    transition_id: move.transition_id,
    from_status: move.from_status,
    to_status: move.to_status,
    actor: move.actor,
    reason: move.reason,
  });
