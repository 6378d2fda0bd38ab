import { assign, setup } from "xstate";
import { begin, step, type InstanceOf } from "../step.ts";
import { compileTable, nextStates } from "../table.ts";
import { orderMoves, orderStatuses, type OrderEventType, type OrderStatus } from "./moves.ts";

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

/** Seller spec, States, Order. */
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

export const newOrder = (): OrderInstance => begin(orderMachine, { transitionCount: 0 });

const next = nextStates(compileTable(orderMachine));

export const allowedNext = (status: OrderStatus): readonly OrderStatus[] => next[status];

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
