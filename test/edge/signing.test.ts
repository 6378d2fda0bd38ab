import { describe, expect, test } from "vitest";
import type { EdgeContext } from "../../agents/edge/context.ts";
import { jwkOfSeed, signBytes, verifyBytes } from "../../agents/edge/signing/keys.ts";
import { fromBase64, fromBase64Url } from "../../agents/edge/signing/encoding.ts";
import { signBidRequest } from "../../agents/edge/signing/sign-request.ts";

const SEED = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const PAYLOAD =
  '{"version":"1.1","kid":"kid-abc","host":"example.com","scheme":"https","id":"req-123","ts":1706900000}';
const SIGNATURE = "hCpojHgYZRIOek9ErQfZ5tsszoo-LXej-www1MAIXTbV0qvD1CcLtP3Y7W6gZO5w8JI2txf52cFcRMa7xcesCw";

const contextWith = (entries: Readonly<Record<string, string>>, signing: object | undefined): EdgeContext =>
  ({
    config: { publisher: { domain: "example.com" }, request_signing: signing },
    configStore: { get: async (_: string, key: string) => entries[key] ?? null },
    secretStore: { get: async (_: string, key: string) => entries[`secret ${key}`] ?? null },
    env: { now: () => 1706900000, log: () => undefined },
  }) as unknown as EdgeContext;

const SIGNING = { enabled: true, config_store_id: "c", secret_store_id: "s" };

describe("request signing", () => {
  test("the contract's key and signatures", async () => {
    const jwk = await jwkOfSeed("kid-abc", fromBase64(SEED) ?? new Uint8Array());
    expect(jwk).toEqual({
      kty: "OKP",
      crv: "Ed25519",
      x: "6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw",
      kid: "kid-abc",
      alg: "EdDSA",
    });
    const bytes = new TextEncoder().encode(PAYLOAD);
    expect(await signBytes(SEED, bytes)).toBe(SIGNATURE);
    expect(await verifyBytes(jwk, fromBase64Url(SIGNATURE) ?? new Uint8Array(), bytes)).toBe(true);
    expect(await verifyBytes(jwk, fromBase64Url(SIGNATURE) ?? new Uint8Array(), bytes.slice(1))).toBe(false);
  });

  test("a bid request carries the signature over its own identity", async () => {
    const context = contextWith({ "current-kid": "kid-abc", "secret kid-abc": SEED }, SIGNING);
    expect(await signBidRequest(context, "req-123")).toEqual({
      version: "1.1",
      signature: SIGNATURE,
      kid: "kid-abc",
      request_host: "example.com",
      request_scheme: "https",
      ts: 1706900000,
    });
  });

  test("signing that is off is told from a key that cannot be had", async () => {
    expect(await signBidRequest(contextWith({}, undefined), "a")).toBe("off");
    expect(await signBidRequest(contextWith({}, { ...SIGNING, enabled: false }), "a")).toBe("off");
    expect(await signBidRequest(contextWith({}, SIGNING), "a")).toBe("unavailable");
    expect(await signBidRequest(contextWith({ "current-kid": "k" }, SIGNING), "a")).toBe("unavailable");
    const broken = contextWith({ "current-kid": "k", "secret k": "c2hvcnQ=" }, SIGNING);
    expect(await signBidRequest(broken, "a")).toBe("unavailable");
  });

  test("the two alphabets of base64 are not mixed up", () => {
    expect(fromBase64("-_-_")).toBeNull();
    expect(fromBase64("AAA")).toBeNull();
    expect(fromBase64Url("+/+/")).toBeNull();
    expect(fromBase64Url("AAAA=")).toBeNull();
    expect(fromBase64("AA==")).toEqual(Uint8Array.from([0]));
    expect(fromBase64Url("AA")).toEqual(Uint8Array.from([0]));
  });
});
