import { assign, setup } from "xstate";
import { begin, step, type InstanceOf } from "../step.ts";
import { compileTable, nextStates } from "../table.ts";
import { orderMoves, orderStatuses, type OrderEventType, type OrderStatus } from "./moves.ts";

/** How often the order has moved: what its audit log must hold. */
interface OrderContext {
  readonly transitionCount: number;
}

interface OrderEvent {
  readonly type: OrderEventType;
  readonly nowMs: number;
}

type OrderNode = Readonly<{ on: Partial<Record<OrderEventType, { target: OrderStatus; actions: "count" }>> }>;

const nodeOf = (status: OrderStatus): OrderNode => ({
  on: Object.fromEntries(
    orderMoves
      .filter((move) => move.from === status)
      .map((move) => [move.event, { target: move.to, actions: "count" }] as const),
  ),
});

/** An order (seller spec, States, Order): 12 states, the 20 moves of the table, no guards. */
export const orderMachine = setup({
  types: { context: {} as OrderContext, events: {} as OrderEvent, input: {} as OrderContext },
  actions: { count: assign({ transitionCount: ({ context }) => context.transitionCount + 1 }) },
}).createMachine({
  id: "order",
  context: ({ input }) => input,
  initial: "draft",
  states: Object.fromEntries(orderStatuses.map((status) => [status, nodeOf(status)])) as Record<OrderStatus, OrderNode>,
});

export type OrderInstance = InstanceOf<typeof orderMachine>;

/** A new order is a draft with an empty audit log. */
export const newOrder = (): OrderInstance => begin(orderMachine, { transitionCount: 0 });

const next = nextStates(compileTable(orderMachine));

/** The states that an order may move to: `allowed_next` and `allowed_transitions`, in the order of the contract. */
export const allowedNext = (status: OrderStatus): readonly OrderStatus[] => next[status];

/** An order after its move to a state, with the reason that is recorded when none is given; null: not allowed. */
export const moveOrder = (
  order: OrderInstance,
  toStatus: OrderStatus,
  nowMs: number,
): { readonly order: OrderInstance; readonly defaultReason: string } | null => {
  const move = orderMoves.find((one) => one.from === order.value && one.to === toStatus);
  if (move === undefined) return null;
  const moved = step(orderMachine, order, { type: move.event, nowMs });
  return moved === null ? null : { order: moved, defaultReason: move.reason };
};
