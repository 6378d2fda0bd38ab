import { slotOfDate } from "../../machines/inventory/dates.ts";
import type { SlotSpan } from "../../machines/inventory/flight.ts";
import type { IfSet } from "./terms.ts";

/** Slots are UTC days. */
export const inventoryLedger = (productId: string): string => `inventory/${productId}`;

export const spanOf = (flightStart: string, flightEnd: string): SlotSpan => {
  const fromSlot = slotOfDate(flightStart);
  const toSlot = slotOfDate(flightEnd);
  if (fromSlot === null || toSlot === null) throw new RangeError(`Not a flight: ${flightStart} to ${flightEnd}.`);
  return { fromSlot, toSlot };
};

/** `weight` is its share among the parts of a package. */
export interface PackagePart {
  readonly product_id: string;
  readonly weight: number;
}

interface Held {
  readonly trial?: IfSet<true>;
  readonly product: { readonly product_id: string };
  readonly parts?: readonly PackagePart[] | null | undefined;
}

const wholeOf = (parts: readonly PackagePart[]): number => parts.reduce((sum, { weight }) => sum + weight, 0);

/** Rounded up: no part falls short of its share. A trial holds nothing. */
export const holdsOf = (
  { product, parts, trial }: Held,
  impressions: number,
): readonly { readonly productId: string; readonly impressions: number }[] => {
  if (trial === true) return [];
  if (parts == null) return [{ productId: product.product_id, impressions }];
  const whole = wholeOf(parts);
  return parts.map(({ product_id: productId, weight }) => ({
    productId,
    impressions: Math.ceil((impressions * weight) / whole),
  }));
};

/** The largest volume whose share fits; null: no limit. */
export const wholeLeft = (parts: readonly PackagePart[], left: readonly (number | null)[]): number | null => {
  const whole = wholeOf(parts);
  const volumes = parts.flatMap(({ weight }, place) => {
    const most = left[place] ?? null;
    if (most === null) return [];
    const volume = Math.floor((most * whole) / weight);
    return [Math.ceil((volume * weight) / whole) > most ? volume - 1 : volume];
  });
  return volumes.length === 0 ? null : Math.max(0, Math.min(...volumes));
};
