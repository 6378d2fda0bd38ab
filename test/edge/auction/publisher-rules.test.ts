import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { handlePageBids } from "../../../agents/edge/auction/page/page-bids.ts";
import { shortenedIp } from "../../../agents/edge/auction/shortened-ip.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import { tcString } from "../consent/strings.ts";
import { answer, fakeEdge, served } from "../fake-edge.ts";
import { PROFILES, provider, UNIT } from "./market.ts";

const configOf = (auction: object, profile = "standard", profile_config: object = {}) => ({
  auction: {
    enabled: true,
    rewrite_creatives: false,
    providers: provider("one", { profile, profile_config }),
    ...auction,
  },
  creative_opportunities: {
    gam_network_id: "1234",
    slot: [{ id: "top", page_patterns: ["/*"], formats: [{ width: 300, height: 250 }] }],
  },
});

type Body = { readonly [member: string]: unknown; readonly imp: readonly Record<string, unknown>[] };
type Given = NonNullable<Parameters<typeof fakeEdge>[0]>;

const ask = async (given: Given, unit: object = UNIT, headers: Record<string, string> = {}) => {
  const edge = fakeEdge({ send: () => answer(204, {}, null), ...given });
  const body = JSON.stringify({ adUnits: [unit] });
  const request = new Request("https://pub.example/auction", { method: "POST", body, headers });
  const response = await served(handleAuction(request, edge.context));
  const [sent] = edge.sent;
  const bid = JSON.parse(new TextDecoder().decode(sent?.body as Uint8Array)) as Body;
  return { status: response.status, json: (await response.json()) as { seatbid?: object[] }, bid, sent, edge };
};

describe("what a publisher asks of bidders", () => {
  const schain = { nodes: [{ asi: "pub.example", sid: "7", domain: "pub.example" }] };
  const chain = { complete: 1, ver: "1.0", nodes: [{ asi: "pub.example", sid: "7", hp: 1, domain: "pub.example" }] };

  test.each(PROFILES)("%s: the chain of sellers, blocked advertisers and categories go out", async (name, settings) => {
    const config = configOf({ schain, badv: ["Rival.example"], bcat: ["IAB7"] }, name, settings);
    const { bid } = await ask({ config });
    expect(bid).toMatchObject({
      source: { schain: chain, ext: { schain: chain } },
      badv: ["rival.example"],
      bcat: ["IAB7"],
    });
    const silent = await ask({ config: configOf({}, name, settings) });
    for (const member of ["source", "badv", "bcat"]) expect(silent.bid).not.toHaveProperty(member);
  });

  test.each(PROFILES)("%s: the placement id of an ad unit goes out", async (name, settings) => {
    const config = configOf({}, name, settings);
    const { bid } = await ask({ config }, { ...UNIT, ortb2Imp: { ext: { gpid: "/1234/top" } } });
    expect(bid.imp[0]?.["ext"]).toMatchObject({ gpid: "/1234/top" });
    for (const ortb2Imp of [
      null,
      1,
      "x",
      {},
      { ext: null },
      { ext: { gpid: 7 } },
      { ext: { gpid: "x".repeat(513) } },
    ]) {
      const odd = await ask({ config }, { ...UNIT, ortb2Imp });
      expect(odd.status).toBe(200);
      expect(JSON.stringify(odd.bid)).not.toContain("gpid");
    }
  });

  test("a page's slot has the ad server's path as its placement id", async () => {
    const edge = fakeEdge({ config: configOf({}), send: () => answer(204, {}, null), url: "https://pub.example/x" });
    const request = new Request("https://pub.example/_ts/page-bids", { headers: { "sec-fetch-site": "same-origin" } });
    expect((await served(handlePageBids(request, edge.context))).status).toBe(200);
    const bid = JSON.parse(new TextDecoder().decode(edge.sent[0]?.body as Uint8Array)) as Body;
    expect(bid.imp[0]?.["ext"]).toEqual({ gpid: "/1234/top" });
  });

  test("a bid of a blocked advertiser, or of a host below, is dropped and counted", async () => {
    const bid = (id: string, price: number, adomain: string[]) => ({
      id,
      impid: "top",
      price,
      adomain,
      adm: "<p>",
      w: 300,
      h: 250,
    });
    const bids = [
      bid("a", 5, ["Shop.Rival.example"]),
      bid("b", 4, ["good.example", "rival.example"]),
      bid("c", 3, ["notrival.example"]),
    ];
    const { json, edge } = await ask({
      config: configOf({ badv: ["rival.example"] }),
      send: () => answer(200, {}, JSON.stringify({ seatbid: [{ seat: "s", bid: bids }] })),
    });
    expect(json.seatbid).toEqual([{ seat: "s", bid: [expect.objectContaining({ id: "c", price: 3 })] }]);
    expect(edge.context.metrics.render()).toContain('edge_bids_blocked_total{provider="one"} 2');
  });

  test.each([
    ["chain without a node", { schain: { nodes: [] } }],
    ["chain whose seller is no host", { schain: { nodes: [{ asi: "https://x", sid: "1" }] } }],
    ["advertiser that is no host", { badv: ["http://rival.example/"] }],
    ["unknown way to shorten", { truncate_ip: "sometimes" }],
  ])("a %s is a start-up error", (_, auction) => {
    const publisher = { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" };
    const parsed = edgeConfigSchema.safeParse({ publisher, ec: { passphrase: "p" }, auction });
    expect(parsed.success).toBe(false);
  });
});

describe("the visitor's address", () => {
  const optedOut = { geo: { country: "US", region: "CA" } };
  const GPC = { "sec-gpc": "1" };

  test("bidders get it whole with consent to the identity, and shortened without", async () => {
    const whole = await ask({ config: configOf({}) });
    expect(whole.bid["device"]).toMatchObject({ ip: "203.0.113.7" });
    const short = await ask({ config: configOf({}, "prebid-server"), ...optedOut }, UNIT, GPC);
    expect(short.bid["device"]).toMatchObject({ ip: "203.0.113.0" });
    expect(short.sent?.headers.get("x-forwarded-for")).toBe("203.0.113.0");
    const six = await ask({ config: configOf({}), clientIp: "2001:db8:1:2:3::4", ...optedOut }, UNIT, GPC);
    expect(six.bid["device"]).toMatchObject({ ipv6: "2001:db8:1::" });
  });

  test("at a place that is not known it is whole: there the auction itself needs consent", async () => {
    const cookies = { "euconsent-v2": tcString({ purposes: [1], updatedAt: "2026-11-01T00:00:00Z" }) };
    const { bid } = await ask({ config: configOf({}), geo: null, cookies });
    expect(bid["device"]).toMatchObject({ ip: "203.0.113.7" });
  });

  test("the operator may shorten it always or never", async () => {
    const always = await ask({ config: configOf({ truncate_ip: "always" }) });
    expect(always.bid["device"]).toMatchObject({ ip: "203.0.113.0" });
    const never = await ask({ config: configOf({ truncate_ip: "never" }), ...optedOut }, UNIT, GPC);
    expect(never.bid["device"]).toMatchObject({ ip: "203.0.113.7" });
  });

  test.each([
    ["203.0.113.255", "203.0.113.0"],
    ["2001:db8:aaaa:bbcc:1::1", "2001:db8:aaaa:bb00::"],
    ["::ffff:203.0.113.7", "203.0.113.0"],
    ["no address", null],
    [null, null],
  ])("%s becomes %s", (ip, expected) => expect(shortenedIp(ip)).toBe(expected));
});
