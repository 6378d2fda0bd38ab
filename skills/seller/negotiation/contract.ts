import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { costOutput } from "../words.ts";
import { agentUrl, buyerIdentity, quoteId } from "../pricing/contract.ts";
import { idText } from "../free-form.ts";

const recordId = z.string().min(1).max(128);
const offeredPrice = z.number().positive().nullish();

const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, "An ISO 4217 code in capitals, for example USD.")
  .nullish()
  .describe("Currency of the price; the product's own is the only one taken.");

/** The wire says percentage, its readers expect a fraction. */
const concession = z.number().describe("Fraction of the opening price that the seller gave up: 0.0397 is 3.97 %.");

export const round = z.looseObject({
  round_number: z.int(),
  buyer_price: z
    .number()
    .nullable()
    .describe("A rejection repeats the buyer's last own price; null: it had made no offer."),
  seller_price: z.number(),
  action: z.string(),
  concession_pct: concession,
  cumulative_concession_pct: concession,
  rationale: z.string(),
  buyer_rationale: fromOthers(z.string().nullish()).describe("What the buyer wrote with its offer."),
  timestamp: z.string().nullish(),
});

/** `round` is the last one, null before the first. */
const standing = z.looseObject({
  negotiation_id: z.string(),
  status: z.enum(["active", "accepted", "rejected", "expired"]),
  last_offer: z.boolean().nullish().describe("Whether the seller will not go lower."),
  ...costOutput,
  round: round.nullish(),
  rounds_remaining: z.int(),
  waits_for_approval: z.boolean().optional().describe("To an operator's dry run: a person would decide first."),
});

/** Strategy, limits and floor are null to buyers. */
const history = z.looseObject({
  negotiation_id: z.string(),
  proposal_id: z.string().nullish(),
  product_id: z.string(),
  buyer_tier: z.string(),
  strategy: z.string().nullish(),
  base_price: z.number(),
  floor_price: z.number().nullish(),
  status: z.string(),
  total_rounds: z.int(),
  max_rounds: z.int().nullish(),
  rounds: z.array(round),
  started_at: z.string(),
  completed_at: z.string().nullish(),
  package_id: z.string().nullish(),
});

const refusals = {
  revision_mismatch: 412,
  negotiation_not_allowed: 403,
  negotiation_closed: 409,
  approval_pending: 409,
  quote_expired: 409,
  quote_declined: 409,
  quote_already_booked: 409,
  currency_mismatch: 422,
  price_probe_limited: 429,
} as const;

const counterInput = z
  .object({
    proposal_id: recordId.describe("Id from submit_proposal, or the id of a quote."),
    buyer_price: offeredPrice.describe("The price you offer, in units per thousand impressions."),
    price: offeredPrice.describe("The same as buyer_price."),
    action: z
      .enum(["counter", "final_offer", "accept", "reject", "decline"])
      .default("counter")
      .describe("accept takes the seller's last price, reject or decline ends the negotiation."),
    currency,
    quote_id: quoteId.nullish().describe("The quote that the proposal is about."),
    buyer_tier: idText,
    agency_id: idText,
    advertiser_id: idText,
    agent_url: agentUrl,
  })
  .superRefine((input, at) => {
    const issue = (message: string) => at.addIssue({ code: "custom", path: ["buyer_price"], message });
    const { price, buyer_price: buyerPrice } = input;
    if (price != null && buyerPrice != null && price !== buyerPrice) {
      return issue("Send buyer_price or price, or the same in both.");
    }
    const isOffer = input.action === "counter" || input.action === "final_offer";
    if (isOffer && price == null && buyerPrice == null) issue("An offer needs a price. Send buyer_price.");
    return undefined;
  });

export const counterProposal = defineContract({
  name: "counter_proposal",
  group: "negotiation",
  summary:
    "Answers the seller's offer on a proposal or on a quote: with a price of your own, in units per thousand " +
    "impressions, or by accepting or rejecting. What is agreed is the price that the deal is booked at.",
  effect: "write",
  access: "public",
  input: counterInput,
  output: z.looseObject({
    negotiation_id: z.string(),
    round_number: z.int(),
    action: z.string(),
    buyer_price: z
      .number()
      .nullable()
      .describe("A rejection repeats the buyer's last own price; null: it had made no offer."),
    seller_price: z.number(),
    concession_pct: concession,
    cumulative_concession_pct: concession,
    rationale: z.string(),
    status: z.string(),
    rounds_remaining: z.int(),
  }),
  refusals: { proposal_not_found: 404, quote_not_found: 404, ...refusals },
  rest: { method: "POST", path: "/proposals/:proposal_id/counter" },
  tool: { title: "Counter a proposal", readOnly: false, destructive: false, idempotent: false, openWorld: false },
  intent: {
    skill: "negotiation",
    phrases: ["I would like to counter the proposal", "would you accept", "can you do it for", "too expensive"],
  },
});

export const getNegotiation = defineContract({
  name: "get_negotiation",
  group: "negotiation",
  summary: "Returns what was offered so far about a proposal or a quote, round by round. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ proposal_id: recordId.describe("Id from submit_proposal, or the id of a quote.") }),
  output: history,
  refusals: { negotiation_not_found: 404 },
  rest: { method: "GET", path: "/proposals/:proposal_id/negotiation" },
  tool: { title: "Get a negotiation", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: { skill: "negotiation", phrases: ["history of the negotiation", "what was offered so far"] },
});

export const negotiate = defineContract({
  name: "negotiate",
  group: "negotiation",
  summary:
    "Sends one message of a negotiation: an offer, a final offer, an acceptance of the seller's last price, or a " +
    "rejection. Name the negotiation, or the proposal or quote that it is about; the first message about a quote " +
    "opens it. Prices in units per thousand impressions. Accepting books nothing: at the agreed price book_deal " +
    "books a quote, generate_deal a proposal. A buyer's dry run checks an offer and shows no answer to it; an " +
    "operator may only ask with a dry run what the rules would answer that buyer.",
  effect: "write",
  access: "public",
  input: z
    .object({
      action: z.enum(["counter", "final_offer", "accept", "reject"]).describe("What you say."),
      negotiation_id: recordId.nullish(),
      proposal_id: recordId.nullish(),
      quote_id: recordId.nullish(),
      round_number: z.int().min(1).nullish().describe("The round that you answer in; refused where another is next."),
      buyer_price: offeredPrice.describe("Your offer; with accept the price that you take to be agreed."),
      currency,
      buyer_identity: buyerIdentity,
      rationale: z.string().max(4000).default("").describe("Free text for the seller."),
      agent_url: agentUrl,
    })
    .superRefine((input, at) => {
      const issue = (path: string, message: string) => at.addIssue({ code: "custom", path: [path], message });
      if (input.negotiation_id == null && input.proposal_id == null && input.quote_id == null) {
        issue("negotiation_id", "Name the subject: negotiation_id, proposal_id or quote_id.");
      }
      const isOffer = input.action === "counter" || input.action === "final_offer";
      if (isOffer && input.buyer_price == null) issue("buyer_price", "An offer needs a price.");
      if (input.action === "reject" && input.buyer_price != null) issue("buyer_price", "A rejection has no price.");
    }),
  output: standing,
  refusals: {
    negotiation_not_found: 404,
    proposal_not_found: 404,
    quote_not_found: 404,
    round_mismatch: 409,
    ...refusals,
  },
  rest: { method: "POST", path: "/api/v1/negotiations/messages" },
  tool: {
    title: "Negotiate",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
    argumentAliases: { price: "buyer_price" },
  },
  intent: { skill: "negotiation", phrases: ["negotiate the quote", "counter the offer"] },
});

export const getNegotiationStatus = defineContract({
  name: "get_negotiation_status",
  group: "negotiation",
  summary: "Returns where a negotiation stands: its last round, all rounds, and how many are left. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ negotiation_id: recordId }),
  output: standing,
  refusals: { negotiation_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/negotiations/:negotiation_id" },
  tool: { title: "Get the standing", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: { skill: "negotiation", phrases: ["where does the negotiation stand", "rounds remaining"] },
});
