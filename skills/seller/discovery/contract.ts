import { z } from "zod";
import { dayFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { agentUrl } from "../pricing/contract.ts";

const item = z.looseObject({ product_id: z.string(), name: z.string() });

/** `tier_discount` and the variance are fractions. */
const tierConfig = z.looseObject({
  tier: z.string(),
  tier_name: z.string(),
  description: z.string(),
  show_exact_price: z.boolean(),
  price_range_variance: z.number(),
  tier_discount: z.number(),
  negotiation_enabled: z.boolean(),
  premium_inventory_access: z.boolean(),
  custom_deals_enabled: z.boolean(),
  volume_discounts_enabled: z.boolean(),
  avails_granularity: z.string(),
});

export const discoverInventory = defineContract({
  name: "discover_inventory",
  group: "discovery",
  summary:
    "Answers a question about the inventory in words with exactly one of four blocks: catalog, pricing, " +
    "availability or targeting, whichever the words ask for, as far as your tier may see. Use list_products for " +
    "the whole list, check_avails for one product and its dates. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    query: z.string().min(1).max(4000).describe("The question, for example: what CTV inventory is available?"),
    filters: z
      .looseObject({ inventory_type: z.union([z.string().max(64), z.array(z.string().max(64)).max(50)]).nullish() })
      .nullish()
      .describe("inventory_type (one or a list) narrows the answer; not_used names what was not followed."),
    flight_start: dayFilter.describe("First day for availability, YYYY-MM-DD; today when left out."),
    flight_end: dayFilter.describe("Last day, included; 30 days after the first when left out."),
    buyer_tier: z.string().max(64).nullish().describe("Ignored: the API key decides the tier."),
    agency_id: z.string().max(255).nullish().describe("Ignored: the API key decides what is shown."),
    agent_url: agentUrl,
    limit: z.int().min(1).max(500).default(50).describe("Products in the answer, 1 to 500."),
    offset: z.int().min(0).default(0).describe("Products to leave out from the start."),
  }),
  output: z.looseObject({
    access_tier: z.string(),
    tier_config: tierConfig,
    catalog: z.array(item).optional(),
    pricing: z.looseObject({ products: z.array(item) }).optional(),
    availability: z
      .looseObject({
        granularity: z.string(),
        flight_start: z.string(),
        flight_end: z.string(),
        products: z.array(item),
      })
      .optional(),
    targeting: z.looseObject({}).optional(),
    status_text: z.string().optional().describe("Where the flight has past days: what of it can be sold."),
    next_step: z.string().optional(),
    not_used: z
      .array(z.string())
      .optional()
      .describe("Filters and words of the query that the answer does not follow."),
  }),
  refusals: {},
  rest: { method: "POST", path: "/discovery" },
  tool: {
    title: "Discover inventory",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    aliases: ["search_products"],
    argumentAliases: { start_date: "flight_start", end_date: "flight_end" },
  },
  intent: {
    skill: "discovery",
    phrases: [
      "what inventory is available",
      "search for advertising products",
      "is the product available",
      "targeting",
      "what do you sell",
      "what do you have",
      "what's in your catalog",
      "show me your inventory",
      "which products are there",
      "what can we buy",
      "what is on offer",
      "overview of your products",
      "list all placements",
      "what else do you have",
      "do you have any @",
      "what @ do you have",
      "anything in @",
      "which ad products do you offer",
      "your range",
      "what's available to buy",
      "take me through your offering",
      "what are my options",
      "portfolio overview",
      "what kind of media do you sell",
    ],
  },
});
