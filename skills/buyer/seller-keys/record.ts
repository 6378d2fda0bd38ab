import type { Kind } from "../../../storage/store.ts";
import type { Seal } from "../ports.ts";
import type { SellerCredential } from "../seller-door.ts";

/** The key for a seller. Only its ciphertext is kept; the row's id is the seller's origin. */
export interface SellerKeyRow {
  /** As it was given; the key counts for its whole origin. */
  readonly seller_url: string;
  readonly sealed: string;
  readonly masked: string;
  readonly header_type: SellerCredential["headerType"];
  /** The id at the seller, where the key was acquired there. */
  readonly key_id: string | null;
  readonly expires_at: string | null;
  /** The seller answered 401 to it. */
  readonly needs_reauth: boolean;
  readonly updated_at_ms: number;
}

export const sellerKeyKind: Kind<SellerKeyRow> = {
  name: "seller_key",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/** Stars and the last four characters; a short key shows none. */
export const maskedKey = (key: string): string => (key.length <= 8 ? "****" : `********${key.slice(-4)}`);

/** The credential of a row; null where its ciphertext cannot be read any more. */
export const credentialOf = (row: SellerKeyRow, origin: string, seal: Seal | null): SellerCredential | null => {
  const key = seal?.open(row.sealed, origin) ?? null;
  return key === null ? null : { key, headerType: row.header_type };
};
