import type { z } from "zod";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { order, transition } from "./contract.ts";
import type { DealRow } from "../deals/record.ts";
import { totalCost } from "../words.ts";
import type { OrderRow, TransitionRecord } from "./record.ts";
import { orderWords } from "./words.ts";

const costOf = (deal: DealRow | null): number | null => {
  if (deal === null) return null;
  const { priceMicros, impressions } = deal.life.context.terms;
  return totalCost(priceMicros, impressions);
};

/** The proven credential is for operators alone. */
export const transitionView = (move: TransitionRecord, caller: Caller): z.input<typeof transition> => ({
  transition_id: move.transition_id,
  from_status: move.from_status,
  to_status: move.to_status,
  timestamp: new Date(move.at_ms).toISOString(),
  actor: move.actor,
  reason: move.reason,
  metadata: { ...move.metadata },
  ...(isOperator(caller) ? { principal: move.principal } : {}),
});

/** The digest is its deal's. */
export const orderView = (row: OrderRow, deal: DealRow | null, caller: Caller): z.input<typeof order> => ({
  order_id: row.order_id,
  status: row.life.value,
  audit_log: {
    order_id: row.order_id,
    transitions: row.transitions.map((move) => transitionView(move, caller)),
  },
  deal_id: row.deal_id,
  quote_id: row.quote_id,
  created_at: new Date(row.created_at_ms).toISOString(),
  metadata: { ...row.metadata },
  total_cost: costOf(deal),
  currency: deal?.pricing.currency ?? null,
  ...orderWords(row, caller),
  terms_digest: deal?.terms_digest ?? null,
  revision: row.revision,
  sandbox: row.sandbox,
});
