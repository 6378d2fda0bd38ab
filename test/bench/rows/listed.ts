import { create } from "../../../protocol/seam/changes.ts";
import type { Product } from "../../../skills/seller/products/record.ts";
import type { Kind, Store } from "../../../storage/store.ts";
import { type ListSide, openBuyer, openSeller } from "../seller-side.ts";

const batchRows = 2_000;

const rareRows = 5;

export interface FilterValues {
  readonly common: unknown;
  readonly rare: unknown;
}

export interface Listed {
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly filters: Readonly<Record<string, FilterValues>>;
  open(count: number): Promise<ListSide>;
}

interface Parts<T> {
  readonly agent?: "seller" | "buyer";
  readonly fixed?: Listed["fixed"];
  readonly filters?: Listed["filters"];
  first(side: ListSide): Promise<T>;
  like(row: T, id: string, isRare: boolean, place: number): T;
}

export const listedRows = <T>(kind: Kind<T>, parts: Parts<T>): Listed => ({
  fixed: parts.fixed ?? {},
  filters: parts.filters ?? {},
  open: async (count) => {
    const side = parts.agent === "buyer" ? await openBuyer() : await openSeller(0);
    const row = await parts.first(side);
    const rareEvery = Math.floor(count / rareRows);
    const rowAt = (place: number) => {
      const id = `row-${place.toString(16).padStart(8, "0")}`;
      return create(kind, id, parts.like(row, id, place % rareEvery === rareEvery >> 1, place));
    };
    for (let start = 0; start < count; start += batchRows) {
      const changes = Array.from({ length: Math.min(batchRows, count - start) }, (_, step) => rowAt(start + step));
      await side.store.commit({ changes, audit: null });
    }
    return side;
  },
});

/** Catalog products are no rows. */
export const listedProducts = (samples: readonly Product[], filters: Listed["filters"]): Listed => ({
  fixed: {},
  filters,
  open: (count) =>
    openSeller(
      0,
      Array.from({ length: count }, (_, place) => {
        const sample = samples[place % samples.length] as Product;
        return { ...sample, product_id: `${sample.product_id}-${place}`, name: `${sample.name} ${place}` };
      }),
    ),
});

export const newest = async <T>(store: Store, kind: Kind<T>): Promise<T> => {
  const [row] = await store.list({ kind: kind.name, terms: [], order: "newest", limit: 1 });
  if (row === undefined) throw new Error(`no row of kind ${kind.name} was made`);
  return row.body as T;
};
