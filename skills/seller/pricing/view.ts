import type { z } from "zod";
import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import { fromMicros } from "../../../machines/money.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { totalCost } from "../words.ts";
import type { PricingRecord } from "../terms.ts";
import type { QuoteRow } from "./record.ts";
import { quoteWords } from "./words.ts";
import type { pricing, quote } from "./contract.ts";

/** The day of a price, under the name that update_product sets it by. */
const dayView = (from: PricingRecord["priced_from"]) => {
  if (from === undefined) return {};
  const day = dateOfSlot(from.slot) ?? "";
  return from.by === "flight" ? { effective_from: day } : { booked_from: day };
};

/** The first day that was asked for, where it was past; nothing else. */
export const begunView = (begunOn: string | null | undefined) =>
  begunOn == null ? {} : { asked_flight_start: begunOn };

export const pricingView = (record: PricingRecord, finalMicros: number): z.input<typeof pricing> => ({
  pricing_type: "fixed",
  base_cpm: fromMicros(record.base_micros),
  tier_discount_pct: record.tier_discount_pct,
  volume_discount_pct: record.volume_discount_pct,
  final_cpm: fromMicros(finalMicros),
  currency: record.currency,
  pricing_model: record.pricing_model,
  rationale: record.rationale,
  ...dayView(record.priced_from),
});

/** Seller spec, Quote. */
export const quoteView = (row: QuoteRow): z.input<typeof quote> => ({
  quote_id: row.quote_id,
  status: row.life.value,
  status_reason: row.status_reason ?? null,
  product: { ...row.product },
  pricing: pricingView(row.pricing, row.life.context.priceMicros),
  terms: {
    impressions: row.impressions,
    flight_start: row.flight_start,
    flight_end: row.flight_end,
    guaranteed: row.deal_type === "PG",
    ...begunView(row.begun_on),
  },
  availability: {
    inventory_available: row.inventory_available,
    available_impressions: row.available_impressions ?? null,
    unlimited: (row.available_impressions ?? null) === null,
    estimated_fill_rate: null,
    competing_demand: null,
  },
  total_cost: totalCost(row.life.context.priceMicros, row.impressions),
  ...quoteWords(row),
  deal_type: row.deal_type,
  buyer_tier: row.tier,
  media_type: row.media_type,
  seller_id: row.seller_id,
  deal_id: row.life.context.dealId,
  expires_at: isoTime(row.life.context.expiresAtMs),
  created_at: isoTime(row.created_at_ms),
  terms_digest: row.terms_digest,
  revision: row.revision,
  sandbox: row.sandbox,
});
