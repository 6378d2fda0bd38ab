import { describe, expect, test } from "vitest";
import { mintPlain, mintUrl, plainTarget } from "../../../agents/edge/proxy/signed-url.ts";
import { createTokens } from "../../../agents/edge/proxy/token.ts";

const tokens = createTokens("unit-test-proxy-secret");

const parts = [
  ["https://", "http://", "HTTPS://", "//", "ftp://", "https:"],
  ["cdn.example", "a-b.c1.example", "xn--a.example", "r3---sn.example", "Cdn.example", "1.2.3.4", "0x7f.1", "a.b.c2"],
  ["", ":443", ":8080", "@b.example", "."],
  ["/", "", "/a/b.js", "/a/../b", "/./a", "/%2e%2E/a", "/a//b;c=1,2@x", "/ä", "/a b", "/a~(1)!'", "/%zz%41", "/a.b/.c"],
  ["", "?", "?a=1", "?a=1&b=", "?a", "?a=%2F%3a", "?a=b+c", "?a=%20", "?a==", "?=a", "?tsurl=1", "?a=1&TSEXP=2"],
  ["?a=x&tsexp=2", "?a=%7E%2B%26", "?a=é", "?a=%C3%A9", "?a=%2A%2D", "?a=1&a=1&", "?a=[1]", "?tstoken="],
  ["", "#", "#x?y"],
] as const;
const [schemes, hosts, ports, paths, queries, more, ends] = parts;

const addresses = schemes.flatMap((scheme) =>
  hosts.flatMap((host) =>
    ports.flatMap((port) =>
      paths.flatMap((path) =>
        [...queries, ...more].flatMap((query) => ends.map((end) => `${scheme}${host}${port}${path}${query}${end}`)),
      ),
    ),
  ),
);

describe("an address whose parts need no parsing", () => {
  test("is minted as the URL parser's own", () => {
    const plain = addresses.map(plainTarget).filter((target) => target !== null);
    expect(plain.length).toBeGreaterThan(90);
    for (const target of plain) {
      const url = new URL(target.address);
      expect(target).toMatchObject({ address: url.href, host: url.hostname });
      expect(mintPlain(tokens, "proxy", target)).toEqual(mintUrl(tokens, "proxy", url));
    }
  });

  test.each([
    "https://cdn.example/a.png",
    "https://click.example/c?imp=7&u=https%3A%2F%2Fshop.example%2F",
    "http://px.example/i.gif?imp=7&p=1.25",
  ])("%s is one", (address) => {
    expect(plainTarget(address)).not.toBeNull();
  });
});
