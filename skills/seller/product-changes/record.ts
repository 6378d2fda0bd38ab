import type { Kind } from "../../../storage/store.ts";
import type { Product } from "../ports.ts";

export type ProductTerms = Pick<Product, "base_cpm_micros" | "floor_cpm_micros" | "maximum_impressions">;

/** From a day (UTC) on. Absent members stay; a cap of null is none. */
export interface ProductChange extends Partial<ProductTerms> {
  readonly from_slot: number;
  readonly reason: string;
  readonly changed_by: string;
  readonly changed_at_ms: number;
}

/** The catalog is the source of the rest. Its id is the product's. */
export interface ProductChangesRow {
  readonly product_id: string;
  readonly changes: readonly ProductChange[];
  readonly revision: number;
}

export const productChangesKind: Kind<ProductChangesRow> = {
  name: "product_changes",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

const settable = ["base_cpm_micros", "floor_cpm_micros", "maximum_impressions"] as const;

/** Of changes from one day the last made counts. */
const setBy = (changes: readonly ProductChange[], slot: number): Partial<ProductTerms> => {
  const due = changes
    .filter(({ from_slot: from }) => from <= slot)
    .toSorted((left, right) => left.from_slot - right.from_slot || left.changed_at_ms - right.changed_at_ms);
  return Object.fromEntries(
    due.flatMap((change) => settable.flatMap((name) => (name in change ? [[name, change[name]]] : []))),
  ) as Partial<ProductTerms>;
};

export const productOn = (product: Product, changes: readonly ProductChange[], slot: number): Product => ({
  ...product,
  ...setBy(changes, slot),
});

export const foldedUntil = (changes: readonly ProductChange[], slot: number): readonly ProductChange[] => {
  const due = changes.filter(({ from_slot: from }) => from <= slot);
  const last = due.at(-1);
  if (last === undefined) return changes;
  return [{ ...last, ...setBy(changes, slot), from_slot: slot }, ...changes.filter((one) => !due.includes(one))];
};
