import type { Kind } from "../../../storage/store.ts";
import type { SellerWire } from "../seller-url.ts";

/** A seller that a person added beside those of SELLER_ENDPOINTS; the row's id is its address. */
export interface AddedSellerRow {
  readonly seller_url: string;
  readonly wire: SellerWire | null;
  readonly added_by: string | null;
  readonly added_at_ms: number;
}

export const addedSellerKind: Kind<AddedSellerRow> = {
  name: "added_seller",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};
