import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { searchMediaKit } from "../../seller/media-kit/contract.ts";

export const packageItems = z.array(z.unknown()).catch([]).default([]);

/** Items are read one by one. */
export const openKitSearch = defineContract({ ...searchMediaKit, output: z.looseObject({ results: packageItems }) });

const text = z.string().max(4_000).nullish().catch(null);
const names = z.array(z.string().max(255)).max(200).catch([]).default([]);
const amount = z.number().nullish().catch(null);
const flag = z.boolean().catch(false).default(false);

const placement = z.looseObject({
  product_name: text,
  ad_formats: names,
  device_types: z.array(z.int()).catch([]).default([]),
  weight: z.number().catch(1).default(1),
});

/** An odd member is left empty; a package without id or name is left out. */
const listed = z.looseObject({
  package_id: z.string().min(1).max(255),
  name: z.string().max(1_000),
  description: text,
  ad_formats: names,
  device_types: z.array(z.int()).max(50).catch([]).default([]),
  cat: names,
  cattax: z.int().catch(2).default(2),
  geo_targets: names,
  tags: names,
  price_range: z.unknown().optional(),
  rate_type: z.string().max(64).catch("cpm").default("cpm"),
  is_featured: flag,
  exact_price: amount,
  floor_price: amount,
  currency: z.string().max(8).catch("USD").default("USD"),
  placements: z.array(placement).max(200).catch([]).default([]),
  audience_segment_ids: names,
  negotiation_enabled: flag,
  volume_discounts_available: flag,
});

export const packageSummary = z.looseObject({
  package_id: z.string(),
  name: fromOthers(z.string()),
  description: fromOthers(z.string().nullable()),
  ad_formats: fromOthers(z.array(z.string())),
  device_types: z.array(z.int()),
  cat: fromOthers(z.array(z.string())),
  geo_targets: fromOthers(z.array(z.string())),
  tags: fromOthers(z.array(z.string())),
  price_range: fromOthers(z.string().nullable()),
  rate_type: z.string(),
  is_featured: z.boolean(),
  seller_url: z.string(),
});

/** With a key the seller adds its price; `exact_price` tells the two apart. */
const packageDetail = z.looseObject({
  ...packageSummary.shape,
  exact_price: z.number(),
  floor_price: z.number().nullable(),
  currency: z.string(),
  placements: z.array(z.looseObject({ product_name: z.string().nullable(), weight: z.number() })),
  audience_segment_ids: z.array(z.string()),
  negotiation_enabled: z.boolean(),
  volume_discounts_available: z.boolean(),
});

export type PackageView = z.input<typeof packageSummary>;

const longestRange = 200;

/** Sellers send a range as text or as an object of bounds. */
const rangeText = (range: unknown): string | null => {
  if (range === null || range === undefined) return null;
  return (typeof range === "string" ? range : JSON.stringify(range)).slice(0, longestRange);
};

export const packageOf = (item: unknown, sellerUrl: string): PackageView | null => {
  const { data } = listed.safeParse(item);
  if (data === undefined) return null;
  const summary = {
    package_id: data.package_id,
    name: data.name,
    description: data.description ?? null,
    ad_formats: data.ad_formats,
    device_types: data.device_types,
    cat: data.cat,
    cattax: data.cattax,
    geo_targets: data.geo_targets,
    tags: data.tags,
    price_range: rangeText(data.price_range),
    rate_type: data.rate_type,
    is_featured: data.is_featured,
    seller_url: sellerUrl,
  };
  if (typeof data.exact_price !== "number") return summary;
  const detail: z.input<typeof packageDetail> = {
    ...summary,
    exact_price: data.exact_price,
    floor_price: data.floor_price ?? null,
    currency: data.currency,
    placements: data.placements.map((one) => ({ ...one, product_name: one.product_name ?? null })),
    audience_segment_ids: data.audience_segment_ids,
    negotiation_enabled: data.negotiation_enabled,
    volume_discounts_available: data.volume_discounts_available,
  };
  return detail;
};

export const packagesOf = (items: readonly unknown[], sellerUrl: string): PackageView[] =>
  items.map((item) => packageOf(item, sellerUrl)).filter((found) => found !== null);
