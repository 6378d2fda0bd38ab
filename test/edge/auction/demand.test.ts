import { describe, expect, test } from "vitest";
import { auctionBodySchema, readSlots } from "../../../agents/edge/auction/ad-units.ts";
import { planProviders } from "../../../agents/edge/auction/provider/plan.ts";
import type { DemandDefects } from "../../../agents/edge/auction/slot.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import { covers } from "../../requirements.ts";

const auctionOf = (auction: object) =>
  edgeConfigSchema.parse({
    publisher: { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" },
    ec: { passphrase: "p" },
    auction: { enabled: true, ...auction },
  }).auction;

const pbs = (profile_config: object = {}) => ({
  protocol: "openrtb-2.6",
  profile: "prebid-server",
  endpoint: "https://pbs.example/a",
  profile_config,
});
const config = auctionOf({
  providers: {
    "pbs-main": pbs(),
    "pbs-two": pbs(),
    open: { protocol: "openrtb-2.6", endpoint: "https://open.example/", routing: "all_eligible" },
    direct: { protocol: "openrtb-2.6", endpoint: "https://direct.example/" },
  },
  bidders: {
    alpha: { provider: "pbs-main" },
    beta: { provider: "pbs-main" },
    gamma: { provider: "pbs-two" },
    delta: { provider: "direct" },
  },
});

const BOOK = { offeredTo: () => ({ list: [], isPrivate: false, seatsOf: () => [], isKnown: () => false }) };

const banner = { banner: { sizes: [[300, 250]] } };

/** `bidders`, `stored`, `plain` or nothing. */
const demand = (bids: unknown, auction = config) => {
  const defects: DemandDefects = {
    malformed_envelope_count: 0,
    malformed_direct_demand_count: 0,
    unroutable_bidder_count: 0,
  };
  const body = auctionBodySchema.parse({ adUnits: [{ code: "s", mediaTypes: banner, bids }] });
  const slots = readSlots(body.adUnits, defects) ?? [];
  const plans = planProviders(auction, slots, defects, BOOK);
  const shown: Record<string, unknown> = {};
  for (const { id, impressions } of plans) {
    for (const planned of impressions) {
      shown[id] = planned.isStored ? "stored" : Object.keys(planned.bidders).length > 0 ? planned.bidders : "plain";
    }
  }
  return { shown, defects, unused: Object.fromEntries(plans.map((plan) => [plan.id, plan.unusedParams])) };
};
const envelope = (params: unknown) => [{ bidder: "reservedServer", params }];
const STORED = { open: "plain", "pbs-main": "stored", "pbs-two": "stored" };

describe("stored demand", () => {
  test.each([
    ["no bids member", undefined, STORED],
    ["null bids", null, STORED],
    ["empty bids", [], STORED],
    ["an empty envelope", envelope({}), STORED],
    ["bidderParams null", envelope({ bidderParams: null }), STORED],
    ["bidderParams empty", envelope({ bidderParams: {} }), STORED],
    ["storedRequest false without inline demand", envelope({ storedRequest: false }), { open: "plain" }],
    ["storedRequest true", envelope({ storedRequest: true }), STORED],
    [
      "storedRequest true, inline demand wins within its provider",
      envelope({ storedRequest: true, bidderParams: { alpha: { p: 1 } } }),
      { open: "plain", "pbs-main": { alpha: { p: 1 } }, "pbs-two": "stored" },
    ],
    [
      "storedRequest false, inline demand still runs",
      envelope({ storedRequest: false, bidderParams: { alpha: { p: 1 }, beta: {} } }),
      { open: "plain", "pbs-main": { alpha: { p: 1 } } },
    ],
    [
      "omitted, inline demand: no stored demand elsewhere",
      envelope({ bidderParams: { alpha: { p: 1 } } }),
      { open: "plain", "pbs-main": { alpha: { p: 1 } } },
    ],
    [
      "omitted, routed empty bidders keep the fallback",
      envelope({ bidderParams: { alpha: {}, gamma: { p: 1 } } }),
      { open: "plain", "pbs-main": "stored", "pbs-two": { gamma: { p: 1 } } },
    ],
    ["only direct demand", [{ bidder: "alpha", params: { p: 1 } }], { open: "plain", "pbs-main": { alpha: { p: 1 } } }],
    ["direct demand of a plain provider", [{ bidder: "delta", params: { p: 1 } }], { open: "plain", direct: "plain" }],
  ])("%s", (_, bids, expected) => expect(demand(bids).shown).toEqual(expected));

  const flags: readonly [unknown][] = [[null], ["true"], [1], [[]], [{}]];
  test.each(flags)("storedRequest %j rejects the whole entry and counts it", (storedRequest) => {
    covers("edge.auction.stored.invalid-counted", "edge.auction.stored.invalid-entry");
    covers("edge.auction.stored.invalid-others-run", "edge.auction.stored.invalid-types");
    const bids = [
      ...envelope({ storedRequest, zone: "z", bidderParams: { alpha: { p: 1 } } }),
      { bidder: "gamma", params: { p: 2 } },
    ];
    const { shown, defects } = demand(bids);
    expect(shown).toEqual({ open: "plain", "pbs-two": { gamma: { p: 2 } } });
    expect(defects).toEqual({
      malformed_envelope_count: 1,
      malformed_direct_demand_count: 0,
      unroutable_bidder_count: 0,
    });
  });

  test("the alias of the reserved bidder is read the same", () => {
    covers("edge.auction.reserved.params");
    expect(demand([{ bidder: "trustedServer", params: {} }]).shown).toEqual(STORED);
  });
});

describe("malformed demand", () => {
  test.each([
    ["params are a list", []],
    ["params are text", "x"],
    ["an unknown key", { bidderParams: {}, other: 1 }],
    ["zone is a number", { zone: 1 }],
    ["zone is null", { zone: null }],
    ["zone is too long", { zone: "x".repeat(257) }],
    ["bidderParams are a list", { bidderParams: [] }],
    ["a bidder's params are text", { bidderParams: { alpha: "x" } }],
    ["the reserved bidder inside itself", { bidderParams: { reservedServer: {} } }],
    ["a bidder name with outer blanks", { bidderParams: { " alpha": {} } }],
    ["129 bidders", { bidderParams: Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`b${at}`, {}])) }],
  ])("%s", (_, params) => {
    const { shown, defects } = demand(envelope(params));
    expect(shown).toEqual({ open: "plain" });
    expect(defects.malformed_envelope_count).toBe(1);
  });

  test("direct demand needs a valid name and parameters; the last of equal bidders counts", () => {
    const bids = [
      { bidder: "alpha", params: {} },
      { bidder: "alpha" },
      { bidder: "alpha", params: [1] },
      { bidder: "", params: { p: 1 } },
      { bidder: "a\u0000", params: { p: 1 } },
      { bidder: "beta", params: { p: 1 } },
      { bidder: "beta", params: { p: 2 } },
      { bidder: "nobody", params: { p: 1 } },
    ];
    const { shown, defects } = demand(bids);
    expect(shown).toEqual({ open: "plain", "pbs-main": { beta: { p: 2 } } });
    expect(defects).toEqual({
      malformed_envelope_count: 0,
      malformed_direct_demand_count: 5,
      unroutable_bidder_count: 1,
    });
  });

  test("direct demand wins over the same bidder in the envelope, and names of prototypes route nowhere", () => {
    const bids = [
      { bidder: "alpha", params: { p: "direct" } },
      ...envelope({ bidderParams: { alpha: { p: "inner" }, constructor: { p: 1 } } }),
    ];
    const { shown, defects } = demand(bids);
    expect(shown).toEqual({ open: "plain", "pbs-main": { alpha: { p: "direct" } } });
    expect(defects.unroutable_bidder_count).toBe(1);
  });

  test("parameters that do not go out are counted per provider", () => {
    const bids = envelope({ bidderParams: { alpha: { p: 1 }, beta: {}, gamma: { p: 1 }, delta: { p: 1 } } });
    expect(demand(bids).unused).toEqual({ direct: 1, open: 0, "pbs-main": 1, "pbs-two": 0 });
  });
});

describe("overrides", () => {
  const withProfile = (profile: object) =>
    auctionOf({ providers: { p: pbs(profile) }, bidders: { alpha: { provider: "p" }, beta: { provider: "p" } } });
  const profile = {
    bid_param_overrides: { alpha: { a: "bidder", b: "bidder", c: "bidder", d: "bidder" } },
    bid_param_zone_overrides: { alpha: { top: { b: "zone", c: "zone", d: "zone" } } },
    bid_param_override_rules: [
      { when: { zone: "top" }, set: { c: "rule", d: "rule" } },
      { when: { bidder: "alpha" }, set: { d: "later" } },
      { when: { bidder: "alpha", zone: "other" }, set: { a: "never" } },
    ],
  };

  test("by bidder, by zone, then the rules in their order", () => {
    covers("edge.auction.overrides-first", "edge.auction.reserved.params");
    const bids = envelope({ zone: "top", bidderParams: { alpha: { a: "own", e: "own" }, beta: {} } });
    expect(demand(bids, withProfile(profile)).shown).toEqual({
      p: { alpha: { a: "bidder", b: "zone", c: "rule", d: "later", e: "own" }, beta: { c: "rule", d: "rule" } },
    });
  });

  test("an override can make an empty bidder usable", () => {
    covers("edge.auction.no-impression-no-request", "edge.auction.no-inline-stored");
    covers("edge.auction.overrides-first");
    const auction = withProfile({ bid_param_overrides: { alpha: { p: 1 } } });
    expect(demand(envelope({ storedRequest: false, bidderParams: { alpha: {} } }), auction).shown).toEqual({
      p: { alpha: { p: 1 } },
    });
    expect(demand(envelope({ storedRequest: false }), auction).shown).toEqual({});
  });
});

describe("ad units", () => {
  const slots = (units: unknown) =>
    readSlots(auctionBodySchema.parse({ adUnits: units }).adUnits, {
      malformed_envelope_count: 0,
      malformed_direct_demand_count: 0,
      unroutable_bidder_count: 0,
    });

  test("units without a usable banner are dropped, of equal codes the first is kept", () => {
    const units = [
      { code: "video", mediaTypes: { video: {} } },
      { code: "none" },
      { code: "zero", mediaTypes: { banner: { sizes: [[0, 250]] } } },
      { code: "huge", mediaTypes: { banner: { sizes: [[2_147_483_648, 1]] } } },
      {
        code: "ok",
        mediaTypes: {
          banner: {
            sizes: [
              [0, 1],
              [300, 250],
            ],
          },
        },
      },
      { code: "ok", mediaTypes: { banner: { sizes: [[1, 1]] } } },
    ];
    expect(slots(units)?.map(({ code, sizes }) => ({ code, sizes }))).toEqual([{ code: "ok", sizes: [[300, 250]] }]);
  });

  test.each([[[300]], [[300, 250, 1]], [[]]])("a size that is no pair refuses the request: %j", (size) => {
    expect(slots([{ code: "a", mediaTypes: { banner: { sizes: [size] } } }])).toBeNull();
  });
});
