import { hash } from "node:crypto";
import type { Kind, PutChange, StoredRow, StoreReader } from "../../../storage/store.ts";
import { canonicalJson } from "../../neutral/canonical.ts";
import { create, update } from "../changes.ts";
import { type Refusal, refuse } from "../../neutral/refusals.ts";

const retentionMs = 86_400_000;
const longestKey = 255;
/** Header bytes and body text agree only in ASCII. */
export const keyForm = /^[\x20-\x7e]{1,255}$/;

/** The digest is of the parsed input. */
export interface IdempotencyRow {
  readonly request: string;
  readonly output: unknown;
  readonly dialect: string | null;
  readonly revision: number | null;
  readonly expires_at_ms: number;
}

export const idempotencyKind: Kind<IdempotencyRow> = {
  name: "idempotency",
  terms: () => [],
  dueAtMs: (row) => row.expires_at_ms,
  owner: () => null,
};

const sha256 = (text: string): string => hash("sha256", text, "base64url");

/** Not printable, so no caller can send it. */
const madeLead = "\0";

export const isKey = (value: unknown): value is string => typeof value === "string" && keyForm.test(value);

/** From id and content, so that a reused id with other content is new. */
export const messageKey = (messageId: string, content: unknown): string =>
  madeLead + sha256(JSON.stringify([messageId, content]));

/** Null is none. */
export const carriesKey = (input: unknown): boolean => {
  if (typeof input !== "object" || input === null) return false;
  const key = (input as Readonly<Record<string, unknown>>)["idempotency_key"];
  return key !== undefined && key !== null;
};

/** One per owner, operation and key, over all doors. */
export const scopeOf = (owner: string, operation: string, key: string): string =>
  sha256(JSON.stringify([owner, operation, key]));

export const requestDigest = (input: unknown): string => sha256(canonicalJson(input));

/** The outer key with the number of the call; hashed where too long. */
export const placedKey = (key: string, place: number): string => {
  const placed = `${key}#${place}`;
  return placed.length <= longestKey ? placed : `${sha256(key)}#${place}`;
};

const keyDefect = (key: unknown, where: "header" | "body"): Refusal | null => {
  if (isKey(key)) return null;
  const loc = where === "header" ? ["header", "Idempotency-Key"] : ["body", "idempotency_key"];
  const msg = `The idempotency key must be 1 to ${longestKey} printable ASCII characters.`;
  return refuse("validation_error", { issues: [{ type: "idempotency_key", loc, msg }] });
};

/** From header or input; both only where equal. */
export const callKey = (fromWire: string | null, rawInput: unknown): string | null | Refusal => {
  const hasField = carriesKey(rawInput);
  const field = hasField ? (rawInput as { readonly idempotency_key: unknown }).idempotency_key : null;
  if (fromWire !== null && !fromWire.startsWith(madeLead)) {
    const defect = keyDefect(fromWire, "header");
    if (defect !== null) return defect;
  }
  if (hasField) {
    const defect = keyDefect(field, "body");
    if (defect !== null) return defect;
  }
  if (fromWire !== null && hasField && field !== fromWire) {
    const msg = "The Idempotency-Key header and the idempotency_key field differ. Send one, or the same in both.";
    return refuse("validation_error", { issues: [{ type: "idempotency_key", loc: ["body", "idempotency_key"], msg }] });
  }
  return fromWire ?? (hasField ? (field as string) : null);
};

export type KeyState =
  | { readonly state: "free"; readonly loaded: StoredRow<IdempotencyRow> | null }
  | { readonly state: "answered"; readonly row: IdempotencyRow }
  | { readonly state: "taken" };

/** An expired record is absent and gets replaced. */
export const readKey = async (store: StoreReader, scope: string, digest: string, nowMs: number): Promise<KeyState> => {
  const loaded = (await store.get(idempotencyKind.name, scope)) as StoredRow<IdempotencyRow> | null;
  if (loaded === null || loaded.body.expires_at_ms <= nowMs) return { state: "free", loaded };
  return loaded.body.request === digest ? { state: "answered", row: loaded.body } : { state: "taken" };
};

const withoutSecrets = (output: unknown, secrets: readonly string[]): unknown => {
  if (secrets.length === 0 || typeof output !== "object" || output === null) return output;
  const copy: Record<string, unknown> = { ...output };
  for (const secret of secrets) if (secret in copy) copy[secret] = null;
  return copy;
};

interface StoredAnswer {
  readonly digest: string;
  readonly output: unknown;
  readonly meta: { readonly dialect: string | null; readonly revision: number | null };
  readonly secrets: readonly string[];
  readonly nowMs: number;
}

/** Committed with its effect. Secrets are stored as null. */
export const answerChange = (
  scope: string,
  loaded: StoredRow<IdempotencyRow> | null,
  answer: StoredAnswer,
): PutChange => {
  const row: IdempotencyRow = {
    request: answer.digest,
    output: withoutSecrets(answer.output, answer.secrets),
    dialect: answer.meta.dialect,
    revision: answer.meta.revision,
    expires_at_ms: answer.nowMs + retentionMs,
  };
  return loaded === null ? create(idempotencyKind, scope, row) : update(idempotencyKind, loaded, row);
};
