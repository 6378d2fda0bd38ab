import type { AcceptFrom } from "../../../machines/pricing/accept-from.ts";

/** Seller spec, Deal types. */
export const dealTypes = ["PG", "PD", "PA"] as const;

export type DealType = (typeof dealTypes)[number];

type Targeting = Readonly<Record<string, readonly string[]>>;

/**
 * Both prices null: never quoted. `floor_cpm_micros` and `accept_from` are the seller's secrets. `maximum_impressions`
 * caps each day's guaranteed volume.
 */
export interface Product {
  readonly product_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly inventory_type: string;
  readonly deal_types: readonly DealType[];
  readonly pricing_models: readonly string[];
  readonly base_cpm_micros: number | null;
  readonly floor_cpm_micros: number | null;
  readonly accept_from?: AcceptFrom | null;
  readonly currency: string;
  readonly minimum_impressions: number;
  readonly maximum_impressions: number | null;
  /** The day from which on its price was set by an operator: of the flight's start, or of the booking. */
  readonly priced_from?: { readonly by: "flight" | "booking"; readonly slot: number };
  readonly audience_targeting: Targeting | null;
  readonly content_targeting: Targeting | null;
  readonly ad_product_targeting: Targeting | null;
}
