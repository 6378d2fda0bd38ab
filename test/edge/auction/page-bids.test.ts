import { describe, expect, test } from "vitest";
import { handlePageBids } from "../../../agents/edge/auction/page/page-bids.ts";
import { matchesGlob } from "../../../agents/edge/auction/glob.ts";
import { matchPageSlots } from "../../../agents/edge/auction/page/page-slots.ts";
import { priceBucket } from "../../../agents/edge/auction/page/price-bucket.ts";
import type { PriceGranularity } from "../../../agents/edge/auction/page/price-bucket.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import type { OutboundResult } from "../../../agents/edge/platform.ts";
import { covers } from "../../requirements.ts";
import { answer, fakeEdge, served } from "../fake-edge.ts";

const slot = (id: string, more: object = {}) => ({
  id,
  page_patterns: ["/*"],
  formats: [{ width: 300, height: 250 }],
  ...more,
});
const opportunities = (slots: object[], more: object = {}) => ({ gam_network_id: "123", slot: slots, ...more });
const configOf = (given: object = {}, auction: object = {}) => ({
  auction: {
    enabled: true,
    providers: {
      pbs: { protocol: "openrtb-2.6", profile: "prebid-server", endpoint: "https://pbs.example/" },
    },
    bidders: { alpha: { provider: "pbs" } },
    ...auction,
  },
  creative_opportunities: opportunities([slot("top", { targeting: { zone: "z" } })], given),
});
const bidOf = (more: object = {}) => ({ id: "b1", impid: "top", price: 2.51, w: 300, h: 250, adid: "ad-1", ...more });
const bids = (...list: object[]): OutboundResult =>
  answer(200, {}, JSON.stringify({ seatbid: [{ seat: "alpha", bid: list }] }));
const SAME = { "sec-fetch-site": "same-origin" };

const ask = async (
  query = "",
  given: Parameters<typeof fakeEdge>[0] & { headers?: Record<string, string>; method?: string; path?: string } = {},
) => {
  const url = `https://pub.example${given.path ?? "/_ts/page-bids"}${query}`;
  const edge = fakeEdge({ config: configOf(), send: () => bids(bidOf({ adm: "<b>" })), ...given, url });
  const request = new Request(url, { method: given.method ?? "GET", headers: given.headers ?? SAME });
  const response = await served(handlePageBids(request, edge.context));
  const text = await response.text();
  type PageAnswer = { slots: object[]; bids: Record<string, Record<string, unknown>> };
  const json = response.status === 200 ? (JSON.parse(text) as PageAnswer) : undefined;
  return { response, text, json, edge };
};

describe("page bids", () => {
  test("slots and bids of a page, private", async () => {
    covers("edge.page-bids.format", "edge.page-bids.path-stripped", "edge.page-bids.shape");
    const { response, json } = await ask("?path=/a?x=1%23y&format=json", {
      config: configOf({}, { rewrite_creatives: false }),
    });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store, private"]);
    expect(json).toEqual({
      slots: [{ id: "top", gam_unit_path: "/123/top", div_id: "top", formats: [[300, 250]], targeting: { zone: "z" } }],
      bids: { top: { hb_pb: "2.51", hb_bidder: "alpha", w: 300, h: 250, hb_adid: "ad-1", adm: "<b>" } },
    });
  });

  describe("of video and native slots", () => {
    const VAST = "<VAST><Ad><InLine><Impression>https://i.example/${AUCTION_PRICE}</Impression></InLine></Ad></VAST>";
    const NATIVE = '{"native":{"assets":[{"id":1,"title":{"text":"Buy"}}]}}';
    const request = { assets: [{ id: 1, required: 1, title: { len: 90 } }] };
    const player = { width: 640, height: 360, media_type: "video" };
    const askFor = async (bid: object, more: object) => {
      const { creative_opportunities: _, ...rest } = configOf({}, { sanitize_creatives: true });
      const config = { ...rest, creative_opportunities: opportunities([slot("top", more)]) };
      const { json, edge } = await ask("", { config, send: () => bids(bidOf({ adid: undefined, ...bid })) });
      const body = new TextDecoder().decode(edge.sent[0]?.body as Uint8Array);
      const { imp } = JSON.parse(body) as { imp: Record<string, unknown>[] };
      return { imp: imp[0], shown: json?.slots[0], bid: json?.bids["top"] };
    };

    test("video goes out with the player's size, and its VAST comes back as it is", async () => {
      const more = { formats: [player], video: { plcmt: 2, protocols: [2, 3] } };
      const { imp, shown, bid } = await askFor({ adm: VAST, mtype: 2, w: undefined, h: undefined }, more);
      expect(imp).toMatchObject({ video: { w: 640, h: 360, mimes: ["video/mp4"], plcmt: 2, protocols: [2, 3] } });
      expect(imp).not.toHaveProperty("banner");
      expect(shown).toMatchObject({ formats: [[640, 360]], media_types: ["video"] });
      expect(bid).toMatchObject({ mtype: 2, w: 640, h: 360, adm: VAST.replace("${AUCTION_PRICE}", "2.51") });
    });

    test("native goes out as its request, and its assets come back as they are", async () => {
      const { imp, shown, bid } = await askFor({ adm: NATIVE, mtype: 4 }, { formats: [], native: request });
      expect(imp).toMatchObject({ native: { ver: "1.2", request: JSON.stringify({ ver: "1.2", ...request }) } });
      expect(shown).toMatchObject({ formats: [], media_types: ["native"] });
      expect(bid).toEqual({ hb_pb: "2.51", hb_bidder: "alpha", hb_adid: "b1", mtype: 4, adm: NATIVE });
    });

    test("a slot of all three takes a banner as before", async () => {
      const more = { formats: [{ width: 300, height: 250 }, player], native: request };
      const { imp, shown, bid } = await askFor({ adm: "<b>x</b>" }, more);
      expect(imp).toMatchObject({
        banner: { format: [{ w: 300, h: 250 }] },
        video: { w: 640 },
        native: { ver: "1.2" },
      });
      expect(shown).toMatchObject({ media_types: ["banner", "video", "native"] });
      expect(bid).not.toHaveProperty("mtype");
    });

    test.each([
      [{ formats: [] }, "needs at least one format, or the slot a native request"],
      [{ video: { plcmt: 2 } }, "which says its size"],
      [{ formats: [player], video: { plcmt: 9 } }, "Too big"],
      [{ formats: [player], video: { playerSize: [1, 1] } }, "Unrecognized key"],
      [{ formats: [{ ...player, media_type: "audio" }] }, "Invalid option"],
      [{ native: { text: "x".repeat(20_000) } }, "is longer than 16384 characters"],
    ])("%j is a start-up error", (more, words) => {
      expect(() => fakeEdge({ config: { creative_opportunities: opportunities([slot("top", more)]) } })).toThrow(words);
    });
  });

  test.each([
    [{ "sec-fetch-site": "same-origin" }, 200],
    [{ "x-tsjs-page-bids": "1" }, 200],
    [{ "x-tsjs-page-bids": "fallback" }, 200],
    [{}, 403],
    [{ "sec-fetch-site": "same-site", "x-tsjs-page-bids": "1" }, 403],
    [{ "sec-fetch-site": "cross-site" }, 403],
    [{ "sec-fetch-site": "none" }, 403],
    [{ "sec-fetch-site": "Same-Origin" }, 403],
  ])("admission of %j: %s", async (headers, status) => {
    covers("edge.page-bids.header", "edge.page-bids.no-store", "edge.page-bids.other-403");
    covers("edge.page-bids.same-origin");
    const { response, text, edge } = await ask("", { headers: headers as unknown as Record<string, string> });
    expect(response.status).toBe(status);
    if (status !== 403) return;
    expect([text, response.headers.get("cache-control"), edge.sent.length]).toEqual([
      "Forbidden",
      "no-store, private",
      0,
    ]);
  });

  test("admission is judged first, then the configuration, then the format", async () => {
    covers("edge.page-bids.format", "edge.page-bids.missing-configuration", "edge.page-bids.no-store");
    const config = { auction: { enabled: true } };
    expect((await ask("?format=xml", { config, headers: {} })).response.status).toBe(403);
    const missing = await ask("?format=xml", { config });
    expect([missing.response.status, missing.text]).toEqual([404, "Creative opportunities not configured"]);
    const unknown = await ask("?format=xml");
    expect([unknown.response.status, unknown.text]).toEqual([400, "Unknown format"]);
    expect(unknown.response.headers.get("cache-control")).toBe("no-store, private");
    expect((await ask("?format=")).response.status).toBe(400);
  });

  test("without a path the slots are those of the root", async () => {
    covers("edge.page-bids.path-default", "edge.page-bids.path-stripped");
    const home = configOf({
      slot: [slot("top", { page_patterns: ["/"] }), slot("news", { page_patterns: ["/news"] })],
    });
    const idsFor = async (query: string): Promise<unknown> =>
      (await ask(query, { config: home })).json?.slots.map((one) => (one as { id: string }).id);
    expect([await idsFor(""), await idsFor("?path=/%3Fa=1"), await idsFor("?path=/news%23top")]).toEqual([
      ["top"],
      ["top"],
      ["news"],
    ]);
  });

  test("the old spelling names its removal on 200 and 404", async () => {
    covers("edge.page-bids.alias-link");
    const path = "/__ts/page-bids";
    const link = (one: { response: Response }): string | null => one.response.headers.get("link");
    expect(link(await ask("", { path }))).toMatch(/^<https:\/\/\S+>; rel="deprecation"$/);
    expect(link(await ask("", { path, config: {} }))).toMatch(/rel="deprecation"$/);
    expect([
      link(await ask("", { path, headers: {} })),
      link(await ask("?format=x", { path })),
      link(await ask()),
    ]).toEqual([null, null, null]);
  });

  test.each([
    ["the kill switch is on", { config: configOf({}, { enabled: false }) }],
    ["consent is denied", { geo: null }],
  ])("both lists are empty when %s", async (_, given) => {
    covers("edge.page-bids.consent-denied", "edge.page-bids.kill-switch");
    const { json, edge } = await ask("", given);
    expect([json, edge.sent.length]).toEqual([{ slots: [], bids: {} }, 0]);
  });

  test.each([
    [{ "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" }],
    [{ "user-agent": "x SemrushBot y" }],
    [{ "sec-purpose": "prefetch;prerender" }],
    [{ purpose: "prefetch" }],
  ])("%j keeps the slots and calls nobody", async (headers) => {
    covers("edge.page-bids.bots");
    const { json, edge } = await ask("", { headers: { ...SAME, ...(headers as unknown as Record<string, string>) } });
    expect([json?.slots.length, json?.bids, edge.sent.length]).toEqual([1, {}, 0]);
  });

  test("an auction that fails leaves the slots without bids", async () => {
    const config = { ...configOf(), request_signing: { enabled: true, config_store_id: "c", secret_store_id: "s" } };
    const { response, json } = await ask("", { config });
    expect([response.status, json?.slots.length, json?.bids]).toEqual([200, 1, {}]);
  });

  test("a bid below the slot's floor is not shown, one at the floor is", async () => {
    const floor = (floor_price: number) => ask("", { config: configOf({ slot: [slot("top", { floor_price })] }) });
    expect((await floor(2.52)).json?.bids).toEqual({});
    expect(Object.keys((await floor(2.51)).json?.bids ?? {})).toEqual(["top"]);
    const sent = JSON.parse(new TextDecoder().decode((await floor(1)).edge.sent[0]?.body as Uint8Array)) as {
      imp: object[];
    };
    expect(sent.imp[0]).toMatchObject({ bidfloor: 1, bidfloorcur: "USD" });
  });

  test("the request names the page, and an auction id of the visit", async () => {
    const id = `${"a".repeat(64)}.aB3xYz`;
    const sentBy = async (given: Parameters<typeof ask>[1]) => {
      const { edge } = await ask("?path=//evil.example/x y", given);
      return JSON.parse(new TextDecoder().decode(edge.sent[0]?.body as Uint8Array)) as {
        id: string;
        site: { page: string };
      };
    };
    const bare = await sentBy({});
    expect(bare.id).toMatch(/^ts-req-[\da-f-]{36}$/);
    expect(bare.site.page).toBe("https://pub.example//evil.example/x%20y");
    expect((await sentBy({ cookies: { "ts-ec": id } })).id).toBe(`ts-${id}`);
  });

  test("creatives get absolute first-party addresses and the price, without the library", async () => {
    const adm = '<img src="https://cdn.example/a.png"><i>${AUCTION_PRICE}</i>';
    const nurl = "https://n.example/?p=${AUCTION_PRICE}";
    const { json } = await ask("", { send: () => bids(bidOf({ adm, nurl })) });
    expect(json?.bids["top"]).toMatchObject({
      adm: expect.stringMatching(/^<img src="https:\/\/pub\.example\/first-party\/proxy\?[^"]+"><i>2\.51<\/i>$/),
      nurl: "https://n.example/?p=2.51",
    });
  });

  test("a cache entry stands in for markup, and its id is the ad id", async () => {
    const ext = { prebid: { cache: { bids: { cacheId: "c-1", url: "https://cache.example/get?uuid=c-1" } } } };
    const { json } = await ask("", { send: () => bids(bidOf({ ext })) });
    expect(json?.bids["top"]).toEqual({
      hb_pb: "2.51",
      hb_bidder: "alpha",
      w: 300,
      h: 250,
      hb_adid: "c-1",
      hb_cache_host: "cache.example",
      hb_cache_path: "/get",
    });
  });

  test("a slot whose creative is refused is left out", async () => {
    const { json } = await ask("", { send: () => bids(bidOf({ adm: "x".repeat(1_048_577) })) });
    expect([json?.slots.length, json?.bids]).toEqual([1, {}]);
  });
});

describe("page slots", () => {
  const slotsOf = (path: string, slots: object[], more: object = {}) => {
    const config = edgeConfigSchema.parse({
      publisher: { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" },
      ec: { passphrase: "p" },
      creative_opportunities: opportunities(slots, more),
    }).creative_opportunities;
    return config === undefined ? [] : matchPageSlots(config, path);
  };

  test.each([
    ["/news/*", "/news", false],
    ["/news/*", "/news/", true],
    ["/news/*", "/news/a/b", true],
    ["*", "", true],
    ["/", "/", true],
    ["/", "/a", false],
    ["/a*b*c", "/axxbyyc", true],
    ["/a*b*c", "/axxbyy", false],
    ["/a.b", "/axb", false],
    ["/*a*a*a*a*a*b", `/${"a".repeat(5_000)}`, false],
  ])("%s matches %s: %s", (glob, path, expected) => expect(matchesGlob(glob, path)).toBe(expected));

  test("demand: named bidders go direct, an empty list and none at all ask for stored demand", () => {
    const slots = [
      slot("named", { providers: { prebid: { bidders: { alpha: { p: 1 } } } } }),
      slot("empty", { providers: { prebid: {} }, targeting: { zone: "z" } }),
      slot("none", { targeting: { zone: "z" } }),
    ];
    const found = slotsOf("/", slots).map(({ slot: { code, stored, zone, bidders } }) => [
      code,
      stored,
      zone,
      [...bidders],
    ]);
    expect(found).toEqual([
      ["named", "denied", null, [["alpha", { p: 1 }]]],
      ["empty", "permitted", "z", []],
      ["none", "permitted", null, []],
    ]);
  });

  test.each([
    ["/sport/football", "/123/top/sport"],
    ["/Sp%20ört!!x/a", "/123/top/Sp_20_rt_x"],
    ["/", "/123/top/home"],
  ])("the section of %s", (path, unit) => {
    const template = { gam_unit_path: "/{network_id}/{slot_id}/{section}" };
    const found = slotsOf(path, [slot("top", template)], { section_root: "home" });
    expect(found[0]?.shown.gam_unit_path).toBe(unit);
  });

  test("a rendered path that is too long drops the slot for that page only", () => {
    const template = { gam_unit_path: "/{network_id}/{section}" };
    expect(
      slotsOf(`/${"x".repeat(200)}`, [slot("top", template), slot("plain")], { section_root: "r" }).map(
        ({ shown }) => shown.id,
      ),
    ).toEqual(["plain"]);
  });
});

describe("price buckets", () => {
  test.each<[PriceGranularity, number, string]>([
    ["auto", 3.03, "3.00"],
    ["dense", 0, "0.00"],
    ["dense", -1, "0.00"],
    ["dense", Number.NaN, "0.00"],
    ["dense", Number.POSITIVE_INFINITY, "0.00"],
  ])("%s %s is %s", (granularity, cpm, bucket) => expect(priceBucket(cpm, granularity)).toBe(bucket));
});
