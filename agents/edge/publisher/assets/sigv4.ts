import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex } from "../../identity/hex.ts";

export interface SigV4Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const encoder = new TextEncoder();

const unreserved = /^[A-Za-z0-9_.~-]$/;

/** Percent-encodes as AWS wants it: everything but the unreserved characters, upper case, one byte at a time. */
const awsEncode = (text: string): string => {
  let out = "";
  for (const byte of encoder.encode(text)) {
    const char = String.fromCharCode(byte);
    out += byte < 0x80 && unreserved.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const canonicalPath = (path: string): string =>
  path
    .split("/")
    .map((segment) => awsEncode(decoded(segment)))
    .join("/");

const byText = ([a, b]: readonly [string, string], [c, d]: readonly [string, string]): number => {
  if (a !== c) return a < c ? -1 : 1;
  return b < d ? -1 : Number(b > d);
};

/** Query of the canonical request: names and values encoded, sorted, a missing value as an empty one; `+` is a plus. */
export const canonicalQuery = (query: string): string =>
  query
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair): [string, string] => {
      const at = pair.indexOf("=");
      const name = at < 0 ? pair : pair.slice(0, at);
      return [awsEncode(decoded(name)), awsEncode(decoded(at < 0 ? "" : pair.slice(at + 1)))];
    })
    .toSorted(byText)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

const stamp = (nowMs: number): string => new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, "");

const mac = (key: Uint8Array, text: string): Uint8Array => hmac(sha256, key, encoder.encode(text));

const signingKey = (secret: string, day: string, region: string): Uint8Array =>
  ["s3", "aws4_request"].reduce(mac, mac(mac(encoder.encode(`AWS4${secret}`), day), region));

export interface SigV4Input {
  readonly method: string;
  readonly url: URL;
  readonly nowMs: number;
  readonly credentials: SigV4Credentials;
}

const unsigned = "UNSIGNED-PAYLOAD";

export const signSigV4 = (input: SigV4Input): Record<string, string> => {
  const { method, url, credentials } = input;
  const at = stamp(input.nowMs);
  const day = at.slice(0, 8);
  const amz: Record<string, string> = { "x-amz-content-sha256": unsigned, "x-amz-date": at };
  if (credentials.sessionToken !== undefined) amz["x-amz-security-token"] = credentials.sessionToken;
  const signed = Object.entries({ host: url.host, ...amz }).toSorted(byText);
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.search),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, " ")}`),
    "",
    names,
    unsigned,
  ].join("\n");
  const scope = `${day}/${credentials.region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", at, scope, toHex(sha256(encoder.encode(canonical)))].join("\n");
  const signature = toHex(mac(signingKey(credentials.secretAccessKey, day, credentials.region), text));
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, ` +
    `SignedHeaders=${names}, Signature=${signature}`;
  return { ...amz, authorization };
};
