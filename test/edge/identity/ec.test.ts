import { describe, expect, test } from "vitest";
import { createEcId, ecCookie, ecHash, isEcId, normalizeEcId } from "../../../agents/edge/identity/ec.ts";

const PASS = "test-secret-key-32-bytes-minimum";
const HASH = "4c7946bd7ba75e33eaacfae02925ca4ed742b53ffe7e2ebe603905af6941e6f4";

describe("edge identifier", () => {
  test("addresses of one /64 share a hash, those of two do not", () => {
    expect(ecHash(PASS, "2001:db8:abcd:1:1111::1")).toBe(ecHash(PASS, "2001:db8:abcd:1:aaaa::2"));
    expect(ecHash(PASS, "2001:db8:abcd:1::1")).not.toBe(ecHash(PASS, "2001:db8:abcd:2::1"));
  });

  test("a new id has the hash and six characters, all of them equally likely", () => {
    const id = createEcId(PASS, "203.0.113.7", (bytes) => new Uint8Array(bytes).fill(61));
    expect(id).toBe(`${HASH}.999999`);
    let call = 0;
    const skipping = createEcId(PASS, "203.0.113.7", (bytes) => new Uint8Array(bytes).fill(call++ === 0 ? 248 : 0));
    expect(skipping).toBe(`${HASH}.aaaaaa`);
  });

  test.each([
    [`${HASH}.aB3xYz`, true],
    [`${HASH.toUpperCase()}.aB3xYz`, false],
    [`${HASH}.aB3xY`, false],
    [`${HASH}.aB3xYz.`, false],
    [`${HASH}.aB3xYz\n`, false],
    [`${HASH}.aB3xYé`, false],
    ["", false],
  ])("%j is an id: %s", (text, expected) => expect(isEcId(text)).toBe(expected));

  test("only the hash is lowered when an id is normalised", () => {
    expect(normalizeEcId(`${HASH.toUpperCase()}.aB3xYz`)).toBe(`${HASH}.aB3xYz`);
    expect(normalizeEcId("x.y")).toBeNull();
  });

  test("the cookie, and the cookie that expires it", () => {
    expect(ecCookie(`${HASH}.aB3xYz`, "pub.example")).toBe(
      `ts-ec=${HASH}.aB3xYz; Domain=.pub.example; Path=/; Secure; SameSite=Lax; Max-Age=31536000; HttpOnly`,
    );
    expect(ecCookie("", "pub.example")).toBe(
      "ts-ec=; Domain=.pub.example; Path=/; Secure; SameSite=Lax; Max-Age=0; HttpOnly",
    );
  });
});
