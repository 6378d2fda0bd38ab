import type { z } from "zod";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import { decimalText, fromMicros, toMicros } from "../../../machines/money.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { altering, create, update } from "../../../protocol/seam/changes.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { inventoryLedger } from "../inventory.ts";
import type { Facts } from "../../../storage/store.ts";
import type { Product, SellerContext } from "../ports.ts";
import { principalOf } from "../principal.ts";
import * as contract from "./contract.ts";
import { shownChange, termsView } from "./view.ts";
import { foldedUntil, type ProductChange, productChangesKind, type ProductChangesRow, productOn } from "./record.ts";

type Input = z.output<typeof contract.updateProduct.input>;

/** A row is read whole: beyond this, changes in force become one. */
const mostChanges = 200;

/** A flight has 731 days and starts at most some years from now. */
const daysAhead = 10_000;

const slotFrom = (date: string | null | undefined, nowMs: number): number | Refusal => {
  const today = slotOfTime(nowMs);
  if (date == null || date === "") return today;
  const slot = slotOfDate(date);
  if (slot === null) return fieldRefusal("effective_from", "Send a day as YYYY-MM-DD.");
  return slot < today ? fieldRefusal("effective_from", "The day is past. Send today or a later day.") : slot;
};

const priceIn = (member: string, price: number | null | undefined): number | null | Refusal =>
  price == null
    ? null
    : (toMicros(price) ?? fieldRefusal(member, "A price has at most six decimals and is at most 4,000,000,000."));

const changeIn = (context: SellerContext, input: Input, fromSlot: number): ProductChange | Refusal => {
  const base = priceIn("base_cpm", input.base_cpm);
  if (isRefusal(base)) return base;
  const floor = priceIn("floor_cpm", input.floor_cpm);
  if (isRefusal(floor)) return floor;
  const { maximum_impressions: cap, no_cap: noCap } = input;
  if (cap != null && noCap) return fieldRefusal("no_cap", "Send maximum_impressions or no_cap, not both.");
  if (base === null && floor === null && cap == null && !noCap) {
    return fieldRefusal("base_cpm", "Send base_cpm, floor_cpm, maximum_impressions or no_cap.");
  }
  return {
    from_slot: fromSlot,
    ...(base === null ? {} : { base_cpm_micros: base }),
    ...(floor === null ? {} : { floor_cpm_micros: floor }),
    ...(cap == null && !noCap ? {} : { maximum_impressions: cap ?? null }),
    reason: input.reason ?? "",
    changed_by: principalOf(context.caller),
    changed_at_ms: context.nowMs,
  };
};

/** Floor and price must agree on every day on which one of them changes. */
const priceRefusal = (product: Product, changes: readonly ProductChange[], from: number): Refusal | null => {
  const days = [from, ...changes.map((change) => change.from_slot).filter((slot) => slot > from)];
  for (const day of days) {
    const { base_cpm_micros: base, floor_cpm_micros: floor } = productOn(product, changes, day);
    if (base !== null && floor !== null && base < floor) {
      const message = `From ${dateOfSlot(day) ?? ""} on the price would lie under the floor of ${fromMicros(floor)}.`;
      return fieldRefusal("base_cpm", `${message} Raise the price, or lower the floor with it.`);
    }
  }
  return null;
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
const factsFrom = (day: string, { base_cpm_micros, floor_cpm_micros, maximum_impressions }: Product): Facts => ({
  [`base_cpm from ${day}`]: decimalText(base_cpm_micros),
  [`floor_cpm from ${day}`]: decimalText(floor_cpm_micros),
  [`maximum_impressions from ${day}`]: maximum_impressions,
});

export const updateProduct = defineOperation(contract.updateProduct, async (context: SellerContext, input) => {
  const product = context.ports.catalog.get(input.product_id);
  if (product === null) return refuse("product_not_found");
  const from = slotFrom(input.effective_from, context.nowMs);
  if (isRefusal(from)) return from;
  const change = changeIn(context, input, from);
  if (isRefusal(change)) return change;
  const loaded = await context.load(productChangesKind, product.product_id);
  const known = loaded?.body.changes ?? [];
  context.matchRevision(loaded?.body.revision ?? 0);
  const changes = [...known, change];
  const [before, after] = [productOn(product, known, from), productOn(product, changes, from)];
  const refused = priceRefusal(product, changes, from) ?? (await capRefusal(context, after, from));
  if (refused !== null) return refused;
  const row: ProductChangesRow = {
    product_id: product.product_id,
    changes: changes.length < mostChanges ? changes : foldedUntil(changes, slotOfTime(context.nowMs)),
    revision: (loaded?.body.revision ?? 0) + 1,
  };
  const shown = shownChange(change);
  const written =
    loaded === null ? create(productChangesKind, row.product_id, row) : update(productChangesKind, loaded, row);
  return {
    output: {
      product_id: product.product_id,
      currency: product.currency,
      effective_from: shown.effective_from,
      before: termsView(before),
      after: termsView(after),
      changes: changes.map(shownChange),
      revision: row.revision,
    },
    meta: { revision: row.revision },
    changes: [altering(written, factsFrom(shown.effective_from, before), factsFrom(shown.effective_from, after))],
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
