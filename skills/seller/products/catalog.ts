import type { Product } from "./record.ts";

/** Empty `inventoryTypes`: all. `flightSlot` as of `get`. */
export interface CatalogQuery {
  readonly flightSlot?: number;
  readonly inventoryTypes: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** Look-ups and pages cost the same however large the catalog is. */
export interface Catalog {
  readonly inventoryTypes: readonly string[];
  readonly currencies: readonly string[];
  /** With the terms of flights that start on this day, booked today; for none or a past one, today. */
  get(productId: string, flightSlot?: number | null): Product | null;
  page(query: CatalogQuery): { readonly products: readonly Product[]; readonly total: number };
}
