import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { dealTypes } from "../products/record.ts";
import { reads } from "../tool-hints.ts";

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
