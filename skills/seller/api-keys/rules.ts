import { quoted } from "../../../protocol/neutral/seen-text.ts";
import { newApiKey } from "../../../machines/api-key/machine.ts";
import { type Caller, isOperator, type Role } from "../../../protocol/seam/caller.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { WaitingFlow } from "../approvals/gate.ts";
import type { SellerContext } from "../context.ts";
import type { SellerSettings } from "../settings.ts";
import type { ApiKeyRow, KeyIdentity } from "./record.ts";
import { newKeyId, newKeySecret, sha256Hex } from "../ids.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

/** Lists show this much of a secret, so that people can tell keys apart. */
const hintLength = 12;

type Claims = { readonly [Name in keyof KeyIdentity]?: string | null | undefined };

const textOrNull = (text: string | null | undefined): string | null => (text == null || text === "" ? null : text);

/** Blank members are absent. */
export const identityFrom = (claims: Claims): KeyIdentity => ({
  seat_id: textOrNull(claims.seat_id),
  seat_name: textOrNull(claims.seat_name),
  dsp_platform: textOrNull(claims.dsp_platform),
  agency_id: textOrNull(claims.agency_id),
  agency_name: textOrNull(claims.agency_name),
  agency_holding_company: textOrNull(claims.agency_holding_company),
  advertiser_id: textOrNull(claims.advertiser_id),
  advertiser_name: textOrNull(claims.advertiser_name),
});

export const emptyIdentity: KeyIdentity = identityFrom({});

/** What moves prices or ownership must be proven. */
export const claimsIdentity = (identity: KeyIdentity): boolean =>
  identity.seat_id !== null || identity.agency_id !== null || identity.advertiser_id !== null;

/** Null days: never. */
export const expiryMs = (days: number | null | undefined, settings: SellerSettings, nowMs: number): number | null => {
  const inDays = days === undefined ? settings.apiKeyDefaultExpiryDays : days;
  return inDays === null ? null : nowMs + Math.round(inDays * dayMs);
};

export const mintKey = (
  context: SellerContext,
  of: {
    readonly role: Role;
    readonly identity: KeyIdentity;
    readonly verified: boolean;
    readonly label: string | null;
    readonly agentUrl: string | null;
    readonly expiresAtMs: number | null;
  },
): { readonly row: ApiKeyRow; readonly secret: string } => {
  const secret = context.mint(newKeySecret);
  const row: ApiKeyRow = {
    key_id: context.mint(newKeyId),
    secret_sha256: sha256Hex(secret),
    prefix_hint: `${secret.slice(0, hintLength)}...`,
    role: of.role,
    identity: of.identity,
    label: of.label,
    agent_url: of.agentUrl,
    approval_id: null,
    created_at_ms: context.nowMs,
    life: newApiKey({ expiresAtMs: of.expiresAtMs, verified: of.verified }),
  };
  return { row, secret };
};

/** A person judges who asks: the key, or the address where no verified key does. */
const askerOf = ({ kind, principal, owner, limitKey }: Caller): Readonly<Record<string, string>> => ({
  asked_by: principal,
  ...(kind === "key" ? { asked_by_buyer: owner } : {}),
  ...(limitKey.startsWith("address:") ? { asked_from: limitKey.slice("address:".length) } : {}),
});

export const waitingKey = (row: ApiKeyRow, caller: Caller): WaitingFlow => ({
  flow: "api_key",
  subjectId: row.key_id,
  owner: `key:${row.key_id}`,
  facts: { key_id: row.key_id, label: row.label, agent_url: row.agent_url, identity: row.identity },
  confidential: askerOf(caller),
});

/** Whoever asks without a verified agency of its own may claim one, and waits for a person. */
export const mismatchRefusal = (caller: Caller, identity: KeyIdentity): Refusal | null => {
  const { agency_id: own } = caller.identity;
  if (isOperator(caller) || own === null || identity.agency_id === null || identity.agency_id === own) return null;
  const message =
    `Your key is of agency ${quoted(own)} and asks for one of agency ${quoted(identity.agency_id)}. ` +
    "Ask for your own agency; the other one asks itself, or the seller's operator issues its key.";
  return refuse("identity_mismatch", { message });
};

/** Other ids return the same, whether such a key exists or not. */
export const foreignKeyRefusal = (context: SellerContext, keyId: string): Refusal | null =>
  isOperator(context.caller) || context.caller.keyId === keyId ? null : refuse("operator_required");
