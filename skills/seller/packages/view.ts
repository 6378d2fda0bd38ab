import type { z } from "zod";
import { formatUnits, fromMicros, roundHalfEven, unitsOrNull } from "../../../machines/money.ts";
import { finalMicrosFor } from "../../../machines/pricing/price.ts";
import { cpmRange } from "../../../machines/pricing/range.ts";
import { mayNegotiate } from "../../../machines/pricing/tiers.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { priceQuestion } from "../pricing/rules.ts";
import type { gatedPackage, packageRecord, publicPackage } from "./contract.ts";
import type { PackageRow, Placement } from "./record.ts";
import { packageDealTypes } from "./sold.ts";
import type { SellerContext } from "../context.ts";

const timestamp = (atMs: number): string => new Date(atMs).toISOString();

export const seesDetail = (context: SellerContext): boolean =>
  isOperator(context.caller) || context.ports.settings.pricing.tiers[context.tier].exactPrice;

/** A price range, and the kinds of audience data alone. */
export const publicView = (row: PackageRow): z.input<typeof publicPackage> => {
  const audience = row.audience_capabilities;
  const agentic = audience.agentic_capabilities;
  return {
    package_id: row.package_id,
    name: row.name,
    description: row.description,
    layer: row.layer,
    ad_formats: [...row.ad_formats],
    device_types: [...row.device_types],
    cat: [...row.cat],
    cattax: row.cattax,
    geo_targets: [...row.geo_targets],
    tags: [...row.tags],
    price_range: cpmRange(row.base_price_micros, row.currency),
    rate_type: row.rate_type,
    is_featured: row.is_featured,
    audience_capabilities: {
      standard_taxonomy_version: audience.standard_taxonomy_version,
      contextual_taxonomy_version: audience.contextual_taxonomy_version,
      supports_standard: audience.standard_segment_ids.length > 0,
      supports_contextual: audience.contextual_segment_ids.length > 0,
      supports_agentic: agentic !== null,
      ...(agentic === null ? {} : { agentic_spec_version: agentic.spec_version }),
    },
  };
};

const placementView = (item: Placement) => ({
  ...item,
  ad_formats: [...item.ad_formats],
  device_types: [...item.device_types],
});

/** Never below the package's floor. */
const exactPriceMicros = (context: SellerContext, row: PackageRow): number => {
  if (isOperator(context.caller)) return row.base_price_micros;
  const priced = {
    product_id: row.package_id,
    inventory_type: row.inventory_type ?? "package",
    base_cpm_micros: row.base_price_micros,
    currency: row.currency,
    floor_cpm_micros: row.floor_price_micros ?? row.product_floor_micros,
  };
  const question = priceQuestion(context, priced, context.tier);
  return finalMicrosFor(question, context.ports.settings.pricing) ?? row.base_price_micros;
};

const detailView = (context: SellerContext, row: PackageRow): z.input<typeof gatedPackage> => {
  const exactPrice = fromMicros(exactPriceMicros(context, row));
  const terms = context.ports.settings.pricing.tiers[context.tier];
  return {
    ...publicView(row),
    price_range: `${formatUnits(roundHalfEven(exactPrice, 0), row.currency)} CPM`,
    deal_types: [...packageDealTypes(context, row)],
    exact_price: exactPrice,
    floor_price: unitsOrNull(row.floor_price_micros),
    currency: row.currency,
    placements: row.placements.map(placementView),
    audience_segment_ids: [...row.audience_capabilities.standard_segment_ids],
    audience_capabilities: { ...row.audience_capabilities },
    negotiation_enabled: mayNegotiate(terms),
    volume_discounts_available: terms.volumeDiscounts,
  };
};

export const packageView = (context: SellerContext, row: PackageRow): z.input<typeof gatedPackage> => {
  if (!seesDetail(context)) return publicView(row);
  const detail = detailView(context, row);
  if (!isOperator(context.caller)) return detail;
  return { ...detail, ...recordView(row), price_range: cpmRange(row.base_price_micros, row.currency) };
};

/** Without a floor of its own, that of the products: operators see those. */
export const recordView = (row: PackageRow): z.input<typeof packageRecord> => {
  const { base_price_micros: base, floor_price_micros: floor, product_floor_micros: productFloor, ...rest } = row;
  const { created_at_ms: createdAtMs, updated_at_ms: updatedAtMs, placements, ...record } = rest;
  return {
    ...record,
    placements: placements.map(placementView),
    audience_segment_ids: [...row.audience_capabilities.standard_segment_ids],
    base_price: fromMicros(base),
    floor_price: unitsOrNull(floor ?? productFloor),
    created_at: timestamp(createdAtMs),
    updated_at: updatedAtMs === null ? null : timestamp(updatedAtMs),
  };
};
