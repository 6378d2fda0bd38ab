import { addressBlock } from "../neutral/address-block.ts";

/** What a verified identity may buy at, lowest first (seller spec, Authentication, rule 2). */
export type Tier = "public" | "seat" | "agency" | "advertiser";

/** `viewer` reads all that an operator reads, and writes nothing. */
export type Role = "buyer" | "viewer" | "operator" | "senior";

/** The verified identity that a key carries; every member is null where the key has none. */
export interface Identity {
  readonly seat_id: string | null;
  readonly agency_id: string | null;
  readonly advertiser_id: string | null;
  readonly dsp_platform: string | null;
}

/** The price of one agent: micros per thousand, else percent off its tier; for one product, or all (null). */
interface CustomPrice {
  readonly product_id: string | null;
  readonly cpm_micros: number | null;
  readonly discount_pct: number;
}

/** What a preferred agent has beside its tier (seller spec, Authentication, rule 4); what it asks for waits first. */
export interface Preference {
  readonly customPrices: readonly CustomPrice[];
}

/**
 * Who is calling, as far as it is proven. `principal` names the credential in records, `owner` is the scope of
 * records and idempotency, `limitKey` is what rate limits count. An `agent_url` in the input can lower `tier` for one
 * call.
 */
export interface Caller {
  readonly kind: "anonymous" | "key" | "host";
  readonly principal: string;
  readonly owner: string;
  readonly limitKey: string;
  readonly keyId: string | null;
  readonly roles: readonly Role[];
  readonly identity: Identity;
  readonly verified: boolean;
  readonly tier: Tier;
  readonly boundAgentUrl: string | null;
  /** The tier of the identity alone, where the bound agent's trust has been taken off `tier`. */
  readonly claimedTier?: Tier;
  /** The bound agent's, where it is preferred and the key is verified; a name in the input never brings it. */
  readonly preference?: Preference;
}

/** The caller without what it has as a preferred agent. */
export const withoutPreference = (caller: Caller): Caller => {
  if (caller.preference === undefined) return caller;
  const { preference: _preference, ...bare } = caller;
  return bare;
};

export const noIdentity: Identity = { seat_id: null, agency_id: null, advertiser_id: null, dsp_platform: null };

const hasText = (value: string | null): value is string => value !== null && value !== "";

/** The strongest verified identity, else the key itself: anyone could claim an unverified identity. */
export const ownerOf = (keyId: string, identity: Identity, verified: boolean): string => {
  if (!verified) return `key:${keyId}`;
  if (hasText(identity.advertiser_id)) return `advertiser:${identity.advertiser_id}`;
  if (hasText(identity.agency_id)) return `agency:${identity.agency_id}`;
  if (hasText(identity.seat_id)) return `seat:${identity.seat_id}`;
  return `key:${keyId}`;
};

/** What limits count where nobody is proven: the address, of IPv6 the part that one host has to itself. */
export const addressLimitKey = (address: string): string => `address:${addressBlock(address)}`;

/** Whose records a caller's own are: also what its key made before the identity was verified. */
export const ownersOf = ({ owner, keyId }: Pick<Caller, "owner" | "keyId">): readonly string[] =>
  keyId === null ? [owner] : [...new Set([owner, `key:${keyId}`])];

export const anonymousCaller = (address: string): Caller => ({
  kind: "anonymous",
  principal: "anonymous",
  owner: "anonymous",
  limitKey: addressLimitKey(address),
  keyId: null,
  roles: [],
  identity: noIdentity,
  verified: false,
  tier: "public",
  boundAgentUrl: null,
});

/** The operator of the host: stdio and the control socket (decision 67). It counts as a senior operator. */
export const hostCaller: Caller = {
  kind: "host",
  principal: "host",
  owner: "host",
  limitKey: "host",
  keyId: null,
  roles: ["operator", "senior"],
  identity: noIdentity,
  verified: true,
  tier: "public",
  boundAgentUrl: null,
};

/** Operators see and move every record; `senior` includes `operator` (decision 72). */
export const isOperator = (caller: Caller): boolean =>
  caller.roles.includes("operator") || caller.roles.includes("senior") || isViewer(caller);

/** The gate of access lets a viewer pass to reads alone, so that handlers need not tell it from an operator. */
export const isViewer = (caller: Caller): boolean => caller.roles.includes("viewer");

export const isSenior = (caller: Caller): boolean => caller.roles.includes("senior");

/** The credential of a request as it arrived: the two header values, unread. */
export interface Credentials {
  readonly apiKey: string | null;
  readonly authorization: string | null;
}

/** `X-Api-Key` first, then a Bearer token. An empty value or another scheme is no credential. */
export const presentedSecret = (credentials: Credentials): string | null => {
  if (credentials.apiKey !== null && credentials.apiKey.trim() !== "") return credentials.apiKey.trim();
  const match = /^bearer[ \t]+(\S+)[ \t]*$/i.exec(credentials.authorization ?? "");
  return match?.[1] ?? null;
};
