import { dealKind, type DealRow } from "../../../skills/seller/deals/record.ts";
import { negotiationKind, type NegotiationRow } from "../../../skills/seller/negotiation/record.ts";
import { quoteKind, type QuoteRow } from "../../../skills/seller/pricing/record.ts";
import { proposalKind, type ProposalRow } from "../../../skills/seller/proposals/record.ts";
import { type Listed, listedRows, newest } from "./listed.ts";

const wish = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 1_000_000,
  flight_start: "2037-03-01",
  flight_end: "2037-03-31",
};

const productOf = (isRare: boolean): Pick<QuoteRow, "product"> => ({
  product: { product_id: isRare ? "prod-rare" : "prod-common", name: "Bench", inventory_type: "ctv" },
});

const owned = { buyer: { common: "agency:agency-bench", rare: "agency:rare" } };
const onProduct = { product_id: { common: "prod-common", rare: "prod-rare" } };
const ownerOf = (isRare: boolean) => ({ owner: isRare ? "agency:rare" : "agency:agency-bench" });

const quotes = listedRows<QuoteRow>(quoteKind, {
  filters: {
    status: { common: ["declined"], rare: ["booked"] },
    ...onProduct,
    ...owned,
    created_from: { common: "2026-01-01", rare: "2099-01-01" },
    created_to: { common: "2099-01-01", rare: "2026-01-01" },
    q: { common: "bench", rare: "row-00000001" },
    sort: { common: "created", rare: "price" },
    reversed: { common: false, rare: true },
    with_counts: { common: false, rare: true },
  },
  first: async ({ call, store }) => {
    await call("request_quote", wish);
    return newest(store, quoteKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    ...productOf(isRare),
    ...ownerOf(isRare),
    quote_id: id,
    life: { ...row.life, value: isRare ? "booked" : "declined" },
  }),
});

const deals = listedRows<DealRow>(dealKind, {
  filters: {
    status: { common: ["active"], rare: ["completed"] },
    deal_type: { common: "PG", rare: "PA" },
    ...onProduct,
    ...owned,
    flight_from: { common: "2037-03-01", rare: "2037-05-01" },
    flight_to: { common: "2037-03-31", rare: "2037-04-30" },
    created_from: { common: "2026-01-01", rare: "2099-01-01" },
    created_to: { common: "2099-01-01", rare: "2026-01-01" },
    q: { common: "bench", rare: "row-00000001" },
    sort: { common: "created", rare: "value" },
    reversed: { common: false, rare: true },
    with_counts: { common: false, rare: true },
    waiting: { common: false, rare: true },
    awaiting_approval: { common: false, rare: true },
  },
  first: async ({ call, store }) => {
    const { quote_id } = await call("request_quote", wish);
    await call("book_deal", { quote_id });
    return newest(store, dealKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    ...productOf(isRare),
    ...ownerOf(isRare),
    deal_id: id,
    deal_type: isRare ? "PA" : "PG",
    life: { ...row.life, value: isRare ? "completed" : "active" },
  }),
});

const proposals = listedRows<ProposalRow>(proposalKind, {
  filters: { status: { common: ["accepted"], rare: ["failed"] }, ...onProduct, ...owned },
  first: async ({ call, store }) => {
    const { flight_start: start_date, flight_end: end_date, ...terms } = wish;
    await call("submit_proposal", { ...terms, start_date, end_date, price: 40 });
    return newest(store, proposalKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    ...productOf(isRare),
    ...ownerOf(isRare),
    proposal_id: id,
    life: { ...row.life, value: isRare ? "failed" : "accepted" },
  }),
});

const negotiations = listedRows<NegotiationRow>(negotiationKind, {
  filters: {
    status: { common: ["rejected"], rare: ["accepted"] },
    waiting: { common: false, rare: true },
    ...onProduct,
    ...owned,
  },
  first: async ({ call, store }) => {
    const { quote_id } = await call("request_quote", wish);
    await call("negotiate", { quote_id, action: "counter", buyer_price: 20 });
    return newest(store, negotiationKind);
  },
  like: (row, id, isRare) => ({
    ...row,
    ...productOf(isRare),
    ...ownerOf(isRare),
    negotiation_id: id,
    life: { ...row.life, value: isRare ? "accepted" : "rejected" },
  }),
});

export const portfolioRows: Readonly<Record<string, Listed>> = {
  list_deals: deals,
  list_quotes: quotes,
  list_proposals: proposals,
  list_negotiations: negotiations,
};
