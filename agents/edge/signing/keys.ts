import type { EdgeContext, TextStore } from "../context.ts";
import { fromBase64, fromBase64Url, toBase64, toBase64Url } from "./encoding.ts";

/** Public key as readers of RFC 8037 expect it. */
export interface PublicJwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly alg: "EdDSA";
}

/** A DER head that turns a 32-byte seed into the PKCS #8 form that WebCrypto imports (RFC 8410, section 7). */
const pkcs8Head = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

const kidForm = /^[A-Za-z0-9_.:-]{1,128}$/;

export const isKid = (text: string): boolean => kidForm.test(text);

/** A new key id must also start with a lower case letter, so that it never reads as one of the list entries' names. */
export const isNewKid = (text: string): boolean => isKid(text) && /^[a-z]/.test(text);

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const importSeed = async (seed: Uint8Array, extractable: boolean): Promise<ImportedKey> =>
  crypto.subtle.importKey("pkcs8", Uint8Array.from([...pkcs8Head, ...seed]), "Ed25519", extractable, ["sign"]);

const publicPart = async (seed: Uint8Array): Promise<string> => {
  const exported = await crypto.subtle.exportKey("jwk", await importSeed(seed, true));
  return String((exported as { x?: unknown }).x);
};

/** Makes a JWK by hand: the `alg` that runtimes export differs from one to the next. */
export const jwkOfSeed = async (kid: string, seed: Uint8Array): Promise<PublicJwk> => ({
  kty: "OKP",
  crv: "Ed25519",
  x: await publicPart(seed),
  kid,
  alg: "EdDSA",
});

/** Ed25519 over the bytes, base64url without padding; `null` when `seedText` is not 32 bytes in standard base64. */
export const signBytes = async (seedText: string, bytes: Uint8Array): Promise<string | null> => {
  const seed = fromBase64(seedText.trim());
  if (seed === null || seed.length !== 32) return null;
  const signature = await crypto.subtle.sign("Ed25519", await importSeed(seed, false), Uint8Array.from(bytes));
  return toBase64Url(new Uint8Array(signature));
};

/** Public key of a stored JWK text; `null` when it is no Ed25519 key of that id. */
export const parseJwk = (text: string | null, kid: string): PublicJwk | null => {
  if (text === null) return null;
  let jwk: Record<string, unknown>;
  try {
    jwk = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (typeof jwk !== "object" || jwk === null || jwk.kty !== "OKP" || jwk.crv !== "Ed25519") return null;
  if (typeof jwk.x !== "string" || fromBase64Url(jwk.x)?.length !== 32) return null;
  return { kty: "OKP", crv: "Ed25519", x: jwk.x, kid, alg: "EdDSA" };
};

export const verifyBytes = async (jwk: PublicJwk, signature: Uint8Array, bytes: Uint8Array): Promise<boolean> => {
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, Uint8Array.from(signature), Uint8Array.from(bytes));
};

export const newSeed = (context: EdgeContext): { seed: Uint8Array; text: string } => {
  const seed = context.env.random(32);
  return { seed, text: toBase64(seed) };
};

export const readActiveKids = async (store: TextStore, storeId: string): Promise<string[]> => {
  const text = (await store.get(storeId, "active-kids")) ?? "";
  return text
    .split(",")
    .map((kid) => kid.trim())
    .filter((kid) => kid !== "");
};
