import type { Kind } from "../../../storage/store.ts";
import type { Product } from "../products/record.ts";

export type ProductTerms = Pick<Product, (typeof settable)[number]>;

/** What the day is of: a flight's first day, whenever it is booked, or the booking. */
export type ChangeBasis = "flight" | "booking";

/** From a day (UTC) on. Absent members stay; a cap of null is none, an `accept_from` of null the floor. */
export interface ProductChange extends Partial<ProductTerms> {
  readonly from_slot: number;
  /** Rows without it were written when every day was one of booking. */
  readonly by?: ChangeBasis;
  readonly reason: string;
  readonly changed_by: string;
  readonly changed_at_ms: number;
  /** What it took the place of. Rows without it were written by earlier builds. */
  readonly before?: Partial<ProductTerms>;
}

export const basisOf = ({ by = "booking" }: ProductChange): ChangeBasis => by;

/** Terms are those of a flight's first day, booked on a day. */
export interface SaleDays {
  readonly flightSlot: number;
  readonly bookedSlot: number;
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

const settable = ["base_cpm_micros", "floor_cpm_micros", "accept_from", "maximum_impressions"] as const;

/** Of the members that it sets. */
export const withBefore = (change: ProductChange, before: ProductTerms): ProductChange => ({
  ...change,
  before: Object.fromEntries(settable.flatMap((name) => (name in change ? [[name, before[name] ?? null]] : []))),
});

const isDue = (change: ProductChange, { flightSlot, bookedSlot }: SaleDays): boolean =>
  change.from_slot <= (basisOf(change) === "flight" ? flightSlot : bookedSlot);

/** In the order in which they count: of two the later day, of one day the later made. */
const dueOn = (changes: readonly ProductChange[], days: SaleDays): readonly ProductChange[] =>
  changes
    .filter((change) => isDue(change, days))
    .toSorted((left, right) => left.from_slot - right.from_slot || left.changed_at_ms - right.changed_at_ms);

const setBy = (due: readonly ProductChange[]): Partial<ProductTerms> =>
  Object.fromEntries(
    due.flatMap((change) => settable.flatMap((name) => (name in change ? [[name, change[name]]] : []))),
  ) as Partial<ProductTerms>;

export const productOn = (product: Product, changes: readonly ProductChange[], days: SaleDays): Product => {
  const due = dueOn(changes, days);
  if (due.length === 0) return product;
  const priced = due.findLast((change) => "base_cpm_micros" in change);
  const pricedFrom = priced === undefined ? {} : { priced_from: { by: basisOf(priced), slot: priced.from_slot } };
  return { ...product, ...setBy(due), ...pricedFrom };
};

/** A flight is sold from today on, so what holds today holds for all that is sold. */
export const foldedUntil = (changes: readonly ProductChange[], slot: number): readonly ProductChange[] => {
  const due = dueOn(changes, { flightSlot: slot, bookedSlot: slot });
  const last = due.at(-1);
  if (last === undefined) return changes;
  return [{ ...last, ...setBy(due), from_slot: slot }, ...changes.filter((one) => !due.includes(one))];
};
