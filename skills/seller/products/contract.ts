import { z } from "zod";
import { listRoles } from "../../../protocol/audience-plan/schema.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { plannedChange } from "../product-changes/contract.ts";

const targeting = z.record(z.string(), z.array(z.string())).nullable();

/** Strict integer micros. */
const money = z.looseObject({ amount_micros: z.int(), currency: z.string() });

/** Both published forms at once. `price_range` replaces exact prices; `floor_cpm` is null to all but operators. */
export const product = z.looseObject({
  product_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  inventory_type: z.string(),
  base_cpm: z.number().nullable().describe("List price per thousand impressions; null where price_range stands."),
  final_cpm: z.number().nullish().describe("The caller's own price per thousand before volume discounts."),
  floor_cpm: z.number().nullable(),
  accept_from: z
    .union([z.number(), z.string()])
    .nullish()
    .describe("To operators: the least target_cpm that a quote takes; null: the floor."),
  price_range: z.string().nullish().describe("What callers without exact prices see, for example $28-$42 CPM."),
  currency: z.string(),
  deal_types: z.array(z.string()),
  seller_organization_id: z.string(),
  base_price: money.nullable(),
  pricing_type: z.string(),
  pricing_model: z.string(),
  delivery_type: z.string(),
  domain: z.string().nullable(),
  ad_formats: z.array(z.string()),
  audience_targeting: targeting,
  ad_product_targeting: targeting,
  content_targeting: targeting,
  available_impressions: z.int().nullable(),
  commercial_terms: z.looseObject({}).nullable(),
  ext: z.looseObject({
    inventory_type: z.string(),
    floor_cpm: z.number().nullable(),
    minimum_impressions: z.int(),
    deal_types: z.array(z.string()),
    audience_capabilities: z
      .array(
        z.looseObject({
          type: z.enum(["standard", "contextual", "agentic"]),
          taxonomy: z.enum(["iab-audience", "iab-content", "agentic-audiences"]),
          versions: z.array(z.string()).describe("Accepted versions of the taxonomy; all where it is empty."),
          roles: z.array(z.enum(["primary", ...listRoles])).describe("Where a plan may hold such a reference."),
        }),
      )
      .describe("The audiences that an audience_plan of its deal can carry."),
  }),
});

export const listProducts = defineContract({
  name: "list_products",
  group: "products",
  summary:
    "Lists the products on sale, in catalog order, a page at a time. Prices are per thousand impressions in the " +
    "product's currency: without a key a range, with a key the list price and your own. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object(pageInput),
  output: z.looseObject({
    products: z.array(product),
    total_count: z.int(),
    limit: z.int(),
    offset: z.int(),
    ...pageOutput,
  }),
  refusals: {},
  rest: { method: "GET", path: "/products" },
  tool: {
    title: "List products",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    rows: {
      products: [
        "product_id",
        "name",
        "description",
        "inventory_type",
        "base_cpm",
        "final_cpm",
        "floor_cpm",
        "price_range",
        "currency",
        "pricing_type",
        "available_impressions",
        "ext.deal_types",
        "ext.minimum_impressions",
      ],
    },
  },
  intent: {
    skill: "discovery",
    phrases: ["what inventory do you have", "list all products", "which products are on sale", "show the catalog"],
  },
});

export const getProduct = defineContract({
  name: "get_product",
  group: "products",
  summary:
    "Returns one product of the catalog with its targeting, deal types and minimum volume, priced as list_products " +
    "does. Use it when the product id is known. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ product_id: z.string().min(1).max(128).describe("Id from list_products.") }),
  output: product.extend({
    planned_changes: z
      .array(plannedChange)
      .optional()
      .describe("Operators only: prices and caps that update_product set for later days."),
  }),
  refusals: { product_not_found: 404 },
  rest: { method: "GET", path: "/products/:product_id" },
  tool: {
    title: "Get a product",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    argumentAliases: { id: "product_id" },
  },
  intent: {
    skill: "discovery",
    phrases: [
      "tell me about the product",
      "details of the product",
      "what is product",
      "tell me about @",
      "tell me more about @",
      "what is @",
      "details on @",
      "describe @",
      "more information about @",
      "what is the @ product",
      "explain @",
      "explain what @ is",
      "what do I get with @",
      "what does @ include",
      "info on @",
      "help me understand @",
      "what's the minimum for @",
      "who sees @",
      "background about @",
      "what kind of ad is @",
    ],
  },
});
