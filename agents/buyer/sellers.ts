import { z } from "zod";
import { fromMicros } from "../../machines/money.ts";
import { boundedText, failureOf } from "../../protocol/client/client-result.ts";
import { planMediaTypes } from "../../protocol/audience-plan/media-types.ts";
import type { AudiencePlan } from "../../protocol/audience-plan/schema.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type {
  AnsweredDeal,
  AnsweredQuote,
  AnsweredTerms,
  CallFor,
  DealNews,
  OfferedProduct,
  OneSellerCalls,
  BookingCallResult,
  SellerCalls,
} from "../../skills/buyer/bookings/flow/ports.ts";
import type { AudienceMatch, DealParameters, MatchSummary } from "../../skills/buyer/bookings/record.ts";
import { bookDeal, type deal, getDeal } from "../../skills/seller/deals/contract.ts";
import { getQuote, type quote, requestQuote } from "../../skills/seller/pricing/contract.ts";
import { openListing, shortDealType } from "../../skills/buyer/catalog.ts";
import { openKitSearch } from "../../skills/buyer/media-kit/packages.ts";
import { amountOf } from "../../skills/buyer/product-search/rules.ts";
import { type OpenDeal, readsDeal } from "../../skills/buyer/seller-deals/answers.ts";
import type { SellerCall, SellerDoor } from "../../skills/buyer/seller-door.ts";
import type { RegistryClient } from "../../skills/buyer/registry/models.ts";
import { isAdcpWire } from "../../skills/buyer/adcp-tasks.ts";
import { createAdcpCalls } from "./adcp/calls.ts";
import { bySeller } from "./by-seller.ts";
import { createSellerFinder } from "./jobs/finding.ts";
import type { BuyerSettings } from "./config.ts";
import { isUsableId } from "../../skills/buyer/bookings/flow/quotes.ts";
import { catalogItem, createOpenDirectCalls } from "./opendirect/calls.ts";
import { type Ask, mapped, microsOfPrice } from "./jobs/asking.ts";
import { createBargaining } from "./jobs/bargaining.ts";
import { packageOffered } from "./jobs/packages.ts";

export interface SellerCallParts {
  readonly settings: Pick<BuyerSettings, "identity" | "discovers" | "agentUrl" | "openDirect" | "adcp">;
  readonly door: SellerDoor;
  /** Resolves when the sellers that people added are known. */
  readonly addedRead: () => Promise<void>;
  readonly registry: RegistryClient;
  /** After a 401. True: the call may be repeated. */
  readonly renewKey: (sellerUrl: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

const names = z.array(z.string().max(64)).max(50).nullish();

const listedProduct = z.looseObject({
  product_id: z.string().min(1).max(128),
  name: z.string(),
  inventory_type: z.string().max(64).nullish(),
  base_cpm: z.number().nullish(),
  final_cpm: z.number().nullish(),
  /** Sellers of the envelope form write an object. */
  base_price: z.union([z.number(), z.looseObject({ amount_micros: z.int(), currency: z.string() })]).nullish(),
  currency: z.string().nullish(),
  deal_types: names,
  seller_organization_id: z.string().nullish(),
  audience_targeting: z.record(z.string(), z.unknown()).nullish(),
  content_targeting: z.record(z.string(), z.unknown()).nullish(),
  available_impressions: z.int().min(0).nullish(),
  negotiation_enabled: z.boolean().nullish(),
  ext: z
    .looseObject({
      inventory_type: z.string().max(64).nullish(),
      minimum_impressions: z.int().nullish(),
      deal_types: names,
    })
    .nullish(),
});

const dollars = z.literal("USD").nullish();

/** Targeting is only shown; a seller's essay is not worth keeping in every job. */
const longestTargeting = 4_000;

const targetingOf = (product: z.output<typeof listedProduct>): OfferedProduct["targeting"] => {
  const targeting = { ...product.audience_targeting, ...product.content_targeting };
  const length = JSON.stringify(targeting).length;
  return Object.keys(targeting).length === 0 || length > longestTargeting ? null : targeting;
};

const offeredOf = (item: unknown): OfferedProduct | null => {
  const parsed = listedProduct.safeParse(item);
  if (!parsed.success) return null;
  const product = parsed.data;
  const money = typeof product.base_price === "object" ? product.base_price : null;
  if (![product.currency, money?.currency].every((currency) => dollars.safeParse(currency).success)) return null;
  const price = product.final_cpm ?? product.base_cpm ?? amountOf(product.base_price);
  return {
    product_id: product.product_id,
    name: boundedText(product.name).slice(0, 200),
    publisher: boundedText(product.seller_organization_id ?? "").slice(0, 200),
    inventory_type: product.ext?.inventory_type ?? product.inventory_type ?? "",
    deal_types: (product.ext?.deal_types ?? product.deal_types ?? []).map(shortDealType),
    minimum_impressions: Math.max(0, product.ext?.minimum_impressions ?? 0),
    available_impressions: product.available_impressions ?? null,
    price_micros: microsOfPrice(price),
    currency: "USD",
    targeting: targetingOf(product),
    is_negotiable: product.negotiation_enabled !== false,
  };
};

const answeredTerms = (answer: z.output<typeof quote> | z.output<typeof deal>): AnsweredTerms => ({
  product_id: answer.product.product_id,
  deal_type: answer.deal_type,
  cpm_micros: microsOfPrice(answer.pricing.final_cpm),
  list_cpm_micros: microsOfPrice(answer.pricing.base_cpm),
  currency: answer.pricing.currency,
  impressions: answer.terms.impressions ?? null,
  flight_start: answer.terms.flight_start.slice(0, 10),
  flight_end: answer.terms.flight_end?.slice(0, 10) ?? null,
  buyer_tier: boundedText(answer.buyer_tier).slice(0, 50),
  seller_id: typeof answer["seller_id"] === "string" ? boundedText(answer["seller_id"]).slice(0, 200) : null,
});

const wholeOrNull = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

const quoteOf = (answer: z.output<typeof quote>): AnsweredQuote => {
  const expiresAtMs = Date.parse(answer.expires_at);
  return {
    ...answeredTerms(answer),
    quote_id: answer.quote_id,
    status: answer.status,
    is_available: answer.availability?.inventory_available ?? true,
    available_impressions: wholeOrNull(answer.availability?.["available_impressions"]),
    fill_rate: answer.availability?.estimated_fill_rate ?? null,
    expires_at_ms: Number.isNaN(expiresAtMs) ? null : expiresAtMs,
    deal_id: typeof answer["deal_id"] === "string" ? answer["deal_id"] : null,
  };
};

const mostListed = 100;
const longestName = 128;

const namesOf = (listed: readonly string[]): readonly string[] =>
  listed.slice(0, mostListed).map((name) => boundedText(name).slice(0, longestName));

const parametersOf = (params: z.output<typeof deal>["openrtb_params"]): DealParameters | null =>
  params == null
    ? null
    : {
        id: boundedText(params.id).slice(0, longestName),
        bidfloor: params.bidfloor,
        bidfloorcur: boundedText(params.bidfloorcur).slice(0, longestName),
        at: params.at,
        wseat: namesOf(params.wseat),
        wadomain: namesOf(params.wadomain),
      };

const matchOf = ({ match, score }: AudienceMatch): AudienceMatch => ({
  match: boundedText(match).slice(0, longestName),
  score,
});

const summaryOf = (summary: z.output<typeof deal>["audience_match_summary"]): MatchSummary | null => {
  if (summary == null) return null;
  const list = (matches: readonly AudienceMatch[] | null | undefined): readonly AudienceMatch[] =>
    (matches ?? []).slice(0, mostListed).map(matchOf);
  return {
    primary: matchOf(summary.primary),
    constraints: list(summary.constraints),
    extensions: list(summary.extensions),
    exclusions: list(summary.exclusions),
  };
};

const newsOf = (answer: OpenDeal): DealNews => ({
  status: answer.status,
  reason: answer.status_reason ?? null,
  awaitsApproval: answer.awaiting_approval ?? null,
  cpm_micros: answer.pricing.currency === "USD" ? microsOfPrice(answer.pricing.final_cpm) : null,
  impressions: answer.terms.impressions ?? null,
  flight_start: answer.terms.flight_start?.slice(0, 10) ?? null,
  flight_end: answer.terms.flight_end?.slice(0, 10) ?? null,
});

const activationOf = (instructions: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(instructions)
      .slice(0, mostListed)
      .map(([platform, text]) => [boundedText(platform).slice(0, longestName), boundedText(text).slice(0, 500)]),
  );

const dealOf = (answer: z.output<typeof deal>): AnsweredDeal => ({
  ...answeredTerms(answer),
  deal_id: answer.deal_id,
  quote_id: answer.quote_id,
  status: answer.status,
  openrtb_params: parametersOf(answer.openrtb_params),
  audience_match_summary: summaryOf(answer.audience_match_summary),
  activation: activationOf(answer.activation_instructions),
});

const callOf = ({ jobId, traceparent, key, signal, isOnce }: CallFor): SellerCall => ({
  requestId: jobId,
  traceparent,
  signal,
  ...(key === undefined ? {} : { key }),
  ...(isOnce === undefined ? {} : { isOnce }),
});

/** The seller logs the same id and quote, so that the two logs settle a dispute. */
const planLine = ({ jobId }: CallFor, quoteId: string, plan: AudiencePlan) => ({
  job_id: jobId,
  audience_plan_id: plan.audience_plan_id,
  quote_id: quoteId,
});

const mostPackages = 100;

type Send = <I extends z.ZodType, O extends z.ZodType>(
  url: string,
  contract: Contract<I, O>,
  input: z.input<I>,
  of: SellerCall,
) => Promise<BookingCallResult<z.output<O>>>;

const productsOf =
  (ask: Ask, isOpenDirect: boolean): OneSellerCalls["products"] =>
  (url, page, of) =>
    mapped(ask(url, openListing, page, of), (answer) => ({
      products: answer.products
        .map((item) => offeredOf(isOpenDirect ? catalogItem(item) : item))
        .filter((product) => product !== null),
      received: answer.products.length,
      total: answer.total ?? ("total_count" in answer ? (answer.total_count ?? null) : null),
    }));

interface DealParts {
  readonly ask: Ask;
  readonly send: Send;
  readonly identity: { readonly buyer_identity?: BuyerSettings["identity"] };
  readonly log: Log;
}

const createQuoting = ({ ask, identity }: DealParts): Pick<OneSellerCalls, "packages" | "quote" | "readQuote"> => ({
  packages: (url, query, of) =>
    mapped(ask(url, openKitSearch, { query, limit: mostPackages }, of), ({ results }) =>
      results.map(packageOffered).filter((offered) => offered !== null),
    ),
  quote: (url, { target_cpm_micros, ...request }, of) => {
    const target = target_cpm_micros === null ? {} : { target_cpm: fromMicros(target_cpm_micros) };
    return mapped(ask(url, requestQuote, { ...request, ...identity, ...target }, of), quoteOf);
  },
  readQuote: (url, quoteId, of) => mapped(ask(url, getQuote, { quote_id: quoteId }, of), quoteOf),
});

const createDeals = ({ ask, send, identity, log }: DealParts) => {
  const calls: Pick<OneSellerCalls, "book" | "readHeld" | "findBooking" | "readDeal"> = {
    book: (url, { audience_plan: plan, terms: _terms, isRepeat: _isRepeat, ...booking }, of) => {
      const planned = plan === null ? {} : { audience_plan: plan };
      const call = plan === null ? callOf(of) : { ...callOf(of), mediaTypes: planMediaTypes };
      if (plan !== null) log.info(planLine(of, booking.quote_id, plan), "deal_booking");
      return mapped(send(url, bookDeal, { ...booking, ...planned, ...identity }, call), dealOf);
    },
    readHeld: async (url) => failureOf(url, 501, "not_offered", "A deal is booked at once, or waits as a deal."),
    /** The quote is ours alone, so its deal is ours. */
    findBooking: async (url, { quote_id }, of) => {
      const { key: _key, ...read } = of;
      const quote = await mapped(ask(url, getQuote, { quote_id }, read), quoteOf);
      const dealId = quote.ok && quote.value.status === "booked" ? quote.value.deal_id : null;
      if (dealId === null || !isUsableId(dealId)) return null;
      return mapped(ask(url, getDeal, { deal_id: dealId }, read), dealOf);
    },
    readDeal: async (url, { dealId }, of) => {
      const answer = await ask(url, readsDeal, { deal_id: dealId }, of);
      if (!answer.ok) return answer;
      if (answer.value.deal_id === dealId) return { ok: true, value: newsOf(answer.value) };
      return failureOf(url, 0, "invalid_response", "The seller answered another deal.");
    },
  };
  return calls;
};

/** By how each seller is asked: its own tasks where it speaks AdCP, else quotes and deals, or lines of OpenDirect. */
export const createSellerCalls = (parts: SellerCallParts): SellerCalls => {
  const { settings, door, addedRead, registry, renewKey, clock, log } = parts;
  const configured = async (): Promise<readonly string[]> => {
    await addedRead();
    return door.configured;
  };
  const identity = Object.keys(settings.identity).length > 0 ? { buyer_identity: { ...settings.identity } } : {};
  const send: Send = async (url, contract, input, of) => {
    if (!settings.discovers && !door.configured.includes(url)) {
      return failureOf(
        url,
        0,
        "unknown_seller",
        "The seller is no longer among those of this buyer: add_seller, or SELLER_ENDPOINTS.",
      );
    }
    const answer = await door.call(url, contract, input, of);
    const isRenewed = !answer.ok && answer.needsReauth && (await renewKey(url));
    return isRenewed ? door.call(url, contract, input, of) : answer;
  };
  const ask: Ask = (url, contract, input, of) => send(url, contract, input, callOf(of));
  const { account } = settings.openDirect;
  const of: DealParts = { ask, send, identity, log };
  const deals: OneSellerCalls = {
    products: productsOf(ask, account !== null),
    ...(account === null
      ? { ...createQuoting(of), ...createDeals(of), ...createBargaining(ask) }
      : createOpenDirectCalls(ask, account)),
  };
  const adcp = settings.adcp === null ? deals : createAdcpCalls({ ask, buyer: settings.adcp, clock });
  return {
    findSellers: createSellerFinder({ settings, configured, registry }),
    ...bySeller((url) => (isAdcpWire(door.wireOf(url)) ? adcp : deals)),
  };
};
