import type { z } from "zod";
import { computedPriceMicros, fromMicros } from "../../../machines/money.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import type { assemblePackage, createPackage } from "./contract.ts";
import { noAudience, traitsOf, unionOf } from "./inventory-types.ts";
import { newPackageId, type PackageRow } from "./record.ts";
import { audienceOf, currencyOf, readPrices, resolveProducts } from "./rules.ts";

export interface BuiltPackage {
  readonly row: PackageRow;
  readonly unresolvedIds: readonly string[];
}

const freshRow = (context: SellerContext) =>
  ({
    package_id: context.mint(newPackageId),
    description: null,
    status: "active",
    cat: [],
    cattax: 2,
    audience_capabilities: noAudience,
    geo_targets: [],
    pricing_type: "fixed",
    product_floor_micros: null,
    rate_type: "cpm",
    tags: [],
    is_featured: false,
    seasonal_label: null,
    ad_server_source: null,
    inventory_type: null,
    created_at_ms: context.nowMs,
    updated_at_ms: null,
    revision: 1,
  }) as const;

/** As named, else of the placements, else of the inventory type. */
const shownOn = (
  named: Pick<PackageRow, "ad_formats" | "device_types">,
  placements: PackageRow["placements"],
  inventoryType: string | null,
): Pick<PackageRow, "ad_formats" | "device_types"> => {
  const union = unionOf(placements);
  const traits = inventoryType === null ? { adFormats: [], deviceTypes: [] } : traitsOf(inventoryType);
  const first = <T>(lists: readonly (readonly T[])[]): readonly T[] => lists.find((list) => list.length > 0) ?? [];
  return {
    ad_formats: first([named.ad_formats, union.ad_formats, traits.adFormats]),
    device_types: first([named.device_types, union.device_types, traits.deviceTypes]),
  };
};

/** Base price, else floor. */
const listMicros = (item: Product): number | null => item.base_cpm_micros ?? item.floor_cpm_micros;

/** Half-even. */
const blendedMicros = (prices: readonly number[]): number => {
  const sum = prices.reduce((total, micros) => total + fromMicros(micros), 0);
  return computedPriceMicros(sum / prices.length);
};

interface ProductSum {
  readonly basePrice: number;
  readonly floorMicros: number;
}

/** A thousand of the package cost what its parts cost one by one; null: none has a price. */
const sumOfProducts = (items: readonly Product[]): ProductSum | null => {
  const priced = items.filter((item) => listMicros(item) !== null);
  if (priced.length === 0) return null;
  const prices = priced.map((item) => listMicros(item) ?? 0);
  const floors = priced.map((item) => item.floor_cpm_micros ?? 0);
  return { basePrice: fromMicros(blendedMicros(prices)), floorMicros: blendedMicros(floors) };
};

export const curatedPackage = (
  context: SellerContext,
  input: z.output<typeof createPackage.input>,
): BuiltPackage | Refusal => {
  const resolved = resolveProducts(context, input.product_ids);
  if (isRefusal(resolved)) return resolved;
  const currency = currencyOf(resolved.items, input.currency ?? null);
  if (isRefusal(currency)) return currency;
  const sum = input.base_price == null ? sumOfProducts(resolved.items) : null;
  const basePrice = input.base_price ?? sum?.basePrice;
  if (basePrice === undefined) return fieldRefusal("base_price", "Send a price, or products that have one.");
  if (sum === null && input.floor_price == null)
    return fieldRefusal("floor_price", "A price of its own needs a floor.");
  const prices = readPrices(basePrice, input.floor_price ?? null);
  if (isRefusal(prices)) return prices;
  const row: PackageRow = {
    ...freshRow(context),
    name: input.name,
    description: input.description ?? null,
    layer: "curated",
    placements: resolved.placements,
    cat: input.cat,
    cattax: input.cattax,
    audience_capabilities: audienceOf(input.audience_capabilities, input.audience_segment_ids, noAudience),
    ...shownOn(input, resolved.placements, input.inventory_type ?? null),
    geo_targets: input.geo_targets,
    base_price_micros: prices.baseMicros,
    floor_price_micros: prices.floorMicros,
    product_floor_micros: sum === null ? null : Math.min(sum.floorMicros, prices.baseMicros),
    visible_to: input.visible_to ?? null,
    currency,
    tags: input.tags,
    is_featured: input.is_featured,
    seasonal_label: input.seasonal_label ?? null,
  };
  return { row, unresolvedIds: resolved.unresolvedIds };
};

/** Hidden from buyers, never above the package's own price. */
const productFloorMicros = (items: readonly Product[], baseMicros: number): number => {
  const floors = items.map((item) => item.floor_cpm_micros).filter((micros) => micros !== null);
  return Math.min(baseMicros, ...floors);
};

export const assembledPackage = (
  context: SellerContext,
  input: z.output<typeof assemblePackage.input>,
): BuiltPackage | Refusal => {
  if (input.product_ids.length === 0) return refuse("nothing_to_assemble");
  const resolved = resolveProducts(context, input.product_ids);
  if (isRefusal(resolved)) return resolved;
  const currency = currencyOf(resolved.items, null);
  if (isRefusal(currency)) return currency;
  const prices = resolved.items.map(listMicros).filter((micros) => micros !== null);
  if (prices.length === 0) return refuse("nothing_to_assemble");
  const read = readPrices(fromMicros(blendedMicros(prices)), input.floor_price ?? null);
  if (isRefusal(read)) return read;
  const row: PackageRow = {
    ...freshRow(context),
    name: input.name,
    description: `Dynamic package: ${resolved.items.map((item) => item.name).join(", ")}`,
    layer: "dynamic",
    placements: resolved.placements,
    ...unionOf(resolved.placements),
    base_price_micros: read.baseMicros,
    floor_price_micros: read.floorMicros,
    product_floor_micros: productFloorMicros(resolved.items, read.baseMicros),
    currency,
  };
  return { row, unresolvedIds: resolved.unresolvedIds };
};
