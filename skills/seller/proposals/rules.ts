import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { isFlightProblem, isOverFlight, resolveFlight, type SoldFlight } from "../../../machines/inventory/flight.ts";
import { toMicros } from "../../../machines/money.ts";
import { lowestPriceMicros, type Price, priceFor } from "../../../machines/pricing/price.ts";
import { mayNegotiate } from "../../../machines/pricing/tiers.ts";
import { checkPricing, type PricingCheck } from "../../../machines/proposal/pricing-check.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import { selectionTerm } from "../../../protocol/seam/selection.ts";
import { type Refusal, isRefusal, refuse, missing } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { freezePlan, unsupportedParts } from "../audience/rules.ts";
import { quoteKind, type QuoteRow, settledQuote } from "../pricing/record.ts";
import { quoteTerm, negotiationKind } from "../negotiation/record.ts";
import { type Heard, heardFromCaller } from "../negotiation/offers.ts";
import { quoteClosedRefusal } from "../negotiation/quote-price.ts";
import { spanOf } from "../inventory.ts";
import { type Sold, soldById } from "../packages/sold.ts";
import type { DealType, Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { dealTypeNamed, dealTypeRefusal, overRefusal, priceQuestion, stockFor } from "../pricing/rules.ts";
import type { EvaluationError } from "./record.ts";

export interface ProposalWish {
  readonly product_id: string;
  readonly deal_type: string;
  readonly price: number;
  readonly impressions: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly currency?: string | null | undefined;
  readonly quote_id?: string | null | undefined;
  readonly audience_plan?: AudiencePlan | null | undefined;
}

export interface CheckedProposal {
  readonly item: Sold;
  readonly dealType: DealType;
  readonly priceMicros: number;
  readonly impressions: number;
  readonly flight: SoldFlight;
  readonly plan: AudiencePlan | null;
  readonly quote: { readonly loaded: Loaded<QuoteRow>; readonly row: QuoteRow } | null;
}

const dealTypeFor = (word: string, item: Product): DealType | Refusal => {
  const dealType = dealTypeNamed(word);
  return dealType !== null && item.deal_types.includes(dealType) ? dealType : dealTypeRefusal(item.deal_types);
};

const flightFor = (wish: ProposalWish, nowMs: number): SoldFlight | Refusal => {
  const flight = resolveFlight({ flightStart: wish.start_date, flightEnd: wish.end_date }, nowMs);
  if (isOverFlight(flight)) return overRefusal(flight);
  if (!isFlightProblem(flight)) return flight;
  const field = flight.field === "flight_start" ? "start_date" : "end_date";
  return fieldRefusal(field, flight.message.replace(/^flight_(start|end)/, field), flight.problem);
};

/** A flight that begins in the past was the same one when the quote was made, with other days left. */
const isFlightOf = (row: QuoteRow, { flightStart, flightEnd, begunOn }: SoldFlight): boolean =>
  row.flight_end === flightEnd &&
  (row.flight_start === flightStart ||
    (begunOn !== undefined && (begunOn === row.flight_start || begunOn === row.begun_on)));

const flightOf = (row: QuoteRow): SoldFlight => ({
  ...spanOf(row.flight_start, row.flight_end),
  flightStart: row.flight_start,
  flightEnd: row.flight_end,
  ...(row.begun_on == null ? {} : { begunOn: row.begun_on }),
});

/** The caller's own, available, with the same terms, never negotiated before. */
const quoteFor = async (
  context: SellerContext,
  quoteId: string,
  terms: Pick<CheckedProposal, "item" | "dealType" | "impressions" | "flight">,
): Promise<NonNullable<CheckedProposal["quote"]> | Refusal> => {
  const loaded = await context.own(quoteKind, quoteId, "quote_not_found");
  const row = settledQuote(loaded.body, context.nowMs);
  const closed = quoteClosedRefusal(row, context.nowMs);
  if (closed !== null) return closed;
  if (row.life.context.openNegotiationId !== null) return refuse("negotiation_open");
  if ((await context.count(negotiationKind, quoteTerm(quoteId))) > 0) return refuse("negotiation_closed");
  const isSame =
    row.product.product_id === terms.item.product_id &&
    row.deal_type === terms.dealType &&
    isFlightOf(row, terms.flight) &&
    (row.impressions === null || row.impressions === terms.impressions);
  if (isSame) return { loaded, row };
  return fieldRefusal("quote_id", "The quote is for other terms. Propose its product, deal type, volume and flight.");
};

/** Rejects before evaluation: nothing is stored. */
export const checkProposal = async (context: SellerContext, wish: ProposalWish): Promise<CheckedProposal | Refusal> => {
  const item = await soldById(context, wish.product_id, slotOfDate(wish.start_date));
  if (item === null) return missing("product_not_found", wish.product_id);
  const dealType = dealTypeFor(wish.deal_type, item);
  if (isRefusal(dealType)) return dealType;
  if (wish.currency != null && wish.currency !== item.currency) {
    const message = `This product is priced in ${item.currency} only.`;
    return refuse("currency_mismatch", { message, extras: { currency: item.currency } });
  }
  const priceMicros = toMicros(wish.price);
  if (priceMicros === null) {
    return fieldRefusal("price", "A price has at most six decimals and is at most 4,000,000,000.");
  }
  const flight = flightFor(wish, context.nowMs);
  if (isRefusal(flight)) return flight;
  const terms = { item, dealType, priceMicros, impressions: wish.impressions, flight };
  const quote = wish.quote_id == null ? null : await quoteFor(context, wish.quote_id, terms);
  if (isRefusal(quote)) return quote;
  const agreed = quote === null ? flight : flightOf(quote.row);
  return { ...terms, flight: agreed, plan: wish.audience_plan ?? null, quote };
};

/** Without `price` the proposal failed for `error`. */
export interface Evaluation {
  readonly check: PricingCheck;
  readonly outcome:
    | { readonly error: EvaluationError }
    | {
        readonly error: null;
        readonly price: Price;
        readonly ceilingMicros: number;
        readonly lowestMicros: number;
        readonly baseMicros: number;
        readonly availableImpressions: number | null;
        /** Null: at the seller's own price, or the buyer does not negotiate. */
        readonly heard: Heard | null;
      };
}

/** Newest first. */
const mostQuotes = 100;

const verify = async (context: SellerContext, asked: CheckedProposal): Promise<PricingCheck> => {
  const terms = [selectionTerm([context.caller.owner, null, asked.item.product_id])];
  const own =
    context.caller.kind === "anonymous"
      ? []
      : await context.list(quoteKind, { terms, order: "newest", limit: mostQuotes });
  const named = asked.quote === null ? [] : [asked.quote.loaded];
  const quotes = [...named, ...own.filter(({ id }) => id !== asked.quote?.loaded.id)]
    .filter(({ body }) => body.life.value !== "declined")
    .map(({ body }) => ({
      quoteId: body.quote_id,
      priceMicros: body.life.context.priceMicros,
      expiresAtMs: body.life.context.expiresAtMs,
    }));
  return checkPricing(asked.priceMicros, asked.item.currency, quotes, context.nowMs);
};

const planError = (context: SellerContext, plan: AudiencePlan | null): EvaluationError | null => {
  const unsupported = plan === null ? [] : unsupportedParts(plan, context.ports.settings.audience);
  if (unsupported.length === 0) return null;
  const parts = unsupported.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
  return { stage: "validate_audience", code: "audience_validation", detail: `Drop what is not sold: ${parts}` };
};

const minimumError = ({ item, impressions }: CheckedProposal): EvaluationError | null =>
  impressions >= item.minimum_impressions
    ? null
    : {
        stage: "check_availability",
        code: "availability",
        detail: `Ask for at least ${item.minimum_impressions} impressions.`,
      };

const unpriced: EvaluationError = {
  stage: "evaluate_pricing",
  code: "pricing",
  detail: "The product has no price. Contact the seller.",
};

/** With less left than asked for, the price is that of what can be offered; never above the quote's. */
export const evaluate = async (context: SellerContext, asked: CheckedProposal): Promise<Evaluation> => {
  const { item, flight } = asked;
  const policy = context.ports.settings.pricing;
  const check = await verify(context, asked);
  const error = planError(context, asked.plan) ?? minimumError(asked);
  if (error !== null) return { check, outcome: { error } };
  const stock = await stockFor(context, item, flight, asked.impressions);
  const impressions = Math.min(asked.impressions, stock.left ?? asked.impressions);
  const question = priceQuestion(context, item, context.tier);
  const price = priceFor({ ...question, impressions }, policy);
  const opening = priceFor(question, policy);
  if (price === null || opening === null) return { check, outcome: { error: unpriced } };
  const quoted = asked.quote?.row.life.context;
  const ceilingMicros = Math.min(price.computedMicros, quoted?.ceilingMicros ?? price.computedMicros);
  const baseMicros = Math.min(quoted?.priceMicros ?? opening.computedMicros, ceilingMicros);
  const lowestMicros = Math.min(lowestPriceMicros(item.floor_cpm_micros, policy), baseMicros);
  const isOffer = asked.priceMicros < baseMicros && mayNegotiate(policy.tiers[context.tier]);
  const heard = isOffer ? await heardFromCaller(context, item.product_id) : null;
  const availableImpressions = stock.left;
  return {
    check,
    outcome: { error: null, price, ceilingMicros, lowestMicros, baseMicros, availableImpressions, heard },
  };
};

/** At the buyer's own price and above the answer is no secret of the seller. */
export const dependsOnPrice = ({ priceMicros }: CheckedProposal, { outcome }: Evaluation): boolean =>
  outcome.error === null && priceMicros < outcome.ceilingMicros;

export const frozenPlan = (plan: AudiencePlan | null): AudiencePlan | null =>
  plan === null ? null : freezePlan(plan).plan;
