import { type AcceptFrom, acceptFromMicros } from "../../../machines/pricing/accept-from.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import type { PackagePart } from "../inventory.ts";
import { type DealType, dealTypes, type Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { packageKind, type PackageRow } from "./record.ts";

/** What a quote can be for: a product, or the parts of a package. */
export interface Sold extends Product {
  readonly parts?: readonly PackagePart[];
}

export const isVisible = ({ caller, tier }: SellerContext, { visible_to: tiers }: PackageRow): boolean =>
  isOperator(caller) || tiers == null || tiers.includes(tier);

/** One for each product that is a part, however often it is placed. */
const partsOf = ({ placements }: PackageRow): readonly PackagePart[] => {
  const weights = new Map<string, number>();
  for (const { product_id: id, weight } of placements) weights.set(id, (weights.get(id) ?? 0) + weight);
  return [...weights].filter(([, weight]) => weight > 0).map(([product_id, weight]) => ({ product_id, weight }));
};

/** Empty where a part is not on sale any more, or no type is common to all. */
export const packageDealTypes = ({ ports }: SellerContext, row: PackageRow): readonly DealType[] => {
  const items = partsOf(row).map(({ product_id: id }) => ports.catalog.get(id));
  return items.length === 0 ? [] : dealTypes.filter((type) => items.every((item) => item?.deal_types.includes(type)));
};

/** The strictest of its parts' shares of the list price; null where none has one. */
const acceptFromOf = (items: readonly (Product | null)[]): AcceptFrom | null => {
  const shares = items.flatMap((item) => {
    const list = item?.base_cpm_micros ?? null;
    const least = acceptFromMicros(item?.accept_from, list);
    return least === null || list === null || list === 0 ? [] : [(least / list) * 100];
  });
  return shares.length === 0 ? null : { listPct: Math.min(100, Math.max(...shares)) };
};

const soldPackage = (context: SellerContext, row: PackageRow): Sold | null => {
  const parts = partsOf(row);
  const items = parts.map(({ product_id: id }) => context.ports.catalog.get(id));
  const types = packageDealTypes(context, row);
  if (types.length === 0) return null;
  return {
    product_id: row.package_id,
    name: row.name,
    description: row.description,
    inventory_type: row.inventory_type ?? "package",
    deal_types: types,
    pricing_models: [row.rate_type],
    base_cpm_micros: row.base_price_micros,
    floor_cpm_micros: row.floor_price_micros ?? row.product_floor_micros,
    accept_from: acceptFromOf(items),
    currency: row.currency,
    minimum_impressions: Math.max(...items.map((item) => item?.minimum_impressions ?? 0)),
    maximum_impressions: null,
    audience_targeting: null,
    content_targeting: null,
    ad_product_targeting: null,
    parts,
  };
};

/** For flights that start on a day. Null: neither a product nor a package that this caller may be quoted. */
export const soldById = (
  context: SellerContext,
  id: string,
  flightSlot?: number | null,
): Sold | null | Promise<Sold | null> => {
  const item = context.ports.catalog.get(id, flightSlot);
  if (item !== null || !id.startsWith("pkg-")) return item;
  return context.load(packageKind, id).then((loaded) => {
    const isOnSale = loaded?.body.status === "active" && isVisible(context, loaded.body);
    return isOnSale ? soldPackage(context, loaded.body) : null;
  });
};
