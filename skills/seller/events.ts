import { fromMicros } from "../../machines/money.ts";
import type { EventDraft } from "../../protocol/seam/operation.ts";
import type { ApiKeyRow, DealRow, QuoteRow } from "./records.ts";

/** An event of a quote's life (decision 70). It belongs to the quote's owner, whoever caused it. */
export const quoteEvent = (eventType: string, row: QuoteRow): EventDraft => ({
  event_type: eventType,
  flow_id: row.quote_id,
  flow_type: "quote",
  owner: row.owner,
  payload: {
    quote_id: row.quote_id,
    product_id: row.product.product_id,
    deal_type: row.deal_type,
    final_cpm: fromMicros(row.life.context.priceMicros),
    currency: row.pricing.currency,
    impressions: row.impressions,
    status: row.life.value,
  },
});

/** An event of a deal's life (decision 70). It belongs to the deal's owner, whoever caused it. */
export const dealEvent = (eventType: string, row: DealRow): EventDraft => ({
  event_type: eventType,
  flow_id: row.quote_id === "" ? (row.proposal_id ?? "") : row.quote_id,
  flow_type: "deal",
  proposal_id: row.proposal_id ?? "",
  deal_id: row.deal_id,
  owner: row.owner,
  payload: {
    deal_id: row.deal_id,
    quote_id: row.quote_id,
    product_id: row.product.product_id,
    deal_type: row.deal_type,
    final_cpm: fromMicros(row.life.context.terms.priceMicros),
    currency: row.pricing.currency,
    impressions: row.life.context.terms.impressions,
    status: row.life.value,
    status_reason: row.life.context.statusReason,
  },
});

/** A deal that was made of a proposal; readers of this event know its price as `price` (wire contract 7). */
export const registeredEvent = (row: DealRow): EventDraft => {
  const event = dealEvent("deal.registered", row);
  return { ...event, payload: { ...event.payload, price: fromMicros(row.life.context.terms.priceMicros) } };
};

/** An event of a key's life (decision 70). It belongs to the key itself. */
export const apiKeyEvent = (eventType: string, row: ApiKeyRow): EventDraft => ({
  event_type: eventType,
  flow_id: row.key_id,
  flow_type: "api_key",
  owner: `key:${row.key_id}`,
  payload: { key_id: row.key_id, role: row.role, label: row.label, verified: row.life.context.verified },
});
