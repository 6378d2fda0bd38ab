import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { isRefusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { selectionTerm } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import { approvalKind, settledApproval } from "../approvals/record.ts";
import { changeRequestKind, changeRequestTerm } from "../change-requests/record.ts";
import { dealKind } from "../deals/record.ts";
import { negotiationKind } from "../negotiation/record.ts";
import { orderKind, orderTerm } from "../orders/record.ts";
import { ownersShown } from "../portfolio/filters.ts";
import type { Product, SellerContext } from "../ports.ts";
import { bookedIn, stepsOf } from "./activity.ts";
import { briefOf } from "./brief.ts";
import { capacityOf, monthsFrom } from "./capacity.ts";
import * as contract from "./contract.ts";

interface Waiting<T> {
  readonly kind: Kind<T>;
  readonly term: string | null;
  readonly askedAtMs: (row: T) => number;
  readonly state: "look" | "act";
  readonly next: string;
}

const tileOf = async <T>(context: SellerContext, { kind, term, askedAtMs, state, next }: Waiting<T>) => {
  const count = await context.count(kind, term);
  const [oldest] = await context.list(kind, { terms: term === null ? [] : [term], order: "oldest", limit: 1 });
  return {
    state: count === 0 ? ("ok" as const) : state,
    count,
    oldest_at: oldest === undefined ? null : isoTime(askedAtMs(oldest.body)),
    next: count === 0 ? "Nothing to do." : next,
  };
};

export const getDeskStatus = defineOperation(contract.getDeskStatus, async (context: SellerContext) => ({
  output: {
    at: isoTime(context.nowMs),
    approvals: await tileOf(context, {
      kind: approvalKind,
      term: selectionTerm([null, "pending", null]),
      askedAtMs: (row) => row.created_at_ms,
      state: "act",
      next: "See them with list_approvals, decide with approve_or_reject.",
    }),
    negotiations: await tileOf(context, {
      kind: negotiationKind,
      term: selectionTerm([null, "active", null]),
      askedAtMs: (row) => row.created_at_ms,
      state: "look",
      next: "See them with list_negotiations; the rules answer by themselves.",
    }),
    activation: await tileOf(context, {
      kind: dealKind,
      term: selectionTerm([null, "proposed", null]),
      askedAtMs: (row) => row.created_at_ms,
      state: "look",
      next: "See them with list_deals, activate with transition_deal or by booking their orders.",
    }),
    changes: await tileOf(context, {
      kind: changeRequestKind,
      term: changeRequestTerm({ owner: null, orderId: null, status: "pending_approval" }),
      askedAtMs: (row) => row.requested_at_ms,
      state: "act",
      next: "See them with list_change_requests, decide with review_change_request.",
    }),
    orders: await tileOf(context, {
      kind: orderKind,
      term: orderTerm({ owner: null, status: "failed" }),
      askedAtMs: (row) => row.created_at_ms,
      state: "look",
      next: "See them with list_orders; a failed order has no way back, create a new one for its deal.",
    }),
  },
}));

export const getActivity = defineOperation(contract.getActivity, async (context: SellerContext, input) => {
  const spans = stepsOf(input, context.nowMs);
  if (isRefusal(spans)) return spans;
  const owners = ownersShown(context, input.buyer)?.owners ?? null;
  const productId = input.product_id ?? null;
  const scopes = owners === null ? [{ owner: null, productId }] : owners.map((owner) => ({ owner, productId }));
  const dateAt = (slot: number | undefined): string => (slot === undefined ? "" : (dateOfSlot(slot) ?? ""));
  const [first, last] = [spans.at(0)?.fromSlot ?? 0, spans.at(-1)?.toSlot ?? 0];
  return {
    output: {
      from: dateAt(first),
      to: dateAt(last),
      points: await Promise.all(
        spans.map(async (span) => ({ at: dateAt(span.fromSlot), ...(await bookedIn(context, scopes, span)) })),
      ),
      totals: await bookedIn(context, scopes, { fromSlot: first, toSlot: last }),
    },
  };
});

const pageProducts = 50;

export const getCapacityReport = defineOperation(contract.getCapacityReport, async (context: SellerContext, input) => {
  const { catalog } = context.ports;
  const months = monthsFrom(input.from, input.months, context.nowMs);
  if (isRefusal(months)) return months;
  const named = input.product_id?.map((id) => catalog.get(id)) ?? null;
  if (named?.includes(null) === true) return refuse("product_not_found");
  const page = catalog.page({ inventoryTypes: [], offset: input.offset, limit: pageProducts });
  const products = named === null ? page.products : named.filter((one): one is Product => one !== null);
  const end = input.offset + page.products.length;
  return {
    output: {
      products: await Promise.all(
        products.map(async (product) => ({
          product_id: product.product_id,
          name: product.name,
          months: [...(await capacityOf(context, product, months))],
        })),
      ),
      total: named === null ? page.total : products.length,
      next_offset: named === null && end < page.total ? end : null,
    },
  };
});

export const getApprovalBrief = defineOperation(contract.getApprovalBrief, async (context: SellerContext, input) => {
  const loaded = await context.own(approvalKind, input.approval_id, "approval_not_found");
  return { output: await briefOf(context, settledApproval(loaded.body, context.nowMs)) };
});
