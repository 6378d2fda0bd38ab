import { z } from "zod";
import { dealTypes } from "../products/record.ts";
import { dayText } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { costOutput } from "../words.ts";
import { idText } from "../free-form.ts";

/** More than any medium sells in one deal: a larger number is a mistake. */
export const mostImpressions = 1_000_000_000_000;

/** Without a key that proves it, it never changes a price. */
export const buyerIdentity = z
  .object({ seat_id: idText, agency_id: idText, advertiser_id: idText, dsp_platform: idText })
  .nullish()
  .describe("Who the buyer says to be; the identity of the API key decides the price, never this.");

export const agentUrl = z
  .string()
  .max(2048)
  .nullish()
  .describe("URL of the buyer agent; its trust status caps the access tier.");

export const productSummary = z.looseObject({
  product_id: z.string(),
  name: z.string(),
  inventory_type: z.string().nullish(),
});

/** In units of `currency` per thousand; discounts in percent. */
export const pricing = z.looseObject({
  base_cpm: z.number(),
  tier_discount_pct: z.number(),
  volume_discount_pct: z.number(),
  final_cpm: z.number(),
  currency: z.string().default("USD"),
  pricing_model: z.string().default("cpm"),
  rationale: z.string(),
  effective_from: z.string().optional().describe("The price is that of flights that start on this day or later."),
  booked_from: z.string().optional().describe("The price is that of bookings made on this day or later."),
});

export const terms = z.looseObject({
  impressions: z.int().nullish(),
  flight_start: z.string(),
  flight_end: z.string().nullish(),
  guaranteed: z.boolean(),
  asked_flight_start: z
    .string()
    .optional()
    .describe("The first day asked for, where it was past: the flight is sold from flight_start on."),
});

const availability = z.looseObject({
  inventory_available: z.boolean(),
  estimated_fill_rate: z.number().nullish(),
  competing_demand: z.string().nullish(),
});

export const quote = z.looseObject({
  quote_id: z.string(),
  status: z.enum(["available", "booked", "expired", "declined"]),
  product: productSummary,
  pricing,
  terms,
  availability: availability.nullish(),
  deal_type: z.string(),
  ...costOutput,
  buyer_tier: z.string(),
  seller_id: z.string().nullish(),
  expires_at: z.string(),
  created_at: z.string(),
});

export const quoteId = z.string().min(1).max(128).describe("Id from request_quote.");

export const getPricing = defineContract({
  name: "get_pricing",
  group: "pricing",
  summary:
    "Prices a product for you, in units of its currency per thousand impressions, with the discounts as fractions " +
    "(0.15 is 15 percent). Stores nothing and holds nothing; ask for a quote to book at the price.",
  effect: "read",
  access: "public",
  input: z.object({
    product_id: z.string().min(1).max(128).describe("Id from list_products, or of a package."),
    buyer_tier: z
      .enum(["public", "seat", "agency", "advertiser"])
      .nullish()
      .describe("Operators only: the tier to price for. Buyers are priced at their own tier."),
    agency_id: idText.describe("Ignored: the identity of the API key decides the price."),
    advertiser_id: idText.describe("Ignored, as agency_id."),
    volume: z.int().min(0).max(mostImpressions).default(0).describe("Impressions, for the volume discount."),
    agent_url: agentUrl,
  }),
  output: z.looseObject({
    product_id: z.string(),
    base_price: z.number(),
    final_price: z.number(),
    currency: z.string(),
    tier_discount: z.number(),
    volume_discount: z.number(),
    rationale: z.string(),
  }),
  refusals: { product_not_found: 404, unpriceable_product: 422 },
  rest: { method: "POST", path: "/pricing" },
  tool: {
    title: "Get a price",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    argumentAliases: { impressions: "volume" },
  },
  intent: {
    skill: "pricing",
    phrases: [
      "price of the product for impressions",
      "what is the pricing for",
      "how much does it cost",
      "cpm of",
      "what does @ cost",
      "price of @",
      "how much is @",
      "what's the cpm of @",
      "rate for @",
      "what would # of @ cost",
      "how much for # on @",
      "what do you charge for @",
      "what are you charging",
      "what's the price",
      "pricing for @",
      "cost of @",
      "how expensive is @",
      "what would @ run us",
      "a ballpark for @",
      "rough price for @",
      "what do you ask for @",
      "indicative cpm for @",
      "what is the going rate for @",
      "what do you want for # of @",
      "how many impressions do I get for #",
      "what can I get for # on @",
    ],
  },
});

export const requestQuote = defineContract({
  name: "request_quote",
  group: "pricing",
  summary:
    "Issues a quote that holds a price for 24 hours: per thousand impressions, in units of the product's currency. " +
    "Use it before booking, and to learn what a volume or budget costs over a flight; holds no inventory. Next: " +
    "book_deal, or negotiate where your key may.",
  effect: "draft",
  access: "public",
  input: z.object({
    product_id: z.string().min(1).max(128).describe("Id from list_products, or of a package."),
    deal_type: z
      .string()
      .min(1)
      .max(64)
      .meta({ enum: dealTypes })
      .describe("PG (guaranteed), PD (preferred) or PA (private auction)."),
    impressions: z
      .int()
      .min(0)
      .max(mostImpressions)
      .nullish()
      .describe("Impressions; for PG this or budget; else for the volume discount."),
    budget: z
      .number()
      .positive()
      .nullish()
      .describe("Instead of impressions: what to spend, in units; the quote is for the most that it buys."),
    flight_start: dayText
      .nullish()
      .describe("First day, YYYY-MM-DD (UTC); today when left out. A flight that began is sold from today on."),
    flight_end: dayText.nullish().describe("Last day, YYYY-MM-DD; 30 days after the start when left out."),
    target_cpm: z
      .number()
      .positive()
      .nullish()
      .describe("The price you wish, in units per thousand; taken when it can be, else the computed price stands."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "An ISO 4217 code in capitals, for example USD.")
      .nullish()
      .describe("Currency of target_cpm and budget; the product's own is the only one taken."),
    media_type: z
      .string()
      .max(64)
      .nullish()
      .describe("The medium, for your own records; digital when left out. linear_tv is not sold yet."),
    buyer_identity: buyerIdentity,
    agent_url: agentUrl,
  }),
  output: quote,
  refusals: {
    invalid_deal_type: 400,
    pg_requires_impressions: 400,
    product_not_found: 404,
    below_minimum_impressions: 400,
    unpriceable_product: 422,
    currency_mismatch: 422,
    flight_over: 422,
    unsupported_capability: 400,
    price_probe_limited: 429,
  },
  rest: { method: "POST", path: "/api/v1/quotes" },
  tool: {
    title: "Request a quote",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
    argumentAliases: { start_date: "flight_start", end_date: "flight_end", volume: "impressions" },
  },
  intent: {
    skill: "pricing",
    phrases: [
      "give me a quote",
      "quote for impressions",
      "request a quote",
      "quote me",
      "quote # of @ in #",
      "please quote @",
      "give me a quote for @",
      "I need a quote",
      "prepare a quotation for # of @ in #",
      "send me a formal offer for # @",
      "put together a quote for @ in #",
      "could we have a quote for #",
      "draw up a quote",
      "make me an offer for # of @ in #",
      "please send a written quotation",
      "I'd like an offer for @ # in #",
      "requote it",
    ],
  },
});

export const getQuote = defineContract({
  name: "get_quote",
  group: "pricing",
  summary:
    "Returns a quote with its current status. A quote older than its 24 hours that was not booked answers 410: " +
    "request a new one. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ quote_id: quoteId }),
  output: quote,
  refusals: { not_found: 404, quote_expired: 410 },
  rest: { method: "GET", path: "/api/v1/quotes/:quote_id" },
  tool: { title: "Get a quote", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: { skill: "pricing", phrases: ["status of quote", "show the quote", "is my quote still valid"] },
});

export const declineQuote = defineContract({
  name: "decline_quote",
  group: "pricing",
  summary: "Withdraws an available quote, so that it can no longer be booked. Operators only; cannot be undone.",
  effect: "write",
  access: "operator",
  input: z.object({
    quote_id: quoteId,
    reason: z.string().max(2000).default("").describe("Why, in words that the buyer may read."),
  }),
  output: quote,
  refusals: {
    revision_mismatch: 412,
    not_found: 404,
    quote_expired: 409,
    quote_already_booked: 409,
    quote_declined: 409,
  },
  rest: { method: "POST", path: "/api/v1/quotes/:quote_id/decline" },
  tool: { title: "Decline a quote", readOnly: false, destructive: true, idempotent: false, openWorld: false },
});
