import type { AudiencePlan } from "../../../../protocol/audience-plan/schema.ts";
import type { DealParameters, MatchSummary } from "../record.ts";

/** A call to a seller that failed, as the client gives it (see `ClientFailure`). */
export interface SellerFailure {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The parts of an audience plan that the seller cannot serve. */
  readonly unsupported: readonly { readonly path: string; readonly reason: string }[];
}

export type SellerAnswer<T> = { readonly ok: true; readonly value: T } | SellerFailure;

/** A product as the flow needs it. Prices in micros per thousand; null where the caller is shown none. */
export interface OfferedProduct {
  readonly product_id: string;
  readonly name: string;
  readonly publisher: string;
  readonly inventory_type: string;
  readonly deal_types: readonly string[];
  readonly minimum_impressions: number;
  readonly available_impressions: number | null;
  readonly price_micros: number | null;
  readonly currency: string;
  readonly targeting: Readonly<Record<string, unknown>> | null;
  /** False where the seller says that its price is fixed. */
  readonly is_negotiable: boolean;
}

interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

interface BookingRequest {
  readonly quote_id: string;
  readonly notes: string;
  /** Under the id of its content; null books without one. */
  readonly audience_plan: AudiencePlan | null;
}

/** A page of a catalog; `total` null where the seller does not say. */
interface ProductPage {
  readonly products: readonly OfferedProduct[];
  readonly received: number;
  readonly total: number | null;
}

export interface QuoteRequest {
  readonly product_id: string;
  readonly deal_type: string;
  readonly impressions: number;
  readonly flight_start: string;
  readonly flight_end: string;
  readonly target_cpm_micros: number | null;
}

/** The commercial half of a quote or deal, as the seller answered it. A price that is no price is null. */
export interface AnsweredTerms {
  readonly product_id: string;
  readonly deal_type: string;
  readonly cpm_micros: number | null;
  readonly list_cpm_micros: number | null;
  readonly currency: string;
  readonly impressions: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly buyer_tier: string;
  readonly seller_id: string | null;
}

export interface AnsweredQuote extends AnsweredTerms {
  readonly quote_id: string;
  readonly status: string;
  readonly is_available: boolean;
  /** What is left in the flight, where the seller says it. */
  readonly available_impressions: number | null;
  readonly fill_rate: number | null;
  readonly expires_at_ms: number | null;
  readonly deal_id: string | null;
}

export interface AnsweredDeal extends AnsweredTerms {
  readonly deal_id: string;
  readonly quote_id: string | null;
  readonly status: string;
  readonly openrtb_params: DealParameters | null;
  readonly audience_match_summary: MatchSummary | null;
  /** What to enter where, by the name of the buying platform. */
  readonly activation: Readonly<Record<string, string>>;
}

/** What the buyer says about a quote. `subjectId` is the proposal where there is one, else the quote. */
export interface BargainMessage {
  readonly subjectId: string;
  readonly quoteId: string;
  readonly action: "counter" | "accept" | "reject";
  /** Null with a rejection. */
  readonly priceMicros: number | null;
}

/** The seller's answer to a message. A price that is no price is null. */
export interface BargainAnswer {
  readonly action: string;
  readonly sellerMicros: number | null;
}

/** A proposal for a seller that negotiates about proposals only. */
export interface ProposedTerms extends Omit<QuoteRequest, "target_cpm_micros"> {
  readonly quoteId: string;
  readonly priceMicros: number;
}

export interface AnsweredProposal extends BargainAnswer {
  readonly proposalId: string;
}

export interface OrderRequest {
  readonly dealId: string;
  readonly quoteId: string;
  readonly campaignName: string;
}

export interface AnsweredCancellation {
  readonly changeRequestId: string;
  readonly status: string;
}

/** What a call is made for: its job (sent on as request id), and the key that makes a repeated write the same one. */
export interface CallFor {
  readonly jobId: string;
  readonly traceparent: string | null;
  readonly key?: string;
  readonly signal: AbortSignal;
}

/** The sellers as the flow sees them: typed calls, every failure a value, retries and deadlines inside. */
export interface SellerCalls {
  /** Base URLs in the configured order. */
  readonly sellers: readonly string[];
  products(sellerUrl: string, page: PageQuery, of: CallFor): Promise<SellerAnswer<ProductPage>>;
  quote(sellerUrl: string, request: QuoteRequest, of: CallFor): Promise<SellerAnswer<AnsweredQuote>>;
  readQuote(sellerUrl: string, quoteId: string, of: CallFor): Promise<SellerAnswer<AnsweredQuote>>;
  book(sellerUrl: string, booking: BookingRequest, of: CallFor): Promise<SellerAnswer<AnsweredDeal>>;
  readDeal(sellerUrl: string, dealId: string, of: CallFor): Promise<SellerAnswer<AnsweredDeal>>;
  bargain(sellerUrl: string, message: BargainMessage, of: CallFor): Promise<SellerAnswer<BargainAnswer>>;
  propose(sellerUrl: string, terms: ProposedTerms, of: CallFor): Promise<SellerAnswer<AnsweredProposal>>;
  order(sellerUrl: string, order: OrderRequest, of: CallFor): Promise<SellerAnswer<{ readonly orderId: string }>>;
  cancelOrder(
    sellerUrl: string,
    order: { readonly orderId: string; readonly reason: string },
    of: CallFor,
  ): Promise<SellerAnswer<AnsweredCancellation>>;
  readCancellation(
    sellerUrl: string,
    changeRequestId: string,
    of: CallFor,
  ): Promise<SellerAnswer<AnsweredCancellation>>;
}
