import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { sellerRefusals, sellerUrlInput } from "../seller-refusal.ts";
import { packageSummary } from "./packages.ts";

const readTool = (title: string) => ({ title, readOnly: true, destructive: false, idempotent: true, openWorld: true });

const sellerUrls = z
  .array(sellerUrlInput)
  .max(100)
  .default([])
  .describe("Addresses of the sellers; the configured ones where the list is empty.");

/** All of it is the sellers': one mark for a list is shorter than some for each of its packages. */
const packages = fromOthers(z.array(packageSummary));

const failure = z.looseObject({
  seller_url: z.string(),
  error: fromOthers(z.string()),
  status_code: z.int().nullable(),
});

export const getSellerMediaKit = defineContract({
  name: "get_seller_media_kit",
  group: "media-kit",
  summary: "Shows a seller's media kit: its name, the featured packages and all packages. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput }),
  output: z.looseObject({
    seller_url: z.string(),
    seller_name: fromOthers(z.string()),
    total_packages: z.int(),
    featured: packages,
    all_packages: packages,
  }),
  refusals: sellerRefusals,
  rest: { method: "GET", path: "/sellers/media-kit" },
  tool: readTool("Show a seller's media kit"),
});

export const listSellerPackages = defineContract({
  name: "list_seller_packages",
  group: "media-kit",
  summary:
    "Lists the packages of several sellers, asked at the same time. A seller that fails is left out and named in " +
    "warnings. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    seller_urls: sellerUrls,
    layer: z.string().max(64).nullish().describe("Only packages of this layer: synced, curated or dynamic."),
    featured_only: z.boolean().default(false).describe("Only featured packages."),
  }),
  output: z.looseObject({ packages, total: z.int(), warnings: z.array(failure) }),
  refusals: {},
  rest: { method: "POST", path: "/sellers/media-kit/packages" },
  tool: readTool("List packages of sellers"),
});

export const getSellerPackage = defineContract({
  name: "get_seller_package",
  group: "media-kit",
  summary: "Returns one package of a seller, with its price where this buyer's key shows it. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    package_id: z.string().min(1).max(128).describe("Id from list_seller_packages."),
  }),
  output: packageSummary,
  refusals: { ...sellerRefusals, package_not_found: 404 },
  rest: { method: "GET", path: "/sellers/media-kit/packages/:package_id" },
  tool: readTool("Get a package of a seller"),
});

export const searchSellerMediaKit = defineContract({
  name: "search_seller_media_kit",
  group: "media-kit",
  summary: "Searches a seller's packages for words, best first. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    query: z.string().min(1).max(500).describe("Words, for example: premium sports ctv."),
  }),
  output: z.looseObject({ seller_url: z.string(), packages, total: z.int() }),
  refusals: sellerRefusals,
  rest: { method: "POST", path: "/sellers/media-kit/search" },
  tool: readTool("Search a seller's media kit"),
});

export const compareSellers = defineContract({
  name: "compare_sellers",
  group: "media-kit",
  summary:
    "Compares sellers by what their media kits hold: packages, formats, price ranges. A seller that cannot be read " +
    "stands in the list with its error. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ seller_urls: sellerUrls }),
  output: z.looseObject({
    sellers_compared: z.int(),
    sellers: z.array(
      z.looseObject({
        seller_url: z.string(),
        seller_name: fromOthers(z.string().nullable()),
        total_packages: z.int(),
        ad_formats: fromOthers(z.array(z.string())),
        packages: fromOthers(z.array(z.looseObject({ package_id: z.string(), name: z.string() }))),
        error: fromOthers(z.string().nullable()),
        status_code: z.int().nullable(),
      }),
    ),
    summary: z.looseObject({
      total_packages_across_sellers: z.int(),
      all_ad_formats: fromOthers(z.array(z.string())),
      sellers_reachable: z.int(),
      sellers_unreachable: z.int(),
    }),
  }),
  refusals: {},
  rest: { method: "POST", path: "/sellers/compare" },
  tool: readTool("Compare sellers"),
});
