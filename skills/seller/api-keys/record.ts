import type { ApiKeyInstance } from "../../../machines/api-key/machine.ts";
import { ownerOf, type Role } from "../../../protocol/seam/caller.ts";
import type { UsedKey } from "../../../protocol/seam/key-use.ts";
import type { Kind } from "../../../storage/store.ts";

export interface KeyIdentity {
  readonly seat_id: string | null;
  readonly seat_name: string | null;
  readonly dsp_platform: string | null;
  readonly agency_id: string | null;
  readonly agency_name: string | null;
  readonly agency_holding_company: string | null;
  readonly advertiser_id: string | null;
  readonly advertiser_name: string | null;
}

/** Only the SHA-256 of the secret is stored. */
export interface ApiKeyRow extends UsedKey {
  readonly secret_sha256: string;
  readonly prefix_hint: string;
  readonly role: Role;
  readonly identity: KeyIdentity;
  readonly label: string | null;
  readonly agent_url: string | null;
  readonly approval_id: string | null;
  readonly created_at_ms: number;
  readonly life: ApiKeyInstance;
}

/** One row per label, so that two keys cannot take it at once. */
export interface OperatorLabelRow {
  readonly label: string;
  readonly key_id: string;
}

/** A key may read and revoke itself. */
export const apiKeyKind: Kind<ApiKeyRow> = {
  name: "api_key",
  terms: (key) => [
    secretTerm(key.secret_sha256),
    keyOwnerTerm(ownerOf(key.key_id, key.identity, key.life.context.verified)),
  ],
  dueAtMs: () => null,
  owner: (key) => `key:${key.key_id}`,
  facts: ({ life, role }) => ({ status: life.value, role, verified: life.context.verified }),
};

export const operatorLabelKind: Kind<OperatorLabelRow> = {
  name: "operator_label",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const keyOwnerTerm = (owner: string): string => `owner=${owner}`;

export const secretTerm = (secretSha256: string): string => `secret=${secretSha256}`;
