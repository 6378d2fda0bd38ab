/** What one decides by; `get_deal` and its kin show the whole record. */
const who = ["buyer", "buyer_name"];
const words = ["status", "status_text", "next_step"];
const terms = [
  "product.product_id",
  "product.name",
  "deal_type",
  "pricing.final_cpm",
  "pricing.currency",
  "terms.impressions",
  "terms.flight_start",
  "terms.flight_end",
  "total_cost",
];

export const dealRow = [
  "deal_id",
  ...words,
  "cancelled",
  ...terms,
  "changes_waiting",
  ...who,
  "order_ids",
  "delivered_impressions",
  "delivered_spend",
  "data_source",
  "sandbox",
  "created_at",
];

export const quoteRow = ["quote_id", ...words, ...terms, "deal_id", "expires_at", ...who];

export const proposalRow = [
  "proposal_id",
  ...words,
  "product_id",
  "deal_type",
  "price",
  "agreed_price",
  "counter_terms",
  "currency",
  "impressions",
  "total_cost",
  "start_date",
  "end_date",
  "quote_id",
  "negotiation_id",
  "deal_id",
  "bookable_until",
  ...who,
];

export const negotiationRow = [
  "negotiation_id",
  ...words,
  "product_id",
  "product_name",
  "last_buyer_price",
  "last_seller_price",
  "gap",
  "agreed_price",
  "currency",
  "impressions",
  "rounds_remaining",
  "last_offer",
  "quote_id",
  "proposal_id",
  "approval_id",
  "expires_at",
  ...who,
];
