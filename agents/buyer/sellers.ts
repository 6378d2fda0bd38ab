import { z } from "zod";
import { toMicros } from "../../machines/money.ts";
import { callContract, type CallOptions, type Client, createClient } from "../../protocol/client/client.ts";
import { boundedText, type ClientResult, failureOf } from "../../protocol/client/client-result.ts";
import { planMediaTypes } from "../../protocol/audience-plan/media-types.ts";
import type { Outbound } from "../../protocol/client/outbound.ts";
import type { AudiencePlan } from "../../protocol/audience-plan/schema.ts";
import { defineContract } from "../../protocol/seam/operation.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import type {
  AnsweredDeal,
  AnsweredQuote,
  AnsweredTerms,
  CallFor,
  OfferedProduct,
  QuoteRequest,
  SellerAnswer,
  SellerCalls,
} from "../../skills/buyer/bookings/flow/ports.ts";
import type { AudienceMatch, DealParameters, MatchSummary } from "../../skills/buyer/bookings/record.ts";
import { bookDeal, type deal, getDeal } from "../../skills/seller/deals/contract.ts";
import { getQuote, type quote, requestQuote } from "../../skills/seller/pricing/contract.ts";
import { listProducts } from "../../skills/seller/products/contract.ts";
import type { BuyerSettings, SellerEndpoint } from "./ports.ts";

export interface SellerCallParts {
  readonly settings: Pick<BuyerSettings, "sellers" | "identity" | "sellerTimeoutSeconds">;
  readonly outbound: Outbound;
  readonly log: Log;
  /** Waits between attempts; tests do not wait. */
  readonly pause?: Client["pause"];
}

/**
 * The seller's product list as this buyer reads it: items are looked at one by one, so that one odd product does not
 * hide a catalog, and a bare list is as good as a page (wire contract 8.6).
 */
const openListing = defineContract({
  ...listProducts,
  output: z.union([
    z.array(z.unknown()).transform((products) => ({ products, total: null })),
    z.looseObject({ products: z.array(z.unknown()), total: z.int().nullish(), total_count: z.int().nullish() }),
  ]),
});

const names = z.array(z.string().max(64)).max(50).nullish();

/** As much of a product as a buyer cannot do without. */
const listedProduct = z.looseObject({
  product_id: z.string().min(1).max(128),
  name: z.string(),
  inventory_type: z.string().max(64).nullish(),
  base_cpm: z.number().nullish(),
  final_cpm: z.number().nullish(),
  currency: z.string().nullish(),
  deal_types: names,
  seller_organization_id: z.string().nullish(),
  audience_targeting: z.record(z.string(), z.unknown()).nullish(),
  content_targeting: z.record(z.string(), z.unknown()).nullish(),
  available_impressions: z.int().min(0).nullish(),
  ext: z
    .looseObject({
      inventory_type: z.string().max(64).nullish(),
      minimum_impressions: z.int().nullish(),
      deal_types: names,
    })
    .nullish(),
});

const shortDealTypes: Readonly<Record<string, string>> = {
  programmaticguaranteed: "PG",
  preferreddeal: "PD",
  privateauction: "PA",
};

const shortOf = (type: string): string =>
  (Object.hasOwn(shortDealTypes, type) ? shortDealTypes[type] : undefined) ?? type;

const dollars = z.literal("USD").nullish();

/** Targeting is shown, never computed with; a seller's essay is not worth keeping in every job. */
const longestTargeting = 4_000;

const targetingOf = (product: z.output<typeof listedProduct>): OfferedProduct["targeting"] => {
  const targeting = { ...product.audience_targeting, ...product.content_targeting };
  const length = JSON.stringify(targeting).length;
  return Object.keys(targeting).length === 0 || length > longestTargeting ? null : targeting;
};

const offeredOf = (item: unknown): OfferedProduct | null => {
  const parsed = listedProduct.safeParse(item);
  if (!parsed.success || !dollars.safeParse(parsed.data.currency).success) return null;
  const product = parsed.data;
  const price = product.final_cpm ?? product.base_cpm ?? null;
  const micros = price === null ? null : toMicros(price);
  return {
    product_id: product.product_id,
    name: boundedText(product.name).slice(0, 200),
    publisher: boundedText(product.seller_organization_id ?? "").slice(0, 200),
    inventory_type: product.ext?.inventory_type ?? product.inventory_type ?? "",
    deal_types: (product.ext?.deal_types ?? product.deal_types ?? []).map(shortOf),
    minimum_impressions: Math.max(0, product.ext?.minimum_impressions ?? 0),
    available_impressions: product.available_impressions ?? null,
    price_micros: micros !== null && micros > 0 ? micros : null,
    currency: "USD",
    targeting: targetingOf(product),
  };
};

const microsOf = (price: number): number | null => {
  const micros = toMicros(price);
  return micros !== null && micros > 0 ? micros : null;
};

const termsOf = (answer: z.output<typeof quote> | z.output<typeof deal>): AnsweredTerms => ({
  product_id: answer.product.product_id,
  deal_type: answer.deal_type,
  cpm_micros: microsOf(answer.pricing.final_cpm),
  list_cpm_micros: microsOf(answer.pricing.base_cpm),
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
    ...termsOf(answer),
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

/** A list of names of the seller, bounded; absent is empty. */
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

const dealOf = (answer: z.output<typeof deal>): AnsweredDeal => ({
  ...termsOf(answer),
  deal_id: answer.deal_id,
  quote_id: answer.quote_id,
  status: answer.status,
  openrtb_params: parametersOf(answer.openrtb_params),
  audience_match_summary: summaryOf(answer.audience_match_summary),
});

const mapped = <T, V>(result: ClientResult<T>, read: (output: T) => V): SellerAnswer<V> =>
  result.ok ? { ok: true, value: read(result.output) } : result;

const optionsOf = (of: CallFor): CallOptions => ({
  requestId: of.jobId,
  signal: of.signal,
  ...(of.traceparent === null ? {} : { traceparent: of.traceparent }),
  ...(of.key === undefined ? {} : { idempotencyKey: of.key }),
});

/** The seller logs the same id with the same quote, so that the two logs settle a dispute (seller spec). */
const planLine = ({ jobId }: CallFor, quoteId: string, plan: AudiencePlan) => ({
  job_id: jobId,
  audience_plan_id: plan.audience_plan_id,
  quote_id: quoteId,
});

const targetOf = (seller: SellerEndpoint): Client["target"] => ({
  baseUrl: seller.url,
  ...(seller.headerType === "api_key" ? { apiKey: seller.key } : { bearer: seller.key }),
});

/** The configured sellers behind the contracts that they publish: one client each, with its own credential. */
export const createSellerCalls = (parts: SellerCallParts): SellerCalls => {
  const { settings, outbound, log, pause } = parts;
  const timeoutMs = settings.sellerTimeoutSeconds * 1000;
  const more = { timeoutMs, ...(pause === undefined ? {} : { pause }) };
  const clients = new Map(
    settings.sellers.map((seller) => [seller.url, createClient({ target: targetOf(seller), outbound, log, ...more })]),
  );
  const hasIdentity = Object.keys(settings.identity).length > 0;
  const identity = hasIdentity ? { buyer_identity: { ...settings.identity } } : {};

  const withClient = async <T>(
    sellerUrl: string,
    ask: (client: Client) => Promise<SellerAnswer<T>>,
  ): Promise<SellerAnswer<T>> => {
    const client = clients.get(sellerUrl);
    if (client !== undefined) return ask(client);
    return failureOf(sellerUrl, 0, "unknown_seller", "The seller is no longer configured in SELLER_ENDPOINTS.");
  };
  const quoteInput = ({ target_cpm_micros, ...request }: QuoteRequest): z.input<typeof requestQuote.input> => ({
    ...request,
    ...identity,
    ...(target_cpm_micros === null ? {} : { target_cpm: target_cpm_micros / 1_000_000 }),
  });

  return {
    sellers: [...clients.keys()],
    products: (url, page, of) =>
      withClient(url, async (client) =>
        mapped(await callContract(client, openListing, page, optionsOf(of)), (answer) => ({
          products: answer.products.map(offeredOf).filter((product) => product !== null),
          received: answer.products.length,
          total: answer.total ?? ("total_count" in answer ? (answer.total_count ?? null) : null),
        })),
      ),
    quote: (url, request, of) =>
      withClient(url, async (client) =>
        mapped(await callContract(client, requestQuote, quoteInput(request), optionsOf(of)), quoteOf),
      ),
    readQuote: (url, quoteId, of) =>
      withClient(url, async (client) =>
        mapped(await callContract(client, getQuote, { quote_id: quoteId }, optionsOf(of)), quoteOf),
      ),
    book: (url, { audience_plan: plan, ...booking }, of) =>
      withClient(url, async (client) => {
        const planned = plan === null ? {} : { audience_plan: plan };
        const options = plan === null ? optionsOf(of) : { ...optionsOf(of), mediaTypes: planMediaTypes };
        if (plan !== null) log.info(planLine(of, booking.quote_id, plan), "deal_booking");
        return mapped(await callContract(client, bookDeal, { ...booking, ...planned, ...identity }, options), dealOf);
      }),
    readDeal: (url, dealId, of) =>
      withClient(url, async (client) =>
        mapped(await callContract(client, getDeal, { deal_id: dealId }, optionsOf(of)), dealOf),
      ),
  };
};
