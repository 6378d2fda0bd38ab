import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { isOnPace } from "../../../agents/edge/auction/deals/seller-deals.ts";
import { handleShown } from "../../../agents/edge/auction/deals/shown.ts";
import type { DealBoard, DealDesk, SellerDeal, ShownImpression } from "../../../agents/edge/platform.ts";
import { bid, provider } from "../auction/market.ts";
import { answer, fakeEdge, NOW, served } from "../fake-edge.ts";

const DAY = 86_400_000;

const deal = (more: Partial<SellerDeal> = {}): SellerDeal => ({
  id: "D-1",
  type: "PD",
  productId: "prod",
  bidfloor: 4,
  bidfloorcur: "USD",
  at: 1,
  wseat: ["s"],
  wadomain: [],
  impressions: null,
  startMs: NOW - DAY,
  endMs: NOW + DAY,
  delivered: 0,
  ...more,
});

const deskOf = (board: Partial<DealBoard> | null, shownHere: Readonly<Record<string, number>> = {}) => {
  const seen = new Map<string, ShownImpression>();
  const full = board === null ? null : { deals: [], ended: [], freshUntilMs: NOW + 1, ...board };
  const desk: DealDesk = {
    board: () => full,
    shownHere: (id) => shownHere[id] ?? 0,
    take: async (ids) => ids.map((id) => `taken-${id}`),
    giveBack: () => undefined,
    async shown(impression) {
      if (impression.dealId === "broken") throw new Error("disk");
      const isNew = !seen.has(impression.id);
      seen.set(impression.id, impression);
      return isNew;
    },
  };
  return { desk, seen };
};

const config = (deals: object = {}, auction: object = {}) => ({
  auction: { enabled: true, rewrite_creatives: false, providers: provider("one", { seats: ["s"] }), ...auction },
  deals: { seller_url: "https://seller.example", api_key: "k", slots: { prod: ["top"] }, ...deals },
});

const ask = async (
  desk: DealDesk,
  bids: readonly object[] = [],
  given: { config?: ReturnType<typeof config>; seat?: string; cur?: string } = {},
) => {
  const edge = fakeEdge({
    config: given.config ?? config(),
    dealDesk: desk,
    send: () => answer(200, {}, JSON.stringify({ cur: given.cur, seatbid: [{ seat: given.seat ?? "s", bid: bids }] })),
  });
  const body = JSON.stringify({ adUnits: [{ code: "top", mediaTypes: { banner: { sizes: [[300, 250]] } } }] });
  const response = await served(
    handleAuction(new Request("https://pub.example/auction", { method: "POST", body }), edge.context),
  );
  const json = (await response.json()) as { seatbid?: { bid: { id: string; price: number; adm: string }[] }[] };
  const sent = JSON.parse(new TextDecoder().decode(edge.sent[0]?.body as Uint8Array)) as {
    imp: { pmp?: { deals: Record<string, unknown>[] } }[];
  };
  const [logged] = edge.logs.filter(({ event }) => event === "auction") as unknown as {
    providers: { drops?: object }[];
  }[];
  return {
    won: json.seatbid?.[0]?.bid[0],
    offered: sent.imp[0]?.pmp?.deals ?? [],
    drops: logged?.providers[0]?.drops,
    edge,
  };
};

describe("the seller's deals in an auction", () => {
  test("go out with the seller's own parameters, and pay the agreed price", async () => {
    const { desk } = deskOf({ deals: [deal()] });
    const { won, offered } = await ask(desk, [bid(9, { dealid: "D-1" })]);
    expect(offered).toEqual([{ id: "D-1", bidfloor: 4, bidfloorcur: "USD", at: 1, wseat: ["s"] }]);
    expect(won).toMatchObject({ price: 4, dealid: "D-1" });
  });

  test("a preferred deal has the first look, a guaranteed one goes before it, a private auction competes", async () => {
    const deals = [
      deal(),
      deal({ id: "D-2", type: "PG", bidfloor: 2, impressions: 1_000 }),
      deal({ id: "D-3", type: "PA", at: 3, bidfloor: 1 }),
    ];
    const { desk } = deskOf({ deals });
    const bids = [bid(20), bid(4.5, { dealid: "D-1" }), bid(3, { dealid: "D-2" }), bid(19, { dealid: "D-3" })];
    expect((await ask(desk, bids)).won).toMatchObject({ id: "b3", price: 2 });
    expect((await ask(desk, bids.toSpliced(2, 1))).won).toMatchObject({ id: "b4.5", price: 4 });
    expect((await ask(desk, bids.toSpliced(1, 2))).won).toMatchObject({ id: "b20" });
    expect((await ask(desk, [bid(19, { dealid: "D-3" })])).won).toMatchObject({ price: 19 });
  });

  test.each([
    ["ended a minute ago", { deals: [deal({ endMs: NOW - 60_000 })] }],
    ["not begun", { deals: [deal({ startMs: NOW + 60_000 })] }],
    ["of a list that is too old", { deals: [deal()], freshUntilMs: NOW }],
    ["of another product", { deals: [deal({ productId: "else" })] }],
    ["of a product named like a member of every object", { deals: [deal({ productId: "constructor" })] }],
    ["no longer in the list", { ended: ["D-1"] }],
    ["of another seat", { deals: [deal({ wseat: ["t"] })] }],
    ["in a currency without a rate", { deals: [deal({ bidfloorcur: "EUR" })] }],
    ["delivered in full", { deals: [deal({ impressions: 5, delivered: 5 })] }],
  ])("a deal that is %s is neither offered nor taken", async (_, board) => {
    const { offered, won, drops } = await ask(deskOf(board).desk, [bid(9, { dealid: "D-1" }), bid(1)]);
    expect([offered, won?.id, drops]).toEqual([[], "b1", { deal_not_offered: 1 }]);
  });

  test.each([
    ["under the agreed price", bid(3.99, { dealid: "D-1" }), {}, { below_deal_price: 1 }],
    ["without markup that can carry its mark", bid(5, { dealid: "D-1", adm: "" }), {}, { missing_render_source: 1 }],
    ["of a seat it was not made for", bid(5, { dealid: "D-1" }), { seat: "t" }, { deal_seat_not_allowed: 1 }],
  ])("a bid %s is dropped, and the log says why", async (_, one, given, drops) => {
    const asked = await ask(deskOf({ deals: [deal()] }).desk, [one], given);
    expect([asked.won, asked.drops]).toEqual([undefined, drops]);
  });

  test("a bid in another currency is no bid", async () => {
    expect(
      (await ask(deskOf({ deals: [deal()] }).desk, [bid(9, { dealid: "D-1" })], { cur: "EUR" })).won,
    ).toBeUndefined();
  });

  test("ten thousand deals: a few of the best go out, quickly", async () => {
    const deals = Array.from({ length: 10_000 }, (_, index) => deal({ id: `D-${index}`, bidfloor: index / 1_000 }));
    const { desk } = deskOf({ deals });
    await ask(desk);
    const before = process.cpuUsage();
    const { offered } = await ask(desk, [], { config: config({ most_per_slot: 3 }) });
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(250_000);
    expect(offered.map(({ id }) => id)).toEqual(["D-9999", "D-9998", "D-9997"]);
  });

  test("without a desk or a list the auction goes on", async () => {
    expect((await ask(deskOf(null).desk, [bid(1)])).won).toMatchObject({ id: "b1" });
  });
});

describe("pace of a guaranteed deal", () => {
  const flight = deal({ type: "PG", impressions: 1_000, startMs: 0, endMs: 10_000 });

  test.each([
    [0, 0, true],
    [0, 1, false],
    [5_000, 500, true],
    [5_000, 501, false],
    [9_999, 999, true],
    [9_999, 1_000, false],
    [5_000, 1_200, false],
  ])("after %i of 10,000 ms and %i of 1,000 shown: %s", (nowMs, shown, expected) => {
    expect(isOnPace(flight, shown, nowMs)).toBe(expected);
  });

  test("what was shown here counts before the seller knows of it", async () => {
    const deals = [deal({ type: "PG", impressions: 100, delivered: 40 })];
    expect((await ask(deskOf({ deals }, { "D-1": 10 }).desk)).offered).toHaveLength(1);
    expect((await ask(deskOf({ deals }, { "D-1": 11 }).desk)).offered).toHaveLength(0);
  });
});

describe("an impression of a deal", () => {
  const shownOf = (adm: string): URL => new URL((/<img src="([^"]+)"/.exec(adm)?.[1] ?? "").replaceAll("&amp;", "&"));
  const fetchMark = async (desk: DealDesk, url: URL, headers: Record<string, string> = {}, now = NOW) => {
    const edge = fakeEdge({ config: config(), dealDesk: desk, url: url.href, now: () => now });
    return served(handleShown(new Request(url, { headers }), edge.context));
  };
  const mark = async (desk: DealDesk) => shownOf((await ask(desk, [bid(9, { dealid: "D-1" })])).won?.adm ?? "");

  test("is counted once, by a mark of its own in each creative", async () => {
    const { desk, seen } = deskOf({ deals: [deal()] });
    const one = await mark(desk);
    expect([one.origin, one.pathname, one.searchParams.get("deal")]).toEqual([
      "https://pub.example",
      "/first-party/shown",
      "D-1",
    ]);
    const response = await fetchMark(desk, one);
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "image/gif",
      "no-store, private",
    ]);
    expect((await fetchMark(desk, one)).status).toBe(200);
    expect([...seen.values()]).toEqual([
      { id: one.searchParams.get("id"), dealId: "D-1", expiresAtMs: expect.any(Number) },
    ]);
  });

  test("an open bid carries no mark", async () => {
    expect((await ask(deskOf({ deals: [deal()] }).desk, [bid(1, { adm: "<b>" })])).won?.adm).toBe("<b>");
  });

  test.each([
    ["another deal", "deal", "D-2", 403],
    ["another id", "id", "0".repeat(32), 403],
    ["a later end", "exp", "99999999999", 403],
    ["no token", "token", "", 403],
    ["an end that is no number", "exp", "x", 403],
  ])("%s in its address is refused", async (_, name, value, status) => {
    const { desk, seen } = deskOf({ deals: [deal()] });
    const url = await mark(desk);
    url.searchParams.set(name, value);
    expect([(await fetchMark(desk, url)).status, seen.size]).toEqual([status, 0]);
  });

  test("an address that is too old, or lacks a part, is refused; a prefetch is not counted", async () => {
    const { desk, seen } = deskOf({ deals: [deal()] });
    const url = await mark(desk);
    expect((await fetchMark(desk, url, {}, NOW + 3_602_000)).status).toBe(403);
    expect((await fetchMark(desk, url, { "sec-purpose": "prefetch" })).status).toBe(200);
    url.searchParams.delete("id");
    expect([(await fetchMark(desk, url)).status, seen.size]).toEqual([400, 0]);
  });

  test("a store that cannot be written answers 503, so that nobody believes it was counted", async () => {
    const { desk } = deskOf({ deals: [deal({ id: "broken" })] });
    const adm = (await ask(desk, [bid(9, { dealid: "broken" })])).won?.adm ?? "";
    expect((await fetchMark(desk, shownOf(adm))).status).toBe(503);
  });
});
