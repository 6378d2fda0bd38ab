import type { Catalog, CatalogQuery } from "../../../skills/seller/products/catalog.ts";
import type { Product } from "../../../skills/seller/products/record.ts";

type Places = readonly number[];

const countBelow = (places: Places, place: number): number => {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
};

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The lists share no index. The start is found by bisection, so that late pages of large catalogs stay fast. */
const pageOfUnion = (lists: readonly Places[], size: number, offset: number, limit: number): Places => {
  let [start, end] = [0, size];
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (sum(lists.map((places) => countBelow(places, middle + 1))) <= offset) start = middle + 1;
    else end = middle;
  }
  const nexts = lists.flatMap((places) => {
    const from = countBelow(places, start);
    return places.slice(from, from + limit);
  });
  return nexts.sort((left, right) => left - right).slice(0, limit);
};

/** Throws on duplicate ids. */
export const createCatalog = (products: readonly Product[]): Catalog => {
  const byId = new Map(products.map((item) => [item.product_id, item]));
  if (byId.size !== products.length) throw new RangeError("Two products of the catalog have the same id.");
  const byType = new Map<string, number[]>();
  for (const [place, item] of products.entries()) {
    const known = byType.get(item.inventory_type);
    if (known === undefined) byType.set(item.inventory_type, [place]);
    else known.push(place);
  }
  return {
    inventoryTypes: [...byType.keys()].sort(),
    currencies: [...new Set(products.map(({ currency }) => currency))].sort(),
    get: (productId) => byId.get(productId) ?? null,
    page: ({ inventoryTypes, offset, limit }: CatalogQuery) => {
      if (inventoryTypes.length === 0) {
        return { products: products.slice(offset, offset + limit), total: products.length };
      }
      const lists = [...new Set(inventoryTypes)].map((type) => byType.get(type) ?? []);
      const places = pageOfUnion(lists, products.length, offset, limit);
      return {
        products: places.flatMap((place) => products[place] ?? []),
        total: sum(lists.map((list) => list.length)),
      };
    },
  };
};
