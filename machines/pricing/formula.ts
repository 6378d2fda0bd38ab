import { fromMicros } from "../money.ts";

/** The percentages of one price, and the override of a custom rule where there is one. */
export interface Discounts {
  readonly tierPct: number;
  readonly rulePct: number;
  readonly overrideMicros: number | null;
  readonly volumePct: number;
}

/**
 * The bare pricing formula in doubles, left to right: base, tier, rule, volume (seller spec, Quotes; decision 47).
 * A discount of zero is not multiplied in, which changes no value. Nothing is rounded or limited here.
 */
export const discountedPrice = (baseMicros: number, discounts: Discounts): number => {
  let price = fromMicros(baseMicros);
  if (discounts.overrideMicros === null) {
    price = lessPct(price, discounts.tierPct);
    price = lessPct(price, discounts.rulePct);
  } else {
    price = fromMicros(discounts.overrideMicros);
  }
  return lessPct(price, discounts.volumePct);
};

const lessPct = (price: number, pct: number): number => price * (1 - pct / 100);
