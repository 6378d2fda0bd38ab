import type { z } from "zod";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import { decimalText, fromMicros, toMicros } from "../../../machines/money.ts";
import {
  type AcceptFrom,
  acceptFromMicros,
  readAcceptFrom,
  shownAcceptFrom,
} from "../../../machines/pricing/accept-from.ts";
import { isRefusal, missing, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { altering, create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { inventoryLedger } from "../inventory.ts";
import type { Facts } from "../../../storage/store.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { personOf } from "../principal.ts";
import * as contract from "./contract.ts";
import { changeText, dayOf, daysOf, shownChange, termsView, whenOf } from "./view.ts";
import {
  basisOf,
  type ChangeBasis,
  foldedUntil,
  type ProductChange,
  productChangesKind,
  type ProductChangesRow,
  productOn,
  withBefore,
  type SaleDays,
} from "./record.ts";

type Input = z.output<typeof contract.updateProduct.input>;

/** A row is read whole: beyond this, changes in force become one. */
const mostChanges = 200;

/** A flight has 731 days and starts at most some years from now. */
const daysAhead = 10_000;

const given = (date: string | null | undefined): string | null => (date == null || date === "" ? null : date);

type FirstDay = Required<Pick<ProductChange, "by" | "from_slot">>;

const firstDayOf = (input: Input, nowMs: number): FirstDay | Refusal => {
  const today = slotOfTime(nowMs);
  const [flight, booked] = [given(input.effective_from), given(input.booked_from)];
  if (flight !== null && booked !== null) {
    return fieldRefusal("booked_from", "Send effective_from (the first day of flight) or booked_from, not both.");
  }
  const member = booked === null ? "effective_from" : "booked_from";
  const date = booked ?? flight;
  const slot = date === null ? today : slotOfDate(date);
  if (slot === null) return fieldRefusal(member, "Send a day as YYYY-MM-DD.");
  if (slot < today) return fieldRefusal(member, "The day is past. Send today or a later day.");
  return { by: booked === null ? "flight" : "booking", from_slot: slot };
};

const priceIn = (member: string, price: number | null | undefined): number | null | Refusal =>
  price == null
    ? null
    : (toMicros(price) ?? fieldRefusal(member, "A price has at most six decimals and is at most 4,000,000,000."));

/** Undefined: none was sent; null: the floor. */
const acceptFromIn = (given: Input["accept_from"]): AcceptFrom | null | undefined | Refusal => {
  if (given == null) return undefined;
  if (given === "floor") return null;
  return readAcceptFrom(given) ?? fieldRefusal("accept_from", "Send a price of at most six decimals, 85%, or floor.");
};

const changeIn = async (context: SellerContext, input: Input, firstDay: FirstDay): Promise<ProductChange | Refusal> => {
  const base = priceIn("base_cpm", input.base_cpm);
  if (isRefusal(base)) return base;
  const floor = priceIn("floor_cpm", input.floor_cpm);
  if (isRefusal(floor)) return floor;
  const accepted = acceptFromIn(input.accept_from);
  if (isRefusal(accepted)) return accepted;
  const { maximum_impressions: cap, no_cap: noCap } = input;
  if (cap != null && noCap) return fieldRefusal("no_cap", "Send maximum_impressions or no_cap, not both.");
  if (base === null && floor === null && accepted === undefined && cap == null && !noCap) {
    return fieldRefusal("base_cpm", "Send base_cpm, floor_cpm, accept_from, maximum_impressions or no_cap.");
  }
  return {
    ...firstDay,
    ...(base === null ? {} : { base_cpm_micros: base }),
    ...(floor === null ? {} : { floor_cpm_micros: floor }),
    ...(accepted === undefined ? {} : { accept_from: accepted }),
    ...(cap == null && !noCap ? {} : { maximum_impressions: cap ?? null }),
    reason: input.reason ?? "",
    changed_by: await personOf(context),
    changed_at_ms: context.nowMs,
  };
};

/** A flight cannot be booked after it ended, and starts on the day of booking or later. */
const saleDays = (changes: readonly ProductChange[], today: number): readonly SaleDays[] => {
  const slots = (basis: ChangeBasis): readonly number[] => [
    ...new Set([
      today,
      ...changes.filter((one) => basisOf(one) === basis).map((one) => Math.max(today, one.from_slot)),
    ]),
  ];
  return slots("booking").flatMap((bookedSlot) =>
    [...slots("flight"), bookedSlot].flatMap((flightSlot) =>
      flightSlot < bookedSlot ? [] : [{ bookedSlot, flightSlot }],
    ),
  );
};

/** Floor and price must agree on all days of booking and of flight on which one of them changes. */
const priceRefusal = (product: Product, changes: readonly ProductChange[], today: number): Refusal | null => {
  for (const days of saleDays(changes, today)) {
    const { base_cpm_micros: base, floor_cpm_micros: floor } = productOn(product, changes, days);
    if (base !== null && floor !== null && base < floor) {
      const day = dateOfSlot(days.flightSlot);
      const message = `From ${day} on the price would lie under the floor of ${fromMicros(floor)}.`;
      return fieldRefusal("base_cpm", `${message} Raise the price, or lower the floor with it.`);
    }
  }
  return null;
};

/** Where a later change lifts the floor above it, the floor counts. */
const acceptFromRefusal = ({ accept_from: from, base_cpm_micros: base, floor_cpm_micros: floor }: Product) => {
  const least = acceptFromMicros(from, base);
  if (least === null || (least >= (floor ?? 0) && least <= (base ?? least))) return null;
  const limits = `floor_cpm (${decimalText(floor) ?? "none"}) and base_cpm (${decimalText(base) ?? "none"})`;
  const message = `${decimalText(least) ?? ""} does not lie between ${limits} of that day.`;
  return fieldRefusal("accept_from", `${message} Send a price or share between them, or floor.`);
};

const capRefusal = async (context: SellerContext, after: Product, from: number): Promise<Refusal | null> => {
  const cap = after.maximum_impressions;
  if (cap === null) return null;
  if (cap < after.minimum_impressions) {
    const message = `The product is sold from ${after.minimum_impressions} impressions on. Send a higher cap.`;
    return fieldRefusal("maximum_impressions", message);
  }
  const held = await context.reserved(inventoryLedger(after.product_id), from, from + daysAhead);
  if (held <= cap) return null;
  return fieldRefusal("maximum_impressions", `Deals hold ${held} impressions on a day. Send at least as many.`);
};

/** The row holds changes alone, so that the price before the first of them is the catalog's. */
const factsFrom = (when: string, product: Product): Facts => ({
  [`base_cpm ${when}`]: decimalText(product.base_cpm_micros),
  [`floor_cpm ${when}`]: decimalText(product.floor_cpm_micros),
  [`accept_from ${when}`]: shownAcceptFrom(product.accept_from),
  [`maximum_impressions ${when}`]: product.maximum_impressions,
});

export const updateProduct = defineOperation(contract.updateProduct, async (context: SellerContext, input) => {
  const product = context.ports.catalog.get(input.product_id);
  if (product === null) return missing("product_not_found", input.product_id);
  const first = firstDayOf(input, context.nowMs);
  if (isRefusal(first)) return first;
  const asked = await changeIn(context, input, first);
  if (isRefusal(asked)) return asked;
  const loaded = await context.load(productChangesKind, product.product_id);
  const known = loaded?.body.changes ?? [];
  context.matchRevision(loaded?.body.revision ?? 0);
  const today = slotOfTime(context.nowMs);
  const days = daysOf(asked, today);
  const before = productOn(product, known, days);
  const change = withBefore(asked, before);
  const changes = [...known, change];
  const after = productOn(product, changes, days);
  const refused =
    priceRefusal(product, changes, today) ??
    ("accept_from" in change ? acceptFromRefusal(after) : null) ??
    (await capRefusal(context, after, change.from_slot));
  if (refused !== null) return refused;
  const row: ProductChangesRow = {
    product_id: product.product_id,
    changes: changes.length < mostChanges ? changes : foldedUntil(changes, today),
    revision: (loaded?.body.revision ?? 0) + 1,
  };
  const shown = shownChange(change);
  const written =
    loaded === null ? create(productChangesKind, row.product_id, row) : update(productChangesKind, loaded, row);
  return {
    output: {
      product_id: product.product_id,
      currency: product.currency,
      ...dayOf(change),
      status_text: changeText(change, before, after),
      before: { ...termsView(before), until: dateOfSlot(change.from_slot - 1) ?? "" },
      after: { ...termsView(after), from: dateOfSlot(change.from_slot) ?? "" },
      changes: changes.map(shownChange),
      revision: row.revision,
    },
    meta: { revision: row.revision },
    changes: [altering(written, factsFrom(whenOf(change), before), factsFrom(whenOf(change), after))],
    events: [
      {
        event_type: "product.updated",
        flow_id: product.product_id,
        flow_type: "product",
        payload: { product_id: product.product_id, ...shown },
      },
    ],
  };
});
