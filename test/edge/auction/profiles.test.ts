import { beforeAll, describe, expect, test } from "vitest";
import type { AuctionFacts } from "../../../agents/edge/auction/provider/bid-request.ts";
import type { PlannedSlot } from "../../../agents/edge/auction/slot.ts";
import { openExchange } from "../../../agents/edge/auction/profiles/profiles.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import { loadConsentReaders } from "../../../agents/edge/consent/load.ts";
import { readConsent } from "../../../agents/edge/consent/consent.ts";
import { tcString } from "../consent/strings.ts";

beforeAll(() => loadConsentReaders(new Map([["__gpp", ""]])));

const NOW = Date.parse("2026-11-21T10:00:00Z");
const TCF = tcString({ purposes: [1, 2, 4], updatedAt: "2026-11-01T00:00:00Z" });

const configOf = (provider: object) =>
  edgeConfigSchema.parse({
    publisher: { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" },
    ec: { passphrase: "p" },
    auction: {
      enabled: true,
      providers: { p: { protocol: "openrtb-2.6", endpoint: "https://p.example/", ...provider } },
    },
  });

const planned = (code: string, more: Partial<PlannedSlot> = {}): PlannedSlot => ({
  slot: {
    code,
    sizes: [
      [300, 250],
      [320, 50],
    ],
    floor: 0.5,
    zone: null,
    bidders: new Map(),
    stored: "denied",
  },
  bidders: {},
  isStored: false,
  ...more,
});

const factsOf = (
  more: Partial<AuctionFacts> = {},
  cookies: Record<string, string> = { "euconsent-v2": TCF },
): AuctionFacts => {
  const headers = new Headers({
    "user-agent": "UA",
    referer: "https://pub.example/a?secret=1",
    "accept-language": "de-CH, en;q=0.5",
    dnt: "1",
    cookie: `uids=1; euconsent-v2=${TCF}; ts-ec=x; us_privacy=1YNN`,
  });
  const geo = { country: "DE", region: "BE", city: "Berlin", latitude: 52.5, longitude: 13.4, metro_code: 7 };
  const { consent } = configOf({});
  return {
    id: "auction-1",
    domain: "pub.example",
    page: "https://pub.example/a",
    clientIp: "203.0.113.7",
    geo,
    headers,
    consent: readConsent(headers, {
      config: { consent },
      cookies: new Map(Object.entries(cookies)),
      geo,
      startedAtMs: NOW,
    }),
    userId: "ec-1",
    eids: [{ source: "s.example", uids: [{ id: "u", atype: 3 }] }],
    signature: null,
    pageContext: {},
    rules: configOf({}).auction,
    ...more,
  };
};

const open = (provider: object, facts = factsOf(), impressions: readonly PlannedSlot[] = [planned("slot-1")]) => {
  const parsed = configOf(provider).auction.providers["p"];
  if (parsed === undefined) throw new Error("no provider");
  return openExchange(parsed, { facts, impressions, tmaxMs: 345 });
};

const eids = [{ source: "s.example", uids: [{ id: "u", atype: 3 }] }];
const FORMAT = [
  { w: 300, h: 250 },
  { w: 320, h: 50 },
];

describe("outgoing requests", () => {
  test("standard: plain OpenRTB 2.6 with the operator's extensions", () => {
    const { request } = open({ profile_config: { request_ext: { a: 1 }, imp_ext: { b: 2 } } });
    expect(request).toEqual({
      headers: { accept: "application/json" },
      body: {
        id: "auction-1",
        imp: [
          { id: "slot-1", banner: { format: FORMAT }, secure: 1, bidfloor: 0.5, bidfloorcur: "USD", ext: { b: 2 } },
        ],
        site: { domain: "pub.example", page: "https://pub.example/a", publisher: { domain: "pub.example" } },
        user: { id: "ec-1", consent: TCF, eids, ext: { consent: TCF, eids } },
        device: {
          ua: "UA",
          ip: "203.0.113.7",
          geo: { country: "DE", region: "BE", city: "Berlin", metro: "7", type: 2 },
          dnt: 1,
          language: "de",
        },
        regs: { gdpr: 1, ext: { gdpr: 1 } },
        tmax: 345,
        cur: ["USD"],
        ext: { a: 1 },
      },
    });
  });

  test("prebid-server: bidders or a stored request, tag ids, debug, cookies and client headers", () => {
    const impressions = [planned("slot-1", { bidders: { alpha: { p: 1 } } }), planned("slot-2", { isStored: true })];
    const profile_config = { debug: true, test_mode: true, debug_query_params: "pbjs_debug=true" };
    const { request } = open({ profile: "prebid-server", profile_config }, factsOf(), impressions);
    expect(request.headers).toEqual({
      "user-agent": "UA",
      referer: "https://pub.example/a?secret=1",
      "accept-language": "de-CH, en;q=0.5",
      cookie: `uids=1; euconsent-v2=${TCF}; us_privacy=1YNN`,
      "x-forwarded-for": "203.0.113.7",
    });
    expect(request.body).toMatchObject({
      imp: [
        { id: "slot-1", tagid: "slot-1", ext: { prebid: { bidder: { alpha: { p: 1 } } } } },
        { id: "slot-2", tagid: "slot-2", ext: { prebid: { storedrequest: { id: "slot-2" } } } },
      ],
      site: { page: "https://pub.example/a?pbjs_debug=true", ref: "https://pub.example/a?secret=1" },
      device: { geo: { lat: 52.5, lon: 13.4 } },
      test: 1,
      ext: {
        prebid: { debug: true, returnallbidstatus: true },
        trusted_server: { request_host: "pub.example", request_scheme: "https" },
      },
    });
  });

  test("prebid-server: consent goes into the body, the cookies, or both", () => {
    const cookies = { "euconsent-v2": TCF, us_privacy: "1YNN" };
    const make = (mode: string) =>
      open({ profile: "prebid-server", profile_config: { consent_forwarding: mode } }, factsOf({}, cookies)).request;
    expect(make("openrtb_only").headers["cookie"]).toBe("uids=1");
    expect(make("openrtb_only").body["regs"]).toEqual({
      gdpr: 1,
      us_privacy: "1YNN",
      ext: { gdpr: 1, us_privacy: "1YNN" },
    });
    expect(make("cookies_only").headers["cookie"]).toContain("euconsent-v2");
    expect(make("cookies_only").body["regs"]).toEqual({ gdpr: 1, ext: { gdpr: 1 } });
    expect(make("cookies_only").body["user"]).not.toHaveProperty("consent");
    expect(make("both").body["user"]).toHaveProperty("consent", TCF);
  });

  test("aps: account, first format, always a word on GDPR, the registered inventory", () => {
    const settings = {
      account_id: 77,
      inventory_domain: "inv.example",
      inventory_page_origin: "https://www.inv.example",
    };
    const silent = factsOf({ geo: { country: "JP" }, eids: [], userId: null }, {});
    const { request } = open({ profile: "aps", profile_config: settings }, silent);
    expect(request.body).toMatchObject({
      imp: [{ id: "slot-1", banner: { format: FORMAT, w: 300, h: 250, topframe: 0 } }],
      site: { domain: "inv.example", page: "https://www.inv.example/a", publisher: { domain: "inv.example" } },
      regs: { gdpr: 1, ext: { gdpr: 1 } },
      ext: { account: "77", sdk: { source: "prebid", version: "2.2.0" } },
    });
    expect(request.body).not.toHaveProperty("user");
  });

  test("a signature is carried by every profile, and what is not known is left out", () => {
    const signature = {
      version: "1.1",
      signature: "s",
      kid: "k",
      request_host: "pub.example",
      request_scheme: "https",
      ts: 1,
    } as const;
    const facts = factsOf({ signature, geo: null, clientIp: "2001:db8::1", headers: new Headers() }, {});
    for (const profile of ["standard", "prebid-server", "aps"]) {
      const { body } = open({ profile, profile_config: profile === "aps" ? { account_id: "1" } : {} }, facts).request;
      expect(body["ext"]).toHaveProperty("trusted_server", signature);
      expect(body["device"]).toEqual({ ipv6: "2001:db8::1" });
    }
  });
});

const BID = {
  id: "b1",
  impid: "slot-1",
  price: 2.5,
  w: 300,
  h: 250,
  adm: "<b>",
  crid: "c",
  adid: "a",
  adomain: ["x.example"],
};
const bidsOf = (...bids: object[]) => ({ cur: "usd", seatbid: [{ seat: "alpha", bid: bids }] });

describe("answers", () => {
  const parse = (body: unknown, status = 200, provider: object = {}) => open(provider).parse({ status, body });

  test("standard: a bid with markup is read", () => {
    expect(parse(bidsOf({ ...BID, nurl: "https://n.example/" }))).toEqual({
      status: "success",
      bids: [{ ...BID, media: "banner", seat: "alpha", nurl: "https://n.example/" }],
      metadata: {},
    });
    expect(parse({ seatbid: [{ bid: [BID] }] }).bids[0]?.seat).toBe("unknown");
  });

  test.each([
    ["an unknown impression", { impid: "x" }, "unknown_impid"],
    ["an impression that is no text", { impid: 1 }, "unknown_impid"],
    ["no price", { price: undefined }, "invalid_price"],
    ["a price as text", { price: "2" }, "invalid_price"],
    ["a negative price", { price: -1 }, "invalid_price"],
    ["another size", { w: 301 }, "invalid_dimensions"],
    ["no size", { w: undefined }, "invalid_dimensions"],
    ["sizes mixed", { w: 300, h: 50 }, "invalid_dimensions"],
    ["no markup", { adm: "" }, "missing_render_source"],
    ["markup that is no text", { adm: {} }, "missing_render_source"],
  ])("standard: %s is dropped and counted", (_, change, reason) => {
    expect(parse(bidsOf({ ...BID, ...change }))).toEqual({
      status: "nobid",
      bids: [],
      metadata: { dropped_bid_count: 1, drop_reasons: { [reason]: 1 } },
    });
  });

  test.each([
    ["no JSON", undefined],
    ["a list", []],
    ["text", "x"],
    ["null", null],
    ["a currency that is no text", { cur: 1 }],
  ])("%s is an error", (_, body) => {
    expect(parse(body)).toMatchObject({ status: "error", metadata: { error_type: "parse_response" } });
  });

  test.each([
    [{}],
    [{ seatbid: null }],
    [{ seatbid: "x" }],
    [{ seatbid: [null, 1, { bid: null }, { bid: [null, 1, "x"] }] }],
    [{ bids: [BID], metadata: {}, status: "success" }],
  ])("garbage %# is no bid", (body) => expect(parse(body)).toMatchObject({ status: "nobid", bids: [] }));

  test("another currency is no bid, 204 too, an HTTP error is named", () => {
    expect(parse({ ...bidsOf(BID), cur: "EUR" })).toEqual({
      status: "nobid",
      bids: [],
      metadata: { unsupported_currency: "EUR" },
    });
    expect(parse(undefined, 204)).toEqual({ status: "nobid", bids: [], metadata: {} });
    expect(parse({}, 500, { profile: "prebid-server" })).toEqual({
      status: "error",
      bids: [],
      metadata: { error_type: "http_status", http_status: 500, message: "Prebid Server returned HTTP 500" },
    });
  });

  test("prebid-server: markup is optional, cache entries and metadata are read", () => {
    const cache = { prebid: { cache: { bids: { cacheId: "c-1", url: "https://cache.example:8443/get?uuid=1" } } } };
    const body = {
      ...bidsOf({ ...BID, adm: undefined, ext: cache }),
      ext: { responsetimemillis: { alpha: 12 }, errors: { beta: [] }, warnings: "no object", debug: { x: 1 } },
    };
    const { bids, metadata } = parse(body, 200, { profile: "prebid-server" });
    expect(bids[0]).toMatchObject({ cache: { id: "c-1", host: "cache.example:8443", path: "/get" } });
    expect(bids[0]).not.toHaveProperty("adm");
    expect(metadata).toEqual({ responsetimemillis: { alpha: 12 }, errors: { beta: [] } });
    const debug = parse(body, 200, { profile: "prebid-server", profile_config: { debug: true } });
    expect(debug.metadata).toHaveProperty("debug", { x: 1 });
  });

  test("prebid-server: debug shows the start of an error's body", () => {
    const provider = { profile: "prebid-server", profile_config: { debug: true } };
    expect(parse("x".repeat(600), 400, provider).metadata).toMatchObject({
      upstream_message: "x".repeat(500),
      upstream_message_truncated: true,
    });
  });

  describe("aps", () => {
    const provider = { profile: "aps", profile_config: { account_id: "77" } };
    const bid = { ...BID, ext: { creativeurl: "https://c.example/x", tagtype: "iframe" } };
    const read = (change: object, settings: object = {}) =>
      parse(bidsOf({ ...bid, ...change }), 200, { ...provider, profile_config: { account_id: "77", ...settings } });

    test("a bid becomes an instruction for the browser, never markup", () => {
      const { bids, metadata } = read({});
      expect(metadata).toEqual({ seatbid_count: 1, accepted_bid_count: 1 });
      const { renderer, ...rest } = bids[0] ?? {};
      expect(rest).not.toHaveProperty("adm");
      const { aaxResponse, ...shown } = renderer ?? {};
      expect(shown).toEqual({
        type: "aps",
        version: 1,
        accountId: "77",
        bidId: "b1",
        creativeId: "c",
        tagType: "iframe",
        creativeUrl: "https://c.example/x",
        width: 300,
        height: 250,
      });
      expect(JSON.parse(atob(String(aaxResponse)))).toEqual({ seatbid: [{ seat: "alpha", bid: [bid] }] });
    });

    test.each([
      ["no creative", { ext: {} }, "missing_render_source"],
      ["video", { mtype: 2 }, "unsupported_media_type"],
      ["no id", { id: undefined }, "unexpected_response_shape"],
      ["http", { ext: { creativeurl: "http://c.example/", tagtype: "iframe" } }, "invalid_creative_url"],
      [
        "the publisher's own host",
        { ext: { creativeurl: "https://pub.example/", tagtype: "iframe" } },
        "invalid_creative_url",
      ],
      ["credentials", { ext: { creativeurl: "https://a@c.example/", tagtype: "iframe" } }, "invalid_creative_url"],
      [
        "an endless address",
        { ext: { creativeurl: `https://c.example/${"x".repeat(4_096)}`, tagtype: "iframe" } },
        "invalid_creative_url",
      ],
      ["a script", { ext: { creativeurl: "https://c.example/", tagtype: "script" } }, "script_rendering_disabled"],
      ["another tag", { ext: { creativeurl: "https://c.example/", tagtype: "js" } }, "unsupported_tagtype"],
      ["an endless creative id", { crid: "x".repeat(1_025) }, "creative_id_too_large"],
      ["an endless payload", { extra: "x".repeat(20_000) }, "render_payload_too_large"],
    ])("%s is dropped", (_, change, reason) => {
      expect(read(change)).toMatchObject({
        status: "nobid",
        metadata: { dropped_bid_count: 1, drop_reasons: { [reason]: 1 } },
      });
    });

    test("scripts can be allowed", () => {
      const script = { ext: { creativeurl: "https://c.example/", tagtype: "script" } };
      expect(read(script, { allow_script_creatives: true }).status).toBe("success");
    });

    test("the best bid of an impression is kept: price, then the smaller id", () => {
      const body = bidsOf({ ...bid, id: "z" }, { ...bid, id: "m", price: 3 }, { ...bid, id: "k", price: 3 });
      const { bids, metadata } = parse(body, 200, provider);
      expect(bids.map(({ id }) => id)).toEqual(["k"]);
      expect(metadata).toMatchObject({
        accepted_bid_count: 1,
        dropped_bid_count: 2,
        drop_reasons: { lost_to_higher_bid: 2 },
      });
    });

    test("empty lists are counted, the older interface is an error", () => {
      expect(parse({ seatbid: [] }, 200, provider).metadata).toMatchObject({ drop_reasons: { empty_seatbid: 1 } });
      expect(parse({ seatbid: [{ bid: [] }] }, 200, provider).metadata).toMatchObject({
        drop_reasons: { empty_seatbid_bids: 1 },
      });
      expect(parse({ contextual: {} }, 200, provider)).toMatchObject({ status: "error" });
    });
  });
});
