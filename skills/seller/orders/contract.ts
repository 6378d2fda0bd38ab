import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { momentFilter } from "../../../protocol/neutral/date-text.ts";
import { orderStatuses } from "../../../machines/order/moves.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { costOutput, dealSummaryOutput } from "../words.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { freeObject, reasonText } from "../free-form.ts";
import { reads } from "../tool-hints.ts";

const orderId = z.string().min(1).max(128).describe("Id from create_order.");

const status = z.enum(orderStatuses);

/** `actor` is `system`, `human:<id>` or `agent:<id>`. */
export const transition = z.looseObject({
  transition_id: z.string(),
  from_status: status,
  to_status: status,
  timestamp: z.string(),
  actor: z.string(),
  reason: fromOthers(z.string()),
  metadata: fromOthers(z.looseObject({})),
});

export const order = z.looseObject({
  order_id: z.string(),
  status,
  audit_log: z.looseObject({ order_id: z.string(), transitions: z.array(transition) }),
  deal_id: z.string().nullish(),
  quote_id: z.string().nullish(),
  created_at: z.string(),
  ...costOutput,
  ...dealSummaryOutput,
  metadata: fromOthers(z.looseObject({})),
  revision: z.int().optional().describe("What a write of it takes as If-Match."),
});

const dateFilter = {
  from_date: momentFilter.describe("First day (YYYY-MM-DD, UTC) or instant, included."),
  to_date: momentFilter.describe("Last day (YYYY-MM-DD, UTC) or instant, included."),
};

export const createOrder = defineContract({
  name: "create_order",
  group: "orders",
  summary:
    "Creates an order in draft, for a deal or a quote or for neither. A named deal or quote must be your own. Books " +
    "nothing by itself: the seller moves the order on.",
  effect: "write",
  access: "public",
  input: z.object({
    deal_id: z.string().min(1).max(128).nullish().describe("Id from book_deal."),
    quote_id: z.string().min(1).max(128).nullish().describe("Id from request_quote; with a deal, the deal's own."),
    metadata: freeObject.nullish().describe("Whatever you want to keep with the order."),
  }),
  output: order,
  refusals: { deal_not_found: 404, quote_not_found: 404 },
  rest: { method: "POST", path: "/api/v1/orders" },
  tool: { title: "Create an order", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const listOrders = defineContract({
  name: "list_orders",
  group: "orders",
  summary:
    "Lists your orders, newest first, a page at a time; operators see all orders. A status that no order can have " +
    "gives an empty list. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    ...pageInput,
    status: z.string().max(64).nullish().describe("Only orders in this state."),
  }),
  output: z.looseObject({ orders: z.array(order), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/orders" },
  tool: {
    title: "List orders",
    ...reads,
    rows: {
      orders: [
        "order_id",
        "status",
        "status_text",
        "next_step",
        "deal_id",
        "quote_id",
        "total_cost",
        "currency",
        "created_at",
        "deal_summary.product_name",
        "deal_summary.buyer",
        "deal_summary.buyer_name",
        "deal_summary.flight_start",
        "deal_summary.flight_end",
        "deal_summary.impressions",
      ],
    },
  },
});

export const getOrderReport = defineContract({
  name: "get_order_report",
  group: "orders",
  summary:
    "Counts your orders by state, their moves by kind of actor, and your change requests; operators count all. The " +
    "dates are whole days (UTC) of the orders' creation; change requests are counted whatever the dates.",
  effect: "read",
  access: "public",
  input: z.object(dateFilter),
  output: z.looseObject({
    total_orders: z.int(),
    status_counts: z.record(z.string(), z.int()),
    total_transitions: z.int(),
    avg_transitions_per_order: z.number(),
    actor_type_counts: z.record(z.string(), z.int()),
    change_requests: z.looseObject({ total: z.int(), by_status: z.record(z.string(), z.int()) }),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/orders/report" },
  tool: { title: "Report on orders", ...reads },
});

export const getOrder = defineContract({
  name: "get_order",
  group: "orders",
  summary: "Returns an order with its state, audit log, deal, quote and metadata. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ order_id: orderId }),
  output: order,
  refusals: { order_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/orders/:order_id" },
  tool: { title: "Get an order", ...reads },
});

export const getOrderHistory = defineContract({
  name: "get_order_history",
  group: "orders",
  summary: "Returns the moves of an order, oldest first, with their number. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ order_id: orderId }),
  output: z.looseObject({
    order_id: z.string(),
    current_status: status,
    transitions: z.array(transition),
    transition_count: z.int(),
  }),
  refusals: { order_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/orders/:order_id/history" },
  tool: { title: "History of an order", ...reads },
});

export const getOrderAudit = defineContract({
  name: "get_order_audit",
  group: "orders",
  summary:
    "Returns the moves of an order that an actor made in a span of time, and the order's newest change requests, at " +
    "most 500 of them, whatever the filters. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    order_id: orderId,
    actor: z.string().max(255).nullish().describe("The whole actor or its beginning, for example human:."),
    ...dateFilter,
  }),
  output: z.looseObject({
    order_id: z.string(),
    current_status: status,
    created_at: z.string(),
    transitions: z.array(transition),
    transition_count: z.int(),
    change_requests: z.array(z.looseObject({ change_request_id: z.string() })),
    change_request_count: z.int(),
  }),
  refusals: { order_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/orders/:order_id/audit" },
  tool: { title: "Audit an order", ...reads },
});

export const transitionOrder = defineContract({
  name: "transition_order",
  group: "orders",
  summary:
    "Moves an order to another state and records the move. Operators only. A booked order activates its deal, an " +
    "unbooked one takes it back to proposed, and cancelling a deal's newest order rejects the deal and gives its " +
    "impressions back.",
  effect: "write",
  access: "operator",
  input: z.object({
    order_id: orderId,
    to_status: z
      .string()
      .min(1)
      .max(64)
      .meta({ enum: orderStatuses })
      .describe("The state to reach, one of the twelve."),
    actor: z
      .string()
      .trim()
      .max(255)
      .nullish()
      .describe("Who moves it: system (when left out), human:<id> or agent:<id>."),
    reason: reasonText.nullish().describe("Why; a default that fits the move when left out."),
    metadata: freeObject.nullish().describe("Kept with the move, not with the order."),
  }),
  output: z.looseObject({
    order_id: z.string(),
    status,
    transition,
    allowed_next: z.array(status),
    deal_move: z
      .looseObject({ deal_id: z.string(), from_status: z.string(), to_status: z.string() })
      .nullish()
      .describe("What becomes of its deal; null: it stays as it is."),
  }),
  refusals: { revision_mismatch: 412, order_not_found: 404, invalid_status: 400, invalid_transition: 409 },
  rest: { method: "POST", path: "/api/v1/orders/:order_id/transition" },
  tool: {
    title: "Move an order",
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: false,
    argumentAliases: { new_status: "to_status" },
  },
});
