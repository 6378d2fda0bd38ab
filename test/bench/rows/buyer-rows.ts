import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import { sellerDealKind, type SellerDealRow } from "../../../skills/buyer/seller-deals/record.ts";
import { sellerSessionKind, type SellerSessionRow } from "../../../skills/buyer/seller-sessions/record.ts";
import { type Listed, listedRows } from "./listed.ts";

const often = "http://127.0.0.1:9001";
const seldom = "http://127.0.0.1:9002";

const dealRow: SellerDealRow = {
  seller_url: often,
  quote_id: "qt-bench",
  deal_id: null,
  status: "quoted",
  product_id: "prod-common",
  product_name: "Bench",
  deal_type: "PD",
  cpm_micros: 10_000_000,
  currency: "USD",
  impressions: 1_000_000,
  flight_start: "2037-03-01",
  flight_end: "2037-03-31",
  buyer_tier: "agency",
  expires_at: null,
  job_id: null,
  created_at_ms: Date.now(),
  updated_at_ms: Date.now(),
};

const deals = listedRows<SellerDealRow>(sellerDealKind, {
  agent: "buyer",
  filters: {
    status: { common: "quoted", rare: "booked" },
    seller_url: { common: often, rare: seldom },
    deal_type: { common: "PD", rare: "PA" },
    q: { common: "bench", rare: "seldom" },
  },
  first: () => Promise.resolve(dealRow),
  like: (row, id, isRare) => ({
    ...row,
    quote_id: id,
    seller_url: isRare ? seldom : often,
    status: isRare ? "booked" : "quoted",
    deal_type: isRare ? "PA" : "PD",
    product_name: isRare ? "Seldom" : "Bench",
  }),
});

const sessions = listedRows<SellerSessionRow>(sellerSessionKind, {
  agent: "buyer",
  first: () =>
    Promise.resolve({ session_id: "", seller_url: often, created_at_ms: Date.now(), expires_at_ms: Date.now() + 1e9 }),
  like: (row, id) => ({ ...row, session_id: id, seller_url: `https://${id}.example` }),
});

const events = listedRows<EventRow>(eventKind, {
  agent: "buyer",
  filters: {
    event_type: { common: "quote.received", rare: "deal.booked" },
    flow_id: { common: "flow-common", rare: "flow-rare" },
    session_id: { common: "session-common", rare: "session-rare" },
    deal_id: { common: "deal-common", rare: "deal-rare" },
    reversed: { common: false, rare: true },
  },
  first: () =>
    Promise.resolve({
      event_type: "quote.received",
      timestamp: new Date().toISOString(),
      owner: "host",
      payload: {},
    }),
  like: (row, _id, isRare) => ({
    ...row,
    event_type: isRare ? "deal.booked" : "quote.received",
    flow_id: isRare ? "flow-rare" : "flow-common",
    session_id: isRare ? "session-rare" : "session-common",
    deal_id: isRare ? "deal-rare" : "deal-common",
  }),
});

/** The buyer's lists; those whose names the seller has too are told apart by the agent. */
export const buyerRows: Readonly<Record<string, Listed>> = {
  "buyer/list_deals": deals,
  "buyer/list_events": events,
  list_seller_sessions: sessions,
};
