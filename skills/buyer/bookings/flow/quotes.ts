import { createHash } from "node:crypto";
import { dateOfSlot, slotOfTime } from "../../../../machines/inventory/dates.ts";
import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import { originOf } from "../../seller-url.ts";
import type { BookingRow, Offer, SupplyFees } from "../record.ts";
import type { AnsweredQuote, AnsweredTerms, OfferedProduct, QuoteRequest, BookingCallFailure } from "./ports.ts";
import { callFor, flowEvent, type FlowSession } from "./session.ts";
import { unitsOrNull } from "../../../../machines/money.ts";

/** Without an error the seller does not sell it so; `refusal` is its code. */
export type Quoted =
  | { readonly ok: true; readonly offer: Offer; readonly events: readonly EventDraft[] }
  | {
      readonly ok: false;
      readonly error: string | null;
      readonly refusal?: string;
      readonly events: readonly EventDraft[];
    };

export interface QuoteFor {
  readonly sellerUrl: string;
  readonly product: OfferedProduct;
  readonly channel: string;
  readonly flight: number;
  readonly request: QuoteRequest;
  /** The expired quote. */
  readonly renews?: string;
}

/** Refusals that mean "not sold on these terms", which is no error. */
const notSold = new Set([
  "below_minimum_impressions",
  "inventory_unavailable",
  "invalid_deal_type",
  "pg_requires_impressions",
  "product_not_found",
  "unpriceable_product",
]);

const detailText = ({ detail, unsupported }: BookingCallFailure): string => {
  const parts = unsupported.slice(0, 10).map(({ path, reason }) => `${path}: ${reason}`);
  return parts.length === 0 ? detail : `${detail} (${parts.join("; ").slice(0, 1_000)})`;
};

export const failureText = (sellerUrl: string, failure: BookingCallFailure): string =>
  failure.code === "connect_error"
    ? `Seller agent unreachable at ${sellerUrl}`
    : `Seller API error ${failure.status} at ${sellerUrl}: ${failure.code} - ${detailText(failure)}`;

/** The same question has the same key, so a resumed job gets the same quotes. */
const quoteKey = ({ job_id: jobId, replans }: BookingRow, of: QuoteFor): string => {
  const again = replans === 0 ? of.renews : [replans, of.renews];
  const question = JSON.stringify([jobId, of.sellerUrl, of.channel, of.flight, of.request, again]);
  return `quote-${createHash("sha256").update(question).digest("base64url")}`;
};

/** Of what was asked for and what was answered; null when they are the same. */
export const differenceOf = (
  pairs: readonly (readonly [name: string, wanted: unknown, got: unknown])[],
): string | null => {
  const wrong = pairs.find(([, wanted, got]) => wanted !== got);
  return wrong === undefined ? null : `${wrong[0]} ${String(wrong[2])} instead of ${String(wrong[1])}`;
};

/** What began is sold from the day of the answer on, so a job that ran over midnight gets a later first day. */
const firstDay = (asked: string, answered: string | null, nowMs: number): string | null =>
  answered !== null && asked < answered && answered <= (dateOfSlot(slotOfTime(nowMs)) ?? "") ? answered : asked;

export const termsDefect = (
  asked: Omit<QuoteRequest, "target_cpm_micros">,
  answered: AnsweredTerms,
  nowMs: number,
): string | null =>
  differenceOf([
    ["product", asked.product_id, answered.product_id],
    ["deal type", asked.deal_type, answered.deal_type],
    ["impressions", asked.impressions, answered.impressions],
    ["flight start", firstDay(asked.flight_start, answered.flight_start, nowMs), answered.flight_start],
    ["flight end", asked.flight_end, answered.flight_end],
    ["currency", "USD", answered.currency],
  ]);

/** Ids stand in URLs, log lines and tables. */
export const isUsableId = (id: string): boolean => /^[\x21-\x7e]{1,128}$/.test(id);

const quoteDefect = (request: QuoteRequest, quote: AnsweredQuote, nowMs: number): string | null => {
  if (!isUsableId(quote.quote_id)) return "no usable quote id";
  if (quote.status !== "available") return `status ${quote.status}`;
  if (quote.cpm_micros === null || quote.cpm_micros <= 0) return "no usable price";
  return termsDefect(request, quote, nowMs);
};

const offerOf = (of: QuoteFor, quote: AnsweredQuote, cpmMicros: number, fees: SupplyFees | undefined): Offer => ({
  channel: of.channel,
  flight: of.flight,
  seller_url: of.sellerUrl,
  seller_id: quote.seller_id,
  product_id: of.product.product_id,
  product_name: of.product.name,
  publisher: of.product.publisher,
  inventory_type: of.product.inventory_type,
  targeting: of.product.targeting,
  minimum_impressions: of.product.minimum_impressions,
  deal_type: quote.deal_type,
  quote_id: quote.quote_id,
  quote_expires_at_ms: quote.expires_at_ms,
  buyer_tier: quote.buyer_tier,
  impressions: of.request.impressions,
  is_available: quote.is_available,
  available_impressions: quote.available_impressions,
  fill_rate: quote.fill_rate,
  list_cpm_micros: quote.list_cpm_micros,
  cpm_micros: cpmMicros,
  is_negotiable: of.product.is_negotiable,
  bargain: null,
  ...(fees === undefined ? {} : { fees }),
});

export const feesOf = ({ policy }: FlowSession, sellerUrl: string): SupplyFees | undefined =>
  policy.fees.get(originOf(sellerUrl));

/** An answer with other terms than asked for is no offer. */
export const askQuote = async (session: FlowSession, of: QuoteFor): Promise<Quoted> => {
  const { sellerUrl, request } = of;
  const job = session.job();
  const { product_id, deal_type, impressions, target_cpm_micros } = request;
  const asked = {
    seller_url: sellerUrl,
    product_id,
    product_name: of.product.name,
    deal_type,
    impressions,
    target_cpm: unitsOrNull(target_cpm_micros),
  };
  const requested = flowEvent(job, "quote.requested", asked);
  const answer = await session.calls.quote(sellerUrl, request, callFor(session, quoteKey(job, of)));
  if (!answer.ok) {
    const { code } = answer;
    const failed = notSold.has(code) ? { error: null, refusal: code } : { error: failureText(sellerUrl, answer) };
    return { ok: false, ...failed, events: [requested] };
  }
  const quote = answer.value;
  const defect = quoteDefect(request, quote, session.nowMs());
  const cpmMicros = quote.cpm_micros;
  if (defect !== null || cpmMicros === null) {
    const error = `The quote of ${sellerUrl} for ${of.product.name} is not what was asked for: ${defect}`;
    return { ok: false, error, events: [requested] };
  }
  const received = flowEvent(job, "quote.received", {
    product_id,
    product_name: of.product.name,
    quote_id: quote.quote_id,
    seller_url: sellerUrl,
    final_cpm: unitsOrNull(cpmMicros),
    buyer_tier: quote.buyer_tier,
    expires_at: quote.expires_at_ms === null ? null : new Date(quote.expires_at_ms).toISOString(),
  });
  const offer = offerOf(of, quote, cpmMicros, feesOf(session, sellerUrl));
  return { ok: true, offer, events: [requested, received] };
};
