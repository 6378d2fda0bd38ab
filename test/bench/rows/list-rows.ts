import { buyerOperations } from "../../../agents/buyer/operations.ts";
import { sellerOperations } from "../../../agents/seller/operations.ts";
import { newDelivery } from "../../../machines/webhook-delivery/machine.ts";
import { create } from "../../../protocol/seam/changes.ts";
import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import { pageInput } from "../../../protocol/seam/paging.ts";
import { bookingKind, type BookingRow } from "../../../skills/buyer/bookings/record.ts";
import { operatorKeyKind, type OperatorKeyRow } from "../../../skills/buyer/operator-keys/record.ts";
import { changeRequestKind, type ChangeRequestRow } from "../../../skills/seller/change-requests/record.ts";
import { handoverKind, type HandoverRow } from "../../../skills/seller/handovers/record.ts";
import { orderKind, type OrderRow } from "../../../skills/seller/orders/record.ts";
import { contextInput } from "../../../skills/seller/packages/contract.ts";
import { packageKind, type PackageRow } from "../../../skills/seller/packages/record.ts";
import { agentKind, type AgentRow } from "../../../skills/seller/registry/record.ts";
import { apiKeyKind, type ApiKeyRow } from "../../../skills/seller/api-keys/record.ts";
import { approvalKind, type ApprovalRow } from "../../../skills/seller/approvals/record.ts";
import { sessionKind, type SessionRow } from "../../../skills/seller/sessions/record.ts";
import {
  deliveryKind,
  type DeliveryRow,
  webhookKind,
  type WebhookRow,
} from "../../../skills/seller/webhooks/record.ts";
import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import { agentRow } from "../../skills/agent-row.ts";
import { type Listed, listedProducts, listedRows, newest } from "./listed.ts";
import { buyerRows } from "./buyer-rows.ts";
import { conversationRows } from "./conversation-rows.ts";
import { mediaBuyRows } from "./media-buy-rows.ts";
import { portfolioRows } from "./portfolio-rows.ts";
import { type ListSide, openBuyer, openSeller } from "../seller-side.ts";

const orders = listedRows<OrderRow>(orderKind, {
  filters: { status: { common: "draft", rare: "booked" } },
  first: async ({ call, store }) => {
    await call("create_order", {});
    return newest(store, orderKind);
  },
  like: (row, id, isRare) => ({ ...row, order_id: id, life: { ...row.life, value: isRare ? "booked" : "draft" } }),
});

const changeRequests = listedRows<ChangeRequestRow>(changeRequestKind, {
  filters: {
    order_id: { common: "ORD-COMMON", rare: "ORD-RARE" },
    status: { common: "pending_approval", rare: "failed" },
  },
  first: async ({ call, store }) => {
    const order = await call("create_order", {});
    await call("create_change_request", { order_id: order["order_id"], change_type: "targeting" });
    return newest(store, changeRequestKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    change_request_id: id,
    order_id: isRare ? "ORD-RARE" : "ORD-COMMON",
    life: { ...row.life, value: isRare ? "failed" : "pending_approval" },
  }),
});

const handovers = listedRows<HandoverRow>(handoverKind, {
  filters: { open: { common: false, rare: true } },
  first: async ({ call, store }) => {
    await call("request_handover", { words: "May I talk to a person?" });
    return newest(store, handoverKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    handover_id: id,
    life: isRare
      ? row.life
      : {
          ...row.life,
          value: "answered",
          context: { ...row.life.context, answer: { text: "Yes", by: "host", atMs: 0 } },
        },
  }),
});

const sessions = listedRows<SessionRow>(sessionKind, {
  filters: {
    buyer_key: { common: "agency:agency-bench", rare: "agency:rare" },
    status: { common: "active", rare: "closed" },
  },
  first: async ({ call, store }) => {
    await call("create_session", {});
    return newest(store, sessionKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    session_id: id,
    buyer_key: isRare ? "agency:rare" : "agency:agency-bench",
    life: { ...row.life, value: isRare ? "closed" : "active" },
  }),
});

const events = listedRows<EventRow>(eventKind, {
  filters: {
    event_type: { common: "session.created", rare: "deal.created" },
    flow_id: { common: "flow-common", rare: "flow-rare" },
    session_id: { common: "session-common", rare: "session-rare" },
    deal_id: { common: "DEMO-COMMON", rare: "DEMO-RARE" },
    owner: { common: "agency:agency-bench", rare: "agency:rare" },
    since: { common: "2026-01-01", rare: "2099-01-01" },
    until: { common: "2099-01-01", rare: "2026-01-01" },
    with_counts: { common: false, rare: true },
    reversed: { common: false, rare: true },
  },
  first: async ({ call, store }) => {
    await call("create_session", {});
    return newest(store, eventKind);
  },
  like: (row, _id, isRare) => ({
    ...row,
    event_type: isRare ? "deal.created" : "session.created",
    flow_id: isRare ? "flow-rare" : "flow-common",
    session_id: isRare ? "session-rare" : "session-common",
    deal_id: isRare ? "DEMO-RARE" : "DEMO-COMMON",
  }),
});

const [mostOnSale, rareOnSale] = [1_000, 5];

const audience = (isRare: boolean): PackageRow["audience_capabilities"] => ({
  standard_segment_ids: isRare ? [] : ["3-1", "3-2"],
  standard_taxonomy_version: "1.1",
  contextual_segment_ids: isRare ? ["IAB1-1"] : [],
  contextual_taxonomy_version: "3.1",
  agentic_capabilities: null,
});

const packageFilters = {
  layer: { common: "curated", rare: "dynamic" },
  featured_only: { common: true, rare: true },
  audience_type: { common: "standard", rare: "contextual" },
  audience_id: { common: "3-1", rare: "IAB1-1" },
  audience_taxonomy_version: { common: "1.1", rare: "3.1" },
};

const firstPackage = async ({ host, store }: ListSide): Promise<PackageRow> => {
  await host("sync_packages", {});
  return newest(store, packageKind);
};

const packagesIn = (filters: Listed["filters"], rareStatus: PackageRow["status"]): Listed =>
  listedRows<PackageRow>(packageKind, {
    filters,
    first: firstPackage,
    like: (row, id, isRare) => ({
      ...row,
      package_id: id,
      layer: isRare ? "dynamic" : "curated",
      is_featured: true,
      status: isRare ? rareStatus : "active",
      audience_capabilities: audience(isRare),
    }),
  });

const mediaKit = packagesIn({}, "archived");

/** A search sees active packages only, whose number is limited; the rest are archived. */
const packagesOnSale = listedRows<PackageRow>(packageKind, {
  filters: {
    query: { common: "broadcast", rare: "3-1" },
    audience_filter: { common: { audience_type: "standard" }, rare: { audience_type: "contextual" } },
  },
  first: firstPackage,
  like: (row, id, _isRare, place) => ({
    ...row,
    package_id: id,
    audience_capabilities: audience(place < rareOnSale),
    status: place < mostOnSale ? "active" : "archived",
  }),
});

const firstApproval = async ({ agent, store }: ListSide): Promise<ApprovalRow> => {
  const admission = agent.runner.admit({ apiKey: null, authorization: null, address: "127.0.0.1" });
  const input = () => ({ input: { seat_id: "seat-asking" } });
  await agent.runner.run({ operation: "create_api_key", door: "rest", admission, requestId: "bench", input });
  return newest(store, approvalKind);
};

const approvals = listedRows<ApprovalRow>(approvalKind, {
  first: firstApproval,
  like: (row, id, isRare) => ({
    ...row,
    approval_id: id,
    life: { ...row.life, value: isRare ? "approved" : "pending" },
  }),
});

const apiKeys = listedRows<ApiKeyRow>(apiKeyKind, {
  filters: { buyer: { common: "agency:common", rare: "agency:rare" } },
  first: ({ store }) => newest(store, apiKeyKind),
  like: (row, id, isRare) => ({
    ...row,
    key_id: id,
    secret_sha256: id,
    identity: { ...row.identity, advertiser_id: null, agency_id: isRare ? "rare" : "common" },
    life: { ...row.life, context: { ...row.life.context, verified: true } },
  }),
});

const buyers = listedRows<ApiKeyRow>(apiKeyKind, {
  filters: { q: { common: "common", rare: "rare" }, verified: { common: true, rare: false } },
  first: ({ store }) => newest(store, apiKeyKind),
  like: (row, id, isRare) => ({
    ...row,
    key_id: id,
    secret_sha256: id,
    role: "buyer",
    label: isRare ? "rare" : "common",
    identity: { ...row.identity, agency_id: id },
    life: { ...row.life, context: { ...row.life.context, verified: !isRare } },
  }),
});

const agents = listedRows<AgentRow>(agentKind, {
  filters: {
    agent_type: { common: "buyer", rare: "data_provider" },
    trust_status: { common: "registered", rare: "blocked" },
  },
  first: () => Promise.resolve(agentRow("", "https://agent.example", "registered")),
  like: (row, id, isRare) => ({
    ...row,
    agent_id: id,
    url: `https://${id}.example`,
    agent_type: isRare ? "data_provider" : "buyer",
    trust_status: isRare ? "blocked" : "registered",
  }),
});

const webhookId = "whk-bench";

const webhookRow: WebhookRow = {
  webhook_id: webhookId,
  owner: "agency:agency-bench",
  owners: ["agency:agency-bench"],
  sees_all: false,
  key_id: null,
  url: "https://receiver.example/events",
  event_types: ["deal.created"],
  secret: "none",
  created_at_ms: Date.now(),
};

const webhooks = listedRows<WebhookRow>(webhookKind, {
  first: () => Promise.resolve(webhookRow),
  like: (row, id) => ({ ...row, webhook_id: id }),
});

const deliveries = listedRows<DeliveryRow>(deliveryKind, {
  fixed: { webhook_id: webhookId },
  filters: { status: { common: "delivered", rare: "pending" } },
  first: async ({ store }) => {
    await store.commit({ changes: [create(webhookKind, webhookId, webhookRow)], audit: null });
    return {
      delivery_id: "",
      webhook_id: webhookId,
      owner: webhookRow.owner,
      event_id: "event",
      event_type: "deal.created",
      created_at_ms: Date.now(),
      last_status: 200,
      last_error: null,
      life: newDelivery(Date.now()),
    };
  },
  like: (row, id, isRare) => ({
    ...row,
    delivery_id: id,
    life: { ...row.life, value: isRare ? "pending" : "delivered" },
  }),
});

const bookings = listedRows<BookingRow>(bookingKind, {
  agent: "buyer",
  filters: { status: { common: "completed", rare: "failed" }, q: { common: "bench", rare: "row-00000001" } },
  first: async ({ host, store }) => {
    const brief = {
      name: "Bench",
      objectives: ["reach"],
      budget: 1_000,
      start_date: "2037-03-01",
      end_date: "2037-03-31",
      target_audience: { geography: ["US"] },
      channels: ["ctv"],
    };
    await host("create_booking", { brief });
    return newest(store, bookingKind);
  },
  like: (row, id, isRare) => ({ ...row, job_id: id, life: { ...row.life, value: isRare ? "failed" : "completed" } }),
});

const operatorKeys = listedRows<OperatorKeyRow>(operatorKeyKind, {
  agent: "buyer",
  first: async ({ host, store }) => {
    await host("create_operator_key", { label: "bench" });
    return newest(store, operatorKeyKind);
  },
  like: (row, id) => ({ ...row, key_id: id, secret_sha256: id }),
});

const products = listedProducts(defaultProducts, {});

const inventory = listedProducts(defaultProducts, {
  query: { common: "what does display cost?", rare: "which ctv, video and native impressions are available?" },
  filters: { common: {}, rare: { inventory_type: "ctv" } },
  flight_start: { common: "2037-03-01", rare: "2037-05-01" },
  flight_end: { common: "2037-05-31", rare: "2037-06-30" },
});

const approvalHistory = listedRows<ApprovalRow>(approvalKind, {
  filters: {
    status: { common: ["approved"], rare: ["rejected"] },
    flow_type: { common: ["api_key"], rare: ["deal"] },
    decided_by: { common: "nobody", rare: "somebody" },
    since: { common: "2026-01-01", rare: "2099-01-01" },
    until: { common: "2099-01-01", rare: "2026-01-01" },
    q: { common: "row-", rare: "row-00000001" },
    sort: { common: "created", rare: "value" },
  },
  first: firstApproval,
  like: (row, id, isRare) => ({
    ...row,
    approval_id: id,
    flow_type: isRare ? "deal" : "api_key",
    life: { ...row.life, value: isRare ? "rejected" : "approved" },
  }),
});

const auditRecords = (openSide: () => Promise<ListSide>): Listed => ({
  fixed: {},
  filters: {
    actor: { common: "key:common", rare: "key:rare" },
    by: { common: "buyer", rare: "person" },
    operation: { common: "book_deal", rare: "sync_packages" },
    record_id: { common: "common", rare: "rare" },
    since: { common: "2026-01-01", rare: "2099-01-01" },
    until: { common: "2099-01-01", rare: "2026-01-01" },
    reversed: { common: false, rare: true },
  },
  open: async (count) => {
    const side = await openSide();
    const entry = { at: "2026-11-01T00:00:00.000Z", request_id: "bench", door: "rest" };
    const rareAt = count >> 1;
    for (let place = 0; place < count; place += 1) {
      const isRare = place === rareAt;
      const who = isRare ? "key:rare" : "key:common";
      const operation = isRare ? "sync_packages" : "book_deal";
      const changed = [{ kind: "deal", id: who.slice("key:".length), field: "status", from: "proposed", to: "active" }];
      await side.store.commit({ changes: [], audit: { ...entry, operation, principal: who, changed } });
    }
    return side;
  },
});

export const listed: Readonly<Record<string, Listed>> = {
  list_products: products,
  discover_inventory: inventory,
  list_orders: orders,
  list_change_requests: changeRequests,
  list_handovers: handovers,
  list_sessions: sessions,
  list_events: events,
  list_packages: packagesIn({ ...packageFilters, status: { common: "active", rare: "draft" } }, "draft"),
  get_media_kit: mediaKit,
  list_media_kit_packages: packagesIn(packageFilters, "active"),
  search_media_kit: packagesOnSale,
  list_pending_approvals: approvals,
  list_approvals: approvalHistory,
  ...portfolioRows,
  ...mediaBuyRows,
  ...buyerRows,
  ...conversationRows,
  list_api_keys: apiKeys,
  list_audit: auditRecords(() => openSeller(0)),
  "buyer/list_audit": auditRecords(openBuyer),
  list_buyers: buyers,
  list_buyer_agents: agents,
  list_webhooks: webhooks,
  list_webhook_deliveries: deliveries,
  list_bookings: bookings,
  list_operator_keys: operatorKeys,
};

const membersOf = (contract: Contract): readonly string[] =>
  Object.keys((contract.input as { shape?: object }).shape ?? {});

export const filtersOf = (contract: Contract): readonly string[] =>
  membersOf(contract).filter((member) => !(member in pageInput) && !(member in contextInput));

interface NamedList {
  readonly name: string;
  readonly contract: Contract;
}

const sellerNames = new Set<string>(sellerOperations.map(({ contract }) => contract.name));

/** The operations of both agents that answer a page of the agent's own rows. */
export const lists: readonly NamedList[] = [
  ...sellerOperations.map(({ contract }) => ({ name: contract.name, contract })),
  ...buyerOperations.map(({ contract }) => ({
    name: sellerNames.has(contract.name) ? `buyer/${contract.name}` : contract.name,
    contract,
  })),
].filter(
  ({ contract }) =>
    contract.effect === "read" && contract.tool?.openWorld !== true && membersOf(contract).includes("limit"),
);

/** Lists without rows or filters in the table cannot be measured. */
export const listsLeftOut = (): readonly string[] =>
  lists.flatMap(({ name, contract }) => {
    const rows = listed[name];
    if (rows === undefined) return [`${name}: no rows`];
    const known = new Set([...Object.keys(rows.filters), ...Object.keys(rows.fixed)]);
    return filtersOf(contract).flatMap((member) => (known.has(member) ? [] : [`${name}: no values for ${member}`]));
  });
