import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { handlePageBids } from "../../../agents/edge/auction/page/page-bids.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import { startupWarnings } from "../../../agents/edge/startup/checks.ts";
import { answer, fakeEdge, served } from "../fake-edge.ts";
import { bid, PROFILES, provider, UNIT } from "./market.ts";

const configOf = (auction: object = {}) => ({
  auction: {
    enabled: true,
    rewrite_creatives: false,
    providers: { ...provider("one"), ...provider("two") },
    ...auction,
  },
  creative_opportunities: {
    gam_network_id: "1234",
    slot: [{ id: "top", page_patterns: ["/*"], formats: [{ width: 300, height: 250 }], floor_price: 1 }],
  },
});

const withPmp = (pmp: unknown) => ({ ...UNIT, ortb2Imp: { pmp } });
const DEAL = { id: "d-1", bidfloor: 4, at: 3, slots: ["to*"] };

type Sent = { readonly cur: string[]; readonly imp: readonly { readonly id: string; readonly pmp?: object }[] };
type Replies = Readonly<Record<string, { seat?: string; cur?: string; bids: readonly object[] }>>;
type Given = { auction?: object; unit?: object; replies?: Replies };

const edgeFor = ({ auction = {}, replies = {} }: Given) =>
  fakeEdge({
    config: configOf(auction),
    send(request) {
      const reply = replies[request.url.hostname.split(".", 1)[0] ?? ""];
      if (reply === undefined) return answer(204, {}, null);
      const { seat, cur, bids } = reply;
      return answer(200, {}, JSON.stringify({ cur, seatbid: [{ seat, bid: bids }] }));
    },
  });

const ask = async (given: Given) => {
  const edge = edgeFor(given);
  const body = JSON.stringify({ adUnits: [given.unit ?? UNIT] });
  const response = await served(
    handleAuction(new Request("https://pub.example/auction", { method: "POST", body }), edge.context),
  );
  const json = (await response.json()) as {
    seatbid?: { seat: string; bid: Record<string, unknown>[] }[];
    ext: {
      orchestrator: { provider_details?: { name: string; deals?: string[]; metadata?: { drop_reasons?: object } }[] };
    };
  };
  const sent = Object.fromEntries(
    edge.sent.map(({ url, body: bytes }) => [
      url.hostname.split(".", 1)[0],
      JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as Sent,
    ]),
  );
  const details = json.ext.orchestrator.provider_details ?? [];
  return { won: json.seatbid?.[0]?.bid[0], seat: json.seatbid?.[0]?.seat, details, sent, edge };
};

const dropped = (details: Awaited<ReturnType<typeof ask>>["details"]) => details[0]?.metadata?.drop_reasons;

describe("deals of an impression go out", () => {
  test.each(PROFILES)("%s: the operator's for its slots, and the page's", async (profile, profile_config) => {
    const auction = {
      providers: provider("one", { profile, profile_config }),
      deals: [DEAL, { id: "other", slots: ["side"] }],
    };
    const unit = withPmp({
      private_auction: 1,
      deals: [{ id: "p-1", bidfloor: 2 }, { id: "d-1", bidfloor: 0 }, { id: "other" }],
    });
    const { sent } = await ask({ auction, unit });
    expect(sent["one"]?.imp[0]?.pmp).toEqual({
      private_auction: 1,
      deals: [
        { id: "d-1", bidfloor: 4, bidfloorcur: "USD", at: 3 },
        { id: "p-1", bidfloor: 2, bidfloorcur: "USD" },
      ],
    });
  });

  test.each([
    null,
    1,
    "x",
    [],
    {},
    { deals: null },
    { deals: {} },
    { deals: [null, 1, {}, { id: "" }, { id: "x".repeat(129) }, { id: "a", bidfloor: -1 }, { id: "a", at: 9 }] },
    {
      deals: [
        { id: "a", wseat: "s" },
        { id: "a", bidfloorcur: "euro" },
      ],
    },
    { deals: Array.from({ length: 51 }, (_, index) => ({ id: `d${index}` })) },
  ])("what is no deal is left out: %j", async (pmp) => {
    const { sent } = await ask({ unit: withPmp(pmp) });
    expect(sent["one"]?.imp[0]).not.toHaveProperty("pmp");
  });

  test("a deal with seats goes to their providers alone", async () => {
    const auction = {
      providers: { ...provider("one", { seats: ["agency-7"] }), ...provider("two"), ...provider("three") },
      bidders: { "agency-8": { provider: "three" } },
      deals: [
        { id: "seven", wseat: ["agency-7"] },
        { id: "eight", wseat: ["agency-8", "two"] },
      ],
    };
    const { sent } = await ask({ auction });
    const ids = (name: string) => JSON.stringify(sent[name]?.imp[0]?.pmp ?? "").match(/seven|eight/g);
    expect([ids("one"), ids("two"), ids("three")]).toEqual([["seven"], ["eight"], ["eight"]]);
  });
});

describe("a deal of a seat that Prebid Server answers for", () => {
  const deal = { id: "s-7", bidfloor: 2, wseat: ["seat-7"] };
  const bids = (bidder: string) => [{ bidder, params: { id: 1 } }];
  const sell = async (bidders: object, more: object, seat: string) => {
    const auction = {
      providers: provider("one", { profile: "prebid-server", ...more }),
      bidders,
      deals: [deal],
    };
    const replies = { one: { seat, bids: [bid(3, { dealid: "s-7" })] } };
    const { won, details } = await ask({ auction, unit: { ...UNIT, bids: bids(seat) }, replies });
    return won?.["dealid"] ?? dropped(details);
  };
  const mine = { provider: "one", seats: ["seat-7"] };
  const other = { provider: "one" };

  test("is bought under the name of its bidder, and of no other", async () => {
    expect(await sell({ appnexus: mine, rubicon: other }, {}, "appnexus")).toBe("s-7");
    expect(await sell({ appnexus: mine, rubicon: other }, {}, "rubicon")).toEqual({ deal_seat_not_allowed: 1 });
    expect(await sell({ appnexus: other }, { seats: ["seat-7"] }, "appnexus")).toBe("s-7");
    const both = { appnexus: other, rubicon: other };
    expect(await sell(both, { seats: ["seat-7"] }, "appnexus")).toEqual({ deal_seat_not_allowed: 1 });
  });

  test("a seat of no bidder is warned of at the start, with the cure", () => {
    const warnings = (bidders: object) => {
      const providers = provider("one", { profile: "prebid-server", seats: ["seat-7"] });
      const { config } = fakeEdge({ config: configOf({ providers, bidders }) }).context;
      return startupWarnings(config).filter(({ key }) => key === "auction.providers.one.seats");
    };
    expect(warnings({ a: other, b: other })[0]?.message).toMatch(/^seat-7: .*auction\.bidders\.<bidder>\.seats/);
    expect([warnings({ a: mine, b: other }), warnings({ a: other })]).toEqual([[], []]);
  });
});

describe("a bid on a deal", () => {
  test("is paid at the agreed price, and named in answer, metadata, log and page bids", async () => {
    const given = { auction: { deals: [DEAL] }, replies: { one: { seat: "s", bids: [bid(5, { dealid: "d-1" })] } } };
    const { won, details, edge } = await ask(given);
    expect(won).toMatchObject({ price: 4, dealid: "d-1" });
    expect(details.map(({ name, deals }) => [name, deals])).toEqual([
      ["one", ["d-1"]],
      ["two", undefined],
    ]);
    expect(edge.logs.find(({ event }) => event === "auction")).toMatchObject({ providers: [{ deals: 1 }, {}] });
    const page = edgeFor(given);
    const request = new Request("https://pub.example/_ts/page-bids", { headers: { "sec-fetch-site": "same-origin" } });
    const { bids } = (await (await served(handlePageBids(request, page.context))).json()) as { bids: object };
    expect(bids).toMatchObject({ top: { hb_pb: "4.00", hb_deal: "d-1", hb_bidder: "s" } });
  });

  test.each([
    ["a seat it was not made for", { wseat: ["one"] }, { seat: "s" }, {}, "deal_seat_not_allowed"],
    ["no seat at all", { wseat: ["one"] }, {}, {}, "deal_seat_not_allowed"],
    ["less than its price", {}, { seat: "s" }, { price: 3.99 }, "below_deal_price"],
    [
      "another advertiser",
      { wadomain: ["brand.example"] },
      { seat: "s" },
      { adomain: ["x.example"] },
      "deal_advertiser_not_allowed",
    ],
    ["no advertiser", { wadomain: ["brand.example"] }, { seat: "s" }, {}, "deal_advertiser_not_allowed"],
    ["another slot's deal", { slots: ["side"] }, { seat: "s" }, {}, "deal_not_offered"],
  ])("with %s is dropped, and counted", async (_, deal, reply, more, reason) => {
    const bids = [bid(9, { dealid: "d-1", ...more }), bid(1)];
    const { won, details } = await ask({
      auction: { deals: [{ ...DEAL, ...deal }] },
      replies: { one: { ...reply, bids } },
    });
    expect(won).toMatchObject({ id: "b1" });
    expect(dropped(details)).toEqual({ [reason]: 1 });
  });

  test("of an allowed advertiser, or a host below, is taken", async () => {
    const deal = { ...DEAL, wadomain: ["brand.example"] };
    const bids = [bid(5, { dealid: "d-1", adomain: ["Shop.Brand.example"] })];
    expect((await ask({ auction: { deals: [deal] }, replies: { one: { seat: "s", bids } } })).won).toMatchObject({
      price: 4,
    });
  });

  test("a private auction takes nothing else", async () => {
    const unit = withPmp({ private_auction: 1, deals: [{ id: "p-1" }] });
    const bids = [bid(9), bid(8, { dealid: "unheard-of" }), bid(2, { dealid: "p-1" })];
    const { won, details } = await ask({ unit, replies: { one: { seat: "s", bids } } });
    expect(won).toMatchObject({ price: 2, dealid: "p-1" });
    expect(dropped(details)).toEqual({ deal_required: 1, deal_not_offered: 1 });
  });

  test("wins over a higher price only where the operator prefers deals", async () => {
    const replies = { one: { seat: "s", bids: [bid(4, { dealid: "d-1" })] }, two: { seat: "t", bids: [bid(6)] } };
    expect((await ask({ auction: { deals: [DEAL] }, replies })).seat).toBe("t");
    expect((await ask({ auction: { deals: [DEAL], prefer_deals: true }, replies })).seat).toBe("s");
  });

  test("a deal of the provider's own is passed through, at its bid's price and under the slot's floor", async () => {
    const replies = { one: { seat: "s", bids: [bid(2, { dealid: "stored-at-provider" })] } };
    expect((await ask({ replies })).won).toMatchObject({ price: 2, dealid: "stored-at-provider" });
  });
});

describe("currencies", () => {
  const rates = { EUR: 1.08, JPY: 0.0066 };

  test("answers in a currency with a rate are read, and asked for", async () => {
    const replies = { one: { seat: "s", cur: "eur", bids: [bid(2.5)] }, two: { seat: "t", bids: [bid(2.6)] } };
    const { won, sent } = await ask({ auction: { rates }, replies });
    expect(won).toMatchObject({ id: "b2.5", price: 2.7 });
    expect(sent["one"]?.cur).toEqual(["USD", "EUR", "JPY"]);
    const without = await ask({ replies });
    expect([without.seat, without.sent["one"]?.cur]).toEqual(["t", ["USD"]]);
  });

  test("a deal's price holds across currencies; without a rate it is not offered", async () => {
    const deal = { ...DEAL, bidfloorcur: "EUR" };
    const replies = { one: { seat: "s", bids: [bid(4.31, { dealid: "d-1" }), bid(4.33, { dealid: "d-1" })] } };
    const { won, details, sent } = await ask({ auction: { rates, deals: [deal] }, replies });
    expect([won?.["id"], won?.["price"], dropped(details)]).toEqual(["b4.33", 4.32, { below_deal_price: 1 }]);
    expect(sent["one"]?.imp[0]?.pmp).toMatchObject({ deals: [{ bidfloor: 4, bidfloorcur: "EUR" }] });
    const without = await ask({ auction: { deals: [deal] }, replies });
    expect([without.sent["one"]?.imp[0]?.pmp, dropped(without.details)]).toEqual([undefined, { deal_not_offered: 2 }]);
  });

  test.each([
    [{ rates: { EUR: 0 } }],
    [{ rates: { euro: 1 } }],
    [{ deals: [DEAL, DEAL] }],
    [{ deals: [{ id: "x", at: 4 }] }],
    [{ deals: [{ id: "x", price: 4 }] }],
  ])("%j is a start-up error", (auction) => {
    const publisher = { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" };
    expect(edgeConfigSchema.safeParse({ publisher, ec: { passphrase: "p" }, auction }).success).toBe(false);
  });
});
