import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { customSteps, priceBucket } from "../../../agents/edge/auction/page/price-bucket.ts";
import { handlePageBids } from "../../../agents/edge/auction/page/page-bids.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import { createMetrics } from "../../../agents/edge/metrics.ts";
import { answer, fakeEdge, served } from "../fake-edge.ts";
import { bid, provider } from "./market.ts";

const configOf = (auction: object = {}, opportunities: object = {}) => ({
  auction: {
    enabled: true,
    rewrite_creatives: false,
    providers: { ...provider("one"), ...provider("two") },
    ...auction,
  },
  creative_opportunities: {
    gam_network_id: "1234",
    slot: [
      {
        id: "top",
        page_patterns: ["/*"],
        formats: [
          { width: 300, height: 250 },
          { width: 728, height: 90 },
        ],
        floor_price: 1,
      },
    ],
    ...opportunities,
  },
});
const wide = { w: 728, h: 90 };

type Bids = Readonly<Record<string, { seat: string; bids: readonly object[] }>>;

const pageBids = async (config: ReturnType<typeof configOf>, replies: Bids, path = "/") => {
  const edge = fakeEdge({
    config,
    url: `https://pub.example/_ts/page-bids?path=${encodeURIComponent(path)}`,
    send(request) {
      const reply = replies[request.url.hostname.split(".", 1)[0] ?? ""];
      return answer(
        200,
        {},
        JSON.stringify({ seatbid: reply === undefined ? [] : [{ seat: reply.seat, bid: reply.bids }] }),
      );
    },
  });
  const request = new Request(edge.context.url, { headers: { "sec-fetch-site": "same-origin" } });
  const json = (await (await served(handlePageBids(request, edge.context))).json()) as {
    bids: { top?: Record<string, unknown> };
  };
  const sent = JSON.parse(new TextDecoder().decode(edge.sent[0]?.body as Uint8Array)) as {
    imp: { bidfloor?: number }[];
  };
  return { top: json.bids.top, floor: sent.imp[0]?.bidfloor, edge };
};

describe("floors by page, slot and size", () => {
  const floors = [
    { page: "/sport/*", sizes: ["728x90"], floor: 5 },
    { page: "/sport/*", slot: "to*", floor: 2 },
    { slot: "side", floor: 9 },
  ];

  test.each([
    ["/sport/1", [bid(4, wide), bid(2.5)], "2.50", 2],
    ["/sport/1", [bid(5, wide), bid(4.5)], "5.00", 2],
    ["/sport/1", [bid(4.99, wide), bid(1.99)], undefined, 2],
    ["/news/1", [bid(1.5, wide), bid(1.4)], "1.50", 1],
    ["/news/1", [bid(0.99)], undefined, 1],
  ])("on %s", async (path, bids, price, told) => {
    const { top, floor } = await pageBids(configOf({ floors }), { one: { seat: "s", bids } }, path);
    expect([top?.["hb_pb"], floor]).toEqual([price, told]);
  });

  test("a floor of nothing takes the slot's own away", async () => {
    const { top } = await pageBids(configOf({ floors: [{ floor: 0 }] }), { one: { seat: "s", bids: [bid(0.2)] } });
    expect(top).toMatchObject({ hb_pb: "0.20" });
  });

  test.each([
    { floors: [{ floor: -1 }] },
    { floors: [{ sizes: ["300"], floor: 1 }] },
    { floors: [{ page: "/", price: 1 }] },
  ])("%j is a start-up error", (auction) => {
    const publisher = { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" };
    expect(edgeConfigSchema.safeParse({ publisher, ec: { passphrase: "p" }, auction }).success).toBe(false);
  });
});

describe("key values", () => {
  const custom = {
    price_granularity: "custom",
    price_buckets: [
      { max: 3, increment: 0.25 },
      { max: 10, increment: 1 },
    ],
  };

  test.each([
    [0.24, "0.00"],
    [0.25, "0.25"],
    [2.99, "2.75"],
    [3, "3.00"],
    [9.99, "9.00"],
    [50, "10.00"],
  ])("%d in the operator's own buckets is %s", (cpm, bucket) => {
    expect(priceBucket(cpm, customSteps(custom.price_buckets))).toBe(bucket);
  });

  test("the operator's own buckets name the price of a page's bid", async () => {
    const { top } = await pageBids(configOf({}, custom), { one: { seat: "s", bids: [bid(2.9)] } });
    expect(top).toMatchObject({ hb_pb: "2.75" });
  });

  test.each([
    [{ price_granularity: "custom" }],
    [{ price_buckets: custom.price_buckets }],
    [{ ...custom, price_buckets: [] }],
    [{ ...custom, price_buckets: custom.price_buckets.toReversed() }],
    [{ ...custom, price_buckets: [{ max: 1, increment: 0 }] }],
    [{ ...custom, price_buckets: [{ max: 1, increment: 0.005 }] }],
  ])("%j is a start-up error", (opportunities) => {
    const publisher = { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" };
    const creative_opportunities = { gam_network_id: "1", ...opportunities };
    expect(edgeConfigSchema.safeParse({ publisher, ec: { passphrase: "p" }, creative_opportunities }).success).toBe(
      false,
    );
  });

  const both: Bids = {
    one: { seat: "alpha", bids: [bid(2), bid(3, { dealid: "d" }), bid(0.5)] },
    two: { seat: "a-seat-with-a-long-name", bids: [bid(2.5)] },
  };

  test("those of every seat go along only where the operator wants them", async () => {
    expect((await pageBids(configOf(), both)).top).not.toHaveProperty("targeting");
    expect((await pageBids(configOf({}, { send_all_bids: true }), both)).top).toMatchObject({
      hb_bidder: "alpha",
      targeting: {
        hb_pb_alpha: "3.00",
        hb_bidder_alpha: "alpha",
        hb_deal_alpha: "d",
        "hb_pb_a-seat-with-a-": "2.50",
        "hb_bidder_a-seat-wit": "a-seat-with-a-long-name",
      },
    });
  });
});

describe("histograms", () => {
  test("are cumulative, in the order of their bounds, and declared once", () => {
    const metrics = createMetrics();
    for (const ms of [1, 3, 60, 9_000]) metrics.observe("edge_stage_ms", { stage: "ask" }, ms);
    metrics.add("edge_auctions_total");
    expect(metrics.render()).toBe(
      [
        "# TYPE edge_auctions_total counter",
        "edge_auctions_total 1",
        "# TYPE edge_stage_ms histogram",
        ...[
          [1, 1],
          [2, 1],
          [5, 2],
          [10, 2],
          [20, 2],
          [50, 2],
          [100, 3],
          [200, 3],
          [500, 3],
          [1_000, 3],
          [2_000, 3],
          [5_000, 3],
          ["+Inf", 4],
        ].map(([le, count]) => `edge_stage_ms_bucket{stage="ask",le="${le}"} ${count}`),
        'edge_stage_ms_count{stage="ask"} 4',
        'edge_stage_ms_sum{stage="ask"} 9064',
        "",
      ].join("\n"),
    );
  });

  test("an auction is measured by provider and by stage", async () => {
    const { edge } = await pageBids(configOf(), { one: { seat: "s", bids: [bid(2)] } });
    const text = edge.context.metrics.render();
    for (const labels of ['edge_provider_ms_count{provider="one"} 1', 'edge_provider_ms_count{provider="two"} 1'])
      expect(text).toContain(labels);
    for (const stage of ["prepare", "ask", "creatives"])
      expect(text).toContain(`edge_stage_ms_count{stage="${stage}"} 1`);
  });

  test("an auction that is not held is not measured", async () => {
    const edge = fakeEdge({ config: configOf({ enabled: false }) });
    const body = JSON.stringify({ adUnits: [] });
    await served(handleAuction(new Request("https://pub.example/auction", { method: "POST", body }), edge.context));
    expect(edge.context.metrics.render()).not.toContain("edge_stage_ms");
  });
});
