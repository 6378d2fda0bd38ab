import { update } from "../../../protocol/seam/changes.ts";
import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import type { Seal } from "../../../skills/buyer/ports.ts";
import type { SellerCredential } from "../../../skills/buyer/seller-door.ts";
import { credentialOf, sellerKeyKind, type SellerKeyRow } from "../../../skills/buyer/seller-keys/record.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";
import type { SellerCredentials } from "./seller-door.ts";

export interface CredentialParts {
  readonly store: Pick<Store, "get" | "commit">;
  readonly configured: ReadonlyMap<string, SellerCredential>;
  readonly seal: Seal | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Stored keys go before SELLER_API_KEYS; looked up anew for each call. */
export const createSellerCredentials = (parts: CredentialParts): SellerCredentials => {
  const { store, configured, seal, clock, log } = parts;

  const load = async (origin: string): Promise<StoredRow<SellerKeyRow> | null> =>
    (await store.get(sellerKeyKind.name, origin)) as StoredRow<SellerKeyRow> | null;

  const mark = async (origin: string, key: string): Promise<void> => {
    const loaded = await load(origin);
    if (loaded === null || loaded.body.needs_reauth || credentialOf(loaded.body, origin, seal)?.key !== key) return;
    const row = { ...loaded.body, needs_reauth: true, updated_at_ms: clock.nowMs() };
    await store.commit({ changes: [update(sellerKeyKind, loaded, row)], audit: null });
  };

  return {
    find: async (origin) => {
      const loaded = await load(origin);
      const credential = loaded === null ? null : credentialOf(loaded.body, origin, seal);
      if (loaded !== null && credential === null) {
        log.warn({ seller: origin }, "the stored seller key cannot be decrypted: set it again with set_seller_key");
      }
      return credential ?? configured.get(origin) ?? null;
    },
    refused: async (origin, key) => {
      try {
        await mark(origin, key);
      } catch (error) {
        // A failing store must not lose the answer of the call.
        log.warn({ seller: origin, error: String(error) }, "a refused seller key could not be marked");
      }
    },
  };
};
