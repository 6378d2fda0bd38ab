import { z } from "zod";
import { dayText } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { dealTypes } from "../products/record.ts";
import { reads } from "../tool-hints.ts";
import { wordsOutput } from "../words.ts";

export const offer = z.looseObject({
  offer_id: z.string().describe("What book_media_buy takes as offer_id."),
  product_id: z.string(),
  deal_type: z.enum(dealTypes),
  name: z.string(),
  description: z.string().nullable(),
  inventory_type: z.string(),
  publisher_domain: z.string(),
  currency: z.string(),
  formats: z.array(z.string()).describe("Ids of list_creative_formats."),
  minimum_impressions: z.int(),
  options: z.array(
    z.looseObject({
      option_id: z.string(),
      price_kind: z.enum(["fixed", "least"]).describe("least: of an auction, where more may be bid."),
      price: z.number().nullable().describe("Yours, per thousand impressions; null where price_range stands."),
      minimum_budget: z.number().nullable(),
    }),
  ),
  price_range: z.string().nullable().describe("What callers without exact prices see."),
  fit: z.number().nullable().describe("How well it fits the text, from 0 to 1; null without a text."),
});

const id = z.string().min(1).max(160);

const offerFilter = {
  offer_ids: z.array(id).max(100).nullish().describe("Only these."),
  deal_types: z.array(z.enum(dealTypes)).max(3).nullish().describe("Only these: PG is guaranteed, PA an auction."),
  inventory_types: z.array(z.string().max(64)).max(50).nullish().describe("Only these, for example ctv."),
  formats: z.array(z.string().max(128)).max(50).nullish().describe("Only what takes one of these formats."),
  flight_start: dayText.nullish().describe("Prices are those of flights that start on this day; today when left out."),
};

export const findOffers = defineContract({
  name: "find_offers",
  group: "plans",
  summary:
    "Lists what can be bought in a media buy, a page at a time: each product once per deal type, with formats, least " +
    "budget and your own price per thousand impressions. A text ranks, and hides nothing. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    ...pageInput,
    text: z.string().max(20_000).nullish().describe("What the campaign is about; the best fit comes first."),
    ...offerFilter,
  }),
  output: z.looseObject({ offers: z.array(offer), ...pageOutput }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/offers/search" },
  tool: {
    title: "Find offers",
    ...reads,
    rows: {
      offers: [
        "offer_id",
        "deal_type",
        "name",
        "inventory_type",
        "currency",
        "formats",
        "options",
        "price_range",
        "minimum_impressions",
      ],
    },
  },
});

export const shownPlan = z.looseObject({
  plan_id: z.string(),
  name: z.string(),
  status: z.enum(["draft", "committed", "bought", "expired"]),
  ...wordsOutput,
  currency: z.string(),
  minimum_budget: z.number().describe("Below it a line would buy less than its least volume."),
  expires_at: z.string(),
  lines: z.array(
    z.looseObject({
      offer_id: z.string(),
      option_id: z.string(),
      name: z.string(),
      share: z.int().describe("Of the budget, in percent; 100 together."),
      price: z.number(),
    }),
  ),
  revision: z.int(),
});

const drafts = { readOnly: false, destructive: false, idempotent: false, openWorld: false } as const;

export const draftPlan = defineContract({
  name: "draft_plan",
  group: "plans",
  summary:
    "Finds offers for a brief, as find_offers does, and splits a budget over the best of them: a plan that binds " +
    "nobody. Refine it with refine_plan, which also commits its prices; then buy it with book_media_buy.",
  effect: "draft",
  access: "key",
  input: z.object({
    ...pageInput,
    brief: z.string().min(1).max(20_000).describe("What the campaign is about."),
    ...offerFilter,
  }),
  output: z.looseObject({ offers: z.array(offer), plans: z.array(shownPlan), ...pageOutput }),
  refusals: {},
  rest: { method: "POST", path: "/api/v1/plans" },
  tool: { title: "Draft a plan", ...drafts },
});

export const refinePlan = defineContract({
  name: "refine_plan",
  group: "plans",
  summary:
    "Refines what was found, change by change: offers are included or left out, the shares of a plan moved by words " +
    "as shift 60% of the budget to CTV, or drop the display. finalize holds a plan's prices for a day. What cannot " +
    "be done is said for each change; all that can is done together.",
  effect: "draft",
  access: "key",
  input: z.object({
    ...pageInput,
    changes: z
      .array(
        z.object({
          scope: z.enum(["all", "offer", "plan"]),
          offer_id: id.nullish(),
          plan_id: id.nullish(),
          action: z.enum(["include", "omit", "more_like_this", "finalize"]).nullish(),
          ask: z.string().max(20_000).nullish().describe("What is wanted, in words."),
        }),
      )
      .min(1)
      .max(50),
    ...offerFilter,
  }),
  output: z.looseObject({
    offers: z.array(offer),
    plans: z.array(shownPlan),
    applied: z.array(
      z.looseObject({
        scope: z.string(),
        offer_id: z.string().nullable(),
        plan_id: z.string().nullable(),
        status: z.enum(["applied", "partial", "unable"]),
        notes: z.string().nullable(),
      }),
    ),
    ...pageOutput,
  }),
  refusals: { plan_not_found: 404, plan_expired: 410, plan_already_booked: 409 },
  rest: { method: "POST", path: "/api/v1/plans/refine" },
  tool: { title: "Refine a plan", ...drafts },
});
