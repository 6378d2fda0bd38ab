import { describe, expect, test } from "vitest";
import { isHostListed } from "../../../agents/edge/proxy/host-list.ts";
import { mintUrl, verifySignedUrl } from "../../../agents/edge/proxy/signed-url.ts";
import { createTokens } from "../../../agents/edge/proxy/token.ts";
import { covers } from "../../requirements.ts";

const SECRET = "unit-test-proxy-secret";
const TOKENS = createTokens(SECRET);
const NOW = 1_800_000_000_500;

const queryOf = (href: string): URLSearchParams => new URL(href, "https://pub.example").searchParams;
const verify = (href: string, now = NOW) => verifySignedUrl(TOKENS, queryOf(href), now);

describe("signed addresses", () => {
  test("minting normalises the target, keeps the parameter order and puts the token last", () => {
    const minted = mintUrl(TOKENS, "proxy", new URL("HTTPS://CDN.example?y=2&x=a%20b#frag"));
    expect(minted?.base).toBe("https://cdn.example/");
    expect(minted?.href).toMatch(
      /^\/first-party\/proxy\?tsurl=https%3A%2F%2Fcdn\.example%2F&y=2&x=a\+b&tstoken=[\w-]{43}$/,
    );
  });

  test("what was minted verifies to the same target, without the expiry", () => {
    const minted = mintUrl(TOKENS, "click", new URL("https://a.example/p?q=1&q=2&é=ü"), 1_800_000_030);
    const result = verify(minted?.href ?? "");
    expect(result.ok && result.target.url.href).toBe("https://a.example/p?q=1&q=2&%C3%A9=%C3%BC");
    expect(result.ok && result.target.clear).toBe("https://a.example/p?q=1&q=2&%C3%A9=%C3%BC&tsexp=1800000030");
  });

  test("an expiry counts to the end of its second and is judged after the token", () => {
    covers("edge.errors.invalid-token", "edge.proxy.tsexp");
    const href = mintUrl(TOKENS, "proxy", new URL("https://a.example/"), 1_800_000_000)?.href ?? "";
    expect(verify(href).ok).toBe(true);
    expect(verify(href, NOW + 1_000)).toMatchObject({ code: "forbidden", message: "the address has expired" });
    expect(verify(href.replace("1800000000", "1900000000"))).toMatchObject({ message: "invalid token signature" });
  });

  test.each([
    ["a parameter changed", (href: string) => href.replace("x=1", "x=2")],
    ["the parameters re-ordered", (href: string) => href.replace("x=1&y=2", "y=2&x=1")],
    ["a parameter added", (href: string) => `${href}&z=3`],
    ["a parameter dropped", (href: string) => href.replace("&y=2", "")],
    ["another host", (href: string) => href.replace("cdn.example", "evil.example")],
    ["the token cut", (href: string) => href.slice(0, -1)],
    ["the token of another secret", (href: string) => href.replace(/tstoken=.*/, "tstoken=" + "A".repeat(43))],
  ])("%s is refused as forbidden", (_, change) => {
    const href = mintUrl(TOKENS, "proxy", new URL("https://cdn.example/a?x=1&y=2"))?.href ?? "";
    expect(verify(href).ok).toBe(true);
    expect(verify(change(href))).toMatchObject({ ok: false, code: "forbidden" });
  });

  test.each([
    ["no target", "/first-party/proxy?tstoken=x"],
    ["no token", "/first-party/proxy?tsurl=https%3A%2F%2Fa.example%2F"],
    ["a scheme of files", "/first-party/proxy?tsurl=file%3A%2F%2F%2Fetc%2Fpasswd&tstoken=x"],
    ["no URL at all", "/first-party/proxy?tsurl=%00&tstoken=x"],
    ["credentials", "/first-party/proxy?tsurl=https%3A%2F%2Fu%3Ap%40a.example%2F&tstoken=x"],
    ["an expiry that is no number", "/first-party/proxy?tsurl=https%3A%2F%2Fa.example%2F&tsexp=soon&tstoken=x"],
    ["two expiries, one no number", "/first-party/proxy?tsurl=https%3A%2F%2Fa.example%2F&tsexp=1&tsexp=-1&tstoken=x"],
  ])("%s is a bad request", (_, href) => expect(verify(href)).toMatchObject({ ok: false, code: "bad_request" }));

  test("a target that brings a reserved name along cannot be minted", () => {
    for (const name of ["tsurl", "tstoken", "tsexp"]) {
      expect(mintUrl(TOKENS, "proxy", new URL(`https://a.example/?${name}=1`))).toBeNull();
    }
  });
});

describe("host lists", () => {
  test.each([
    ["cdn.example", true],
    ["evilcdn.example", false],
    ["a.cdn.example", false],
    ["wild.example", true],
    ["a.b.wild.example", true],
    ["evilwild.example", false],
    ["10.0.0.1", true],
    ["1.2.0.1", false],
  ])("%s: %s", (host, expected) => {
    expect(isHostListed(["cdn.example", "*.wild.example", "10.0.0.1", "*.0.1"], host)).toBe(expected);
  });
});
