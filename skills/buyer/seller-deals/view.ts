import { createHash } from "node:crypto";
import { costMicros, fromMicros, toMicros } from "../../../machines/money.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import type { OpenDeal, OpenQuote } from "./answers.ts";
import type { SellerDealRow } from "./record.ts";

export const rowIdOf = ({ seller_url, quote_id }: Pick<SellerDealRow, "seller_url" | "quote_id">): string =>
  createHash("sha256").update(`${seller_url}\n${quote_id}`).digest("hex").slice(0, 32);

const dayOf = (text: string | null | undefined): string | null => text?.slice(0, 10) ?? null;

const shownTerms = (answer: OpenQuote | OpenDeal) => ({
  product_id: answer.product.product_id,
  product_name: answer.product.name ?? "",
  deal_type: answer.deal_type,
  cpm_micros: toMicros(answer.pricing.final_cpm),
  currency: answer.pricing.currency,
  impressions: answer.terms.impressions ?? null,
  flight_start: dayOf(answer.terms.flight_start),
  flight_end: dayOf(answer.terms.flight_end),
  buyer_tier: answer.buyer_tier ?? "",
  expires_at: answer.expires_at ?? null,
});

/** A status that only means "open" becomes `quoted`. */
export const quotedRow = (sellerUrl: string, quote: OpenQuote, nowMs: number): SellerDealRow => ({
  seller_url: sellerUrl,
  quote_id: quote.quote_id,
  deal_id: quote.deal_id ?? null,
  status: quote.status === "available" ? "quoted" : quote.status,
  ...shownTerms(quote),
  job_id: null,
  created_at_ms: nowMs,
  updated_at_ms: nowMs,
});

/** `booked` after a booking, the seller's own after a fetch. */
export const dealRow = (sellerUrl: string, deal: OpenDeal, status: string, nowMs: number): SellerDealRow => ({
  seller_url: sellerUrl,
  quote_id: deal.quote_id ?? `deal:${deal.deal_id}`,
  deal_id: deal.deal_id,
  status,
  seller_status: deal.status,
  status_reason: deal.status_reason ?? null,
  ...shownTerms(deal),
  job_id: null,
  created_at_ms: nowMs,
  updated_at_ms: nowMs,
});

const costOf = ({ cpm_micros, impressions }: SellerDealRow): number | null => {
  if (cpm_micros === null || impressions === null) return null;
  const micros = costMicros(cpm_micros, impressions);
  return micros === null ? null : fromMicros(micros);
};

export const dealView = (row: SellerDealRow) => ({
  seller_url: row.seller_url,
  quote_id: row.quote_id.startsWith("deal:") ? null : row.quote_id,
  deal_id: row.deal_id,
  status: row.status,
  seller_status: row.seller_status ?? null,
  status_reason: row.status_reason ?? null,
  product_id: row.product_id,
  product_name: row.product_name,
  deal_type: row.deal_type,
  price: row.cpm_micros === null ? null : fromMicros(row.cpm_micros),
  currency: row.currency,
  impressions: row.impressions,
  value: costOf(row),
  flight_start: row.flight_start,
  flight_end: row.flight_end,
  buyer_tier: row.buyer_tier,
  expires_at: row.expires_at,
  job_id: row.job_id,
  created_at: isoTime(row.created_at_ms),
  updated_at: isoTime(row.updated_at_ms),
});

export type DealView = ReturnType<typeof dealView>;
