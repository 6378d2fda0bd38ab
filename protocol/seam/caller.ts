import { addressBlock } from "../neutral/address-block.ts";

/** Lowest first (seller spec, Authentication, rule 2). */
export type Tier = "public" | "seat" | "agency" | "advertiser";

/** `viewer` reads all that an operator reads; `edge` calls only operations with `opensToEdge`. */
export type Role = "buyer" | "edge" | "viewer" | "operator" | "senior";

export interface Identity {
  readonly seat_id: string | null;
  readonly agency_id: string | null;
  readonly advertiser_id: string | null;
  readonly dsp_platform: string | null;
}

/** Micros per thousand, else percent off its tier; product null: all. */
interface CustomPrice {
  readonly product_id: string | null;
  readonly cpm_micros: number | null;
  readonly discount_pct: number;
}

/** Beside the tier (seller spec, Authentication, rule 4); its requests wait first. */
export interface Preference {
  readonly customPrices: readonly CustomPrice[];
}

/**
 * `principal` names the credential in records, `owner` scopes records and idempotency, `limitKey` rate limits. An
 * `agent_url` in the input can lower `tier` for one call.
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
  /** Of an access token; left out: its roles alone limit what it may call. */
  readonly scopes?: readonly string[];
  /** The identity's own, before the bound agent's cap. */
  readonly claimedTier?: Tier;
  /** Needs a verified key; a name in the input never brings it. */
  readonly preference?: Preference;
}

export const withoutPreference = (caller: Caller): Caller => {
  if (caller.preference === undefined) return caller;
  const { preference: _preference, ...bare } = caller;
  return bare;
};

export const noIdentity: Identity = { seat_id: null, agency_id: null, advertiser_id: null, dsp_platform: null };

const hasText = (value: string | null): value is string => value !== null && value !== "";

/** An unverified identity could be anyone's claim. */
export const ownerOf = (keyId: string, identity: Identity, verified: boolean): string => {
  if (!verified) return `key:${keyId}`;
  if (hasText(identity.advertiser_id)) return `advertiser:${identity.advertiser_id}`;
  if (hasText(identity.agency_id)) return `agency:${identity.agency_id}`;
  if (hasText(identity.seat_id)) return `seat:${identity.seat_id}`;
  return `key:${keyId}`;
};

/** The address; of IPv6 the /64. */
export const addressLimitKey = (address: string): string => `address:${addressBlock(address)}`;

/** Includes what its key made before verification. */
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

/** Stdio and the control socket; a senior operator. */
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

/** The access gate confines viewers and edges, so handlers need not distinguish them from an operator. */
export const isOperator = (caller: Caller): boolean =>
  isSenior(caller) || caller.roles.includes("operator") || isViewer(caller) || isEdge(caller);

export const isViewer = (caller: Caller): boolean => caller.roles.includes("viewer");

export const isEdge = (caller: Caller): boolean => caller.roles.includes("edge");

export const isSenior = (caller: Caller): boolean => caller.roles.includes("senior");

export const roleOf = (caller: Caller): Role => {
  if (isSenior(caller)) return "senior";
  if (isViewer(caller)) return "viewer";
  if (isEdge(caller)) return "edge";
  return isOperator(caller) ? "operator" : "buyer";
};

export interface Credentials {
  readonly apiKey: string | null;
  readonly authorization: string | null;
}

/** An `Authorization` that is not Bearer and one key. No key is empty. */
export const unreadableSecret = "";

/** `X-Api-Key` first, then Bearer. Null: neither header says anything. */
export const presentedSecret = ({ apiKey, authorization }: Credentials): string | null => {
  if (apiKey !== null && apiKey.trim() !== "") return apiKey.trim();
  if (authorization === null || authorization.trim() === "") return null;
  return /^bearer[ \t]+(\S+)[ \t]*$/i.exec(authorization)?.[1] ?? unreadableSecret;
};
