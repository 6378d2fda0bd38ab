import { fromMicros } from "../../../machines/money.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { DealRow } from "./record.ts";

/** Belongs to the deal's owner, whoever caused it. */
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
    ...(row.life.context.isCancelled === true ? { cancelled: true } : {}),
  },
});

/** Readers of this event expect `price`. */
export const registeredEvent = (row: DealRow): EventDraft => {
  const event = dealEvent("deal.registered", row);
  return { ...event, payload: { ...event.payload, price: fromMicros(row.life.context.terms.priceMicros) } };
};
