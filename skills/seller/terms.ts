import { dateOfSlot } from "../../machines/inventory/dates.ts";
import { termsDigest } from "../../machines/terms-digest/digest.ts";
import { sha256Hex } from "./ids.ts";
import type { DealType, Product } from "./products/record.ts";

/** As it was when the price was made. */
export interface ProductSummary {
  readonly product_id: string;
  readonly name: string;
  readonly inventory_type: string;
}

/** The final price is in the record's life. Percentages with one decimal. */
export interface PricingRecord {
  readonly base_micros: number;
  readonly tier_discount_pct: number;
  readonly volume_discount_pct: number;
  readonly currency: string;
  readonly pricing_model: string;
  readonly rationale: string;
  /** Of a price that an operator set from a day on. */
  readonly priced_from?: NonNullable<Product["priced_from"]>;
}

/** Nothing for a price without a day. */
export const pricedFromText = ({ priced_from: from }: Pick<Product, "priced_from">): string => {
  if (from === undefined) return "";
  const day = dateOfSlot(from.slot) ?? "";
  return from.by === "flight" ? ` | Price of flights from ${day} on` : ` | Price of bookings from ${day} on`;
};

/** Older rows hold null where newer ones leave it out. */
export type IfSet<T> = T | null | undefined;

interface Priced {
  readonly product: ProductSummary;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
}

export const digestOf = (
  record: Priced,
  terms: { priceMicros: number; impressions: number | null; flightStart: string; flightEnd: string },
): string =>
  termsDigest(
    {
      productId: record.product.product_id,
      priceMicros: terms.priceMicros,
      impressions: terms.impressions,
      flightStart: terms.flightStart,
      flightEnd: terms.flightEnd,
      dealType: record.deal_type,
      currency: record.pricing.currency,
    },
    sha256Hex,
  );
