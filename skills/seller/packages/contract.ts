import { z } from "zod";
import { audienceTypes, packageLayers } from "./record.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { tiers } from "../../../machines/pricing/tiers.ts";
import { dealTypes } from "../products/record.ts";
import { agentUrl } from "../pricing/contract.ts";

const word = (most: number) => z.string().trim().min(1).max(most);

const words = (mostItems: number) => z.array(word(64)).max(mostItems);

const deviceTypes = z.array(z.int().min(0).max(255)).max(32).describe("AdCOM device types, for example 3 and 7.");

const placement = z.looseObject({
  product_id: z.string(),
  product_name: z.string(),
  ad_formats: z.array(z.string()),
  device_types: z.array(z.int()),
  weight: z.number(),
});

/** Each is a term of the index. */
const mostSegments = 64;

const audienceCapabilities = z.object({
  standard_segment_ids: words(mostSegments).default([]),
  standard_taxonomy_version: word(32).default("1.1"),
  contextual_segment_ids: words(mostSegments).default([]),
  contextual_taxonomy_version: word(32).default("3.1"),
  agentic_capabilities: z
    .object({
      supported_signal_types: z
        .array(z.enum(["identity", "contextual", "reinforcement"]))
        .max(3)
        .default([]),
      embedding_dim_range: z.tuple([z.int().min(1).max(65_536), z.int().min(1).max(65_536)]).default([256, 1024]),
      spec_version: word(32).default("draft-2026-01"),
      consent_modes: words(16).default([]),
    })
    .nullish(),
});

/**
 * Seller spec, Media kit. Hidden members are absent, not null: buyers take an `exact_price` member for the detailed
 * view.
 */
export const publicPackage = z.looseObject({
  package_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  layer: z.string(),
  ad_formats: z.array(z.string()),
  device_types: z.array(z.int()),
  cat: z.array(z.string()),
  cattax: z.int(),
  geo_targets: z.array(z.string()),
  tags: z.array(z.string()),
  price_range: z.string(),
  rate_type: z.string(),
  is_featured: z.boolean(),
  audience_capabilities: z.looseObject({
    standard_taxonomy_version: z.string(),
    contextual_taxonomy_version: z.string(),
  }),
});

/** CPMs in units of `currency`. */
export const gatedPackage = publicPackage.extend({
  deal_types: z.array(z.enum(dealTypes)).optional().describe("What request_quote takes for it; empty: not quoted."),
  exact_price: z.number().optional().describe("The caller's own CPM."),
  floor_price: z.number().nullable().optional().describe("The package's own lowest CPM, where it has one."),
  currency: z.string().optional(),
  placements: z.array(placement).optional(),
  audience_segment_ids: z.array(z.string()).optional(),
  negotiation_enabled: z.boolean().optional(),
  volume_discounts_available: z.boolean().optional(),
  status: z.string().optional().describe("draft, active or archived; to operators."),
  base_price: z.number().optional().describe("CPM before tier discounts; to operators."),
  revision: z.int().optional().describe("To operators: what update_package takes as If-Match."),
});

export const packageRecord = z.looseObject({
  package_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  layer: z.string(),
  status: z.string(),
  placements: z.array(placement),
  base_price: z.number(),
  floor_price: z.number().nullable(),
  currency: z.string(),
  is_featured: z.boolean(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
  revision: z.int(),
});

const built = packageRecord.extend({
  unresolved_ids: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

/** Unknown words in the first two are 400. */
export const filterInput = {
  layer: z
    .string()
    .max(64)
    .meta({ enum: [...packageLayers, ""] })
    .nullish()
    .describe("synced, curated or dynamic."),
  featured_only: z.boolean().default(false).describe("Featured packages only."),
  audience_type: z
    .string()
    .max(64)
    .meta({ enum: [...audienceTypes, ""] })
    .nullish()
    .describe("standard, contextual or agentic."),
  audience_id: z.string().max(64).nullish().describe("A segment id of that type; needs a key with exact prices."),
  audience_taxonomy_version: z.string().max(32).nullish().describe("Taxonomy version of that type."),
};

/** The key alone decides. */
export const contextInput = {
  buyer_tier: z.string().max(64).nullish().describe("Ignored: the API key decides the tier."),
  agency_id: z.string().max(255).nullish().describe("Ignored: the API key decides."),
  advertiser_id: z.string().max(255).nullish().describe("Ignored: the API key decides."),
  agent_url: agentUrl,
};

const packageId = z.string().min(1).max(128).describe("Id from list_packages.");

const cpm = (about: string) => z.number().max(4_000_000_000).describe(about);

const productIds = z.array(word(128)).max(200);

const recordInput = {
  description: z.string().trim().max(4000).nullish(),
  cat: words(100).describe("IAB content categories of the taxonomy that cattax names."),
  cattax: z.int().min(1).max(1000),
  audience_capabilities: audienceCapabilities.nullish(),
  audience_segment_ids: words(mostSegments).nullish().describe("IAB Audience Taxonomy 1.1 ids."),
  device_types: deviceTypes,
  ad_formats: words(32),
  geo_targets: words(256),
  tags: words(64),
  is_featured: z.boolean(),
  seasonal_label: z.string().trim().max(128).nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/, "An ISO 4217 code, for example USD."),
  visible_to: z.array(z.enum(tiers)).min(1).max(tiers.length).nullish().describe("Only these tiers; null: everybody."),
};

export const listPackages = defineContract({
  name: "list_packages",
  group: "packages",
  summary:
    "Lists the active packages, newest first, a page at a time. With a key whose tier sees exact prices the caller's " +
    "own CPM, placements and audience segments; without one the public view. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    ...pageInput,
    ...filterInput,
    status: z.enum(["draft", "active", "archived"]).default("active").describe("Operators only."),
    ...contextInput,
  }),
  output: z.looseObject({ packages: z.array(gatedPackage), ...pageOutput }),
  refusals: {
    invalid_layer: 400,
    invalid_audience_filter: 400,
    audience_filter_not_allowed: 403,
    operator_required: 403,
  },
  rest: { method: "GET", path: "/packages" },
  tool: {
    title: "List packages",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    rows: {
      packages: [
        "package_id",
        "name",
        "description",
        "layer",
        "ad_formats",
        "device_types",
        "geo_targets",
        "price_range",
        "exact_price",
        "floor_price",
        "currency",
        "deal_types",
        "rate_type",
        "is_featured",
        "negotiation_enabled",
      ],
    },
  },
  intent: {
    skill: "discovery",
    phrases: [
      "which packages do you have",
      "list the packages",
      "show your packages",
      "any bundles",
      "do you sell bundles",
      "ready made packages",
      "show your packs",
      "curated packages",
      "do you offer combined packages",
      "what's in your packages",
      "bundle deals",
    ],
  },
});

export const getPackage = defineContract({
  name: "get_package",
  group: "packages",
  summary:
    "Returns one active package, priced as list_packages does. Operators see drafts and archived ones too. Changes " +
    "nothing.",
  effect: "read",
  access: "public",
  input: z.object({ package_id: packageId, ...contextInput }),
  output: gatedPackage,
  refusals: { package_not_found: 404 },
  rest: { method: "GET", path: "/packages/:package_id" },
  tool: { title: "Get a package", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const createPackage = defineContract({
  name: "create_package",
  group: "packages",
  summary:
    "Creates a curated package and shows it to buyers at once, or to the tiers of visible_to; request_quote takes " +
    "its id. Prices are per thousand impressions; without base_price it costs what its products cost together. " +
    "Product ids that are not in the catalog are left out and named. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    name: word(255),
    base_price: cpm("CPM before tier discounts; above zero. Left out: what its products cost together.").nullish(),
    floor_price: cpm("Lowest CPM, which buyers with a tier see; zero or more, at most base_price.").nullish(),
    product_ids: productIds.default([]),
    inventory_type: word(64).nullish().describe("Gives formats and devices where neither is named."),
    ...recordInput,
    cat: recordInput.cat.default([]),
    cattax: recordInput.cattax.default(2),
    device_types: deviceTypes.default([]),
    ad_formats: recordInput.ad_formats.default([]),
    geo_targets: recordInput.geo_targets.default([]),
    tags: recordInput.tags.default([]),
    is_featured: z.boolean().default(false),
    currency: recordInput.currency.nullish().describe("Left out: the currency of the products, else USD."),
  }),
  output: built,
  refusals: { unresolvable_product_ids: 422, currency_mismatch: 422, too_many_packages: 409 },
  rest: { method: "POST", path: "/packages" },
  tool: { title: "Create a package", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const updatePackage = defineContract({
  name: "update_package",
  group: "packages",
  summary:
    "Changes the named fields of a package and leaves the others. Lists are replaced whole. The id, the layer, the " +
    "source and the times cannot be changed. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    package_id: packageId,
    ...z
      .object({
        name: word(255),
        status: z.enum(["draft", "active", "archived"]),
        base_price: cpm("CPM before tier discounts; above zero."),
        product_ids: productIds.describe("Replaces the placements by one for each product."),
        placements: z
          .array(
            z.object({
              product_id: word(128),
              product_name: word(255).optional(),
              ad_formats: words(32).optional(),
              device_types: deviceTypes.optional(),
              weight: z.number().min(0).max(1_000_000).default(1),
            }),
          )
          .max(200),
        pricing_type: z.enum(["fixed", "floor", "on_request"]),
        rate_type: word(32),
        ...recordInput,
      })
      .partial().shape,
    floor_price: cpm("Lowest CPM; null removes it.").nullish(),
    layer: z.unknown().optional(),
    ad_server_source: z.unknown().optional(),
    created_at: z.unknown().optional(),
    updated_at: z.unknown().optional(),
    revision: z.unknown().optional(),
  }),
  output: built,
  refusals: {
    revision_mismatch: 412,
    package_not_found: 404,
    immutable_field: 422,
    unresolvable_product_ids: 422,
    currency_mismatch: 422,
    too_many_packages: 409,
  },
  rest: { method: "PUT", path: "/packages/:package_id" },
  tool: { title: "Update a package", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});

export const archivePackage = defineContract({
  name: "archive_package",
  group: "packages",
  summary:
    "Takes a package out of the media kit. Its record stays, and update_package with the status active brings it " +
    "back. Archiving twice is the same as once. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({ package_id: packageId }),
  output: z.looseObject({ package_id: z.string(), status: z.literal("archived") }),
  refusals: { revision_mismatch: 412, package_not_found: 404 },
  rest: { method: "DELETE", path: "/packages/:package_id" },
  tool: { title: "Archive a package", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});

export const assemblePackage = defineContract({
  name: "assemble_package",
  group: "packages",
  summary:
    "Assembles a dynamic package from products of the catalog: their formats and devices together, and the mean of " +
    "their list prices. Buyers see it at once. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    name: word(255),
    product_ids: productIds,
    floor_price: cpm("Lowest CPM that buyers with a tier see; left out: none.").nullish(),
  }),
  output: built,
  refusals: { nothing_to_assemble: 400, unresolvable_product_ids: 422, currency_mismatch: 422, too_many_packages: 409 },
  rest: { method: "POST", path: "/packages/assemble" },
  tool: { title: "Assemble a package", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const syncPackages = defineContract({
  name: "sync_packages",
  group: "packages",
  summary:
    "Imports the inventory of the configured ad server as one synced package per inventory type. Only what differs " +
    "is written, packages whose inventory is gone are removed, other layers are left alone. Without an ad server " +
    "four sample packages stand in. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    incremental: z
      .boolean()
      .default(false)
      .describe("Reads only what changed since the last import, and removes only what is named as archived."),
  }),
  output: z.looseObject({
    status: z.literal("synced"),
    source: z.string(),
    synced_packages: z.array(z.string()),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    warnings: z.array(z.string()),
  }),
  refusals: { ad_server_unavailable: 502, too_many_packages: 409 },
  rest: { method: "POST", path: "/packages/sync" },
  tool: {
    title: "Import packages from the ad server",
    readOnly: false,
    destructive: true,
    idempotent: true,
    openWorld: true,
    aliases: ["sync_inventory"],
  },
});
