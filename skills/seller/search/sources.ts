import { readSelection } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import { apiKeyKind, type ApiKeyRow } from "../api-keys/record.ts";
import { approvalKind, settledApproval } from "../approvals/record.ts";
import { buyerOfKey } from "../buyers/view.ts";
import { changeRequestKind } from "../change-requests/record.ts";
import type { SellerContext } from "../context.ts";
import { dealKind, settledDeal } from "../deals/record.ts";
import { mediaBuyKind } from "../media-buys/record.ts";
import { negotiationKind, settledNegotiation } from "../negotiation/record.ts";
import { orderKind } from "../orders/record.ts";
import { packageKind } from "../packages/record.ts";
import { isFoundIn } from "../portfolio/filters.ts";
import { isForgotten, quoteKind, settledQuote } from "../pricing/record.ts";
import { webhookKind } from "../webhooks/record.ts";
import type { foundKinds } from "./contract.ts";

/** `owner` null: nobody's. */
export interface FoundRecord {
  readonly kind: (typeof foundKinds)[number];
  readonly id: string;
  readonly name: string | null;
  readonly owner: string | null;
  readonly status: string | null;
}

export interface SearchFor {
  readonly q: string;
  readonly limit: number;
}

/** How records of one kind are looked for; a hit of null is not there any more. */
interface Source<T> {
  readonly kind: Kind<T>;
  readonly createdAtMs: (row: T) => number;
  /** What a part of is looked for in. */
  readonly texts: (row: T) => readonly (string | null | undefined)[];
  readonly hit: (row: T, nowMs: number) => FoundRecord | null;
}

/** Ids are written in one case, and people type the other. */
const spellings = (q: string): readonly string[] => [...new Set([q, q.toUpperCase(), q.toLowerCase()])];

const looksLikeAnId = /^[\w:-]{4,}$/;

const search = <T>({ kind, createdAtMs, texts, hit }: Source<T>) => ({
  byId: async (context: SellerContext, q: string): Promise<readonly FoundRecord[]> => {
    const ids = looksLikeAnId.test(q) ? spellings(q) : [];
    const rows = await Promise.all(ids.map((id) => context.load(kind, id)));
    return rows.flatMap((row) => (row === null ? [] : (hit(row.body, context.nowMs) ?? [])));
  },
  byPart: async (context: SellerContext, { q, limit }: SearchFor): Promise<readonly FoundRecord[]> => {
    const keep = (row: T): boolean => isFoundIn(q, texts(row));
    const { rows } = await readSelection(context, { kind, terms: [null], createdAtMs, keep }, { limit });
    return rows.flatMap(({ body }) => hit(body, context.nowMs) ?? []);
  },
});

const approvals = search({
  kind: approvalKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.approval_id],
  hit: (row, nowMs) => {
    const { approval_id: id, owner, life } = settledApproval(row, nowMs);
    return { kind: "approval", id, name: null, owner, status: life.value };
  },
});

const deals = search({
  kind: dealKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.deal_id, row.quote_id, row.product.name, row.owner],
  hit: (row, nowMs) => {
    const { deal_id: id, product, owner, life } = settledDeal(row, nowMs);
    return { kind: "deal", id, name: product.name, owner, status: life.value };
  },
});

const quotes = search({
  kind: quoteKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.quote_id],
  hit: (row, nowMs) => {
    if (isForgotten(row, nowMs)) return null;
    const { quote_id: id, product, owner, life } = settledQuote(row, nowMs);
    return { kind: "quote", id, name: product.name, owner, status: life.value };
  },
});

const negotiations = search({
  kind: negotiationKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.negotiation_id],
  hit: (row, nowMs) => {
    const { negotiation_id, proposal_id, quote_id, product, owner, life } = settledNegotiation(row, nowMs);
    const id = proposal_id ?? quote_id ?? negotiation_id;
    return { kind: "negotiation", id, name: product.name, owner, status: life.value };
  },
});

const orderRecords = search({
  kind: orderKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.order_id, row.deal_id],
  hit: ({ order_id: id, owner, life }) => ({ kind: "order", id, name: null, owner, status: life.value }),
});

const changes = search({
  kind: changeRequestKind,
  createdAtMs: (row) => row.requested_at_ms,
  texts: (row) => [row.change_request_id, row.order_id, row.deal_id],
  hit: ({ change_request_id: id, owner, life }) => ({
    kind: "change_request",
    id,
    name: null,
    owner,
    status: life.value,
  }),
});

const mediaBuys = search({
  kind: mediaBuyKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.media_buy_id, row.po_number, row.brand_domain],
  hit: ({ media_buy_id: id, brand_domain: name, owner, life }) => ({
    kind: "media_buy",
    id,
    name,
    owner,
    status: life.value,
  }),
});

const packages = search({
  kind: packageKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.package_id, row.name],
  hit: ({ package_id: id, name, status }) => ({ kind: "package", id, name, owner: null, status }),
});

const webhooks = search({
  kind: webhookKind,
  createdAtMs: (row) => row.created_at_ms,
  texts: (row) => [row.webhook_id, row.url],
  hit: ({ webhook_id: id, url: name }) => ({ kind: "webhook", id, name, owner: null, status: null }),
});

const textsOfKey = (row: ApiKeyRow): readonly (string | null)[] => {
  const { seat_name: seat, agency_name: agency, advertiser_name: advertiser } = row.identity;
  return [buyerOfKey(row), row.key_id, row.label, row.agent_url, seat, agency, advertiser];
};

/** One for each buyer, however many keys it has. */
export const buyersFound = async (context: SellerContext, wanted: SearchFor): Promise<readonly FoundRecord[]> => {
  const keys = search({
    kind: apiKeyKind,
    createdAtMs: (row) => row.created_at_ms,
    texts: textsOfKey,
    hit: (row) =>
      row.role === "buyer"
        ? { kind: "buyer", id: buyerOfKey(row), name: null, owner: buyerOfKey(row), status: null }
        : null,
  });
  return [...new Map((await keys.byPart(context, wanted)).map((hit) => [hit.id, hit])).values()];
};

export const productById = ({ ports }: SellerContext, q: string): readonly FoundRecord[] =>
  spellings(q)
    .flatMap((id) => ports.catalog.get(id) ?? [])
    .map(({ product_id: id, name }) => ({ kind: "product", id, name, owner: null, status: null }));

/** A catalogue of more products is searched in its first ones alone. */
const mostProducts = 5_000;

export const productsFound = (context: SellerContext, { q, limit }: SearchFor): readonly FoundRecord[] => {
  const { catalog } = context.ports;
  const found: FoundRecord[] = [];
  const page = catalog.page({ inventoryTypes: [], offset: 0, limit: mostProducts });
  for (const { product_id: id, name } of page.products) {
    if (found.length === limit) break;
    if (isFoundIn(q, [id, name])) found.push({ kind: "product", id, name, owner: null, status: null });
  }
  return found;
};

export const recordSearches = [
  approvals,
  deals,
  quotes,
  negotiations,
  orderRecords,
  changes,
  mediaBuys,
  packages,
  webhooks,
] as const;
