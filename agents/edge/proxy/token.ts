import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toBase64Url } from "../signing/encoding.ts";

const NONCE_BYTES = 24;
const VERSION = "x1";
const NONCE_LABEL = "ts-proxy-x1";

const encoder = new TextEncoder();

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
};

/**
 * The encrypted form of a reconstructed target: `x1`, nonce, XChaCha20-Poly1305 ciphertext and tag.
 * The nonce is derived from the text, so one text always gives one blob.
 */
export const sealTarget = (secret: string, clear: string): Uint8Array => {
  const secretBytes = encoder.encode(secret);
  const clearBytes = encoder.encode(clear);
  const nonce = sha256(joined(encoder.encode(NONCE_LABEL), secretBytes, clearBytes)).slice(0, NONCE_BYTES);
  const sealed = xchacha20poly1305(sha256(secretBytes), nonce).encrypt(clearBytes);
  return joined(encoder.encode(VERSION), nonce, sealed);
};

export const tokenOf = (secret: string, clear: string): string => toBase64Url(sha256(sealTarget(secret, clear)));
