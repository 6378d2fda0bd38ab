import { z } from "zod";
import { keyRequestOutput } from "../approvals/contract.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { dayFilter, momentFilter } from "../../../protocol/neutral/date-text.ts";
import { gatedFlows } from "../../../machines/approval/gate.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { selectionInput, selectionOutput } from "../../../protocol/seam/selection.ts";
import { deal } from "../deals/contract.ts";
import { round } from "../negotiation/contract.ts";
import { quote } from "../pricing/contract.ts";
import { proposal } from "../proposals/contract.ts";
import { approvalStatuses, dealStatuses, negotiationStatuses, proposalStatuses, quoteStatuses } from "./statuses.ts";
import { reads } from "../tool-hints.ts";
import { dealRow, negotiationRow, proposalRow, quoteRow } from "./rows.ts";

const statusFilter = <T extends readonly [string, ...string[]]>(statuses: T) =>
  z.array(z.enum(statuses)).min(1).max(statuses.length).nullish().describe("Only these states.");

const productFilter = z.string().min(1).max(128).nullish().describe("Only this product.");

const buyerFilter = z
  .string()
  .min(1)
  .max(300)
  .nullish()
  .describe(
    "Operators: only this buyer, for example agency:agency-2. A buyer sees its own; another's name is refused.",
  );

const searchText = z.string().trim().min(1).max(100).nullish();

const moment = (which: string) => momentFilter.describe(`${which}: a day (YYYY-MM-DD, UTC) or an instant, included.`);

const day = (which: string) => dayFilter.describe(`${which}, YYYY-MM-DD, included.`);

const whose = { buyer: z.string(), buyer_name: fromOthers(z.string().nullable()) };

const money = z.number().nullable();

export const listDeals = defineContract({
  name: "list_deals",
  group: "portfolio",
  summary:
    "Lists your deals, newest first, with what each costs, its orders, and totals over all matches: what is booked " +
    "are standing_count and standing_values, without rejected, cancelled and expired deals. waiting shows what waits " +
    "for the seller. Operators see every buyer's. Money in units of `currency`. Next: get_deal, reschedule_deal, " +
    "change_deal or cancel_deal with a deal_id. Changes nothing.",
  effect: "read",
  access: "public",
  opensToEdge: true,
  input: z.object({
    status: statusFilter(dealStatuses),
    deal_type: z.enum(["PG", "PD", "PA"]).nullish().describe("Only this type."),
    waiting: z
      .boolean()
      .nullish()
      .describe(
        "Only those that wait for the seller, as waiting_for says: for an approval, the activation, or the decision " +
          "on a change; or only the others.",
      ),
    awaiting_approval: z.boolean().nullish().describe("Only those whose booking is not approved yet, or the others."),
    product_id: productFilter,
    buyer: buyerFilter,
    flight_from: day("Only flights that end on this day or later"),
    flight_to: day("Only flights that start on this day or earlier"),
    created_from: moment("Booked at or after"),
    created_to: moment("Booked at or before"),
    q: searchText.describe("Text in the id, product, quote or notes."),
    sort: z
      .enum(["created", "value", "flight", "price", "impressions"])
      .default("created")
      .describe(
        "Newest first; or the most valuable, the earliest flight, the highest price or volume first, of at most " +
          "10,000 matches.",
      ),
    reversed: z.boolean().nullish().describe("The other way round: the oldest, the least valuable, … first."),
    with_counts: z
      .boolean()
      .nullish()
      .describe("Count the matches by where they stand too, whatever status is asked for; of at most 10,000."),
    ...selectionInput,
  }),
  output: z.looseObject({
    deals: z.array(
      z.looseObject({
        ...deal.shape,
        ...whose,
        value: money,
        order_ids: z.array(z.string()),
        delivered_impressions: z.int(),
        delivered_clicks: z.int().nullable().optional().describe("Null where no source counts them."),
        delivered_spend: money.optional().describe("Null where an auction sets prices and no source reports them."),
        data_source: z.string().optional().describe("none, or the names of what counted, with a comma between them."),
      }),
    ),
    totals: z
      .looseObject({
        count: z.int(),
        impressions: z.int(),
        value: money.describe("Sum of the costs, ended deals too; null where the matches have several currencies."),
        currency: z.string().nullable(),
        values: z.record(z.string(), z.number()).describe("The sum for each currency."),
        standing_values: z.record(z.string(), z.number()).describe("Of these, without rejected and expired deals."),
        standing_count: z.int().optional().describe("Of the count, without rejected and expired deals."),
        standing_impressions: z.int().optional().describe("Of the impressions, without those deals."),
      })
      .nullable()
      .describe(
        "Over all matches; without with_counts null with q, waiting, awaiting_approval, flight_from, flight_to or " +
          "an instant.",
      ),
    counts: z
      .looseObject({
        all: z.int(),
        to_activate: z.int().describe("Proposed, and approved where that is needed."),
        waiting: z.int().describe("Proposed, and not approved yet."),
        active: z.int(),
        completed: z.int(),
        rejected: z.int().describe("Cancelled ones too."),
        expired: z.int(),
      })
      .nullish()
      .describe("With with_counts: null where more than 10,000 match."),
    ...selectionOutput,
  }),
  refusals: { operator_required: 403 },
  rest: { method: "GET", path: "/api/v1/deals" },
  tool: { title: "List deals", ...reads, rows: { deals: dealRow } },
  intent: {
    skill: "deals",
    phrases: [
      "list my deals",
      "what did I book",
      "show my bookings",
      "what is the status of everything",
      "is anything waiting for me",
      "do any deals need something from me",
      "what have we bought",
      "my orders",
      "what are we running with you",
      "which deals do we have",
      "how much have we spent",
      "what is live",
      "everything we booked",
      "what did we order so far",
      "what's booked",
      "total of our bookings",
      "what business do we have with you",
      "show our purchases",
    ],
  },
});

export const listQuotes = defineContract({
  name: "list_quotes",
  group: "portfolio",
  summary:
    "Lists your quotes, newest first; expired ones for 30 days. Use it to find a quote_id that can still be booked " +
    "(status available) with book_deal. Operators see every buyer's. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    status: statusFilter(quoteStatuses),
    product_id: productFilter,
    buyer: buyerFilter,
    created_from: moment("Quoted at or after"),
    created_to: moment("Quoted at or before"),
    q: searchText.describe("Text in the id, product or, for operators, the buyer."),
    sort: z
      .enum(["created", "price", "impressions", "flight", "expires"])
      .default("created")
      .describe(
        "Newest first; or the highest price or volume, the earliest flight or what expires first, of at most 10,000 " +
          "matches.",
      ),
    reversed: z.boolean().nullish().describe("The other way round: the oldest, the cheapest, … first."),
    with_counts: z.boolean().nullish().describe("Count the matches by state too; of at most 10,000."),
    ...selectionInput,
  }),
  output: z.looseObject({
    quotes: z.array(z.looseObject({ ...quote.shape, ...whose })),
    counts: z
      .looseObject({ all: z.int(), available: z.int(), booked: z.int(), expired: z.int(), declined: z.int() })
      .nullish()
      .describe("With with_counts, of any state: null where more than 10,000 match."),
    ...selectionOutput,
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/quotes" },
  tool: { title: "List quotes", ...reads, rows: { quotes: quoteRow } },
  intent: {
    skill: "pricing",
    phrases: [
      "list my quotes",
      "which quotes do I have",
      "show the quotes you gave us",
      "open quotes",
      "which of our quotes are valid",
      "what did you quote us",
      "what have you offered me so far",
      "quotes that are still open",
      "any quotes outstanding",
    ],
  },
});

export const listProposals = defineContract({
  name: "list_proposals",
  group: "portfolio",
  summary:
    "Lists your proposals, newest first, with their prices and what became of them. Accepted ones are booked with " +
    "generate_deal, countered ones answered with counter_proposal. Operators see every buyer's. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    status: statusFilter(proposalStatuses),
    product_id: productFilter,
    buyer: buyerFilter,
    ...selectionInput,
  }),
  output: z.looseObject({ proposals: z.array(z.looseObject({ ...proposal.shape, ...whose })), ...selectionOutput }),
  refusals: {},
  rest: { method: "GET", path: "/proposals" },
  tool: { title: "List proposals", ...reads, rows: { proposals: proposalRow } },
  intent: {
    skill: "proposals",
    phrases: [
      "list my proposals",
      "which proposals did we submit",
      "show our proposals",
      "what proposals are open",
      "what did we propose",
      "where are my proposals",
      "proposals I sent",
      "status of all my proposals",
    ],
  },
});

export const listNegotiations = defineContract({
  name: "list_negotiations",
  group: "portfolio",
  summary:
    "Lists your negotiations, newest first: first and last price of each side and the gap between them, in units " +
    "per thousand. Answer an active one with negotiate. Operators see every buyer's. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    status: statusFilter(negotiationStatuses),
    waiting: z.boolean().nullish().describe("Only those that wait for the seller's approval, or only the others."),
    product_id: productFilter,
    buyer: buyerFilter,
    ...selectionInput,
  }),
  output: z.looseObject({
    negotiations: z.array(
      z.looseObject({
        negotiation_id: z.string(),
        ...whose,
        product_id: z.string(),
        product_name: z.string(),
        status: z.enum(negotiationStatuses),
        rounds_count: z.int(),
        rounds_remaining: z.int(),
        first_buyer_price: money,
        last_buyer_price: money,
        first_seller_price: money,
        last_seller_price: money,
        gap: money.describe("The seller's last price less the buyer's."),
        agreed_price: money,
        currency: z.string(),
        impressions: z.int().nullable(),
        proposal_id: z.string().nullable(),
        quote_id: z.string().nullable(),
        approval_id: z.string().nullable(),
        round: round.nullable().describe("The last round."),
        created_at: z.string(),
        updated_at: z.string(),
        expires_at: z.string(),
      }),
    ),
    ...selectionOutput,
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/negotiations" },
  tool: { title: "List negotiations", ...reads, rows: { negotiations: negotiationRow } },
  intent: {
    skill: "negotiation",
    phrases: [
      "list my negotiations",
      "which negotiations are open",
      "negotiations in progress",
      "what are we still negotiating",
      "are there negotiations running",
      "open haggling",
    ],
  },
});

export const listApprovals = defineContract({
  name: "list_approvals",
  group: "portfolio",
  summary:
    "Lists what waits or waited for an operator's decision, newest first, history included: value, product, when it " +
    "times out, and the decision. A buyer sees its own, without the seller's reasoning; operators see all and decide " +
    "with approve_or_reject. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    status: statusFilter(approvalStatuses),
    flow_type: z.array(z.enum(gatedFlows)).min(1).max(4).nullish().describe("Only these kinds of flow."),
    decided_by: z.string().min(1).max(255).nullish().describe("Operators: only what this person or key decided."),
    since: moment("Asked at or after"),
    until: moment("Asked at or before"),
    q: searchText.describe("Text in an id, the product or, for operators, the buyer."),
    sort: z
      .enum(["created", "expires", "value"])
      .default("created")
      .describe("Newest first; or what times out first, or is worth most, of at most 10,000 matches."),
    ...selectionInput,
  }),
  output: z.looseObject({
    approvals: z.array(
      z.looseObject({
        approval_id: z.string(),
        flow_id: z.string(),
        flow_type: z.string(),
        proposal_id: z.string(),
        deal_id: z.string(),
        status: z.enum(approvalStatuses),
        created_at: z.string(),
        expires_at: z.string(),
        product_id: z.string().nullable(),
        product_name: z.string().nullable(),
        ...whose,
        ...keyRequestOutput,
        value: money,
        currency: z.string().nullable(),
        response: z
          .looseObject({ decision: z.string(), decided_at: z.string(), reason: z.string() })
          .nullable()
          .describe("The decision; null while there is none."),
      }),
    ),
    waiting: z.looseObject({
      count: z.int(),
      values: z.record(z.string(), z.number()).nullable().describe("By currency; null beyond 99 that wait."),
      oldest_at: z.string().nullable(),
      next_timeout_at: z.string().nullable(),
    }),
    ...selectionOutput,
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/approvals" },
  tool: { title: "List approvals", ...reads },
});
