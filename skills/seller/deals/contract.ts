import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { planMediaTypes } from "../../../protocol/audience-plan/media-types.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { costOutput } from "../words.ts";
import { agentUrl, buyerIdentity, pricing, productSummary, terms } from "../pricing/contract.ts";

/** OpenRTB 2.6: `bidfloor` in units per thousand, `at` 3 for a private auction, else 1. */
const openrtbParams = z.looseObject({
  id: z.string(),
  bidfloor: z.number(),
  bidfloorcur: z.string().default("USD"),
  at: z.int().default(3),
  wseat: z.array(z.string()).default([]),
  wadomain: z.array(z.string()).default([]),
});

const match = z.looseObject({ match: z.string(), score: z.number() });

const matchSummary = z.looseObject({
  primary: match,
  constraints: z.array(match).nullish(),
  extensions: z.array(match).nullish(),
  exclusions: z.array(match).nullish(),
});

export const deal = z.looseObject({
  deal_id: z.string(),
  deal_type: z.string(),
  status: z.enum(["proposed", "active", "rejected", "expired", "completed"]),
  quote_id: z.string(),
  product: productSummary,
  pricing,
  terms,
  ...costOutput,
  changes_waiting: z
    .array(z.looseObject({ change_request_id: z.string(), change_type: z.string(), status: z.string() }))
    .nullish()
    .describe("Asked for and not done: the deal is as it was until an operator decides."),
  waiting_for: z
    .string()
    .nullish()
    .describe("Which step of the seller comes first, each with who takes it; null: nothing waits."),
  buyer_tier: z.string(),
  notes: fromOthers(z.string().nullish()),
  cancelled: z.boolean().optional().describe("Rejected by a cancellation, after it was booked."),
  awaiting_approval: z.boolean().optional().describe("Proposed, and not to be activated before an operator approves."),
  expires_at: z.string(),
  activation_instructions: z.record(z.string(), z.string()),
  openrtb_params: openrtbParams.nullish(),
  audience_plan_snapshot: z.looseObject({}).nullish(),
  audience_match_summary: matchSummary.nullish(),
  created_at: z.string(),
  revision: z.int().optional().describe("What a write of it takes as If-Match."),
});

const dealId = z.string().min(1).max(128).describe("Id from book_deal.");

export const bookDeal = defineContract({
  name: "book_deal",
  group: "deals",
  summary:
    "Books an available quote at exactly its price and terms and returns the deal with its activation instructions " +
    "and OpenRTB parameters. It commits money: use it when product, price, dates and volume are agreed. A guaranteed " +
    "deal reserves its impressions on every day of the flight. A quote is booked once; cancel_deal asks to undo it.",
  effect: "write",
  access: "public",
  input: z.object({
    quote_id: z.string().min(1).max(128).describe("Id from request_quote."),
    buyer_identity: buyerIdentity,
    notes: z.string().max(4000).nullish().describe("Free text for the seller."),
    audience_plan: audiencePlan.nullish().describe("Whom to reach; frozen with the deal."),
  }),
  output: deal,
  refusals: {
    revision_mismatch: 412,
    not_found: 404,
    quote_expired: 409,
    audience_plan_unsupported: 400,
    quote_declined: 409,
    quote_already_booked: 409,
    negotiation_open: 409,
    flight_over: 422,
    inventory_unavailable: 409,
  },
  rest: { method: "POST", path: "/api/v1/deals", mediaTypes: planMediaTypes },
  tool: { title: "Book a deal", readOnly: false, destructive: false, idempotent: false, openWorld: false },
  intent: { skill: "deals", phrases: ["book the quote", "book it", "create the deal", "give me a deal id"] },
});

export const generateDeal = defineContract({
  name: "generate_deal",
  group: "deals",
  summary:
    "Books an accepted proposal into a deal at its agreed price and volume. A guaranteed deal reserves its " +
    "impressions for every day of the flight. Answers the deal id for the DSP.",
  effect: "write",
  access: "public",
  input: z.object({
    proposal_id: z.string().min(1).max(128).describe("Id from submit_proposal; the proposal must be accepted."),
    dsp_platform: z.string().max(64).nullish().describe("Your DSP, for its instructions: ttd, dv360 or xandr."),
    agent_url: agentUrl,
  }),
  output: z.looseObject({
    ...deal.shape,
    price: z.number(),
    pricing_model: z.string(),
  }),
  refusals: {
    revision_mismatch: 412,
    proposal_not_found: 404,
    proposal_not_accepted: 409,
    proposal_already_booked: 409,
    proposal_expired: 409,
    quote_declined: 409,
    quote_already_booked: 409,
    negotiation_open: 409,
    flight_over: 422,
    inventory_unavailable: 409,
  },
  rest: { method: "POST", path: "/deals" },
  tool: { title: "Generate a deal", readOnly: false, destructive: false, idempotent: false, openWorld: false },
  intent: {
    skill: "deals",
    phrases: ["generate a Deal ID for accepted proposal", "deal id for the proposal", "book the proposal"],
  },
});

export const getDeal = defineContract({
  name: "get_deal",
  group: "deals",
  summary:
    "Returns a deal with its current status, what it waits for, activation instructions and OpenRTB parameters. " +
    "Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ deal_id: dealId }),
  output: z.looseObject({
    ...deal.shape,
    buyer: z.string().optional().describe("To operators: who owns it."),
    buyer_name: fromOthers(z.string().nullish()),
  }),
  refusals: { deal_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/deals/:deal_id" },
  tool: { title: "Get a deal", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: {
    skill: "deals",
    phrases: [
      "status of deal",
      "show the deal",
      "how do I activate the deal",
      "status of the deal",
      "is it live",
      "activation steps",
      "what's the deal id",
      "how do we set it up in the dsp",
      "has the deal started",
      "what is the state of my booking",
      "remind me of the deal id",
    ],
  },
});

export const transitionDeal = defineContract({
  name: "transition_deal",
  group: "deals",
  summary:
    "Moves a proposed deal to active or rejected. Use it to activate what was booked; a buyer's cancellation is a " +
    "change request instead. Operators only. A rejected deal gives its reserved impressions back and stays rejected.",
  effect: "write",
  access: "operator",
  input: z.object({
    deal_id: dealId,
    to_status: z.enum(["proposed", "active", "rejected", "expired", "completed"]).describe("The status to reach."),
    reason: z.string().max(2000).default("").describe("Why, in words that the buyer may read."),
  }),
  output: deal,
  refusals: { revision_mismatch: 412, deal_not_found: 404, invalid_transition: 409 },
  rest: { method: "POST", path: "/api/v1/deals/:deal_id/transition" },
  tool: {
    title: "Move a deal",
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: false,
    argumentAliases: { new_status: "to_status" },
  },
});
