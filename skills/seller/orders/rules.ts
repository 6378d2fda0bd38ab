import { randomUUID } from "node:crypto";
import { dealMachine, type DealEvent, type DealStatus } from "../../../machines/deal/machine.ts";
import { dealEventOf } from "../../../machines/order/effects.ts";
import { allowedNext, moveOrder } from "../../../machines/order/machine.ts";
import type { OrderStatus } from "../../../machines/order/moves.ts";
import { step } from "../../../machines/step.ts";
import { unchanged } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { closedApproval } from "../deals/approval.ts";
import { dealChanges } from "../deals/changes.ts";
import { dealKind, type DealRow, settledDeal } from "../deals/record.ts";
import { dealEvent } from "../deals/events.ts";
import { principalOf } from "../principal.ts";
import { newestOrderKind, type OrderRow, type TransitionRecord } from "./record.ts";
import type { SellerContext } from "../context.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/** The log is part of its order and is read whole. */
const mostTransitions = 500;

/** An empty reason becomes the table's. */
export interface MoveNote {
  readonly actor: string;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface MovedOrder {
  readonly order: OrderRow;
  readonly move: TransitionRecord;
}

export const movedOrder = (
  context: SellerContext,
  row: OrderRow,
  toStatus: OrderStatus,
  note: MoveNote,
): MovedOrder | null => {
  const moved = moveOrder(row.life, toStatus, context.nowMs);
  if (moved === null) return null;
  const move: TransitionRecord = {
    transition_id: context.mint(randomUUID),
    from_status: row.life.value,
    to_status: toStatus,
    at_ms: context.nowMs,
    actor: note.actor,
    principal: principalOf(context.caller),
    reason: note.reason === "" ? moved.defaultReason : note.reason,
    metadata: note.metadata,
  };
  const transitions = [...row.transitions, move];
  return { order: { ...row, life: moved.order, transitions, revision: row.revision + 1 }, move };
};

export const isLogFull = (row: OrderRow): boolean => row.transitions.length >= mostTransitions;

/** `but`: why the deal does not allow the state. */
export const moveRefusal = (row: OrderRow, toStatus: OrderStatus, but?: string): Refusal => {
  const isFull = isLogFull(row);
  const why = isFull
    ? `its audit log holds ${mostTransitions} moves; create a new order`
    : (but ?? "no matching transition rule");
  const allowed = isFull ? [] : allowedNext(row.life.value).filter((next) => but === undefined || next !== toStatus);
  return refuse("invalid_transition", {
    message: `Cannot transition order ${row.order_id} from ${row.life.value} to ${toStatus}: ${why}`,
    extras: { current_status: row.life.value, allowed_transitions: allowed },
  });
};

/** `moved`: from which status the deal goes to which. */
interface Effect {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  readonly moved: { readonly from: DealStatus; readonly row: DealRow } | null;
}

const noEffect: Effect = { changes: [], events: [], moved: null };

const dealEventTypes = { ACTIVATE: "deal.activated", CANCEL: "deal.rejected", UNBOOK: "deal.changed" } as const;

/** Null where the deal does not take the event. */
export const dealMove = async (
  context: SellerContext,
  loaded: Loaded<DealRow>,
  type: keyof typeof dealEventTypes,
  reason: string,
): Promise<Effect | null> => {
  const row = settledDeal(loaded.body, context.nowMs);
  const { nowMs } = context;
  const expiresAtMs = nowMs + Math.round(context.ports.settings.dealProposalTtlDays * dayMs);
  const event: DealEvent = type === "UNBOOK" ? { type, nowMs, reason, expiresAtMs } : { type, nowMs, reason };
  const life = step(dealMachine, row.life, event);
  if (life === null) return null;
  const moved: DealRow = { ...row, life, revision: row.revision + 1 };
  const closing = await closedApproval(context, row, moved);
  return {
    changes: [...dealChanges(loaded, moved), ...closing.changes],
    events: [dealEvent(dealEventTypes[type], moved), ...closing.events],
    moved: { from: row.life.value, row: moved },
  };
};

const blockedBy = (deal: DealRow): string =>
  deal.life.context.awaitingApproval
    ? `its deal ${deal.deal_id} waits for approval ${deal.approval?.approval_id ?? ""}`
    : `its deal ${deal.deal_id} is ${deal.life.value}`;

const activation = async (
  context: SellerContext,
  loaded: Loaded<DealRow>,
  orderId: string,
): Promise<Effect | string> => {
  const deal = settledDeal(loaded.body, context.nowMs);
  if (deal.life.value === "active") return { ...noEffect, changes: [unchanged(dealKind, loaded)] };
  return (await dealMove(context, loaded, "ACTIVATE", `Order ${orderId} was booked`)) ?? blockedBy(deal);
};

const cancellation = async (
  context: SellerContext,
  loaded: Loaded<DealRow>,
  order: OrderRow,
  why: string,
): Promise<Effect> => {
  const newest = await context.load(newestOrderKind, loaded.id);
  if (newest === null || newest.body.order_id !== order.order_id) return noEffect;
  const effect = await dealMove(context, loaded, "CANCEL", `Order ${order.order_id} was cancelled${why}`);
  if (effect === null) return noEffect;
  return { ...effect, changes: [...effect.changes, unchanged(newestOrderKind, newest)] };
};

/** A text: why the deal rejects that state, as it waits for an approval or is over. */
export const dealEffect = async (
  context: SellerContext,
  order: OrderRow,
  givenReason: string,
): Promise<Effect | string> => {
  const type = dealEventOf(order.life.value);
  if (type === null || order.deal_id === null) return noEffect;
  const loaded = await context.load(dealKind, order.deal_id);
  if (loaded === null) throw new Error(`The deal ${order.deal_id} of ${order.order_id} is gone.`);
  if (type === "ACTIVATE") return activation(context, loaded, order.order_id);
  if (type === "CANCEL") return cancellation(context, loaded, order, givenReason === "" ? "" : `: ${givenReason}`);
  const reason = `The booking of order ${order.order_id} was reversed by the ad server`;
  return (await dealMove(context, loaded, "UNBOOK", reason)) ?? noEffect;
};
