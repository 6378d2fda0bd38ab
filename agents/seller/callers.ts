import { lowerTier, tierOfIdentity } from "../../machines/pricing/tiers.ts";
import {
  addressLimitKey,
  anonymousCaller,
  type Caller,
  type Identity,
  noIdentity,
  ownerOf,
} from "../../protocol/caller.ts";
import type { CallerDirectory, Clock, TrustRegistry } from "../../protocol/ports.ts";
import { type Refusal, refuse } from "../../protocol/refusals.ts";
import type { SellerSettings } from "../../skills/seller/ports.ts";
import { apiKeyKind, type ApiKeyRow, secretTerm, sha256Hex } from "../../skills/seller/records.ts";
import type { StoredRow, StoreReader } from "../../storage/store.ts";
import type { KeyUseCounter } from "./key-uses.ts";

export interface DirectoryParts {
  readonly store: Pick<StoreReader, "list">;
  readonly settings: Pick<SellerSettings, "apiKeyAuthEnabled">;
  readonly trust: TrustRegistry;
  readonly clock: Clock;
  readonly uses: Pick<KeyUseCounter, "note">;
}

/** Why a key opens nothing any more; only the holder of its secret learns its id. */
const deadKeyRefusal = (row: ApiKeyRow, nowMs: number): Refusal | null => {
  if (row.life.value === "revoked") {
    return refuse("api_key_revoked", { message: `API key ${row.key_id} has been revoked. Ask for a new one.` });
  }
  const { expiresAtMs } = row.life.context;
  if (row.life.value === "active" && (expiresAtMs === null || nowMs < expiresAtMs)) return null;
  return refuse("api_key_expired", { message: `API key ${row.key_id} has expired. Ask for a new one.` });
};

/** The verified identity of a key; unverified claims count for nothing (decisions 9 and 50). */
const identityOf = (row: ApiKeyRow): Identity =>
  row.life.context.verified
    ? {
        seat_id: row.identity.seat_id,
        agency_id: row.identity.agency_id,
        advertiser_id: row.identity.advertiser_id,
        dsp_platform: row.identity.dsp_platform,
      }
    : noIdentity;

/**
 * Limits count a verified key by itself, and an unverified one by the address that it comes from: anybody can make
 * such keys, so a fresh one must not open fresh counters.
 */
const limitKeyOf = (row: ApiKeyRow, address: string): string =>
  row.life.context.verified ? `key:${row.key_id}` : addressLimitKey(address);

const callerOf = (row: ApiKeyRow, address: string): Caller => {
  const identity = identityOf(row);
  const { verified } = row.life.context;
  return {
    kind: "key",
    principal: `key:${row.key_id}`,
    owner: ownerOf(row.key_id, identity, verified),
    limitKey: limitKeyOf(row, address),
    keyId: row.key_id,
    roles: [row.role],
    identity,
    verified,
    tier: tierOfIdentity(identity),
    boundAgentUrl: row.agent_url,
  };
};

const mostRemembered = 1024;

interface KnownKey {
  readonly n: number;
  readonly version: number;
  readonly address: string;
  readonly row: ApiKeyRow;
  readonly caller: Caller;
}

/**
 * A key's row and caller as they were made before, while the row is the same: the store makes a copy of its own for
 * each reader.
 */
const createKeyMemory = (): ((found: StoredRow<ApiKeyRow>, address: string) => KnownKey) => {
  const known = new Map<string, KnownKey>();
  return (found, address) => {
    const { id, n, version } = found;
    const before = known.get(id);
    const isSame = before?.n === n && before.version === version;
    if (isSame && before.address === address) return before;
    if (known.size >= mostRemembered) known.clear();
    const row = isSame ? before.row : found.body;
    const made = { n, version, address, row, caller: callerOf(row, address) };
    known.set(id, made);
    return made;
  };
};

/**
 * Finds the caller behind a presented secret: by the term of the secret's SHA-256, never by a scan, and anew for each
 * request, so that a revocation counts from the next request on in every process. The agent that the key is bound to
 * caps its tier and shuts it out when it is blocked (decision 52); that it is preferred counts through a verified key
 * alone. With `API_KEY_AUTH_ENABLED=false` everybody is anonymous.
 */
export const createCallerDirectory = (parts: DirectoryParts): CallerDirectory => {
  const knownOf = createKeyMemory();
  return {
    find: async (secret, address) => {
      if (!parts.settings.apiKeyAuthEnabled) return anonymousCaller(address);
      const terms = [secretTerm(sha256Hex(secret))];
      const query = { kind: apiKeyKind.name, terms, order: "oldest", limit: 1 } as const;
      const [found] = (await parts.store.list(query)) as readonly StoredRow<ApiKeyRow>[];
      if (found === undefined) return refuse("invalid_api_key");
      const { row, caller } = knownOf(found, address);
      const dead = deadKeyRefusal(row, parts.clock.nowMs());
      if (dead !== null) return dead;
      parts.uses.note(row.key_id);
      if (caller.boundAgentUrl === null) return caller;
      const trust = await parts.trust.ofAgent(caller.boundAgentUrl);
      if (trust.blocked) return refuse("agent_blocked");
      const capped = { ...caller, tier: lowerTier(caller.tier, trust.ceiling), claimedTier: caller.tier };
      return caller.verified && trust.preference !== undefined ? { ...capped, preference: trust.preference } : capped;
    },
  };
};
