import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { endsAfterStart, flightDay } from "../flight-days.ts";
import { catalogRefusals } from "../seller-refusal.ts";

const word = z.string().min(1).max(100).nullish();
const price = z.number().min(0).nullish();

export const searchProducts = defineContract({
  name: "search_products",
  group: "product-search",
  summary:
    "Searches the catalog of the configured seller: OPENDIRECT_BASE_URL, else the first of SELLER_ENDPOINTS. " +
    "Products come as the seller lists them, in its order. Nothing found is an empty list. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z
    .object({
      channel: word.describe("For example display, video or ctv."),
      format: word.describe("For example banner or pre-roll."),
      min_price: price.describe("Least price per thousand impressions; products without a price are left out."),
      max_price: price.describe("Most price per thousand impressions; products without a price are left out."),
      limit: z.int().min(1).max(50).default(10).describe("At most so many products, 1 to 50."),
    })
    .superRefine(({ min_price, max_price }, at) => {
      if (min_price == null || max_price == null || min_price <= max_price) return;
      at.addIssue({ code: "custom", path: ["min_price"], message: "min_price must not be above max_price." });
    }),
  output: z.looseObject({
    results: fromOthers(z.array(z.record(z.string(), z.unknown()))),
    total: z.int(),
    seller_url: z.string(),
  }),
  refusals: catalogRefusals,
  rest: { method: "POST", path: "/products/search" },
  tool: { title: "Search products", readOnly: true, destructive: false, idempotent: true, openWorld: true },
});

export const compareProducts = defineContract({
  name: "compare_products",
  group: "product-search",
  summary:
    "Shows the same or different products of all sellers side by side, cheapest first, with price, deal " +
    "types and minimum, and with a flight what is left over it. A seller that fails is named in warnings. Changes " +
    "nothing.",
  effect: "read",
  access: "operator",
  input: z
    .object({
      product_ids: z
        .array(z.string().min(1).max(128))
        .min(1)
        .max(100)
        .nullish()
        .describe("Ids from search_products; without them up to 100 products of each seller."),
      flight_start: flightDay.nullish().describe("First day of a flight, YYYY-MM-DD (UTC)."),
      flight_end: flightDay.nullish().describe("Its last day, included."),
    })
    .superRefine(endsAfterStart)
    .superRefine(({ flight_start, flight_end }, at) => {
      const message = "A flight has flight_start and flight_end.";
      if ((flight_start == null) !== (flight_end == null)) {
        at.addIssue({ code: "custom", path: ["flight_end"], message });
      }
    }),
  output: z.looseObject({
    products: z.array(
      z.looseObject({
        product_id: z.string(),
        name: fromOthers(z.string()),
        seller_url: z.string(),
        inventory_type: z.string().nullable(),
        price: z.number().nullable(),
        currency: z.string().nullable(),
        deal_types: z.array(z.string()),
        minimum_impressions: z.int().nullable(),
        available_impressions: z.int().nullable().describe("Over the flight where one is given; null: not known."),
        unlimited: z.boolean().describe("The seller knows no limit over the flight."),
      }),
    ),
    missing: z.array(z.string()),
    warnings: z.array(
      z.looseObject({ seller_url: z.string(), error: fromOthers(z.string()), status_code: z.int().nullable() }),
    ),
  }),
  refusals: {},
  rest: { method: "POST", path: "/products/compare" },
  tool: { title: "Compare products", readOnly: true, destructive: false, idempotent: true, openWorld: true },
});
