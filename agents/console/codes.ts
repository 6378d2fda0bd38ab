import { hash, randomBytes } from "node:crypto";
import { create } from "../../protocol/seam/changes.ts";
import type { Store } from "../../storage/store.ts";
import { auditEntry } from "./audit-entry.ts";
import { consoleCodeKind } from "./session-row.ts";

const lifetimeMs = 10 * 60_000;

/** Crockford's base 32: no letter that reads as a digit. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 140 random bits, in groups of four. */
const newCode = (): string => {
  const text = [...randomBytes(28)].map((byte) => digits[byte % digits.length]).join("");
  return (text.match(/.{4}/g) ?? []).join("-");
};

export const codeId = (code: string): string => hash("sha256", code.trim().toUpperCase(), "hex");

/** Signs in once, as the key's holder, within ten minutes. */
export const mintConsoleCode = async (store: Pick<Store, "commit">, keyId: string, nowMs: number): Promise<string> => {
  const code = newCode();
  const row = { key_id: keyId, expires_at_ms: nowMs + lifetimeMs };
  const audit = auditEntry(nowMs, "create_console_code", "host", "host");
  const { ok } = await store.commit({ changes: [create(consoleCodeKind, codeId(code), row)], audit });
  if (!ok) throw new Error("the console code could not be stored");
  return code;
};
