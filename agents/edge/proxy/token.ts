import { hchacha, xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Primitives } from "../platform.ts";
import { remember } from "../remember.ts";
import { toBase64Url } from "../signing/encoding.ts";

const nonceBytes = 24;
/** XChaCha20 takes this much of the nonce for the key, and the rest behind four zeros as the nonce. */
const keyNonceBytes = 16;
const tokenVersion = "x1";
const nonceLabel = "ts-proxy-x1";
/** "expand 32-byte k" as words (RFC 8439, section 2.3). */
const sigma = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);

/** Creatives repeat their scripts, styles and pictures from one impression to the next. */
const mostTokens = 4_096;
const longestKept = 1_024;

const encoder = new TextEncoder();

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
};

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(joined(bytes).buffer);

type Seal = (nonce: Uint8Array, clear: Uint8Array) => Uint8Array;

/** XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, section 2), over the runtime's own cipher where it has one. */
const sealerOf = (key: Uint8Array, native: Primitives["chacha20poly1305"]): Seal => {
  if (native === undefined) return (nonce, clear) => xchacha20poly1305(key, nonce).encrypt(clear);
  const keyWords = wordsOf(key);
  return (nonce, clear) => {
    const subkey = new Uint32Array(8);
    hchacha(sigma, keyWords, wordsOf(nonce.subarray(0, keyNonceBytes)), subkey);
    const rest = joined(new Uint8Array(4), nonce.subarray(keyNonceBytes));
    return native(new Uint8Array(subkey.buffer), rest, clear);
  };
};

/** What signs and seals the addresses of one secret. */
export interface Tokens {
  /** Version, nonce, ciphertext and tag. The nonce is derived from the text, so one text always gives one blob. */
  seal(clear: string): Uint8Array;
  of(clear: string): string;
  /** The same for a text that is used once, so that it takes no room from those that come again. */
  once(clear: string): string;
}

/** Prepares a secret once: its hash is the key of every address. */
export const createTokens = (secret: string, primitives: Primitives = { sha256 }): Tokens => {
  const secretBytes = encoder.encode(secret);
  const label = joined(encoder.encode(nonceLabel), secretBytes);
  const version = encoder.encode(tokenVersion);
  const encrypt = sealerOf(primitives.sha256(secretBytes), primitives.chacha20poly1305);
  const seal = (clear: string): Uint8Array => {
    const clearBytes = encoder.encode(clear);
    const nonce = primitives.sha256(joined(label, clearBytes)).subarray(0, nonceBytes);
    return joined(version, nonce, encrypt(nonce, clearBytes));
  };
  const make = (clear: string): string => toBase64Url(primitives.sha256(seal(clear)));
  const kept = remember(mostTokens, make);
  return { seal, once: make, of: (clear) => (clear.length <= longestKept ? kept(clear) : make(clear)) };
};
