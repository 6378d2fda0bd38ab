import { slotOfTime } from "../../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../../machines/inventory/flight.ts";
import { orderStatuses, type OrderStatus } from "../../../machines/order/moves.ts";
import { add } from "../../../protocol/seam/changes.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { AddChange } from "../../../storage/store.ts";
import type { OrderRow, TransitionRecord } from "./record.ts";

/** Null: everybody. */
type Scope = string | null;

const actorTypes = ["system", "human", "agent", "other"] as const;

type ActorType = (typeof actorTypes)[number];

const actorTypeOf = (actor: string): ActorType => {
  const word = actor.split(":", 1)[0];
  return actorTypes.find((type) => type === word) ?? "other";
};

const orderSum = (scope: Scope, what: string): string =>
  scope === null ? `orders/${what}/all` : `orders/${what}/owner/${scope}`;

/** In the slot of the order's day of creation. */
const counted = (row: OrderRow, what: string, amount: number): readonly AddChange[] =>
  row.trial === true
    ? []
    : [add([orderSum(null, what), orderSum(row.owner, what)], slotOfTime(row.created_at_ms), [amount])];

export const createdCounts = (row: OrderRow): readonly AddChange[] => counted(row, `status=${row.life.value}`, 1);

export const movedCounts = (row: OrderRow, move: TransitionRecord): readonly AddChange[] => [
  ...counted(row, `status=${move.from_status}`, -1),
  ...counted(row, `status=${move.to_status}`, 1),
  ...counted(row, `actor=${actorTypeOf(move.actor)}`, 1),
];

/** All that an order has added until now. */
export const standingCounts = (row: OrderRow): readonly AddChange[] => [
  ...createdCounts(row),
  ...row.transitions.flatMap(({ actor }) => counted(row, `actor=${actorTypeOf(actor)}`, 1)),
];

export interface OrderCounts {
  readonly statuses: Readonly<Partial<Record<OrderStatus, number>>>;
  readonly actors: Readonly<Record<ActorType, number>>;
}

export const readCounts = async (
  context: Pick<Context, "added">,
  scope: Scope,
  span: SlotSpan,
): Promise<OrderCounts> => {
  const sum = async (what: string) =>
    (await context.added([orderSum(scope, what)], span.fromSlot, span.toSlot))[0] ?? 0;
  const ofStatus = async (status: OrderStatus) => [status, await sum(`status=${status}`)] as const;
  const ofActor = async (type: ActorType) => [type, await sum(`actor=${type}`)] as const;
  const [statuses, actors] = await Promise.all([
    Promise.all(orderStatuses.map(ofStatus)),
    Promise.all(actorTypes.map(ofActor)),
  ]);
  return {
    statuses: Object.fromEntries(statuses.filter(([, count]) => count > 0)),
    actors: Object.fromEntries(actors) as Record<ActorType, number>,
  };
};
