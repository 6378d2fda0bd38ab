import { fromMicros } from "../../../machines/money.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { QuoteRow } from "./record.ts";

/** Belongs to the quote's owner, whoever caused it. */
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
