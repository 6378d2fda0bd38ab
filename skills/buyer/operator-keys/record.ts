import type { ApiKeyInstance } from "../../../machines/api-key/machine.ts";
import type { UsedKey } from "../../../protocol/seam/key-use.ts";
import type { Kind } from "../../../storage/store.ts";

/** An operator key of the buyer. Only the SHA-256 of its secret is kept (buyer spec, Inbound, rule 3). */
export interface OperatorKeyRow extends UsedKey {
  readonly secret_sha256: string;
  readonly prefix_hint: string;
  readonly role: "viewer" | "operator" | "senior";
  readonly label: string;
  readonly created_at_ms: number;
  readonly revoked_at_ms: number | null;
  readonly life: ApiKeyInstance;
}

/** Which key bears a label: one row per label, so that two keys cannot take it at once. */
export interface LabelRow {
  readonly label: string;
  readonly key_id: string;
}

/** Rows are never removed: whether a key was ever minted decides about the legacy key (buyer spec, Inbound, rule 5). */
export const operatorKeyKind: Kind<OperatorKeyRow> = {
  name: "operator_key",
  terms: (key) => [secretTerm(key.secret_sha256)],
  dueAtMs: () => null,
  owner: () => null,
};

export const labelKind: Kind<LabelRow> = {
  name: "operator_label",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/** The term under which a presented secret finds its key. */
export const secretTerm = (secretSha256: string): string => `secret=${secretSha256}`;

/** Whether the key still opens anything at this time. */
export const isActive = (key: OperatorKeyRow, nowMs: number): boolean => {
  const { expiresAtMs } = key.life.context;
  return key.life.value === "active" && (expiresAtMs === null || nowMs < expiresAtMs);
};
