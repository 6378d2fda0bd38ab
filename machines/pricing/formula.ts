import { fromMicros } from "../money.ts";

export interface Discounts {
  readonly tierPct: number;
  readonly rulePct: number;
  readonly overrideMicros: number | null;
  readonly volumePct: number;
}

/** Seller spec, Quotes. Neither rounded nor limited here. */
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
