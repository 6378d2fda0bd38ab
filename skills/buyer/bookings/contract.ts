import { z } from "zod";
import { knownChannels } from "../../../machines/booking/weights.ts";
import { bargainStyles } from "../../../machines/booking/strategy.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { campaignDelivery, flightDays } from "./paced.ts";

const isoDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "Write the date as YYYY-MM-DD.");
const freeForm = z.record(z.string(), z.unknown());

const share = z.number().nullish();

/** Of a seller, alone or within a sentence of ours. */
const words = fromOthers(z.string());

const channelLimit = z
  .looseObject({
    min_share: share.describe("Least share of the budget, from 0 to 1."),
    max_share: share.describe("Most share of the budget, from 0 to 1; 0 buys nothing there."),
    min_amount: share.describe("Least amount in USD."),
    max_amount: share.describe("Most amount in USD."),
  })
  .describe("Of share and amount the tighter one counts.");

const negotiationTerms = z.looseObject({
  enabled: z.boolean().default(true).describe("False takes the prices as they are quoted."),
  strategy: z
    .enum(bargainStyles)
    .default("patient")
    .describe("patient gives in late, quick early, steady evenly; threshold takes the first price within the limit."),
  walk_away_cpm: z.number().nullish().describe("The price above which a negotiation is left, in USD per thousand."),
  rounds: z.int().min(1).max(10).nullish().describe("Offers at most; the strategy's own number when left out."),
});

const negotiation = negotiationTerms
  .nullish()
  .describe("How prices are negotiated; by default patiently wherever the seller and the price tier allow it.");

const flight = z.looseObject({
  name: z.string().max(100).nullish(),
  start_date: isoDay,
  end_date: isoDay,
  share: z.number().optional().describe("Weight of the flight in the budget against the others; default 1."),
});

export const negotiationMembers = Object.keys(negotiationTerms.shape);
export const flightMembers = Object.keys(flight.shape);

/**
 * Required members are optional here: a missing one is 400 `invalid_brief`, not 422. Unknown members are kept for
 * warnings.
 */
export const campaignBrief = z.looseObject({
  name: z.string().max(100).optional().describe("Required. Campaign name, 1 to 100 characters."),
  advertiser: z
    .string()
    .trim()
    .max(100)
    .nullish()
    .describe("Whose campaign it is; the sellers read it in the notes of the deals."),
  objectives: z
    .array(z.string().max(200))
    .max(50)
    .optional()
    .describe("Required, at least one, for example brand_awareness, reach, conversions."),
  budget: z.number().optional().describe("Required. Total budget in USD, more than 0; never exceeded."),
  start_date: isoDay.optional().describe("Required. First day of the campaign (UTC)."),
  end_date: isoDay.optional().describe("Required. Last day of the campaign, not before start_date."),
  target_audience: freeForm
    .optional()
    .describe(
      "Required. Whom to reach: demographics, interests, geography. An audience plan in it, as audience_plan, " +
        "is sent with each booking; what a seller does not support of it is left out there.",
    ),
  kpis: z
    .looseObject({
      target_cpm: z.number().nullish(),
      target_cpm_usd: z.number().nullish(),
      max_cpm: z.number().nullish(),
      max_cpm_usd: z.number().nullish(),
    })
    .nullish()
    .describe("Goals. target_cpm is the price asked for, max_cpm the price never passed, both per thousand in USD."),
  channels: z
    .array(z.string().max(100))
    .max(50)
    .nullish()
    .describe(`Only these channels: ${knownChannels.join(", ")}. Without them the objectives decide.`),
  channel_limits: z
    .record(z.string().max(100), channelLimit)
    .nullish()
    .describe(
      "What a channel of the split gets at least and at most, for example {ctv: {max_share: 0.6}}. Plans keep it, " +
        "also when they are made anew; money that no channel may take stays unplanned.",
    ),
  negotiation,
  flights: z
    .array(flight)
    .max(24)
    .nullish()
    .describe("Spans inside the campaign that are booked one by one; without them the campaign is one flight."),
});

const bookingStatus = z.enum(["pending", "running", "awaiting_approval", "completed", "failed"]);
const jobId = z.string().min(1).max(128).describe("Id from create_booking.");

const round = z.looseObject({
  round_number: z.int(),
  buyer_price: z.number(),
  seller_price: z.number(),
  action: z.string(),
  rationale: words,
});

/** Prices per thousand in USD. */
const bargain = z.looseObject({
  quote_id: z.string(),
  seller_url: z.string(),
  product_id: z.string(),
  product_name: words,
  quote_cpm: z.number(),
  target_cpm: z.number(),
  walk_away_cpm: z.number(),
  outcome: z.string(),
  agreed_cpm: z.number().nullable(),
  reason: words.nullable(),
  rounds: z.array(round),
});

const notChosen = z.looseObject({
  product_id: z.string(),
  product_name: words,
  seller_url: z.string(),
  channel: z.string(),
  cpm: z.number(),
  impressions: z.int().nullish().describe("As quoted."),
  deal_type: z.string().nullish(),
  score: z.number().nullish(),
  reason: z.string(),
});

const supplyFees = z.looseObject({ intermediary_percent: z.number(), tech_cpm: z.number() });

const recommendation = z.looseObject({
  recommendation_id: z.string(),
  product_id: z.string(),
  product_name: words,
  publisher: words,
  channel: z.string(),
  impressions: z.int(),
  cpm: z.number(),
  cost: z.number(),
  list_cpm: z.number().nullable(),
  effective_cpm: z.number().describe("What sellers are compared by: a private auction a fifth dearer, with fees."),
  fees: supplyFees.nullable().describe("Of SELLER_FEES, paid beside cpm and cost; null: none."),
  score: z.number(),
  status: z.string(),
  rationale: z.string(),
  seller_url: z.string(),
  deal_type: z.string(),
  quote_expires_at: z.string().nullable(),
  negotiation: bargain.nullable(),
  alternatives: z.array(notChosen),
  booking: z.string().describe("held: the seller has it and decides later; nothing is bought until it has."),
  held: z
    .looseObject({ task_id: z.string(), message: fromOthers(z.string().nullable()), since: z.string() })
    .nullish()
    .describe("The seller's task, for a line that is held."),
  error: words.nullable(),
  ...flightDays,
});

const bookedLine = z.looseObject({
  deal_id: z.string(),
  product_id: z.string(),
  product_name: words,
  channel: z.string(),
  impressions: z.int(),
  cpm: z.number(),
  cost: z.number(),
  deal_type: z.string(),
  booking_status: z.string().describe("As the seller last said; the buyer asks it every few seconds."),
  status_reason: words.nullish().describe("Why, in the seller's words."),
  is_booked: z.boolean().optional().describe("False once it is rejected, expired or cancelled: its money is free."),
  seller_url: z.string(),
  order_id: z.string().nullable(),
  recommendation_id: z.string(),
  activation: fromOthers(z.record(z.string(), z.string())),
  cancellation: z.looseObject({ state: z.string(), error: words.nullish() }).nullable(),
  status_text: z.string(),
  next_step: z.string(),
  ...flightDays,
});

const allocations = z.record(
  z.string(),
  z.looseObject({ channel: z.string(), budget: z.number(), percentage: z.number(), rationale: z.string() }),
);

const warning = z.looseObject({ field: z.string(), message: words });

/** In USD. `recommended` and `booked` leave out rejected, failed and cancelled lines. */
export const totals = z.looseObject({
  budget: z.number(),
  recommended: z.number(),
  booked: z.number(),
  unconfirmed: z.number(),
  unspent: z.number(),
});

const step = z.looseObject({
  name: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  words: z.string(),
});

const askedSeller = z.looseObject({
  url: z.string(),
  source: z.enum(["configured", "registry"]),
  trust_level: z.string().nullable().describe("As the registry says; null where none was asked."),
  name: words.nullable(),
  status: z.enum(["waiting", "answered", "left_out"]),
  tier: z.string().nullable(),
  ms: z.number().nullable(),
  products: z.int().nullable(),
  error: words.nullable(),
});

export const createBooking = defineContract({
  name: "create_booking",
  group: "bookings",
  summary:
    "Turns a campaign brief into booked deals: splits the budget over channels, asks the configured sellers for " +
    "quotes, ranks them and waits for approval, or with auto_approve books at once. Runs in the background; poll " +
    "get_booking.",
  effect: "write",
  access: "operator",
  input: z.object({
    brief: campaignBrief.describe("What the campaign is to reach, with which budget, and when."),
    auto_approve: z.boolean().default(false).describe("Book every recommendation without asking."),
  }),
  output: z.looseObject({
    job_id: z.string(),
    status: bookingStatus,
    message: z.string(),
    next_step: z.string().describe("What to call next, by the operation's name."),
    warnings: z.array(warning).optional(),
    budget_allocations: allocations.optional().describe("Of a dry run: how the budget would be split."),
    total_cost: z.number().optional().describe("Of a dry run: what may be booked without another question, in USD."),
  }),
  refusals: { invalid_brief: 400 },
  rest: { method: "POST", path: "/bookings" },
  tool: { title: "Create a booking", readOnly: false, destructive: false, idempotent: false, openWorld: true },
});

const isCancelled = z.boolean().optional().describe("True of a cancelled job, whose status is failed.");

export const getBooking = defineContract({
  name: "get_booking",
  group: "bookings",
  summary:
    "Returns a booking job: its brief, status, progress (0 to 1) and steps, the budget per channel, the sellers, " +
    "the recommendations and what was not chosen, the booked lines, totals, warnings and errors. Money in USD. " +
    "Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ job_id: jobId }),
  output: z.looseObject({
    job_id: z.string(),
    status: bookingStatus,
    is_cancelled: isCancelled,
    progress: z.number().min(0).max(1),
    budget_allocations: allocations.nullable(),
    recommendations: z.array(recommendation).nullable(),
    booked_lines: z.array(bookedLine).nullable(),
    errors: fromOthers(z.array(z.string())).nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    campaign_name: z.string(),
    brief: z.looseObject({}),
    budget: z.number(),
    spent: z.number(),
    chosen_cost: z.number(),
    totals,
    warnings: z.array(warning),
    steps: z.array(step),
    sellers: z.array(askedSeller),
    not_chosen: z.array(notChosen),
    status_text: z.string(),
    next_step: z.string(),
  }),
  refusals: { not_found: 404 },
  rest: { method: "GET", path: "/bookings/:job_id" },
  tool: { title: "Get a booking", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const getBookingDelivery = defineContract({
  name: "get_booking_delivery",
  group: "bookings",
  summary:
    "Asks the sellers what the booked lines of a campaign have delivered: by line, by channel and in all, with what " +
    "an even plan would have delivered by now. A line whose seller does not say has an error and counts as nothing " +
    "delivered. Money in USD. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ job_id: jobId }),
  output: campaignDelivery,
  refusals: { not_found: 404 },
  rest: { method: "GET", path: "/bookings/:job_id/delivery" },
  tool: { title: "Delivery of a booking", readOnly: true, destructive: false, idempotent: true, openWorld: true },
});

const negotiationRound = z.looseObject({
  ...round.shape,
  deal_id: z.string().nullable(),
  proposal_id: z.string(),
});

export const getNegotiationRounds = defineContract({
  name: "get_negotiation_rounds",
  group: "bookings",
  summary:
    "Returns how the prices of a booking job were negotiated: strategy, rounds and outcome per quote, for the whole " +
    "job or one recommendation. Prices per thousand impressions in USD. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    job_id: jobId,
    recommendation_id: z.string().max(200).nullish().describe("Only what led to this recommendation."),
  }),
  output: z.looseObject({
    job_id: z.string(),
    negotiations: z.array(bargain.omit({ rounds: true })),
    rounds: z.array(negotiationRound),
    total: z.int(),
  }),
  refusals: { not_found: 404 },
  rest: { method: "GET", path: "/bookings/:job_id/negotiations" },
  tool: { title: "Rounds of negotiation", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const listBookings = defineContract({
  name: "list_bookings",
  group: "bookings",
  summary: "Lists booking jobs, newest first, a page at a time; `total` counts every match. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    status: z
      .union([bookingStatus, z.array(bookingStatus).min(1).max(5)], {
        error: `Send ${bookingStatus.options.join(", ")}, or a list of them.`,
      })
      .nullish()
      .describe("Only jobs in this status, or in one of these."),
    q: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .nullish()
      .describe("Only campaigns with this text in their name, or the job of this id."),
    limit: z.int().min(1).max(500).default(20).describe("Jobs on a page, 1 to 500."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("Jobs to leave out from the start."),
  }),
  output: z.looseObject({
    jobs: z.array(
      z.looseObject({
        job_id: z.string(),
        status: bookingStatus,
        is_cancelled: isCancelled,
        campaign_name: z.string(),
        advertiser: z.string().nullish(),
        budget: z.number(),
        spent: z.number().optional(),
        waiting_since: z.string().nullish(),
        cancellations_waiting: z.int().optional().describe("Booked lines whose cancellation is not settled."),
        unspent: z.number().optional().describe("Of the budget, in USD; replan_booking offers it anew."),
        lost: z
          .looseObject({ lines: z.int(), cost: z.number() })
          .optional()
          .describe("Booked lines that their seller rejected, cancelled or let expire, and what they cost in USD."),
        end_date: z.string().optional(),
        created_at: z.string(),
      }),
    ),
    total: z.int(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/bookings" },
  tool: { title: "List bookings", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
