import { createCipheriv, hash } from "node:crypto";
import type { Primitives } from "../../platform.ts";

const tagBytes = 16;

const chacha20poly1305: NonNullable<Primitives["chacha20poly1305"]> = (key, nonce, clear) => {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: tagBytes });
  return Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()]);
};

const hasCipher = (): boolean => {
  try {
    return chacha20poly1305(new Uint8Array(32), new Uint8Array(12), new Uint8Array(1)).length === 1 + tagBytes;
  } catch {
    return false;
  }
};

/** Hash and cipher of `node:crypto`. The cipher is missing on Bun, whose library has none of that name. */
export const nativePrimitives: Primitives = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  ...(hasCipher() ? { chacha20poly1305 } : {}),
};
