import { slotOfTime } from "../../../machines/inventory/dates.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { selectionTerm } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import { approvalKind } from "../approvals/record.ts";
import { changeRequestKind, changeRequestTerm, unwrittenTerm } from "../change-requests/record.ts";
import { dealKind } from "../deals/record.ts";
import { handoverKind, openTerm } from "../handovers/record.ts";
import { inventoryLedger } from "../inventory.ts";
import { negotiationKind } from "../negotiation/record.ts";
import { orderKind, orderTerm } from "../orders/record.ts";
import { countsIn, sumOfCounts } from "../oversight/day-counts.ts";
import { waitingApprovals } from "../portfolio/approvals.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { deliveryKind, troubleTerm } from "../webhooks/record.ts";

interface Waiting<T> {
  readonly kind: Kind<T>;
  readonly term: string | null;
  readonly askedAtMs: (row: T) => number;
  readonly state: "look" | "act";
  readonly next: string;
}

const stateOf = (count: number, state: "look" | "act", next: string) => ({
  state: count === 0 ? ("ok" as const) : state,
  count,
  next: count === 0 ? "Nothing to do." : next,
});

const tileOf = async <T>(context: SellerContext, { kind, term, askedAtMs, state, next }: Waiting<T>) => {
  const count = await context.count(kind, term);
  const [oldest] = await context.list(kind, { terms: term === null ? [] : [term], order: "oldest", limit: 1 });
  return { ...stateOf(count, state, next), oldest_at: oldest === undefined ? null : isoTime(askedAtMs(oldest.body)) };
};

const approvalsTile = async (context: SellerContext) => ({
  ...(await tileOf(context, {
    kind: approvalKind,
    term: selectionTerm([null, "pending", null]),
    askedAtMs: (row) => row.created_at_ms,
    state: "act",
    next: "See them with list_approvals, read get_approval_brief, decide with approve_or_reject.",
  })),
  values: (await waitingApprovals(context, null)).values,
});

const oldestLookedAt = 200;

/** A deal whose approval waits is the approvals' to name. */
const activationTile = async (context: SellerContext) => {
  const proposed = selectionTerm([null, "proposed", null]);
  const [all, waiting, rows] = await Promise.all([
    context.count(dealKind, proposed),
    context.count(approvalKind, selectionTerm([null, "pending", "deal"])),
    context.list(dealKind, { terms: [proposed], order: "oldest", limit: oldestLookedAt }),
  ]);
  const oldest = rows.find(({ body }) => !body.life.context.awaitingApproval);
  const next = "See them with list_deals, activate with transition_deal or by booking their orders.";
  return {
    ...stateOf(Math.max(0, all - waiting), "act", next),
    oldest_at: oldest === undefined ? null : isoTime(oldest.body.created_at_ms),
  };
};

const changesTile = async (context: SellerContext) => {
  const of = (term: string | null, next: string) =>
    tileOf(context, { kind: changeRequestKind, term, askedAtMs: (row) => row.requested_at_ms, state: "act", next });
  const [asked, unwritten] = await Promise.all([
    of(
      changeRequestTerm({ owner: null, orderId: null, status: "pending_approval" }),
      "See them with list_change_requests, decide with review_change_request.",
    ),
    of(unwrittenTerm, "Approved and not written yet: write them with apply_change_request."),
  ]);
  const first = asked.count > 0 ? asked : unwritten;
  return { ...first, count: asked.count + unwritten.count, unwritten: unwritten.count };
};

/** A receiver that fails for so long, or so often, does not mend itself. */
const patienceMs = 3_600_000;
const manyFailing = 100;

const webhooksTile = async (context: SellerContext) => {
  const askedAtMs = (row: { readonly created_at_ms: number }): number => row.created_at_ms;
  const [failing, dead] = await Promise.all([
    tileOf(context, {
      kind: deliveryKind,
      term: troubleTerm("failing"),
      askedAtMs,
      state: "look",
      next: "They are retried; see them with list_webhook_deliveries.",
    }),
    tileOf(context, {
      kind: deliveryKind,
      term: troubleTerm("dead"),
      askedAtMs,
      state: "act",
      next: "See them with list_webhook_deliveries, send them again with replay_webhook_delivery.",
    }),
  ]);
  const isLong = failing.oldest_at !== null && context.nowMs - Date.parse(failing.oldest_at) > patienceMs;
  const isMany = failing.count >= manyFailing;
  const worst = dead.count > 0 ? dead : isLong || isMany ? { ...failing, state: "act" as const } : failing;
  return { ...worst, count: failing.count + dead.count, dead: dead.count };
};

const refusalsTile = async (context: SellerContext) => {
  const today = slotOfTime(context.nowMs);
  const { code: counts } = await countsIn(context, { fromSlot: today, toSlot: today });
  const count = sumOfCounts(counts);
  const [most] = Object.entries(counts).sort(([, one], [, other]) => other - one);
  const next = "Counted today (UTC). See them with list_refusals, by code, operation or buyer.";
  return { ...stateOf(count, "look", next), oldest_at: null, most: most?.[0] ?? null };
};

/** Guaranteed flights are sold months ahead. */
const daysAhead = 365;
const productsLookedAt = 50;

/** From this share of the cap on a product is worth a look. */
const fullShare = 0.9;

const heldShare = async (context: SellerContext, { product_id: id, maximum_impressions: cap }: Product) => {
  if (cap === null || cap === 0) return 0;
  const today = slotOfTime(context.nowMs);
  return (await context.reserved(inventoryLedger(id), today, today + daysAhead)) / cap;
};

const inventoryTile = async (context: SellerContext) => {
  const { products } = context.ports.catalog.page({ inventoryTypes: [], offset: 0, limit: productsLookedAt });
  const shares = await Promise.all(
    products.map(async (product) => ({ product, share: await heldShare(context, product) })),
  );
  const count = shares.filter(({ share }) => share >= fullShare).length;
  const [fullest] = shares.filter(({ share }) => share > 0).sort((one, other) => other.share - one.share);
  const next =
    "Nearly full on a day of the next year. See get_capacity_report with months 13; update_product sets a cap.";
  return {
    ...stateOf(count, "look", next),
    oldest_at: null,
    fullest:
      fullest === undefined
        ? null
        : { product_id: fullest.product.product_id, name: fullest.product.name, held_share: fullest.share },
  };
};

export const deskTiles = async (context: SellerContext) => ({
  approvals: await approvalsTile(context),
  handovers: await tileOf(context, {
    kind: handoverKind,
    term: openTerm,
    askedAtMs: (row) => row.life.context.askedAtMs,
    state: "act",
    next: "Buyers wait for a person: see them with list_handovers, answer with answer_handover.",
  }),
  negotiations: await tileOf(context, {
    kind: negotiationKind,
    term: selectionTerm([null, "active", null]),
    askedAtMs: (row) => row.created_at_ms,
    state: "look",
    next: "See them with list_negotiations; the rules answer by themselves.",
  }),
  activation: await activationTile(context),
  changes: await changesTile(context),
  orders: await tileOf(context, {
    kind: orderKind,
    term: orderTerm({ owner: null, status: "failed" }),
    askedAtMs: (row) => row.created_at_ms,
    state: "look",
    next: "See them with list_orders; transition_order to draft begins one anew.",
  }),
  webhooks: await webhooksTile(context),
  refusals: await refusalsTile(context),
  inventory: await inventoryTile(context),
});
