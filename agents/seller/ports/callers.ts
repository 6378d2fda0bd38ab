import { lowerTier, tierOfIdentity } from "../../../machines/pricing/tiers.ts";
import {
  addressLimitKey,
  anonymousCaller,
  type Caller,
  type Identity,
  noIdentity,
  ownerOf,
} from "../../../protocol/seam/caller.ts";
import type { Clock, TrustRegistry } from "../../../protocol/seam/ports.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import { apiKeyKind, type ApiKeyRow, secretTerm } from "../../../skills/seller/api-keys/record.ts";
import { sha256Hex } from "../../../skills/seller/ids.ts";
import type { StoredRow, StoreReader } from "../../../storage/store.ts";
import type { KeyDirectory } from "../../console/sessions.ts";
import { deadKeyRefusal } from "../../server/dead-key.ts";
import type { KeyUseCounter } from "../../server/key-uses.ts";

export interface DirectoryParts {
  readonly store: Pick<StoreReader, "get" | "list">;
  readonly settings: Pick<SellerSettings, "apiKeyAuthEnabled">;
  readonly trust: TrustRegistry;
  readonly clock: Clock;
  readonly uses: Pick<KeyUseCounter, "note">;
}

/** Unverified claims are ignored. */
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
 * Anybody can make unverified keys, so they share the limit of their address: a fresh key must not get a fresh limit.
 */
const comingFrom = (caller: Caller, address: string): Caller =>
  caller.verified ? caller : { ...caller, limitKey: addressLimitKey(address) };

const callerOf = (row: ApiKeyRow): Caller => {
  const identity = identityOf(row);
  const { verified } = row.life.context;
  const principal = `key:${row.key_id}`;
  return {
    kind: "key",
    principal,
    owner: ownerOf(row.key_id, identity, verified),
    limitKey: principal,
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
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly row: ApiKeyRow;
  readonly caller: Caller;
}

const isStill = (key: KnownKey, row: StoredRow | null): boolean => row?.n === key.n && row.version === key.version;

const createKeySearch = (store: DirectoryParts["store"], known: Map<string, KnownKey>) => {
  return async (digest: string): Promise<KnownKey | null> => {
    const query = { kind: apiKeyKind.name, terms: [secretTerm(digest)], order: "oldest", limit: 1 } as const;
    const [found] = (await store.list(query)) as readonly StoredRow<ApiKeyRow>[];
    if (found === undefined) return null;
    const { id, n, version, body: row } = found;
    const key = { id, n, version, row, caller: callerOf(row) };
    if (known.size >= mostRemembered) known.clear();
    known.set(digest, key);
    return key;
  };
};

/**
 * Asks the store on each request, so that a revocation holds from the next one on in every process: by the id known for
 * the secret, else by the term of its SHA-256. The bound agent caps the tier and blocks the key; its preference needs a
 * verified key. With `API_KEY_AUTH_ENABLED=false` everybody is anonymous.
 */
export const createCallerDirectory = (parts: DirectoryParts): KeyDirectory => {
  const { store } = parts;
  const known = new Map<string, KnownKey>();
  const search = createKeySearch(store, known);

  const holderOf = async ({ row, caller: holder }: Pick<KnownKey, "row" | "caller">, address: string) => {
    const dead = deadKeyRefusal(row.key_id, row.life, parts.clock.nowMs());
    if (dead !== null) return { ...dead, ownerOfCall: holder.owner };
    parts.uses.note(row.key_id);
    const caller = comingFrom(holder, address);
    if (caller.boundAgentUrl === null) return caller;
    const trust = await parts.trust.ofAgent(caller.boundAgentUrl);
    if (trust.blocked) return { ...refuse("agent_blocked"), ownerOfCall: holder.owner };
    const capped = { ...caller, tier: lowerTier(caller.tier, trust.ceiling), claimedTier: caller.tier };
    return caller.verified && trust.preference !== undefined ? { ...capped, preference: trust.preference } : capped;
  };

  return {
    find: async (secret, address) => {
      if (!parts.settings.apiKeyAuthEnabled) return anonymousCaller(address);
      const digest = sha256Hex(secret);
      const before = known.get(digest);
      const isKnown = before !== undefined && isStill(before, await store.get(apiKeyKind.name, before.id));
      const key = isKnown ? before : await search(digest);
      return key === null ? refuse("invalid_api_key") : holderOf(key, address);
    },
    ofKey: async (keyId, address) => {
      const row = ((await store.get(apiKeyKind.name, keyId)) as StoredRow<ApiKeyRow> | null)?.body;
      return row === undefined ? refuse("invalid_api_key") : holderOf({ row, caller: callerOf(row) }, address);
    },
  };
};
