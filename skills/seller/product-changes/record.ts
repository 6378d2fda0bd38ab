import type { Kind } from "../../../storage/store.ts";
import type { Product } from "../ports.ts";

/** What an operator may set of a product. */
export type ProductTerms = Pick<Product, "base_cpm_micros" | "floor_cpm_micros" | "maximum_impressions">;

/** One change, from a day (UTC) on. Members that are left out stay as they are; a cap of null is none. */
export interface ProductChange extends Partial<ProductTerms> {
  readonly from_slot: number;
  readonly reason: string;
  readonly changed_by: string;
  readonly changed_at_ms: number;
}

/** All that operators changed of one product; the catalog is the source of the rest. Its id is the product's. */
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

/** What changes have set by a day: of those from one day the one that was made last counts. */
const setBy = (changes: readonly ProductChange[], slot: number): Partial<ProductTerms> => {
  const due = changes
    .filter(({ from_slot: from }) => from <= slot)
    .toSorted((left, right) => left.from_slot - right.from_slot || left.changed_at_ms - right.changed_at_ms);
  return Object.fromEntries(
    due.flatMap((change) => settable.flatMap((name) => (name in change ? [[name, change[name]]] : []))),
  ) as Partial<ProductTerms>;
};

/** The product as it is on a day. */
export const productOn = (product: Product, changes: readonly ProductChange[], slot: number): Product => ({
  ...product,
  ...setBy(changes, slot),
});

/** The changes with those that are in force on a day put together into one. */
export const foldedUntil = (changes: readonly ProductChange[], slot: number): readonly ProductChange[] => {
  const due = changes.filter(({ from_slot: from }) => from <= slot);
  const last = due.at(-1);
  if (last === undefined) return changes;
  return [{ ...last, ...setBy(changes, slot), from_slot: slot }, ...changes.filter((one) => !due.includes(one))];
};
