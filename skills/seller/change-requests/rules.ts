import { dealMachine, type DealInstance, type DealTerms } from "../../../machines/deal/machine.ts";
import { changedMetadata, termChanges, type ChangeProposal } from "../../../machines/change-request/proposal.ts";
import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { checkChange } from "../../../machines/change-request/validation.ts";
import { holdsInventory } from "../../../machines/inventory/holds.ts";
import { step } from "../../../machines/step.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import type { ReserveChange } from "../../../storage/store.ts";
import { dealKind, type DealRow, settledDeal } from "../deals/record.ts";
import { spanOf } from "../inventory.ts";
import { isSmall } from "../free-form.ts";
import { orderKind, type OrderRow } from "../orders/record.ts";
import { ownPriceRefusal } from "../pricing/rules.ts";
import type { ChangeRequestRow } from "./record.ts";
import { rereserve } from "./reservations.ts";
import type { SellerContext } from "../context.ts";

export interface Subject {
  readonly order: Loaded<OrderRow>;
  readonly deal: { readonly loaded: Loaded<DealRow>; readonly row: DealRow } | null;
}

export const subjectOf = async (context: SellerContext, order: Loaded<OrderRow>): Promise<Subject> => {
  const { deal_id: dealId, order_id: orderId } = order.body;
  if (dealId === null) return { order, deal: null };
  const loaded = await context.load(dealKind, dealId);
  if (loaded === null) throw new Error(`The deal ${dealId} of ${orderId} is gone.`);
  return { order, deal: { loaded, row: settledDeal(loaded.body, context.nowMs) } };
};

export const subjectOfRequest = async (context: SellerContext, row: ChangeRequestRow): Promise<Subject> =>
  subjectOf(context, await context.own(orderKind, row.order_id, "order_not_found"));

export interface Judgement {
  readonly errors: readonly string[];
  readonly amended: DealInstance | null;
  readonly reservations: readonly ReserveChange[];
}

/**
 * A buyer's price is not held against the floor: it waits for a senior operator anyway, and a refusal here would find
 * the floor by bisection. Who applies it is told.
 */
const limitsOf = (context: SellerContext, deal: DealRow) => {
  const item = context.ports.catalog.get(deal.product.product_id, slotOfDate(deal.life.context.terms.flightStart));
  if (item === null) return { lowestMicros: deal.life.context.terms.priceMicros, leastImpressions: 0 };
  const floorMicros = Math.max(item.floor_cpm_micros ?? 0, context.ports.settings.pricing.globalFloorMicros);
  const lowestMicros = isOperator(context.caller) ? floorMicros : 1;
  return { lowestMicros, leastImpressions: item.minimum_impressions };
};

const isSame = (one: DealTerms, other: DealTerms): boolean =>
  one.priceMicros === other.priceMicros &&
  one.impressions === other.impressions &&
  one.flightStart === other.flightStart &&
  one.flightEnd === other.flightEnd;

const noMove = { amended: null, reservations: [] } as const;

const amend = async (context: SellerContext, deal: DealRow, terms: DealTerms): Promise<Judgement> => {
  const before = deal.life.context.terms;
  if (isSame(before, terms)) return { errors: [], ...noMove };
  const life = step(dealMachine, deal.life, { type: "AMEND", nowMs: context.nowMs, terms });
  if (life === null) return { errors: [`The deal is ${deal.life.value}. Its terms cannot be changed.`], ...noMove };
  if (!holdsInventory(deal.deal_type, life.value)) return { errors: [], amended: life, reservations: [] };
  const holdOf = ({ flightStart, flightEnd, impressions }: DealTerms) => ({
    span: spanOf(flightStart, flightEnd),
    impressions: impressions ?? 0,
  });
  const reservations = await rereserve(context, deal, holdOf(before), holdOf(terms));
  return reservations === null
    ? { errors: ["Not enough inventory is left for the changed flight."], ...noMove }
    : { errors: [], amended: life, reservations };
};

/** A cancellation leaves the terms as they are; it ends the deal. */
export const judge = async (
  context: SellerContext,
  proposal: ChangeProposal,
  { order, deal }: Subject,
): Promise<Judgement> => {
  const check = checkChange(proposal, {
    orderStatus: order.body.life.value,
    current: deal?.row.life.context.terms ?? null,
    ...(deal === null ? { lowestMicros: 0, leastImpressions: 0 } : limitsOf(context, deal.row)),
    nowMs: context.nowMs,
  });
  const isLarge = !isSmall(changedMetadata(order.body.metadata, proposal));
  const errors = isLarge ? [...check.errors, "The order's metadata would become too large."] : check.errors;
  const isAmending = proposal.changeType !== "cancellation" && termChanges(proposal).length > 0;
  if (errors.length > 0 || deal === null || check.terms === null || !isAmending) return { errors, ...noMove };
  return amend(context, deal.row, check.terms);
};

/** Limits price probes: unlimited tries would find the limit. */
export const probeRefusal = async (
  context: SellerContext,
  proposal: ChangeProposal,
  { deal }: Subject,
): Promise<Refusal | null> => {
  const namesPrice = termChanges(proposal).some((change) => change.term === "price");
  if (deal === null || !namesPrice || isOperator(context.caller)) return null;
  return ownPriceRefusal(context, deal.row.product.product_id);
};

/** Belongs to the order's owner, whoever caused it. */
export const changeRequestEvent = (eventType: string, row: ChangeRequestRow): EventDraft => ({
  event_type: eventType,
  flow_id: row.order_id,
  flow_type: "change_request",
  deal_id: row.deal_id ?? "",
  owner: row.owner,
  payload: {
    change_request_id: row.change_request_id,
    order_id: row.order_id,
    change_type: row.change_type,
    severity: row.life.context.severity,
    status: row.life.value,
    applied_at: row.life.context.appliedAtMs === null ? null : new Date(row.life.context.appliedAtMs).toISOString(),
  },
});
