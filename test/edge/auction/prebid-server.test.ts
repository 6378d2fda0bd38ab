import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { expandPrice } from "../../../agents/edge/auction/prices/price-macro.ts";
import { cutNamed, rejectionText } from "../../../agents/edge/auction/provider/rejected.ts";
import type { OutboundRequest, OutboundResult } from "../../../agents/edge/platform.ts";
import { answer, fakeEdge, served } from "../fake-edge.ts";

type Sent = {
  readonly imp: readonly { readonly id: string; readonly ext: { readonly prebid: Record<string, unknown> } }[];
  readonly [member: string]: unknown;
};
const sentBy = (request: OutboundRequest): Sent =>
  JSON.parse(new TextDecoder().decode(request.body as Uint8Array)) as Sent;

const configOf = (profile_config: object, more: object = {}) => ({
  auction: {
    enabled: true,
    rewrite_creatives: false,
    providers: {
      pbs: {
        protocol: "openrtb-2.6",
        profile: "prebid-server",
        endpoint: "https://pbs.example/openrtb2/auction",
        profile_config,
        ...more,
      },
    },
    bidders: { alpha: { provider: "pbs" }, beta: { provider: "pbs" } },
  },
});
const unit = (code: string, sizes = [[300, 250]]) => ({
  code,
  mediaTypes: { banner: { sizes } },
  bids: [
    { bidder: "alpha", params: { placement: 1 } },
    { bidder: "beta", params: { id: 2 } },
  ],
});
const bidOn = (impid: string, more: object = {}) => ({ id: `b-${impid}`, impid, price: 1.5, adm: "<p>", ...more });
const won = (...bids: object[]): OutboundResult =>
  answer(200, { "content-type": "application/json" }, JSON.stringify({ seatbid: [{ seat: "alpha", bid: bids }] }));
const refused = (text: string): OutboundResult => answer(400, { "content-type": "text/plain" }, text);

const run = async (
  send: (request: Sent, count: number) => OutboundResult,
  { config = configOf({}), units = [unit("top"), unit("side")], now = undefined as (() => number) | undefined } = {},
) => {
  let count = 0;
  const edge = fakeEdge({
    config,
    ...(now === undefined ? {} : { now }),
    send: (request) => (request.method === "GET" ? answer(204, {}, null) : send(sentBy(request), (count += 1))),
  });
  const request = new Request("https://pub.example/auction", {
    method: "POST",
    body: JSON.stringify({ adUnits: units }),
  });
  const response = await served(handleAuction(request, edge.context));
  await edge.settled();
  const json =
    response.status === 200 ? ((await response.json()) as { seatbid?: { bid: Record<string, unknown>[] }[] }) : {};
  const asked = edge.sent.filter(({ method }) => method === "POST").map(sentBy);
  return { status: response.status, bids: (json.seatbid ?? []).flatMap(({ bid }) => bid), asked, edge };
};
const logged = (edge: ReturnType<typeof fakeEdge>) =>
  (edge.logs.find(({ event }) => event === "auction") as unknown as { providers: Record<string, unknown>[] })
    .providers[0];

describe("a request that Prebid Server refuses", () => {
  const UNKNOWN =
    "Invalid request: request.imp[1].ext.prebid.bidder contains unknown bidder: beta. " +
    "Did you forget an alias in request.ext.prebid.aliases?";

  test("the bidder that it names is cut, and the rest asked once more", async () => {
    const { status, bids, asked, edge } = await run((sent, count) =>
      count === 1 ? refused(`${UNKNOWN}\n`) : won(...sent.imp.map(({ id }) => bidOn(id))),
    );
    expect([status, bids.map(({ impid }) => impid)]).toEqual([200, ["top", "side"]]);
    expect(asked.map(({ imp }) => imp.map(({ ext }) => Object.keys(ext.prebid["bidder"] as object)))).toEqual([
      [
        ["alpha", "beta"],
        ["alpha", "beta"],
      ],
      [["alpha", "beta"], ["alpha"]],
    ]);
    expect(logged(edge)).toMatchObject({ status: "success", rejection: UNKNOWN.slice(0, 200) });
    expect(edge.context.metrics.render()).toContain('edge_provider_rejections_total{provider="pbs"} 1');
  });

  test("without a name each slot is asked by itself, and one bad slot empties no other", async () => {
    const { bids, asked } = await run((sent) =>
      sent.imp.some(({ id }) => id === "side")
        ? refused("Invalid request: no")
        : won(...sent.imp.map(({ id }) => bidOn(id))),
    );
    expect(bids.map(({ impid }) => impid)).toEqual(["top"]);
    expect(asked.map(({ imp }) => imp.map(({ id }) => id))).toEqual([["top", "side"], ["top"], ["side"]]);
  });

  /** As the real one: impressions in their order, bidders in none, and the first fault alone. */
  const strict = (isKnown: (bidder: string, slot: string) => boolean, words: string) => (sent: Sent) => {
    for (const [index, { id, ext }] of sent.imp.entries()) {
      const wrong = Object.keys(ext.prebid["bidder"] as object).find((bidder) => !isKnown(bidder, id));
      if (wrong !== undefined)
        return refused(`Invalid request: request.imp[${index}].ext.prebid.bidder${words}${wrong}`);
    }
    return won(...sent.imp.map(({ id }) => bidOn(id)));
  };
  const unknown = " contains unknown bidder: ";

  test("one wrong bidder in many slots is cut from all of them at once", async () => {
    const units = ["a", "b", "c", "d", "e"].map((code) => unit(code));
    const { bids, asked } = await run(
      strict((bidder) => bidder !== "beta", unknown),
      { units },
    );
    expect([bids.length, asked.length]).toEqual([5, 2]);
  });

  test("wrong parameters of one bidder in three slots, right ones in the first", async () => {
    const units = ["a", "b", "c", "d"].map((code) => unit(code));
    const failing = strict((bidder, slot) => bidder !== "beta" || slot === "a", ".");
    const { bids, asked } = await run(failing, { units });
    expect([bids.length, asked.length]).toEqual([4, 6]);
    expect(Object.keys(asked[2]?.imp[0]?.ext.prebid["bidder"] as object)).toEqual(["alpha", "beta"]);
  });

  test("two wrong bidders in one slot, and three in two, leave the others to bid", async () => {
    const bids = ["alpha", "beta", "gamma", "delta"].map((bidder) => ({ bidder, params: { id: 1 } }));
    const config = configOf({});
    Object.assign(config.auction.bidders, { gamma: { provider: "pbs" }, delta: { provider: "pbs" } });
    const one = await run(
      strict((bidder) => bidder === "alpha" || bidder === "delta", unknown),
      { config, units: [{ ...unit("top"), bids }, unit("side")] },
    );
    expect([one.status, one.bids.length]).toEqual([200, 2]);
    expect(one.asked.length).toBe(4);
    const three = await run(
      strict((bidder) => bidder === "alpha", unknown),
      {
        config,
        units: [
          { ...unit("top"), bids },
          { ...unit("side"), bids },
          { ...unit("foot"), bids: bids.slice(0, 1) },
        ],
      },
    );
    expect([three.status, three.bids.map(({ impid }) => impid)]).toEqual([200, ["foot"]]);
  });

  test("it is asked again twice at most, and a lone slot that is refused is an error", async () => {
    const always = await run(() => refused(UNKNOWN));
    expect([always.status, always.asked.length]).toEqual([502, 3]);
    const lone = await run(() => refused("no"), { units: [unit("top")] });
    expect([lone.status, lone.asked.length]).toEqual([502, 1]);
  });

  test("many slots are asked in sixteen requests at most, and nothing is asked when the time is over", async () => {
    const units = Array.from({ length: 40 }, (_, index) => unit(`slot-${index}`));
    const many = await run(() => refused("no"), { units });
    expect(many.asked.length).toBeLessThanOrEqual(17);
    let clock = 1_000_000;
    const late = await run(() => ((clock += 995), refused("no")), { now: () => clock });
    expect(late.asked).toHaveLength(1);
  });

  test("what a message names", () => {
    const slot = (code: string, bidders: object, isStored = false) =>
      ({ slot: { code }, bidders, isStored }) as unknown as Parameters<typeof cutNamed>[1][number];
    const two = [slot("top", { alpha: {}, "al.pha": {} }), slot("12", {}, true)];
    const cut = (message: string) => cutNamed(message, two, "named")?.removed ?? null;
    expect(cut("request.imp[0].ext.prebid.bidder.alpha failed validation.\n(root): placementId is required")).toEqual([
      "top alpha",
    ]);
    expect(cut("request.imp[0].ext.prebid.bidder.al.pha failed validation")).toEqual(["top al.pha"]);
    expect(cut('Stored Imp with ID="12" not found')).toEqual(["12"]);
    expect(cut("request.imp[1].banner has no sizes")).toEqual(["12"]);
    expect(
      cut("request.imp[0].ext.prebid.bidder contains unknown bidder: alpha\nInvalid request: request.imp[1].x"),
    ).toEqual(["top alpha", "12"]);
    for (const message of ["", "no", "request.imp[7].x", "imp[99999].x", "alpha", "12 apples", "x".repeat(100_000)]) {
      expect(cut(message)).toBeNull();
    }
    expect(rejectionText(`a\u0000\r\n\u001b[31mb${"c".repeat(300)}`)).toBe(`a [31mb${"c".repeat(300)}`.slice(0, 200));
  });
});

describe("what Prebid Server is sent and what its bids may leave out", () => {
  test("account, stored request and the operator's extensions", async () => {
    const config = configOf({
      account_id: "1001",
      stored_request_id: "all-pages",
      request_ext: { prebid: { channel: { name: "web" }, storedrequest: { id: "x" } }, a: 1 },
      imp_ext: { gpid: "/1/top", prebid: { is_rewarded_inventory: 0 } },
    });
    const { asked } = await run(() => answer(204, {}, null), { config, units: [unit("top")] });
    expect(asked[0]).toMatchObject({
      site: { publisher: { id: "1001", domain: "pub.example" } },
      ext: { prebid: { channel: { name: "web" }, storedrequest: { id: "all-pages" } }, a: 1, trusted_server: {} },
    });
    expect(asked[0]?.imp[0]?.ext).toEqual({
      gpid: "/1/top",
      prebid: { is_rewarded_inventory: 0, bidder: { alpha: { placement: 1 }, beta: { id: 2 } } },
    });
  });

  test("a bid without a size takes the slot's only one, and is dropped where there are two", async () => {
    const units = [
      unit("top"),
      unit("side", [
        [300, 250],
        [320, 50],
      ]),
    ];
    const { bids } = await run(() => won(bidOn("top"), bidOn("side")), { units });
    expect(bids).toEqual([expect.objectContaining({ impid: "top", w: 300, h: 250 })]);
    const half = await run(() => won(bidOn("top", { w: 300 })));
    expect(half.bids).toEqual([]);
  });

  const NOTICES = {
    w: 300,
    h: 250,
    nurl: "https://n.example/?p=${AUCTION_PRICE:B64}",
    burl: "https://b.example/?p=%24%7BAUCTION_PRICE%7D",
  };

  test("notices are answered with the price, and so is markup", async () => {
    const { bids, edge } = await run(() => won(bidOn("top", { ...NOTICES, adm: "<i>${AUCTION_PRICE}</i>" })));
    expect(bids[0]).toMatchObject({
      nurl: "https://n.example/?p=MS41",
      burl: "https://b.example/?p=1.5",
      adm: "<i>1.5</i>",
    });
    expect(edge.sent.filter(({ method }) => method === "GET")).toEqual([]);
  });

  test("a win notice that the edge calls is called once, as a foreign address, and is not answered", async () => {
    const config = configOf({}, { notifications: { win: "call" } });
    const { bids, edge } = await run(() => won(bidOn("top", NOTICES)), { config });
    expect(bids[0]).toMatchObject({ burl: "https://b.example/?p=1.5" });
    expect(bids[0]).not.toHaveProperty("nurl");
    const called = edge.sent.filter(({ method }) => method === "GET");
    expect(called.map(({ url, trust }) => [url.href, trust])).toEqual([["https://n.example/?p=MS41", "foreign"]]);
    const odd = await run(() => won(bidOn("top", { ...NOTICES, nurl: "javascript:alert(1)" })), { config });
    expect(odd.edge.sent.filter(({ method }) => method === "GET")).toEqual([]);
    expect(odd.edge.context.metrics.render()).toContain('edge_win_notices_total{outcome="invalid"} 1');
  });

  test.each([
    ["${AUCTION_PRICE}", 2.5, "2.5"],
    ["${AUCTION_PRICE:B64}", 2.51, "Mi41MQ%3D%3D"],
    ["%24%7BAUCTION_PRICE%3AB64%7D", 1.5, "MS41"],
    ["%24%7bAUCTION_PRICE%7d", 0, "0"],
    ["${AUCTION_ID} $AUCTION_PRICE", 1, "${AUCTION_ID} $AUCTION_PRICE"],
  ])("%s at %s is %s", (text, price, expected) => expect(expandPrice(text, price)).toBe(expected));
});
