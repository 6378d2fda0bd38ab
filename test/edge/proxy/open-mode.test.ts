import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import type { EdgeHandler } from "../../../agents/edge/context.ts";
import type { OutboundRequest, OutboundResult } from "../../../agents/edge/platform.ts";
import { handleFirstPartyClick } from "../../../agents/edge/proxy/click.ts";
import { createMetHosts } from "../../../agents/edge/proxy/met-hosts.ts";
import { handleFirstPartyProxy } from "../../../agents/edge/proxy/proxy.ts";
import { mintUrl } from "../../../agents/edge/proxy/signed-url.ts";
import { createTokens } from "../../../agents/edge/proxy/token.ts";
import { startupWarnings } from "../../../agents/edge/startup/checks.ts";
import { answer, fakeEdge, served, type FakeEdge } from "../fake-edge.ts";

const TOKENS = createTokens("unit-test-proxy-secret");
const EC = `${"a".repeat(64)}.aB3xYz`;

const UNIT = {
  code: "top",
  mediaTypes: { banner: { sizes: [[300, 250]] } },
  bids: [{ bidder: "alpha", params: { id: 1 } }],
};
const CREATIVE =
  '<a href="https://shop.example/p"><img src="https://cdn.example/a.png"></a><iframe src="https://ads.example/f"></iframe>';

const config = (proxy: object = {}) => ({
  proxy,
  auction: {
    enabled: true,
    providers: { one: { protocol: "openrtb-2.6", endpoint: "https://one.example/", routing: "all_eligible" } },
  },
});

type Replies = Readonly<Record<string, () => OutboundResult>>;

const BIDS = { seatbid: [{ seat: "s", bid: [{ id: "b", impid: "top", price: 2, w: 300, h: 250, adm: CREATIVE }] }] };

const open = (replies: Replies = {}, proxy: object = {}): FakeEdge =>
  fakeEdge({
    config: config(proxy),
    send: ({ url }: OutboundRequest) =>
      url.hostname === "one.example"
        ? answer(200, {}, JSON.stringify(BIDS))
        : (replies[`${url.origin}${url.pathname}`]?.() ?? { ok: false, fault: "refused", reason: "no such fake" }),
  });

const auction = async (edge: FakeEdge): Promise<void> => {
  const body = JSON.stringify({ adUnits: [UNIT] });
  const request = new Request("https://pub.example/auction", { method: "POST", body });
  expect((await served(handleAuction(request, edge.context))).status).toBe(200);
};

const ask = (edge: FakeEdge, handler: EdgeHandler, route: "proxy" | "click", target: string, headers = {}) => {
  const url = new URL(mintUrl(TOKENS, route, new URL(target))?.href ?? "", "https://pub.example");
  return served(handler(new Request(url, { headers }), { ...edge.context, url, cookies: new Map([["ts-ec", EC]]) }));
};
const click = (edge: FakeEdge, target: string) => ask(edge, handleFirstPartyClick, "click", target);
const fetched = (edge: FakeEdge, target: string) => ask(edge, handleFirstPartyProxy, "proxy", target);

const script = (type: string): OutboundResult => answer(200, { "content-type": type }, "alert(1)");

describe("an edge without a list of hosts", () => {
  test("shows where a link leads whose host no creative had, and leads to the others", async () => {
    const edge = open();
    const evil = "https://evil.example/a?x=%3Cscript%3E&y='\"";
    const page = await click(edge, evil);
    const text = await page.text();
    expect([page.status, page.headers.get("location"), page.headers.get("cache-control")]).toEqual([
      200,
      null,
      "no-store, private",
    ]);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(text).toContain("This link leads to <strong>evil.example</strong>");
    expect(text).toContain('<a href="https://evil.example/a?x=%3Cscript%3E&amp;y=%27%22" rel="noreferrer');
    expect([text.includes("<script"), text.includes(EC)]).toEqual([false, false]);
    expect(await (await click(edge, "https://shop.example/p")).text()).toContain("You are leaving pub.example");
    await auction(edge);
    const led = await click(edge, "https://shop.example/other");
    expect([led.status, led.headers.get("location")]).toEqual([302, `https://shop.example/other?ts-ec=${EC}`]);
    expect((await click(edge, "https://www.pub.example/")).status).toBe(302);
    expect((await click(edge, "https://sub.shop.example/")).status).toBe(200);
    expect((await click(edge, evil)).status).toBe(200);
  });

  test.each([
    "text/javascript",
    "application/javascript; charset=utf-8",
    "application/x-javascript",
    " TEXT/ECMASCRIPT",
    "text/jscript",
  ])("passes a script (%s) of a host that a creative had, and of no other", async (type) => {
    const edge = open({
      "https://cdn.example/s.js": () => script(type),
      "https://evil.example/s.js": () => script(type),
    });
    const unmet = await fetched(edge, "https://cdn.example/s.js");
    expect([unmet.status, await unmet.text()]).toEqual([403, "An internal error occurred\n"]);
    expect(edge.logs.at(-1)).toMatchObject({
      event: "proxy_refused",
      host: "cdn.example",
      reason: expect.stringContaining("list the host in proxy.allowed_domains") as string,
    });
    await auction(edge);
    const met = await fetched(edge, "https://cdn.example/s.js");
    expect([met.status, await met.text()]).toEqual([200, "alert(1)"]);
    expect((await fetched(edge, "https://evil.example/s.js")).status).toBe(403);
  });

  test("what is no script by name is none by the browser's guess, and a document of a stranger runs nothing", async () => {
    const html = { "content-type": "text/html" };
    const edge = open({
      "https://evil.example/t": () => answer(200, { "content-type": "text/plain" }, "alert(1)"),
      "https://evil.example/n": () => answer(200, {}, "alert(1)"),
      "https://evil.example/h": () => answer(200, html, '<script>1</script><a href="https://next.example/">n</a>'),
      "https://ads.example/f": () => answer(200, html, '<script src="https://deep.example/s.js"></script>'),
      "https://deep.example/s.js": () => script("text/javascript"),
    });
    for (const path of ["t", "n"]) {
      const got = await fetched(edge, `https://evil.example/${path}`);
      expect([got.status, got.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
    }
    const stranger = await fetched(edge, "https://evil.example/h");
    expect(stranger.headers.get("content-security-policy")).toBe("sandbox");
    expect((await click(edge, "https://next.example/")).status).toBe(200);
    await auction(edge);
    expect((await fetched(edge, "https://deep.example/s.js")).status).toBe(403);
    const framed = await fetched(edge, "https://ads.example/f");
    expect(framed.headers.get("content-security-policy")).toMatch(/^sandbox allow-scripts/);
    expect((await fetched(edge, "https://deep.example/s.js")).status).toBe(200);
  });

  test("a redirect is judged by where it ends, and leads no visitor away", async () => {
    const hop = (to: string): OutboundResult => answer(302, { location: to }, null);
    const edge = open({
      "https://cdn.example/s.js": () => hop("https://evil.example/s.js"),
      "https://evil.example/s.js": () => script("text/javascript"),
      "https://evil.example/ftp": () => hop("ftp://evil.example/"),
      "https://evil.example/loop": () => hop("https://evil.example/loop"),
      "https://evil.example/own": () => hop("ftp:///x"),
    });
    await auction(edge);
    expect((await fetched(edge, "https://cdn.example/s.js")).status).toBe(403);
    for (const path of ["ftp", "loop", "own"]) {
      const got = await fetched(edge, `https://evil.example/${path}`);
      expect([got.status, got.headers.get("location")]).toEqual([302, null]);
    }
  });

  test.each([401, 407])("passes no challenge for credentials with %i", async (status) => {
    const headers = {
      "content-type": "text/plain",
      "www-authenticate": 'Basic realm="pub.example"',
      "proxy-authenticate": "Basic",
      "authentication-info": "x",
    };
    const edge = open({ "https://cdn.example/a": () => answer(status, headers, "no") });
    await auction(edge);
    const got = await fetched(edge, "https://cdn.example/a");
    expect([got.status, [...got.headers.keys()].toSorted()]).toEqual([
      status,
      ["content-security-policy", "content-type"],
    ]);
  });

  test("warns of it at the start; with a list it neither warns nor shows a page between", async () => {
    const warned = (edge: FakeEdge) => startupWarnings(edge.context.config).map(({ key }) => key);
    expect(warned(open())).toContain("proxy.allowed_domains");
    const listed = open({}, { allowed_domains: ["cdn.example"] });
    expect(warned(listed)).not.toContain("proxy.allowed_domains");
    expect((await click(listed, "https://shop.example/")).status).toBe(302);
  });

  test("its processes tell each other what they met, and what is kept has a bound", async () => {
    const { config: settings } = open().context;
    const told: string[] = [];
    const one = createMetHosts(settings, (event) => void (event.kind === "met" && told.push(...event.hosts)));
    for (const host of ["a.example", "b.example", "a.example"]) one.meet(host);
    await Promise.resolve();
    expect(told).toEqual(["a.example", "b.example"]);
    const other = createMetHosts(settings);
    other.learn(told);
    expect([other.isTrusted("b.example"), other.isTrusted("c.example")]).toEqual([true, false]);
    for (let index = 0; index < 25_000; index += 1) other.meet(`h${index}.example`);
    expect(["b.example", "h0.example", "h24999.example"].map(other.isTrusted)).toEqual([false, false, true]);
  });
});
