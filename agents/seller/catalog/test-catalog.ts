import type { Catalog } from "../../../skills/seller/products/catalog.ts";
import type { Fixtures } from "../../../skills/seller/test-mode/fixtures.ts";

/** What a test put in can be bought by its id, and never stands in front of what is on sale, which lists alone show. */
export const withTestProducts = <C extends Catalog>(catalog: C, fixtures: Fixtures | null): C =>
  fixtures === null
    ? catalog
    : { ...catalog, get: (productId, flightSlot) => catalog.get(productId, flightSlot) ?? fixtures.product(productId) };
