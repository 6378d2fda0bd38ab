import { allowedNext } from "../../../machines/order/machine.ts";
import { isOrderStatus, orderStatuses } from "../../../machines/order/moves.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { emptyPage, readPage } from "../../../protocol/seam/paging.ts";
import { isRefusal, type Refusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { changeRequestKind, changeRequestTerm } from "../change-requests/record.ts";
import { changeRequestView } from "../change-requests/view.ts";
import { isWithin, readTimeSpan } from "../../date-filter.ts";
import { isForgotten, quoteKind, settledQuote } from "../pricing/record.ts";
import { withDealSummaries, withDealSummary } from "../portfolio/deal-summary.ts";
import { dealKind, type DealRow } from "../deals/record.ts";
import * as contract from "./contract.ts";
import { movedCounts } from "./counters.ts";
import { draftOrder, withNewOrder } from "./draft.ts";
import { orderMoved } from "./events.ts";
import { orderKind, type OrderRow, orderTerm } from "./record.ts";
import { reportFor } from "./report.ts";
import { dealEffect, isLogFull, movedOrder, moveRefusal } from "./rules.ts";
import { orderView, transitionView } from "./view.ts";
import type { SellerContext } from "../context.ts";

const dealOf = async (context: SellerContext, row: OrderRow): Promise<DealRow | null> =>
  row.deal_id === null ? null : ((await context.load(dealKind, row.deal_id))?.body ?? null);

const viewOf = async (context: SellerContext, row: OrderRow) =>
  orderView(row, await dealOf(context, row), context.caller);

/** They exist and are the caller's, else 404. */
const namedRecords = async (
  context: SellerContext,
  input: { readonly deal_id?: string | null | undefined; readonly quote_id?: string | null | undefined },
): Promise<{ readonly deal: Loaded<DealRow> | null } | Refusal> => {
  const deal = input.deal_id == null ? null : await context.own(dealKind, input.deal_id, "deal_not_found");
  if (input.quote_id == null) return { deal };
  const quote = await context.own(quoteKind, input.quote_id, "quote_not_found");
  if (isForgotten(settledQuote(quote.body, context.nowMs), context.nowMs))
    return missing("quote_not_found", input.quote_id);
  if (deal !== null && deal.body.quote_id !== input.quote_id) {
    return fieldRefusal("quote_id", "The deal was booked from another quote. Leave quote_id out.");
  }
  return { deal };
};

export const createOrder = defineOperation(contract.createOrder, async (context: SellerContext, input) => {
  const named = await namedRecords(context, input);
  if (isRefusal(named)) return named;
  const deal = named.deal?.body ?? null;
  const { deal_id: dealId = null, quote_id: quoteId = null, metadata } = input;
  const row = draftOrder(context, { deal, dealId, quoteId, metadata: metadata ?? {} });
  const { changes, events } = await withNewOrder(context, row);
  return {
    output: orderView(row, deal, context.caller),
    meta: { revision: row.revision },
    changes: [create(orderKind, row.order_id, row), ...changes],
    events,
  };
});

export const listOrders = defineOperation(contract.listOrders, async (context: SellerContext, input) => {
  const { caller } = context;
  const status = input.status == null || input.status === "" ? null : input.status;
  const isUnknown = status !== null && !isOrderStatus(status);
  if (isUnknown || caller.kind === "anonymous") return { output: { orders: [], ...emptyPage.page } };
  const term = orderTerm({ owner: isOperator(caller) ? null : caller.owner, status });
  const { rows, page } = await readPage(context, { kind: orderKind, term, order: "newest" }, input);
  const views = await Promise.all(rows.map((loaded) => viewOf(context, loaded.body)));
  return { output: { orders: await withDealSummaries(context, views), ...page } };
});

export const getOrderReport = defineOperation(contract.getOrderReport, async (context: SellerContext, input) => {
  const span = readTimeSpan(input);
  if (isRefusal(span)) return span;
  const report = await reportFor(context, span);
  return isRefusal(report) ? report : { output: report };
});

export const getOrder = defineOperation(contract.getOrder, async (context: SellerContext, input) => {
  const { body } = await context.own(orderKind, input.order_id, "order_not_found");
  return { output: await withDealSummary(context, await viewOf(context, body)), meta: { revision: body.revision } };
});

export const getOrderHistory = defineOperation(contract.getOrderHistory, async (context: SellerContext, input) => {
  const { body } = await context.own(orderKind, input.order_id, "order_not_found");
  return {
    output: {
      order_id: body.order_id,
      current_status: body.life.value,
      transitions: body.transitions.map((move) => transitionView(move, context.caller)),
      transition_count: body.transitions.length,
    },
    meta: { revision: body.revision },
  };
});

/** A page of the store. */
const mostChangeRequests = 500;

export const getOrderAudit = defineOperation(contract.getOrderAudit, async (context: SellerContext, input) => {
  const { body } = await context.own(orderKind, input.order_id, "order_not_found");
  const span = readTimeSpan(input);
  if (isRefusal(span)) return span;
  const actor = input.actor ?? "";
  const moves = body.transitions.filter((move) => move.actor.startsWith(actor) && isWithin(move.at_ms, span));
  const term = changeRequestTerm({ owner: null, orderId: body.order_id, status: null });
  const query = { terms: term === null ? [] : [term], order: "newest", limit: mostChangeRequests } as const;
  const requests = await context.list(changeRequestKind, query);
  return {
    output: {
      order_id: body.order_id,
      current_status: body.life.value,
      created_at: new Date(body.created_at_ms).toISOString(),
      transitions: moves.map((move) => transitionView(move, context.caller)),
      transition_count: moves.length,
      change_requests: requests.map((loaded) => changeRequestView(loaded.body, context.caller)),
      change_request_count: await context.count(changeRequestKind, term),
    },
    meta: { revision: body.revision },
  };
});

export const transitionOrder = defineOperation(contract.transitionOrder, async (context: SellerContext, input) => {
  const loaded = await context.own(orderKind, input.order_id, "order_not_found");
  const row = loaded.body;
  const toStatus = input.to_status;
  if (!isOrderStatus(toStatus)) {
    const message = `An order has no state of this name. Use one of: ${orderStatuses.join(", ")}.`;
    return refuse("invalid_status", { message, extras: { valid_statuses: orderStatuses } });
  }
  context.matchRevision(row.revision);
  const actor = input.actor == null || input.actor === "" ? "system" : input.actor;
  const note = { actor, reason: input.reason ?? "", metadata: input.metadata ?? {} };
  const moved = isLogFull(row) ? null : movedOrder(context, row, toStatus, note);
  if (moved === null) return moveRefusal(row, toStatus);
  const effect = await dealEffect(context, moved.order, note.reason);
  if (typeof effect === "string") return moveRefusal(row, toStatus, effect);
  return {
    output: {
      order_id: row.order_id,
      status: toStatus,
      transition: transitionView(moved.move, context.caller),
      allowed_next: [...allowedNext(toStatus)],
      deal_move:
        effect.moved === null
          ? null
          : {
              deal_id: effect.moved.row.deal_id,
              from_status: effect.moved.from,
              to_status: effect.moved.row.life.value,
            },
    },
    meta: { revision: moved.order.revision },
    changes: [update(orderKind, loaded, moved.order), ...movedCounts(moved.order, moved.move), ...effect.changes],
    events: [...orderMoved(moved.order, moved.move), ...effect.events],
  };
});
