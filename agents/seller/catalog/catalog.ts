import type { Catalog, CatalogQuery, Product } from "../../../skills/seller/ports.ts";

/** The products of some types in catalog order: one type is a ready list, several are merged once per call. */
const ofTypes = (
  all: readonly Product[],
  byType: ReadonlyMap<string, readonly Product[]>,
  types: readonly string[],
): readonly Product[] => {
  const [only] = types;
  if (only === undefined) return all;
  if (types.length === 1) return byType.get(only) ?? [];
  const wanted = new Set(types);
  return all.filter((item) => wanted.has(item.inventory_type));
};

/**
 * A catalog over a fixed list of products, indexed by id and by inventory type. Throws when two products share an
 * id: a loader must have refused that.
 */
export const createCatalog = (products: readonly Product[]): Catalog => {
  const byId = new Map(products.map((item) => [item.product_id, item]));
  if (byId.size !== products.length) throw new RangeError("Two products of the catalog have the same id.");
  const byType = new Map<string, Product[]>();
  for (const item of products) {
    const known = byType.get(item.inventory_type);
    if (known === undefined) byType.set(item.inventory_type, [item]);
    else known.push(item);
  }
  return {
    inventoryTypes: [...byType.keys()].sort(),
    get: (productId) => byId.get(productId) ?? null,
    page: ({ inventoryTypes, offset, limit }: CatalogQuery) => {
      const found = ofTypes(products, byType, inventoryTypes);
      return { products: found.slice(offset, offset + limit), total: found.length };
    },
  };
};
