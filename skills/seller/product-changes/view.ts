import type { z } from "zod";
import { dateOfSlot, slotOfTime } from "../../../machines/inventory/dates.ts";
import { formatMoney, unitsOrNull } from "../../../machines/money.ts";
import { shownAcceptFrom } from "../../../machines/pricing/accept-from.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import type { plannedChange } from "./contract.ts";
import {
  basisOf,
  type ProductChange,
  productChangesKind,
  productOn,
  type ProductTerms,
  type SaleDays,
} from "./record.ts";

export const termsView = (product: Product) => ({
  base_cpm: unitsOrNull(product.base_cpm_micros),
  floor_cpm: unitsOrNull(product.floor_cpm_micros),
  accept_from: shownAcceptFrom(product.accept_from),
  maximum_impressions: product.maximum_impressions,
});

/** Under the name of its meaning. */
export const dayOf = (change: ProductChange): { effective_from: string } | { booked_from: string } => {
  const day = dateOfSlot(change.from_slot) ?? "";
  return basisOf(change) === "flight" ? { effective_from: day } : { booked_from: day };
};

/** For the audit: an entry names the meaning of its day. */
export const whenOf = (change: ProductChange): string =>
  `${basisOf(change) === "flight" ? "from" : "booked from"} ${dateOfSlot(change.from_slot) ?? ""}`;

/** A sale that the first day of a change is about; what was booked that day has a flight that starts then or later. */
export const daysOf = (change: ProductChange, today: number): SaleDays => ({
  flightSlot: change.from_slot,
  bookedSlot: basisOf(change) === "flight" ? today : change.from_slot,
});

const soldAt = ({ base_cpm_micros: base, currency }: Product): string =>
  base === null ? "have no price" : `cost ${formatMoney(base, currency)}`;

export const changeText = (change: ProductChange, before: Product, after: Product): string => {
  const [last, day] = [dateOfSlot(change.from_slot - 1), dateOfSlot(change.from_slot)];
  return basisOf(change) === "flight"
    ? `Flights that start until ${last} ${soldAt(before)}; those that start on ${day} or later ${soldAt(after)}, ` +
        "whenever they are booked."
    : `Bookings until ${last} ${soldAt(before)}; those made on ${day} or later ${soldAt(after)}, ` +
        "whatever their flight.";
};

const whoAndWhy = (change: ProductChange) => ({
  ...dayOf(change),
  changed_by: change.changed_by,
  changed_at: isoTime(change.changed_at_ms),
  reason: change.reason,
});

const setTerms = (terms: Partial<ProductTerms>) => ({
  ...("base_cpm_micros" in terms ? { base_cpm: unitsOrNull(terms.base_cpm_micros ?? null) } : {}),
  ...("floor_cpm_micros" in terms ? { floor_cpm: unitsOrNull(terms.floor_cpm_micros ?? null) } : {}),
  ...("accept_from" in terms ? { accept_from: shownAcceptFrom(terms.accept_from) } : {}),
  ...("maximum_impressions" in terms ? { maximum_impressions: terms.maximum_impressions ?? null } : {}),
});

export const shownChange = (change: ProductChange) => ({
  ...whoAndWhy(change),
  ...setTerms(change),
  ...(change.before === undefined ? {} : { before: setTerms(change.before) }),
});

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const isOfDay = (one: ProductChange, other: ProductChange): boolean =>
  one.from_slot === other.from_slot && basisOf(one) === basisOf(other);

/** One for each later day on which a value changes; a change that was taken back is none. */
export const plannedChanges = async (
  context: SellerContext,
  product: Product,
): Promise<z.input<typeof plannedChange>[]> => {
  const changes = (await context.load(productChangesKind, product.product_id))?.body.changes ?? [];
  const today = slotOfTime(context.nowMs);
  const lastOfDays = changes.filter(
    (one, place) => one.from_slot > today && !changes.slice(place + 1).some((later) => isOfDay(one, later)),
  );
  return lastOfDays
    .toSorted((one, other) => one.from_slot - other.from_slot)
    .flatMap((last) => {
      const days = daysOf(last, today);
      const without = changes.filter((one) => !isOfDay(one, last));
      const before = termsView(productOn(product, without, days));
      const after = termsView(productOn(product, changes, days));
      if (isSame(before, after)) return [];
      const until = dateOfSlot(last.from_slot - 1) ?? "";
      return [{ ...whoAndWhy(last), before: { ...before, until }, after }];
    });
};
