import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Seal } from "../../../skills/buyer/ports.ts";
import { secretFile } from "../../host/secret-file.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";

const secretBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const version = "v1.";

/** AES-256-GCM (NIST SP 800-38D) with a fresh nonce for each text; the label is authenticated too. */
export const createSeal = (secret: Buffer): Seal => ({
  close: (text, label) => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.from(label));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return version + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
  },
  open: (sealed, label) => {
    const bytes = Buffer.from(sealed.slice(version.length), "base64url");
    if (!sealed.startsWith(version) || bytes.length < ivBytes + tagBytes) return null;
    const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, ivBytes))
      .setAAD(Buffer.from(label))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
    } catch {
      return null;
    }
  },
});

/** 32 bytes in hex or base64, else null. */
export const readSecret = (text: string): Buffer | null => {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[\w+/-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === secretBytes ? bytes : null;
};

const fileName = "seller-keys.secret";

/** A file that only its owner may read, made at the first start. */
export const secretOfDirectory = (dir: string): Buffer => {
  const path = join(dir, fileName);
  const secret = readSecret(secretFile(path, () => `${randomBytes(secretBytes).toString("hex")}\n`));
  if (secret !== null) return secret;
  throw new StartFailure(`${path} holds no secret. Put the 64 hex digits back that it held, or remove it.`);
};
