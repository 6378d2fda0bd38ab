import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import type { BuyerPorts } from "../../../skills/buyer/ports.ts";
import { sellerKeyKind, type SellerKeyRow } from "../../../skills/buyer/seller-keys/record.ts";
import { originOf } from "../../../skills/buyer/seller-url.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";

export interface RenewalParts {
  readonly store: Pick<Store, "get">;
  readonly inTurn: BuyerPorts["inTurn"];
  /** The answer is false where the seller issued none. */
  readonly acquire: (sellerUrl: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A seller that rejects every key is asked for another this often at most. */
const restMs = 600_000;

/**
 * After a 401: a key that this buyer acquired itself is acquired anew, once for all calls that wait for it. A key that
 * a person set is left alone. True: the call may be repeated.
 */
export const createKeyRenewal = ({ store, inTurn, acquire, clock, log }: RenewalParts) => {
  const askedAtMs = new Map<string, number>();
  return (sellerUrl: string): Promise<boolean> => {
    const origin = originOf(sellerUrl);
    return inTurn(`renew ${origin}`, async () => {
      const row = (await store.get(sellerKeyKind.name, origin)) as StoredRow<SellerKeyRow> | null;
      if (row === null || row.body.key_id === null) return false;
      if (!row.body.needs_reauth) return true;
      const nowMs = clock.nowMs();
      if (nowMs - (askedAtMs.get(origin) ?? -Infinity) < restMs) return false;
      askedAtMs.set(origin, nowMs);
      const isRenewed = await acquire(row.body.seller_url);
      const text = isRenewed ? "a rejected seller key was renewed" : "a rejected seller key could not be renewed";
      log.warn({ seller: origin }, text);
      return isRenewed;
    });
  };
};
