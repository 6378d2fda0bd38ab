import { createHash, timingSafeEqual } from "node:crypto";
import { type Caller, noIdentity, type Role } from "../../protocol/seam/caller.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import { type Refusal, refuse } from "../../protocol/neutral/refusals.ts";
import { isActive, operatorKeyKind, type OperatorKeyRow, secretTerm } from "../../skills/buyer/operator-keys/record.ts";
import type { StoredRow, StoreReader } from "../../storage/store.ts";
import type { KeyDirectory } from "../console/sessions.ts";
import { deadKeyRefusal } from "../server/dead-key.ts";
import type { KeyUseCounter } from "../server/key-uses.ts";
import type { BuyerSettings } from "./config.ts";

export interface DirectoryParts {
  readonly store: Pick<StoreReader, "get" | "list" | "count">;
  readonly settings: Pick<BuyerSettings, "legacyApiKey">;
  readonly clock: Clock;
  readonly log: Log;
  readonly uses: Pick<KeyUseCounter, "note">;
}

const operatorCaller = (keyId: string, role: Role): Caller => ({
  kind: "key",
  principal: `key:${keyId}`,
  owner: `key:${keyId}`,
  limitKey: `key:${keyId}`,
  keyId,
  roles: [role],
  identity: noIdentity,
  verified: true,
  tier: "public",
  boundAgentUrl: null,
});

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const legacyKeyId = "key-legacy-env";

/** A push configuration is served as long as the key that set it may call. */
export const mayReceive = async (
  { store, settings, clock }: Pick<DirectoryParts, "settings" | "clock"> & { readonly store: StoreReader },
  keyId: string | null,
): Promise<boolean> => {
  if (keyId === null) return true;
  if (keyId === legacyKeyId) {
    return settings.legacyApiKey !== null && (await store.count(operatorKeyKind.name, null)) === 0;
  }
  const key = (await store.get(operatorKeyKind.name, keyId)) as StoredRow<OperatorKeyRow> | null;
  return key !== null && isActive(key.body, clock.nowMs());
};

/**
 * Looks the key up by SHA-256, anew for each request. The legacy `API_KEY` works only until an operator key is minted
 * (buyer spec, Inbound, rule 5).
 */
export const createCallerDirectory = (parts: DirectoryParts): KeyDirectory => {
  const { store, settings, clock, log, uses } = parts;

  const isLegacy = async (secret: string): Promise<boolean> => {
    const legacy = settings.legacyApiKey;
    if (legacy === null || legacy === "" || !timingSafeEqual(sha256(secret), sha256(legacy))) return false;
    return (await store.count(operatorKeyKind.name, null)) === 0;
  };

  const holderOf = ({ key_id: keyId, role, life }: OperatorKeyRow): Caller | Refusal => {
    const dead = deadKeyRefusal(keyId, life, clock.nowMs());
    if (dead === null) {
      uses.note(keyId);
      return operatorCaller(keyId, role);
    }
    log.warn({ key_id: keyId }, "a revoked or expired operator key was presented");
    return dead;
  };

  return {
    ofKey: async (keyId) => {
      const found = ((await store.get(operatorKeyKind.name, keyId)) as StoredRow<OperatorKeyRow> | null)?.body;
      return found === undefined ? refuse("invalid_api_key") : holderOf(found);
    },
    find: async (secret) => {
      const terms = [secretTerm(sha256(secret).toString("hex"))];
      const query = { kind: operatorKeyKind.name, terms, order: "oldest", limit: 1 } as const;
      const [found] = (await store.list(query)) as readonly StoredRow<OperatorKeyRow>[];
      if (found !== undefined) return holderOf(found.body);
      if (!(await isLegacy(secret))) return refuse("invalid_api_key");
      log.warn({}, "API_KEY is deprecated: mint an operator key with parley key create --agent buyer");
      return operatorCaller(legacyKeyId, "operator");
    },
  };
};
