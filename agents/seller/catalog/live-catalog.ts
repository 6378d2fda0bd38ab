import { slotOfTime } from "../../../machines/inventory/dates.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import type { Catalog, CatalogQuery } from "../../../skills/seller/products/catalog.ts";
import type { Product } from "../../../skills/seller/products/record.ts";
import {
  type ProductChange,
  productChangesKind,
  type ProductChangesRow,
  productOn,
} from "../../../skills/seller/product-changes/record.ts";
import type { Store } from "../../../storage/store.ts";

export interface LiveCatalog extends Catalog {
  /** The answer is null while no changes are being read. */
  pending(): Promise<void> | null;
  stop(): void;
}

const pageRows = 500;

/** Reads changes at the start and whenever a process commits some. */
export const createLiveCatalog = (
  base: Catalog,
  { store, clock }: { readonly store: Pick<Store, "get" | "list" | "watch">; readonly clock: Clock },
): LiveCatalog => {
  const kind = productChangesKind.name;
  const changed = new Map<string, readonly ProductChange[]>();
  let isLoaded = false;
  let reading: Promise<void> | null = null;

  const keep = (body: unknown): void => {
    const { product_id: productId, changes } = body as ProductChangesRow;
    changed.set(productId, changes);
  };
  const loadAll = async (): Promise<void> => {
    let after: number | undefined;
    for (;;) {
      const place = after === undefined ? {} : { after };
      const rows = await store.list({ kind, terms: [], order: "oldest", limit: pageRows, ...place });
      for (const { body } of rows) keep(body);
      after = rows.at(-1)?.n;
      if (rows.length < pageRows) break;
    }
    isLoaded = true;
  };
  const loadOne = async (id: string): Promise<void> => {
    const row = await store.get(kind, id);
    if (row !== null) keep(row.body);
  };
  /** A store that cannot be read fails the next operation; the read is retried after it. */
  const read = (what: () => Promise<void>): void => {
    const begun = (reading ?? Promise.resolve()).then(what).catch(() => {
      isLoaded = false;
    });
    reading = begun;
    void begun.then(() => {
      if (reading === begun) reading = null;
    });
  };

  const soldOn = (product: Product, flightSlot: number | null | undefined): Product => {
    const changes = changed.get(product.product_id);
    if (changes === undefined) return product;
    const bookedSlot = slotOfTime(clock.nowMs());
    return productOn(product, changes, { bookedSlot, flightSlot: Math.max(bookedSlot, flightSlot ?? bookedSlot) });
  };
  const stop = store.watch(kind, (id) => read(() => loadOne(id)));
  return {
    inventoryTypes: base.inventoryTypes,
    currencies: base.currencies,
    get: (productId, flightSlot) => {
      const product = base.get(productId);
      return product === null ? null : soldOn(product, flightSlot);
    },
    page: (query: CatalogQuery) => {
      const page = base.page(query);
      if (changed.size === 0) return page;
      return { ...page, products: page.products.map((product) => soldOn(product, query.flightSlot)) };
    },
    pending: () => {
      if (!isLoaded && reading === null) read(loadAll);
      return reading;
    },
    stop,
  };
};
