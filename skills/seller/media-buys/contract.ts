import { z } from "zod";
import { buyStatuses } from "../../../machines/media-buy/status.ts";
import { dayText } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { selectionInput, selectionOutput } from "../../../protocol/seam/selection.ts";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { account, accountNamed } from "../accounts/contract.ts";
import { freeObject, idText, reasonText } from "../free-form.ts";
import { dealTypes } from "../products/record.ts";
import { reads } from "../tool-hints.ts";
import { wordsOutput } from "../words.ts";

const id = z.string().min(1).max(160);
const mediaBuyId = id.describe("Id from book_media_buy.");
const money = z.number().min(0).max(4_000_000_000);
const instant = z.iso.datetime({ offset: true, error: "Send an instant, for example 2027-03-01T00:00:00Z." });
const mostPackages = 100;
const mostCreatives = 100;

const creativeIds = z.array(id).max(mostCreatives);

const terms = {
  measurement_variance_pct: z.number().min(0).max(100).nullish().describe("Variance of measurement that is asked for."),
  details: freeObject.nullish().describe("Targeting, pacing and what else you say of it: kept, and given back."),
};

const packageInput = z.object({
  offer_id: id.describe("Id from find_offers."),
  option_id: id.nullish().describe("Of the offer's options; the first when left out."),
  budget: money.describe("What to spend, in units of the offer's currency."),
  bid_price: money.nullish().describe("In an auction, at least the option's price; else ignored."),
  start_time: instant.nullish(),
  end_time: instant.nullish(),
  paused: z.boolean().nullish(),
  creative_ids: creativeIds.nullish(),
  ...terms,
});

const boughtPackage = z.looseObject({
  package_id: z.string().describe("The id of its order."),
  deal_id: z.string(),
  offer_id: z.string(),
  product_id: z.string(),
  option_id: z.string(),
  deal_type: z.enum(dealTypes),
  currency: z.string(),
  budget: z.number(),
  price: z.number().describe("Per thousand impressions."),
  impressions: z.int(),
  bid_price: z.number().nullable(),
  start_time: z.string(),
  end_time: z.string(),
  paused: z.boolean(),
  canceled_at: z.string().nullable(),
  creative_ids: fromOthers(z.array(z.string())),
  details: fromOthers(z.looseObject({})),
});

export const mediaBuy = z.looseObject({
  media_buy_id: z.string(),
  status: z.enum(buyStatuses),
  ...wordsOutput,
  task_id: z.string().nullable().describe("What get_media_buy_task takes, where it waited for a person."),
  account,
  brand_domain: z.string(),
  po_number: fromOthers(z.string().nullable()),
  currency: z.string(),
  total_budget: z.number(),
  start_time: z.string(),
  end_time: z.string(),
  paused: z.boolean(),
  confirmed_at: z.string().nullable(),
  cancellation: z
    .looseObject({ canceled_at: z.string(), canceled_by: z.string(), reason: fromOthers(z.string()) })
    .nullable(),
  valid_actions: z.array(z.string()),
  packages: z.array(boughtPackage),
  history: z.array(
    z.looseObject({
      revision: z.int(),
      timestamp: z.string(),
      action: z.string(),
      actor: z.string(),
      summary: z.string(),
    }),
  ),
  created_at: z.string(),
  updated_at: z.string(),
  sandbox: z.boolean(),
  revision: z.int(),
});

const writes = { readOnly: false, destructive: true, idempotent: false, openWorld: false } as const;

export const bookMediaBuy = defineContract({
  name: "book_media_buy",
  group: "media-buys",
  summary:
    "Buys several offers at once, each at the price that find_offers showed: all packages are booked, or none. Each " +
    "becomes a deal with its order. It commits money. Where a person of the seller has to agree, nothing is booked " +
    "yet: status submitted, and get_media_buy_task says what became of it.",
  effect: "write",
  access: "key",
  input: z.object({
    account: accountNamed.describe("For whom."),
    brand_domain: z.string().trim().toLowerCase().min(1).max(253).describe("Domain of the brand that is advertised."),
    start_time: z.union([z.literal("asap"), instant]).describe("asap, or the instant at which it begins."),
    end_time: instant,
    packages: z.array(packageInput).min(1).max(mostPackages).nullish().describe("Or plan_id with total_budget."),
    plan_id: id.nullish().describe("A plan that refine_plan committed."),
    total_budget: z.number().positive().max(4_000_000_000).nullish().describe("Of a plan, in units of its currency."),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "An ISO 4217 code in capitals, for example USD.")
      .nullish()
      .describe("Of the budgets; the offers' own is the only one taken."),
    po_number: idText.describe("Your purchase order."),
  }),
  output: mediaBuy,
  refusals: {
    product_not_found: 404,
    pricing_option_not_found: 404,
    exact_price_required: 403,
    currency_mismatch: 422,
    terms_rejected: 422,
    budget_too_low: 422,
    inventory_unavailable: 409,
    account_not_found: 404,
    account_not_active: 409,
    account_payment_required: 409,
    plan_not_found: 404,
    plan_not_committed: 409,
    plan_already_booked: 409,
    plan_expired: 410,
  },
  rest: { method: "POST", path: "/api/v1/media-buys" },
  tool: { title: "Buy media", ...writes },
});

export const changeMediaBuy = defineContract({
  name: "change_media_buy",
  group: "media-buys",
  summary:
    "Pauses, resumes, changes or cancels your media buy or some of its packages, all that is named or nothing. " +
    "Budgets of what is not guaranteed, small moves of a flight, creatives and details change at once; another " +
    "volume of a guaranteed package needs a new quote. A buy that runs cannot be cancelled here: ask with cancel_deal.",
  effect: "write",
  access: "key",
  input: z.object({
    media_buy_id: mediaBuyId,
    paused: z.boolean().nullish(),
    canceled: z.literal(true).nullish().describe("Ends it; cannot be undone."),
    reason: reasonText.nullish(),
    start_time: instant.nullish(),
    end_time: instant.nullish(),
    packages: z
      .array(
        z.object({
          package_id: id,
          budget: money.nullish(),
          bid_price: money.nullish(),
          start_time: instant.nullish(),
          end_time: instant.nullish(),
          paused: z.boolean().nullish(),
          canceled: z.literal(true).nullish(),
          creative_ids: creativeIds.nullish().describe("Replaces those that are assigned."),
          ...terms,
        }),
      )
      .max(mostPackages)
      .nullish(),
  }),
  output: mediaBuy.extend({ affected_packages: z.array(z.string()) }),
  refusals: {
    revision_mismatch: 412,
    media_buy_not_found: 404,
    media_buy_package_not_found: 404,
    invalid_transition: 409,
    not_cancellable: 409,
    requote_required: 409,
    terms_rejected: 422,
    budget_too_low: 422,
  },
  rest: { method: "POST", path: "/api/v1/media-buys/:media_buy_id/change" },
  tool: { title: "Change a media buy", ...writes },
});

export const getMediaBuy = defineContract({
  name: "get_media_buy",
  group: "media-buys",
  summary: "Returns a media buy with its packages and history. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({ media_buy_id: mediaBuyId }),
  output: mediaBuy,
  refusals: { media_buy_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/media-buys/:media_buy_id" },
  tool: { title: "Get a media buy", ...reads },
});

const filter = {
  ...selectionInput,
  media_buy_ids: z.array(id).max(100).nullish().describe("Only these; what is not yours is left out."),
  statuses: z.array(z.enum(buyStatuses)).max(buyStatuses.length).nullish().describe("Only those in these states."),
  account: accountNamed.nullish().describe("Only those of this account; not looked at with media_buy_ids."),
};

export const listMediaBuys = defineContract({
  name: "list_media_buys",
  group: "media-buys",
  summary:
    "Lists your media buys, newest first, a page at a time; operators see all. A page of a state may hold fewer than " +
    "asked for and still have a next_cursor. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object(filter),
  output: z.looseObject({ media_buys: z.array(mediaBuy), ...selectionOutput }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/media-buys/search" },
  tool: {
    title: "List media buys",
    ...reads,
    rows: {
      media_buys: [
        "media_buy_id",
        "status",
        "status_text",
        "brand_domain",
        "currency",
        "total_budget",
        "start_time",
        "end_time",
        "packages.package_id",
        "packages.offer_id",
        "packages.budget",
        "revision",
      ],
    },
  },
});

export const getMediaBuyTask = defineContract({
  name: "get_media_buy_task",
  group: "media-buys",
  summary:
    "Says what became of a media buy that waited for a person of the seller: submitted, completed with the buy, or " +
    "rejected with the reason. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({ task_id: id.describe("The task_id of the answer that was submitted.") }),
  output: z.looseObject({
    task_id: z.string(),
    status: z.enum(["submitted", "completed", "rejected"]),
    created_at: z.string(),
    updated_at: z.string(),
    completed_at: z.string().nullable(),
    reason: z.string().nullable(),
    media_buy: mediaBuy.nullable(),
  }),
  refusals: { task_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/media-buys/tasks/:task_id" },
  tool: { title: "Follow a media buy", ...reads },
});

const counts = { impressions: z.int(), clicks: z.int().nullable(), spend: z.number().nullable() };

export const reportMediaBuys = defineContract({
  name: "report_media_buys",
  group: "media-buys",
  summary:
    "What your media buys delivered: impressions, clicks and spend by package, from what the seller's edge and ad " +
    "servers reported, by day where asked for. data_source is none as long as nothing was reported. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({
    ...filter,
    start_date: dayText.nullish().describe("First day (UTC); 35 days ago when left out."),
    end_date: dayText.nullish().describe("Last day (UTC), at most 400 days after the first; today when left out."),
    by_day: z.boolean().nullish(),
  }),
  output: z.looseObject({
    start_date: z.string(),
    end_date: z.string(),
    media_buys: z.array(
      z.looseObject({
        media_buy_id: z.string(),
        status: z.enum(buyStatuses),
        currency: z.string(),
        data_source: z.string(),
        ...counts,
        packages: z.array(
          z.looseObject({
            package_id: z.string(),
            price: z.number(),
            data_source: z.string(),
            ...counts,
            days: z.array(z.looseObject({ date: z.string(), ...counts })).nullable(),
          }),
        ),
      }),
    ),
    ...selectionOutput,
  }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/media-buys/report" },
  tool: { title: "Report on media buys", ...reads },
});

export const rateMediaBuy = defineContract({
  name: "rate_media_buy",
  group: "media-buys",
  summary: "Tells the seller how your media buy or one of its packages performed; it reads that in its events.",
  effect: "write",
  access: "key",
  input: z.object({
    media_buy_id: mediaBuyId,
    package_id: id.nullish(),
    performance_index: z.number().min(0).max(1000).describe("1 is what was expected, above it is better."),
    start_time: instant,
    end_time: instant,
    metric: z.string().max(64).nullish(),
    source: z.string().max(64).nullish(),
  }),
  output: z.looseObject({ success: z.literal(true) }),
  refusals: { media_buy_not_found: 404, media_buy_package_not_found: 404 },
  rest: { method: "POST", path: "/api/v1/media-buys/:media_buy_id/performance" },
  tool: { title: "Rate a media buy", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});
