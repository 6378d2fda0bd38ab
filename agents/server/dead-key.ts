import { type Refusal, refuse } from "../../protocol/neutral/refusals.ts";

interface KeyLife {
  readonly value: string;
  readonly context: { readonly expiresAtMs: number | null };
}

/** The answer is null while the key lives. Only the holder of the secret learns the key's id. */
export const deadKeyRefusal = (keyId: string, life: KeyLife, nowMs: number): Refusal | null => {
  if (life.value === "revoked") {
    return refuse("api_key_revoked", { message: `API key ${keyId} has been revoked. Ask for a new one.` });
  }
  const { expiresAtMs } = life.context;
  if (life.value === "active" && (expiresAtMs === null || nowMs < expiresAtMs)) return null;
  return refuse("api_key_expired", { message: `API key ${keyId} has expired. Ask for a new one.` });
};
