import type { ApiKeyInstance } from "../../../machines/api-key/machine.ts";
import type { UsedKey } from "../../../protocol/seam/key-use.ts";
import type { Kind } from "../../../storage/store.ts";

/** Only the SHA-256 of the secret is kept (buyer spec, Inbound, rule 3). */
export interface OperatorKeyRow extends UsedKey {
  readonly secret_sha256: string;
  readonly prefix_hint: string;
  readonly role: "viewer" | "operator" | "senior";
  readonly label: string;
  readonly created_at_ms: number;
  readonly revoked_at_ms: number | null;
  readonly life: ApiKeyInstance;
}

/** One row per label, so that two keys cannot take it at once. */
export interface LabelRow {
  readonly label: string;
  readonly key_id: string;
}

/** Never removed: once a key was minted, the legacy key stays off (buyer spec, Inbound, rule 5). */
export const operatorKeyKind: Kind<OperatorKeyRow> = {
  name: "operator_key",
  terms: (key) => [secretTerm(key.secret_sha256)],
  dueAtMs: () => null,
  owner: () => null,
  facts: ({ life, role }) => ({ status: life.value, role }),
};

export const labelKind: Kind<LabelRow> = {
  name: "operator_label",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const secretTerm = (secretSha256: string): string => `secret=${secretSha256}`;

export const isActive = (key: OperatorKeyRow, nowMs: number): boolean => {
  const { expiresAtMs } = key.life.context;
  return key.life.value === "active" && (expiresAtMs === null || nowMs < expiresAtMs);
};
