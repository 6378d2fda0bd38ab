import { changedMetadata, type ChangeProposal } from "../../../machines/change-request/proposal.ts";
import type { DealTerms } from "../../../machines/deal/machine.ts";
import { fromMicros } from "../../../machines/money.ts";
import { cancellationTarget } from "../../../machines/order/effects.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import { amendedApproval } from "../deals/approval.ts";
import { dealEvent } from "../deals/events.ts";
import { movedCounts } from "../orders/counters.ts";
import { orderMoved } from "../orders/events.ts";
import { orderKind, type OrderRow } from "../orders/record.ts";
import { dealMove, movedOrder } from "../orders/rules.ts";
import { dealChanges } from "../deals/changes.ts";
import { type DealRow } from "../deals/record.ts";
import { digestOf } from "../terms.ts";
import type { ChangeRequestRow } from "./record.ts";
import type { Judgement, Subject } from "./rules.ts";
import type { SellerContext } from "../context.ts";
import { actorOf } from "../principal.ts";

interface Effect {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

interface Written extends Effect {
  readonly deal: DealRow | null;
}

/** A reviewed flight is agreed; one that moved without a review keeps the flight before it. */
const agreedAfter = (row: DealRow, terms: DealTerms, { life }: ChangeRequestRow): DealRow["agreed_flight"] => {
  const { flightStart, flightEnd } = row.life.context.terms;
  if (terms.flightStart === flightStart && terms.flightEnd === flightEnd) return row.agreed_flight;
  return life.context.severity === "minor" ? (row.agreed_flight ?? { flightStart, flightEnd }) : null;
};

const amendedDeal = (row: DealRow, life: NonNullable<Judgement["amended"]>, request: ChangeRequestRow): DealRow => {
  const { terms } = life.context;
  const isRepriced = terms.priceMicros !== row.life.context.terms.priceMicros;
  const pricing = isRepriced
    ? { ...row.pricing, rationale: `Agreed by change request ${request.change_request_id}` }
    : row.pricing;
  const agreed_flight = agreedAfter(row, terms, request);
  return { ...row, pricing, life, agreed_flight, terms_digest: digestOf(row, terms), revision: row.revision + 1 };
};

const writeDeal = async (
  context: SellerContext,
  request: ChangeRequestRow,
  { deal }: Subject,
  { amended, reservations }: Judgement,
): Promise<Written> => {
  const nothing: Written = { changes: [], events: [], deal: deal?.row ?? null };
  if (deal === null) return nothing;
  if (request.change_type === "cancellation") {
    const reason = `Cancelled by change request ${request.change_request_id}`;
    const moved = await dealMove(context, deal.loaded, "CANCEL", reason);
    return moved === null ? nothing : { changes: moved.changes, events: moved.events, deal: deal.row };
  }
  if (amended === null) return nothing;
  const row = amendedDeal(deal.row, amended, request);
  return {
    changes: [...dealChanges(deal.loaded, row), ...reservations, ...(await amendedApproval(context, row))],
    events: [dealEvent("deal.changed", row)],
    deal: row,
  };
};

/** A cancellation moves the order where its machine allows it. */
const writeOrder = async (
  context: SellerContext,
  request: ChangeRequestRow,
  { order }: Subject,
  proposal: ChangeProposal,
): Promise<Effect> => {
  const metadata = changedMetadata(order.body.metadata, proposal);
  const target = request.change_type === "cancellation" ? cancellationTarget(order.body.life.value) : null;
  if (target === null) {
    const row: OrderRow = { ...order.body, metadata, revision: order.body.revision + 1 };
    return { changes: [update(orderKind, order, row)], events: [] };
  }
  const reason = `Cancelled by change request ${request.change_request_id}`;
  const moved = movedOrder(context, order.body, target, { actor: await actorOf(context), reason, metadata: {} });
  if (moved === null) throw new Error(`The order ${order.id} could not be moved to ${target}.`);
  const row: OrderRow = { ...moved.order, metadata };
  return {
    changes: [update(orderKind, order, row), ...movedCounts(row, moved.move)],
    events: orderMoved(row, moved.move),
  };
};

export const writeChange = async (
  context: SellerContext,
  request: ChangeRequestRow,
  subject: Subject,
  judgement: Judgement,
): Promise<Written> => {
  const proposal = proposalOf(request);
  const order = await writeOrder(context, request, subject, proposal);
  const deal = await writeDeal(context, request, subject, judgement);
  return { ...deal, changes: [...order.changes, ...deal.changes], events: [...order.events, ...deal.events] };
};

export const proposalOf = (request: ChangeRequestRow): ChangeProposal => ({
  changeType: request.change_type,
  diffs: request.diffs,
  proposedValues: request.proposed_values,
});

export const rollbackOf = ({ order, deal }: Subject): Readonly<Record<string, unknown>> => {
  const { order_id, deal_id, quote_id, metadata, revision, life } = order.body;
  const terms = deal?.row.life.context.terms;
  return {
    order_id,
    status: life.value,
    deal_id,
    quote_id,
    metadata,
    revision,
    deal_terms:
      terms === undefined
        ? null
        : {
            final_cpm: fromMicros(terms.priceMicros),
            impressions: terms.impressions,
            flight_start: terms.flightStart,
            flight_end: terms.flightEnd,
          },
  };
};
