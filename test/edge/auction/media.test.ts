import { describe, expect, test } from "vitest";
import { handleAuction } from "../../../agents/edge/auction/auction.ts";
import { withShownMark } from "../../../agents/edge/auction/media/shown-mark.ts";
import { answer, fakeEdge, served } from "../fake-edge.ts";
import { PROFILES, provider } from "./market.ts";

const VAST =
  '<VAST version="4.3"><Ad id="1"><InLine><AdSystem>x</AdSystem><Impression>https://i.example/?p=${AUCTION_PRICE}</Impression></InLine></Ad></VAST>';
const NATIVE = '{"native":{"assets":[{"id":1,"title":{"text":"Buy"}}],"imptrackers":["https://i.example/"]}}';

const configOf = (profile = "standard", profile_config: object = {}, auction: object = {}) => ({
  auction: {
    enabled: true,
    sanitize_creatives: true,
    providers: provider("one", { profile, profile_config }),
    ...auction,
  },
});

const video = {
  playerSize: [[640, 480]],
  mimes: ["video/mp4"],
  protocols: [2, 3],
  plcmt: 1,
  context: "instream",
  api: [2],
};
const native = { ortb: { assets: [{ id: 1, required: 1, title: { len: 90 } }] } };
const banner = { sizes: [[300, 250]] };

type Sent = { readonly imp: readonly Record<string, unknown>[] };

const ask = async (mediaTypes: object, bids: readonly object[] = [], config = configOf()) => {
  const edge = fakeEdge({
    config,
    send: () =>
      answer(
        200,
        {},
        JSON.stringify({ seatbid: [{ seat: "s", bid: bids.map((bid) => ({ impid: "top", price: 2, ...bid })) }] }),
      ),
  });
  const body = JSON.stringify({ adUnits: [{ code: "top", mediaTypes }] });
  const response = await served(
    handleAuction(new Request("https://pub.example/auction", { method: "POST", body }), edge.context),
  );
  const json = (await response.json()) as {
    seatbid?: { bid: Record<string, unknown>[] }[];
    ext: { orchestrator: object };
  };
  const sent = edge.sent.map(({ body: bytes }) => JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as Sent);
  return {
    status: response.status,
    won: json.seatbid?.[0]?.bid[0],
    imp: sent[0]?.imp[0],
    ext: JSON.stringify(json.ext),
  };
};

describe("video and native out", () => {
  test.each(PROFILES)("%s", async (profile, settings) => {
    const { imp } = await ask({ banner, video, native }, [], configOf(profile, settings));
    expect(imp).toMatchObject({ banner: { format: [{ w: 300, h: 250 }] } });
    if (profile === "aps") return expect(Object.keys(imp ?? {})).not.toEqual(expect.arrayContaining(["video"]));
    return expect(imp).toMatchObject({
      video: { w: 640, h: 480, mimes: ["video/mp4"], protocols: [2, 3], plcmt: 1, api: [2] },
      native: { ver: "1.2", request: JSON.stringify({ ver: "1.2", assets: native.ortb.assets }) },
    });
  });

  test("a unit of video alone has no banner, and goes to no provider of banners", async () => {
    const { imp } = await ask({ video: { playerSize: [640, 480] } });
    expect(imp).toEqual({ id: "top", video: { w: 640, h: 480, mimes: ["video/mp4"] }, secure: 1 });
    expect((await ask({ video }, [], configOf("aps", { account_id: "1" }))).imp).toBeUndefined();
  });

  test.each([
    { video: null },
    { video: {} },
    { video: { playerSize: "640x480" } },
    { video: { playerSize: [[640, 0]] } },
    { video: { ...video, mimes: [] } },
    { video: { ...video, skip: "yes" } },
    { native: {} },
    { native: { ortb: [] } },
    { native: { ortb: { text: "x".repeat(20_000) } } },
  ])("what no bidder could read is left out: %j", async (mediaTypes) => {
    const alone = await ask(mediaTypes);
    expect([alone.status, alone.imp]).toEqual([200, undefined]);
    expect((await ask({ banner, ...mediaTypes })).imp).toEqual({
      id: "top",
      banner: { format: [{ w: 300, h: 250 }] },
      secure: 1,
    });
  });
});

describe("video and native in", () => {
  test.each([
    ["says so", { mtype: 2 }],
    ["is said to be by Prebid Server", { ext: { prebid: { type: "video" } } }],
    ["looks like it", {}],
  ])("a bid that %s is video: its VAST passes as it is, with the price in it", async (_, more) => {
    const { won } = await ask({ banner, video }, [{ id: "v", adm: VAST, ...more }]);
    expect(won).toEqual({
      id: "v",
      impid: "top",
      price: 2,
      adm: VAST.replace("${AUCTION_PRICE}", "2"),
      w: 640,
      h: 480,
      mtype: 2,
    });
  });

  test("a native ad passes as it is", async () => {
    const { won } = await ask({ native }, [{ id: "n", adm: NATIVE }]);
    expect(won).toEqual({ id: "n", impid: "top", price: 2, adm: NATIVE, mtype: 4 });
  });

  test("a banner beside them is still sanitised, and has no mtype", async () => {
    const { won } = await ask({ banner, video }, [{ adm: "<b>x</b><script>1</script>", w: 300, h: 250 }]);
    expect(won).not.toHaveProperty("mtype");
    expect(won?.["adm"]).not.toContain("<script>1");
  });

  test.each([
    ["video", { banner }, { mtype: 2, adm: VAST, w: 300, h: 250 }],
    ["native", { banner, video }, { mtype: 4, adm: NATIVE }],
    ["a banner", { video }, { mtype: 1, adm: "<b>", w: 640, h: 480 }],
    ["audio", { banner, video, native }, { mtype: 3, adm: VAST }],
    ["what looks like video", { banner, native }, { adm: VAST, w: 300, h: 250 }],
  ])("%s that was not asked for is dropped", async (_, mediaTypes, bid) => {
    const { won, ext } = await ask(mediaTypes, [bid]);
    expect(won).toBeUndefined();
    expect(ext).toContain('"unsupported_media_type":1');
  });
});

describe("the mark of a seller's deal", () => {
  const address = "https://pub.example/first-party/shown?deal=D&id=1";

  test("stands in each kind of creative where it is fetched when it is shown", () => {
    expect(withShownMark(VAST, "video", address)).toContain(
      `<InLine><Impression><![CDATA[${address}]]></Impression><AdSystem>`,
    );
    expect(
      withShownMark('<VAST><Ad><Wrapper fallbackOnNoAd="true"></Wrapper></Ad></VAST>', "video", address),
    ).toContain(`<Wrapper fallbackOnNoAd="true"><Impression><![CDATA[${address}]]></Impression>`);
    expect(JSON.parse(withShownMark(NATIVE, "native", address) ?? "")).toMatchObject({
      native: { assets: [{ id: 1 }], imptrackers: ["https://i.example/", address] },
    });
    expect(JSON.parse(withShownMark('{"assets":[]}', "native", address) ?? "")).toEqual({
      assets: [],
      imptrackers: [address],
    });
    expect(withShownMark("<b>", "banner", address)).toBe(
      `<b><img src="${address.replace("&", "&amp;")}" alt="" width="1" height="1" style="position:absolute">`,
    );
  });

  test.each([
    ["<VAST></VAST>", "video"],
    ["no json", "native"],
    ["[]", "native"],
  ] as const)("%s of %s has no place for it, and is refused", (markup, media) => {
    expect(withShownMark(markup, media, address)).toBeNull();
  });
});
