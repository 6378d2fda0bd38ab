import { z } from "zod";
import { dealTypes } from "../products/record.ts";
import { dayText } from "../../../protocol/neutral/date-text.ts";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { costOutput } from "../words.ts";
import { agentUrl, quoteId } from "../pricing/contract.ts";
import { idText } from "../free-form.ts";

/** `floor_price` is null to buyers. Prices in units per thousand. */
const counterTerms = z.looseObject({
  proposed_price: z.number(),
  floor_price: z.number().nullish(),
  max_impressions: z.int().nullish(),
  reason: z.string(),
  negotiation_id: z.string().nullish(),
  round_number: z.int(),
  action: z.string(),
});

export const proposal = z.looseObject({
  proposal_id: z.string(),
  recommendation: z
    .enum(["accept", "counter", "reject"])
    .nullable()
    .describe("Null in a dry run at a price that only the seller can answer."),
  status: z.string(),
  ...costOutput,
  counter_terms: counterTerms.nullish(),
  approval_id: z.string().nullish(),
  asked_start_date: z
    .string()
    .optional()
    .describe("The first day asked for, where it was past: the flight is sold from start_date on."),
  pricing_verified: z.boolean().default(false),
  pricing_verification_reason: z.string().default(""),
  errors: z.array(z.looseObject({ stage: z.string(), code: z.string(), detail: z.string() })).default([]),
});

const proposalId = z.string().min(1).max(128).describe("Id from submit_proposal.");

export const submitProposal = defineContract({
  name: "submit_proposal",
  group: "proposals",
  summary:
    "Offers a price per thousand impressions, in units of the product's currency, for a volume and a flight. Use it " +
    "to name your own price; request_quote takes the seller's. The answer accepts, counters or rejects at once, or " +
    "waits for an approval. A buyer's dry run checks the terms and shows no answer to a price below the buyer's own. " +
    "Next: generate_deal books an accepted one; negotiate answers a counter.",
  effect: "write",
  access: "public",
  input: z.object({
    product_id: z.string().min(1).max(128).describe("Id from list_products, or of a package."),
    deal_type: z
      .string()
      .min(1)
      .max(64)
      .meta({ enum: dealTypes })
      .describe("PG (guaranteed), PD (preferred) or PA (private auction)."),
    price: z.number().min(0).describe("The price you offer, in units per thousand impressions."),
    impressions: z.int().min(1).max(1_000_000_000_000).describe("Impressions that you want."),
    start_date: dayText.describe("First day of the flight, YYYY-MM-DD (UTC)."),
    end_date: dayText.describe("Last day of the flight, YYYY-MM-DD (UTC)."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "An ISO 4217 code in capitals, for example USD.")
      .nullish()
      .describe("Currency of price; the product's own is the only one taken."),
    quote_id: quoteId.nullish().describe("The quote that the proposal is about; its terms must be the same."),
    buyer_id: idText,
    agency_id: idText,
    advertiser_id: idText,
    audience_plan: audiencePlan.nullish().describe("Whom to reach; frozen with the deal."),
    agent_url: agentUrl,
  }),
  output: proposal,
  refusals: {
    product_not_found: 404,
    invalid_deal_type: 400,
    currency_mismatch: 422,
    flight_over: 422,
    quote_not_found: 404,
    quote_expired: 409,
    quote_declined: 409,
    quote_already_booked: 409,
    negotiation_open: 409,
    negotiation_closed: 409,
    price_probe_limited: 429,
  },
  rest: { method: "POST", path: "/proposals" },
  tool: {
    title: "Submit a proposal",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
    argumentAliases: { flight_start: "start_date", flight_end: "end_date", volume: "impressions" },
  },
  intent: {
    skill: "proposals",
    phrases: ["I would like to submit a proposal", "I propose a price for impressions"],
  },
});

export const getProposal = defineContract({
  name: "get_proposal",
  group: "proposals",
  summary: "Returns a proposal with its current status, prices and errors. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ proposal_id: proposalId }),
  output: proposal,
  refusals: { proposal_not_found: 404 },
  rest: { method: "GET", path: "/proposals/:proposal_id" },
  tool: { title: "Get a proposal", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: { skill: "proposals", phrases: ["status of the proposal", "was my proposal accepted"] },
});
