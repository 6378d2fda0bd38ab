import { z } from "zod";
import { audienceTypes } from "../packages/record.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { contextInput, filterInput, gatedPackage, publicPackage } from "../packages/contract.ts";

export const getMediaKit = defineContract({
  name: "get_media_kit",
  group: "media-kit",
  summary:
    "Shows the seller's media kit: its name, the featured packages and all packages in the public view, newest " +
    "first, a page at a time. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object(pageInput),
  output: z.looseObject({
    seller_name: z.string(),
    total_packages: z.int(),
    featured_count: z.int(),
    featured: z.array(publicPackage).describe("The newest featured packages, as many as limit says."),
    all_packages: z.array(publicPackage),
    ...pageOutput,
  }),
  refusals: {},
  rest: { method: "GET", path: "/media-kit" },
  tool: { title: "Show the media kit", readOnly: true, destructive: false, idempotent: true, openWorld: false },
  intent: {
    skill: "discovery",
    phrases: [
      "show me your media kit",
      "what do you feature",
      "media kit please",
      "can you send your media kit",
      "show the mediakit",
      "do you have a media kit",
    ],
  },
});

export const listMediaKitPackages = defineContract({
  name: "list_media_kit_packages",
  group: "media-kit",
  summary:
    "Lists the active packages in the public view, newest first, narrowed by layer, featured or kind of audience. " +
    "Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ ...pageInput, ...filterInput }),
  output: z.looseObject({ packages: z.array(publicPackage), ...pageOutput }),
  refusals: { invalid_layer: 400, invalid_audience_filter: 400, audience_filter_not_allowed: 403 },
  rest: { method: "GET", path: "/media-kit/packages" },
  tool: {
    title: "List media kit packages",
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
        "rate_type",
        "is_featured",
      ],
    },
  },
});

export const getMediaKitPackage = defineContract({
  name: "get_media_kit_package",
  group: "media-kit",
  summary: "Returns one active package in the public view; get_package shows a key's own price. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ package_id: z.string().min(1).max(128).describe("Id from list_media_kit_packages.") }),
  output: publicPackage,
  refusals: { package_not_found: 404 },
  rest: { method: "GET", path: "/media-kit/packages/:package_id" },
  tool: { title: "Get a media kit package", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const searchMediaKit = defineContract({
  name: "search_media_kit",
  group: "media-kit",
  summary:
    "Searches the active packages for words in their names, descriptions, tags, content categories and formats, best " +
    "first. A key whose tier sees exact prices gets its own CPM, and finds audience segments too. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    query: z.string().min(1).max(500).describe("Words, for example: premium sports ctv."),
    audience_filter: z
      .object({
        audience_type: z
          .string()
          .max(64)
          .meta({ enum: [...audienceTypes, ""] })
          .nullish()
          .describe("standard, contextual or agentic."),
        audience_id: z.string().max(64).nullish().describe("A segment id; needs a key with exact prices."),
        taxonomy_version: z.string().max(32).nullish(),
      })
      .nullish(),
    limit: pageInput.limit,
    offset: pageInput.offset,
    ...contextInput,
  }),
  output: z.looseObject({ results: z.array(gatedPackage), total: z.int(), count: z.int() }),
  refusals: { invalid_audience_filter: 400, audience_filter_not_allowed: 403 },
  rest: { method: "POST", path: "/media-kit/search" },
  tool: {
    title: "Search the media kit",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    rows: {
      results: [
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
        "negotiation_enabled",
        "rate_type",
        "is_featured",
      ],
    },
  },
  intent: { skill: "discovery", phrases: ["find packages for", "search the media kit"] },
});
