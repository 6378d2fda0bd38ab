import type { AudiencePlan } from "../../../../protocol/audience-plan/schema.ts";
import type { SellerCallFailure } from "../../seller-door.ts";
import type { AskedSeller, DealParameters, MatchSummary } from "../record.ts";

export type BookingCallFailure = Pick<SellerCallFailure, "ok" | "status" | "code" | "detail" | "unsupported">;

export type BookingCallResult<T> = { readonly ok: true; readonly value: T } | BookingCallFailure;

/** Prices in micros per thousand; null where none is shown. */
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
  /** False where the seller calls its price fixed. */
  readonly is_negotiable: boolean;
  /** Of a package: the inventory types that it holds. */
  readonly part_types?: readonly string[];
}

/** Of a media kit; quoted and booked by its own id. */
export interface OfferedPackage extends Pick<
  OfferedProduct,
  "name" | "deal_types" | "price_micros" | "currency" | "targeting" | "is_negotiable"
> {
  readonly package_id: string;
  readonly product_ids: readonly string[];
}

interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

/** What is bought, for a seller that books lines instead of quotes. */
interface LineTerms extends Omit<QuoteRequest, "target_cpm_micros"> {
  readonly cpmMicros: number;
  readonly costCents: number;
  readonly productName: string;
  readonly campaignName: string;
}

export interface BookingRequest {
  readonly quote_id: string;
  readonly notes: string;
  readonly terms: LineTerms;
  /** Null books without a plan. */
  readonly audience_plan: AudiencePlan | null;
  /** An earlier attempt may have reached the seller. */
  readonly isRepeat: boolean;
}

/** The seller has not bought yet and says later whether it does. */
export interface HeldBuy {
  readonly task_id: string;
  readonly message: string | null;
}

export type BuyAnswer = AnsweredDeal | HeldBuy;

export const isHeldBuy = (answer: BuyAnswer): answer is HeldBuy => "task_id" in answer;

/** `total` is null where the seller does not say. */
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

/** As the seller answered; an unusable price is null. */
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
  /** Remaining in the flight. */
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
  /** What to enter where, by buying platform. */
  readonly activation: Readonly<Record<string, string>>;
  /** Set where the order was made with the deal. */
  readonly order_id?: string;
  /** Null or missing where the seller does not state it. */
  readonly cost_cents?: number | null;
}

/** `subjectId` is the proposal where there is one, else the quote. */
export interface BargainMessage {
  readonly subjectId: string;
  readonly quoteId: string;
  readonly action: "counter" | "accept" | "reject";
  /** Null with a rejection. */
  readonly priceMicros: number | null;
}

/** An unusable price is null. */
export interface BargainAnswer {
  readonly action: string;
  readonly sellerMicros: number | null;
}

/** For a seller that negotiates proposals only. */
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

/** `reason`: why the seller refused it. */
export interface AnsweredCancellation {
  readonly changeRequestId: string;
  readonly status: string;
  readonly reason: string | null;
}

/** How a deal stands at its seller; `awaitsApproval` is null where the seller does not say. */
export interface DealNews {
  readonly status: string;
  readonly reason: string | null;
  readonly awaitsApproval: boolean | null;
  readonly cpm_micros: number | null;
  readonly impressions: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
}

/** The job goes out as request id; the key makes a repeated write the same one. */
export interface CallFor {
  readonly jobId: string;
  readonly traceparent: string | null;
  readonly key?: string;
  readonly signal: AbortSignal;
  /** Sent at most once: the seller does not know a repeat by its key. */
  readonly isOnce?: boolean;
}

/** Of one seller, which `sellerUrl` names. Every failure is a value; retries and deadlines are inside. */
export interface OneSellerCalls {
  products(sellerUrl: string, page: PageQuery, of: CallFor): Promise<BookingCallResult<ProductPage>>;
  /** Those of the media kit that this buyer may have quoted. */
  packages(sellerUrl: string, words: string, of: CallFor): Promise<BookingCallResult<readonly OfferedPackage[]>>;
  quote(sellerUrl: string, request: QuoteRequest, of: CallFor): Promise<BookingCallResult<AnsweredQuote>>;
  readQuote(sellerUrl: string, quoteId: string, of: CallFor): Promise<BookingCallResult<AnsweredQuote>>;
  book(sellerUrl: string, booking: BookingRequest, of: CallFor): Promise<BookingCallResult<BuyAnswer>>;
  /** How a buy that was held stands. A refusal is the seller's no. */
  readHeld(
    sellerUrl: string,
    held: { readonly taskId: string; readonly booking: BookingRequest },
    of: CallFor,
  ): Promise<BookingCallResult<BuyAnswer>>;
  /** What an earlier call under the same key bought; null where that is not known. */
  findBooking(sellerUrl: string, booking: BookingRequest, of: CallFor): Promise<BookingCallResult<BuyAnswer> | null>;
  bargain(sellerUrl: string, message: BargainMessage, of: CallFor): Promise<BookingCallResult<BargainAnswer>>;
  propose(sellerUrl: string, terms: ProposedTerms, of: CallFor): Promise<BookingCallResult<AnsweredProposal>>;
  /** `orderId` names the deal where sellers keep it as a line. */
  readDeal(
    sellerUrl: string,
    deal: { readonly dealId: string; readonly orderId: string | null },
    of: CallFor,
  ): Promise<BookingCallResult<DealNews>>;
  order(sellerUrl: string, order: OrderRequest, of: CallFor): Promise<BookingCallResult<{ readonly orderId: string }>>;
  cancelOrder(
    sellerUrl: string,
    order: { readonly orderId: string; readonly dealId: string; readonly reason: string },
    of: CallFor,
  ): Promise<BookingCallResult<AnsweredCancellation>>;
  readCancellation(
    sellerUrl: string,
    changeRequestId: string,
    of: CallFor,
  ): Promise<BookingCallResult<AnsweredCancellation>>;
}

export interface SellerCalls extends OneSellerCalls {
  /** The configured ones, then those that a registry lists for any of the types. */
  findSellers(inventoryTypes: readonly string[]): Promise<readonly AskedSeller[]>;
}
