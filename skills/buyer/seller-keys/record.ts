import type { Kind } from "../../../storage/store.ts";
import type { Seal } from "../ports.ts";
import type { SellerCredential } from "../seller-door.ts";

/** Only ciphertext is stored; the row's id is the seller's origin. */
export interface SellerKeyRow {
  /** As given; the key is valid for the whole origin. */
  readonly seller_url: string;
  readonly sealed: string;
  readonly masked: string;
  readonly header_type: SellerCredential["headerType"];
  /** Set where the key was acquired at the seller. */
  readonly key_id: string | null;
  readonly expires_at: string | null;
  /** Set by a 401. */
  readonly needs_reauth: boolean;
  readonly updated_at_ms: number;
}

export const sellerKeyKind: Kind<SellerKeyRow> = {
  name: "seller_key",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
  facts: ({ masked, key_id, expires_at, needs_reauth }) => ({ key: masked, key_id, expires_at, needs_reauth }),
};

/** The last four characters; a short key shows none. */
export const maskedKey = (key: string): string => (key.length <= 8 ? "****" : `********${key.slice(-4)}`);

/** Null where the ciphertext cannot be read any more. */
export const credentialOf = (row: SellerKeyRow, origin: string, seal: Seal | null): SellerCredential | null => {
  const key = seal?.open(row.sealed, origin) ?? null;
  return key === null ? null : { key, headerType: row.header_type };
};
