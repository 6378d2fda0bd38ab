import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { handleFirstPartyClick } from "../../../agents/edge/proxy/click.ts";
import { handleFirstPartyProxy } from "../../../agents/edge/proxy/proxy.ts";
import { handleFirstPartyRebuild } from "../../../agents/edge/proxy/rebuild.ts";
import { handleFirstPartySign } from "../../../agents/edge/proxy/sign.ts";
import { mintUrl } from "../../../agents/edge/proxy/signed-url.ts";
import { createTokens } from "../../../agents/edge/proxy/token.ts";
import type { EdgeHandler } from "../../../agents/edge/context.ts";
import type { OutboundRequest, OutboundResult } from "../../../agents/edge/platform.ts";
import { covers } from "../../requirements.ts";
import { NOW, answer, fakeEdge, served } from "../fake-edge.ts";

const SECRET = "unit-test-proxy-secret";
const TOKENS = createTokens(SECRET);
const EC = `${"a".repeat(64)}.aB3xYz`;
const signed = (route: "proxy" | "click", target: string, expiresAtS?: number): string =>
  `https://pub.example${mintUrl(TOKENS, route, new URL(target), expiresAtS)?.href ?? ""}`;

const ask = async (
  handler: EdgeHandler,
  url: string,
  given: Parameters<typeof fakeEdge>[0] & { request?: RequestInit } = {},
) => {
  const edge = fakeEdge({ ...given, url });
  const response = await served(handler(new Request(url, given.request ?? {}), edge.context));
  return { response, bytes: new Uint8Array(await response.arrayBuffer()), edge };
};
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const serve =
  (replies: Record<string, OutboundResult>) =>
  (request: OutboundRequest): OutboundResult =>
    replies[request.url.href] ?? { ok: false, fault: "refused", reason: "no such fake" };

describe("proxy", () => {
  test("a target is fetched without cookies, and mirrored without what acts on the site", async () => {
    covers("edge.proxy.content-type", "edge.proxy.open-mode", "edge.proxy.other-through");
    const headers = {
      "content-type": "application/pdf",
      etag: '"1"',
      "set-cookie": "a=1",
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x",
      "clear-site-data": '"*"',
      "service-worker-allowed": "/",
      "www-authenticate": 'Basic realm="pub.example"',
      "x-of-theirs": "1",
      link: "<https://evil.example/s.js>; rel=preload",
      connection: "x-hop",
      "x-hop": "1",
    };
    const { response, bytes, edge } = await ask(handleFirstPartyProxy, signed("proxy", "https://cdn.example/a?x=1"), {
      met: ["cdn.example"],
      send: serve({ "https://cdn.example/a?x=1": answer(200, headers, "%PDF") }),
      request: {
        headers: {
          cookie: "s=1",
          authorization: "x",
          "user-agent": "UA",
          accept: "*/*",
          "accept-encoding": "zstd, br;q=0",
        },
      },
    });
    expect([response.status, textOf(bytes)]).toEqual([200, "%PDF"]);
    expect([...response.headers.keys()].toSorted()).toEqual(["content-security-policy", "content-type", "etag"]);
    expect(response.headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts/);
    expect(response.headers.get("content-security-policy")).not.toContain("allow-same-origin");
    const sent = edge.sent[0];
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      "user-agent": "UA",
      accept: "*/*",
      "accept-encoding": "identity",
      "x-forwarded-for": "203.0.113.7",
    });
    expect(sent?.trust).toBe("foreign");
  });

  test("the identity is the last parameter and replaces a copy; without consent there is none", async () => {
    covers("edge.proxy.ec-appended");
    const url = signed("proxy", "https://cdn.example/a?ts-ec=old&x=a%20b", Math.floor(NOW / 1_000) + 30);
    const withEc = await ask(handleFirstPartyProxy, url, { cookies: { "ts-ec": EC } });
    expect(withEc.edge.sent[0]?.url.href).toBe(`https://cdn.example/a?x=a+b&ts-ec=${EC}`);
    const refusing = await ask(handleFirstPartyProxy, url, { cookies: { "ts-ec": EC }, geo: { country: "DE" } });
    expect(refusing.edge.sent[0]?.url.href).toBe("https://cdn.example/a?ts-ec=old&x=a+b");
    const forged = await ask(handleFirstPartyProxy, url, {
      cookies: { "ts-ec": "a b" },
      request: { headers: { "x-ts-ec": EC } },
    });
    expect(forged.edge.sent[0]?.url.href).not.toContain(EC);
  });

  test("HTML is rewritten, gets the library once and keeps its encoding", async () => {
    covers("edge.proxy.html-rewritten");
    const html = '<html><body><img src="https://cdn.example/a.png"></body></html>';
    const headers = {
      "content-type": "text/html; charset=iso-8859-1",
      "content-encoding": "gzip",
      "content-length": "9",
      etag: "x",
    };
    const { response, bytes } = await ask(handleFirstPartyProxy, signed("proxy", "https://ads.example/c.html"), {
      send: serve({ "https://ads.example/c.html": answer(200, headers, new Uint8Array(gzipSync(html))) }),
    });
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect([response.headers.get("content-length"), response.headers.get("etag")]).toEqual([null, null]);
    expect(gunzipSync(bytes).toString()).toBe(
      '<html><body><script src="/static/tsjs=tsjs-unified.min.js" id="trustedserver-js"></script>' +
        '<img src="/first-party/proxy?tsurl=https%3A%2F%2Fcdn.example%2Fa.png&amp;' +
        'tstoken=khZxp4u3sJa1nEmYtIZeJ6uaS1IRKef9MMtmMPgDWaw"></body></html>',
    );
  });

  test("CSS is rewritten", async () => {
    const { bytes } = await ask(handleFirstPartyProxy, signed("proxy", "https://ads.example/c.css"), {
      send: serve({
        "https://ads.example/c.css": answer(200, { "content-type": "text/css" }, "a{b:url(https://cdn.example/)}"),
      }),
    });
    expect(textOf(bytes)).toContain('url("/first-party/proxy?tsurl=https%3A%2F%2Fcdn.example%2F&tstoken=f1yw');
  });

  test.each([
    ["no UTF-8", { "content-type": "text/html" }, new Uint8Array([60, 98, 62, 255])],
    ["more than 10 MiB", { "content-type": "text/html" }, "x".repeat(10_485_761)],
    ["an announced 100 MB", { "content-type": "text/css", "content-length": "100000000" }, "x"],
    [
      "a bomb",
      { "content-type": "text/html", "content-encoding": "gzip" },
      new Uint8Array(gzipSync(Buffer.alloc(60_000_000))),
    ],
    ["a broken encoding", { "content-type": "text/html", "content-encoding": "gzip" }, "not gzip"],
    ["an unknown encoding", { "content-type": "text/html", "content-encoding": "zstd" }, "x"],
    ["two encodings", { "content-type": "text/html", "content-encoding": "gzip, br" }, "x"],
  ])("HTML or CSS with %s is a bad gateway", async (_, headers, body) => {
    const { response, bytes } = await ask(handleFirstPartyProxy, signed("proxy", "https://ads.example/c"), {
      send: serve({ "https://ads.example/c": answer(200, headers, body) }),
    });
    expect([response.status, textOf(bytes)]).toEqual([502, "An internal error occurred\n"]);
  });

  test("a body that never ends is not read when it is not text", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const edge = fakeEdge({
      url: signed("proxy", "https://ads.example/v.mp4"),
      send: serve({ "https://ads.example/v.mp4": answer(200, { "content-type": "video/mp4" }, endless) }),
    });
    const response = await handleFirstPartyProxy(new Request(edge.context.url), edge.context);
    await response.body?.cancel();
    expect(pulled).toBeLessThan(5);
  });

  test("four redirects are followed, the fifth is answered as it is", async () => {
    covers("edge.proxy.redirect-limit", "edge.proxy.redirects");
    const hop = (to: string, status = 302): OutboundResult => answer(status, { location: to }, null);
    const replies = {
      "https://a.example/0": hop("/1", 301),
      "https://a.example/1": hop("https://b.example/2", 303),
      "https://b.example/2": hop("//b.example/3", 307),
      "https://b.example/3": hop("4", 308),
    };
    const url = signed("proxy", "https://a.example/0");
    const done = await ask(handleFirstPartyProxy, url, {
      send: serve({ ...replies, "https://b.example/4": answer(200, { "content-type": "text/plain" }, "done") }),
    });
    expect([done.response.status, textOf(done.bytes)]).toEqual([200, "done"]);
    const loop = await ask(handleFirstPartyProxy, url, {
      send: serve({ ...replies, "https://b.example/4": hop("/0") }),
    });
    expect([loop.response.status, loop.response.headers.get("location"), loop.edge.sent.length]).toEqual([
      302,
      "/0",
      5,
    ]);
  });

  test.each([
    ["without a location", {}],
    ["to another scheme", { location: "ftp://a.example/" }],
    ["to script", { location: "javascript:alert(1)" }],
    ["with credentials", { location: "https://u:p@a.example/" }],
  ])("a redirect %s is answered as it is", async (_, headers) => {
    const { response, edge } = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/0"), {
      send: serve({ "https://a.example/0": answer(302, headers, null) }),
    });
    expect([response.status, edge.sent.length]).toEqual([302, 1]);
  });

  test.each([
    ["https://cdn.example/", 502],
    ["https://evilcdn.example/", 403],
    ["https://x.wild.example/", 502],
    ["https://cdn.example.evil.example/", 403],
    ["http://203.0.113.9/", 502],
    ["http://203.0.113.8/", 403],
  ])("the allowlist on the first hop: %s", async (target, status) => {
    covers("edge.proxy.allowed-first");
    const config = { proxy: { allowed_domains: ["CDN.example ", "*.wild.example", "203.0.113.9"] } };
    const { response, edge } = await ask(handleFirstPartyProxy, signed("proxy", target), { config });
    expect([response.status, edge.sent.length]).toEqual([status, status === 403 ? 0 : 1]);
  });

  test("the allowlist counts on every hop, and a refused address is forbidden", async () => {
    covers("edge.proxy.allowed-redirect");
    const config = { proxy: { allowed_domains: ["a.example"] } };
    const send = serve({ "https://a.example/": answer(302, { location: "https://b.example/" }, null) });
    const hop = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/"), { config, send });
    expect([hop.response.status, hop.edge.sent.length]).toEqual([403, 1]);
    const blocked = await ask(handleFirstPartyProxy, signed("proxy", "http://169.254.169.254/"), {
      send: () => ({ ok: false, fault: "blocked", reason: "the address is not a permitted public target" }),
    });
    expect([blocked.response.status, textOf(blocked.bytes)]).toEqual([403, "An internal error occurred\n"]);
  });

  test.each([
    ["timeout", 504],
    ["refused", 502],
    ["broken", 502],
    ["blocked", 403],
  ] as const)("an upstream that is %s answers %s", async (fault, status) => {
    covers("edge.errors.status-502", "edge.errors.status-504");
    const { response } = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/"), {
      send: () => ({ ok: false, fault, reason: "" }),
    });
    expect(response.status).toBe(status);
  });

  test.each([204, 205, 304])("%s has no body", async (status) => {
    const { response, bytes } = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/"), {
      send: serve({ "https://a.example/": answer(status, { "content-type": "text/html" }, null) }),
    });
    expect([response.status, bytes.length]).toEqual([status, 0]);
  });

  test("images: a missing type becomes octet-stream, pixels are logged, other small things are not", async () => {
    covers("edge.proxy.images", "edge.proxy.pixel-logged");
    const pixel = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/track/1"), {
      send: serve({ "https://a.example/track/1": answer(200, {}, "GIF") }),
      request: { headers: { accept: "image/avif,*/*" } },
    });
    expect(pixel.response.headers.get("content-type")).toBe("application/octet-stream");
    expect(pixel.edge.logs).toContainEqual({
      level: "info",
      event: "pixel",
      request_id: "req-1",
      host: "a.example",
      path: "/track/1",
    });
    const gif = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/i"), {
      send: serve({
        "https://a.example/i": answer(200, { "content-type": "image/gif", "content-length": "43" }, "GIF"),
      }),
    });
    expect(gif.edge.logs.some((entry) => entry.event === "pixel")).toBe(true);
    const text = await ask(handleFirstPartyProxy, signed("proxy", "https://a.example/i"), {
      send: serve({
        "https://a.example/i": answer(200, { "content-type": "text/plain", "content-length": "3" }, "GIF"),
      }),
    });
    expect(text.edge.logs.some((entry) => entry.event === "pixel")).toBe(false);
  });

  test("a wrong token is forbidden, a missing one is a bad request, and nothing is fetched", async () => {
    covers("edge.proxy.token-checked", "edge.proxy.tsurl-required");
    const url = signed("proxy", "https://a.example/");
    const tampered = await ask(handleFirstPartyProxy, `${url}&x=1`);
    const bare = await ask(handleFirstPartyProxy, "https://pub.example/first-party/proxy");
    expect([tampered.response.status, bare.response.status]).toEqual([403, 400]);
    expect(textOf(bare.bytes)).toBe("Bad request: tsurl is missing; mint the address with /first-party/sign\n");
    expect([tampered.edge.sent, bare.edge.sent]).toEqual([[], []]);
  });
});

describe("click", () => {
  test("the visitor is sent to the signed text, or to it with the identity", async () => {
    const url = signed("click", "https://shop.example/p?b=2&a=1");
    const met = ["shop.example"];
    const bare = await ask(handleFirstPartyClick, url, { met });
    expect([bare.response.status, bare.response.headers.get("location")]).toEqual([
      302,
      "https://shop.example/p?b=2&a=1",
    ]);
    expect([bare.response.headers.get("cache-control"), bare.bytes.length]).toEqual(["no-store, private", 0]);
    const withEc = await ask(handleFirstPartyClick, url, { met, cookies: { "ts-ec": EC } });
    expect(withEc.response.headers.get("location")).toBe(`https://shop.example/p?b=2&a=1&ts-ec=${EC}`);
    expect(JSON.stringify(withEc.edge.logs)).not.toContain(EC);
    expect(withEc.edge.logs).toContainEqual(expect.objectContaining({ event: "click", ec: "aaaaaaaa…" }));
  });

  test("an unsigned target is forbidden", async () => {
    const url = signed("click", "https://shop.example/").replace("shop", "evil");
    expect((await ask(handleFirstPartyClick, url)).response.status).toBe(403);
  });
});

describe("sign", () => {
  const sign = (url: string) =>
    ask(handleFirstPartySign, `https://pub.example/first-party/sign?url=${encodeURIComponent(url)}`);

  test("a signed address holds for thirty seconds", async () => {
    const { response, bytes } = await sign(" //cdn.example/a?x=1#f ");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    const body = JSON.parse(textOf(bytes)) as { href: string; base: string };
    expect(Object.keys(body)).toEqual(["href", "base"]);
    expect(body.base).toBe("https://cdn.example/a");
    expect(body.href).toMatch(
      /^\/first-party\/proxy\?tsurl=https%3A%2F%2Fcdn\.example%2Fa&x=1&tsexp=1795255230&tstoken=[\w-]{43}$/,
    );
    const used = await ask(handleFirstPartyProxy, `https://pub.example${body.href}`);
    expect(used.edge.sent[0]?.url.href).toBe("https://cdn.example/a?x=1");
    const late = await ask(handleFirstPartyProxy, `https://pub.example${body.href}`, { now: () => NOW + 31_000 });
    expect(late.response.status).toBe(403);
  });

  test("JSON is signed like the query", async () => {
    const request = { method: "POST", body: '{"url":"http://cdn.example"}' };
    const { bytes } = await ask(handleFirstPartySign, "https://pub.example/first-party/sign", { request });
    expect(JSON.parse(textOf(bytes))).toHaveProperty("base", "http://cdn.example/");
  });

  const unsignable = ["", "cdn.example", "ftp://a.example", "javascript:1", "https://", "https://u@a.example"];
  test.each([...unsignable, "https://a.example/?tsexp=1"])("%j is refused", async (url) => {
    const { response, bytes } = await sign(url);
    expect(response.status).toBe(400);
    expect(textOf(bytes)).toMatch(/^Bad request: /);
  });

  test("excluded hosts are refused, large and broken bodies too", async () => {
    const config = { rewrite: { exclude_domains: ["*.keep.example"] } };
    const excluded = await ask(handleFirstPartySign, "https://pub.example/x?url=https://a.keep.example/", { config });
    const post = (body: string) =>
      ask(handleFirstPartySign, "https://pub.example/x", { request: { method: "POST", body } });
    expect(excluded.response.status).toBe(400);
    expect((await post(`{"url":"https://a.example/${"x".repeat(65_536)}"}`)).response.status).toBe(413);
    for (const body of ["", "{", "[]", '{"url":1}', "null"]) expect((await post(body)).response.status).toBe(400);
  });
});

describe("rebuild", () => {
  const click = mintUrl(TOKENS, "click", new URL("https://shop.example/p?b=2&a=1&b=3"))?.href ?? "";
  const path = "https://pub.example/first-party/proxy-rebuild";
  const json = (body: object) =>
    ask(handleFirstPartyRebuild, path, {
      request: { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    });

  test("JSON answers JSON: parameters sorted, duplicates collapsed, the new address verifies", async () => {
    const { response, bytes } = await json({ tsclick: click, add: { c: "x y" }, del: ["a", "zz"] });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store, private"]);
    const body = JSON.parse(textOf(bytes)) as { href: string };
    expect(body).toEqual({ href: body.href, base: "https://shop.example/p", added: { c: "x y" }, removed: ["a"] });
    expect(body.href).toMatch(/^\/first-party\/click\?tsurl=https%3A%2F%2Fshop\.example%2Fp&b=3&c=x\+y&tstoken=/);
    const followed = await ask(handleFirstPartyClick, `https://pub.example${body.href}`, { met: ["shop.example"] });
    expect(followed.response.headers.get("location")).toBe("https://shop.example/p?b=3&c=x+y");
  });

  test("a query and a form answer a redirect; add and del that cannot be read are ignored", async () => {
    const query = new URLSearchParams({ tsclick: `https://pub.example${click}`, add: '{"c":"1"}', del: "[" });
    const got = await ask(handleFirstPartyRebuild, `${path}?${query.toString()}`);
    const posted = await ask(handleFirstPartyRebuild, path, { request: { method: "POST", body: query } });
    for (const { response } of [got, posted]) {
      expect([response.status, response.headers.get("cache-control")]).toEqual([302, "no-store, private"]);
      expect(response.headers.get("location")).toMatch(/^\/first-party\/click\?.*&a=1&b=3&c=1&tstoken=/);
    }
  });

  test("a deleted parameter can be added anew, an existing one cannot", async () => {
    expect((await json({ tsclick: click, add: { a: "2" }, del: ["a"] })).response.status).toBe(200);
    const { response, bytes } = await json({ tsclick: click, add: { a: "2" } });
    expect([response.status, textOf(bytes)]).toEqual([
      400,
      "Bad request: the parameter a exists; delete it to replace it\n",
    ]);
  });

  test.each([
    ["a reserved name added", { tsclick: click, add: { tsurl: "https://evil.example/" } }, 400],
    ["a reserved name deleted", { tsclick: click, del: ["tsexp"] }, 400],
    ["another path", { tsclick: click.replace("click", "proxy") }, 400],
    ["no address", { tsclick: "" }, 400],
    ["no click", {}, 400],
    ["a number as value", { tsclick: click, add: { c: 1 } }, 400],
    ["a text as list", { tsclick: click, del: "a" }, 400],
    ["a tampered click", { tsclick: click.replace("b=2", "b=9") }, 403],
  ])("%s is refused", async (_, body, status) => expect((await json(body)).response.status).toBe(status));

  test("a prototype name is a parameter like any other", async () => {
    const request = {
      method: "POST",
      body: `{"tsclick":${JSON.stringify(click)},"add":{"__proto__":"x","constructor":"y"}}`,
    };
    const { response, bytes } = await ask(handleFirstPartyRebuild, path, { request });
    expect(response.status).toBe(200);
    expect(textOf(bytes)).toContain("constructor=y");
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});
