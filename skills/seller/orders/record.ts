import type { OrderInstance } from "../../../machines/order/machine.ts";
import type { OrderStatus } from "../../../machines/order/moves.ts";
import type { Kind } from "../../../storage/store.ts";
import type { IfSet } from "../terms.ts";

/** `actor` is the caller's claim, `principal` the proven credential. */
export interface TransitionRecord {
  readonly transition_id: string;
  readonly from_status: OrderStatus;
  readonly to_status: OrderStatus;
  readonly at_ms: number;
  readonly actor: string;
  readonly principal: string;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Oldest move first (seller spec, Order). */
export interface OrderRow {
  readonly order_id: string;
  readonly owner: string;
  readonly deal_id: string | null;
  readonly quote_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly transitions: readonly TransitionRecord[];
  readonly created_at_ms: number;
  readonly created_by: string;
  readonly revision: number;
  readonly sandbox: boolean;
  /** As its deal's. */
  readonly trial?: IfSet<true>;
  readonly life: OrderInstance;
}

/** Its cancellation cancels the deal. The row's id is the deal's. */
export interface NewestOrderRow {
  readonly order_id: string;
}

interface OrderFilter {
  readonly owner: string | null;
  readonly status: OrderStatus | null;
}

/** A buyer's terms cannot collide with others, whatever its name contains. */
export const orderTerm = (of: OrderFilter): string | null => {
  if (of.owner === null) return of.status === null ? null : `status=${of.status}`;
  return of.status === null ? `owner=${of.owner}` : `owner+status=${JSON.stringify([of.owner, of.status])}`;
};

export const dealOrdersTerm = (dealId: string): string => `deal=${dealId}`;

const orderTerms = ({ owner, life, deal_id: dealId }: OrderRow): string[] =>
  [
    orderTerm({ owner: null, status: life.value }),
    orderTerm({ owner, status: null }),
    orderTerm({ owner, status: life.value }),
    dealId === null ? null : dealOrdersTerm(dealId),
  ].filter((term) => term !== null);

export const orderKind: Kind<OrderRow> = {
  name: "order",
  terms: orderTerms,
  dueAtMs: () => null,
  owner: (order) => order.owner,
  facts: ({ life }) => ({ status: life.value }),
};

export const newestOrderKind: Kind<NewestOrderRow> = {
  name: "newest_order",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};
