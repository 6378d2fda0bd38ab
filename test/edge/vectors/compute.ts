import { eidsHeader } from "../../../agents/edge/auction/auction-eids.ts";
import { redactedPath } from "../../../agents/edge/auction/page/page-path.ts";
import { priceBucket, type PriceGranularity } from "../../../agents/edge/auction/page/price-bucket.ts";
import { h2Hash, readDevice } from "../../../agents/edge/identity/device.ts";
import { ecHash, networkOf } from "../../../agents/edge/identity/ec.ts";
import type { Eid } from "../../../agents/edge/identity/eids.ts";
import { tokenHash } from "../../../agents/edge/identity/partners.ts";
import { createTokens, type Tokens } from "../../../agents/edge/proxy/token.ts";
import { canonicalPath, canonicalQuery, signSigV4 } from "../../../agents/edge/publisher/assets/sigv4.ts";
import { nativePrimitives } from "../../../agents/edge/runtimes/leaf/native-crypto.ts";
import { fromBase64, toBase64Url } from "../../../agents/edge/signing/encoding.ts";
import { jwkOfSeed, signBytes } from "../../../agents/edge/signing/keys.ts";

export type Vector = { readonly function: string; readonly input: readonly string[]; readonly output: string };

type Compute = (...input: string[]) => string | null | Promise<string | null>;

/** The runtime's must give the same. */
const agreed = (secret: string, use: (tokens: Tokens) => string): string | null => {
  const [own, native] = [use(createTokens(secret)), use(createTokens(secret, nativePrimitives))];
  return own === native ? own : null;
};

const FUNCTIONS: Readonly<Record<string, Compute>> = {
  tstoken: (secret = "", clear = "") => agreed(secret, (tokens) => tokens.of(clear)),
  "opaque URL": (secret = "", clear = "") => agreed(secret, (tokens) => toBase64Url(tokens.seal(clear))),
  "EC network": (ip = "") => networkOf(ip),
  "EC hash": (passphrase = "", ip = "") => ecHash(passphrase, ip),
  "API token hash": (token = "") => tokenHash(token),
  "H2 fingerprint": (settings = "") => h2Hash(settings),
  "known browser": (ja4 = "", h2 = "") => String(readDevice(new Headers(), { ja4, h2 }).known_browser ?? "absent"),
  "Ed25519 public key": async (seed = "") => (await jwkOfSeed("k", fromBase64(seed) ?? new Uint8Array())).x,
  "Ed25519 signature": (seed = "", text = "") => signBytes(seed, new TextEncoder().encode(text)),
  "x-ts-eids": (eids = "") => eidsHeader(JSON.parse(eids) as Eid[])?.text ?? null,
  SigV4(url = "", time = "", region = "", accessKeyId = "", secretAccessKey = "") {
    const credentials = { region, accessKeyId, secretAccessKey };
    const signed = signSigV4({ method: "GET", url: new URL(url), nowMs: Date.parse(time), credentials });
    return /SignedHeaders=.*$/.exec(signed["authorization"] ?? "")?.[0] ?? null;
  },
  "SigV4 path": (path = "") => canonicalPath(path),
  "SigV4 query": (query = "") => canonicalQuery(query),
  "price bucket": (granularity = "", cpm = "") => priceBucket(Number(cpm), granularity as PriceGranularity),
  "telemetry path": (path = "") => redactedPath(path),
};

export const computeAll = (vectors: readonly Vector[]): Promise<(string | null)[]> =>
  Promise.all(vectors.map(async ({ function: name, input }) => (await FUNCTIONS[name]?.(...input)) ?? null));
