import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readTestConfig } from "../harness/cases.ts";
import { closePages, startBrowser } from "../harness/chromium.ts";
import { startTestEdge, type TestEdge } from "../harness/edge.ts";
import { startUpstream, type Reply, type Upstream } from "../harness/upstream.ts";

const CONSENT = "CQtAQoAQtAQoAAbABAENCWEAAPAAAAAAAAAAAAAAAAAA";
const HTML = { "content-type": "text/html; charset=utf-8" };

const bidFor = (markup: string, more: object = {}): Reply => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    cur: "USD",
    seatbid: [{ seat: "alpha", bid: [{ id: "b1", impid: "top", price: 3.03, adm: markup, w: 300, h: 250, ...more }] }],
  }),
});

const page = (body: string, head = ""): Reply => ({
  headers: HTML,
  body: `<!doctype html><html><head><title>News</title>${head}</head><body>${body}</body></html>`,
});

describe("the browser library in a real browser", () => {
  let browser: Browser;
  let upstream: Upstream;
  let edge: TestEdge;
  let context: BrowserContext;
  let tab: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    upstream = await startUpstream();
    edge = await startTestEdge("A", {
      config: `${readTestConfig("auction", upstream)}\n[proxy]\nallowed_domains = ["cdn.example"]\n`,
    });
  });
  afterAll(async () => {
    await closePages(browser);
    await edge.close();
    await upstream.close();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    await context.addCookies([{ name: "euconsent-v2", value: CONSENT, url: edge.url }]);
    tab = await context.newPage();
    errors.length = 0;
    tab.on("pageerror", (error) => errors.push(error.message));
  });
  afterEach(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });

  test("the page's own bids are shown in a frame of their own", async () => {
    upstream.script({ "/news/1": page('<div id="top"></div>'), "/openrtb2/auction": bidFor("<b id=ad>first ad</b>") });
    await tab.goto(`${edge.url}/news/1`);
    await tab.frameLocator("#top iframe").locator("#ad").waitFor();
    expect(await tab.frameLocator("#top iframe").locator("#ad").textContent()).toBe("first ad");
    const frame = tab.locator("#top iframe");
    expect([await frame.getAttribute("width"), await frame.getAttribute("height")]).toEqual(["300", "250"]);
    expect(await frame.getAttribute("sandbox")).not.toContain("allow-same-origin");
    expect(await tab.evaluate("window.tsjs.bids.top.hb_pb")).toBe("3.00");
  });

  test("video is no markup: the page's player gets it, and no frame shows it", async () => {
    const vast = "<VAST><Ad><InLine><AdTitle>x</AdTitle></InLine></Ad></VAST>";
    const bid = bidFor(vast, { impid: "clip", mtype: 2, w: 640, h: 360, crid: undefined });
    const player = `<script>addEventListener("tsjs:bids", ({ detail }) => { window.clip = detail.bids.clip })</script>`;
    upstream.script({ "/clips/1": page('<div id="clip"></div>', player), "/openrtb2/auction": bid });
    await tab.goto(`${edge.url}/clips/1`);
    await tab.waitForFunction("window.clip !== undefined");
    expect(await tab.evaluate("[clip.mtype, clip.adm]")).toEqual([2, vast]);
    expect(await tab.locator("#clip").innerHTML()).toBe("");
  });

  test("a creative cannot reach the page", async () => {
    const hostile = "<script>try{parent.document.title='taken'}catch(e){}</script><b id=ad>x</b>";
    upstream.script({ "/news/1": page('<div id="top"></div>'), "/openrtb2/auction": bidFor(hostile) });
    await tab.goto(`${edge.url}/news/1`);
    await tab.frameLocator("#top iframe").locator("#ad").waitFor();
    expect(await tab.title()).toBe("News");
  });

  test("a navigation inside the page asks for the new path's bids", async () => {
    upstream.script({ "/news/1": page('<div id="top"></div>'), "/openrtb2/auction": bidFor("<b id=ad>first</b>") });
    await tab.goto(`${edge.url}/news/1`);
    await tab.frameLocator("#top iframe").locator("#ad").waitFor();
    upstream.script({ "/openrtb2/auction": bidFor("<b id=ad2>second</b>") });
    const asked = tab.waitForResponse((response) => response.url().includes("/_ts/page-bids"));
    await tab.evaluate("history.pushState({}, '', '/news/2')");
    const response = await asked;
    expect([response.status(), new URL(response.url()).searchParams.get("path")]).toEqual([200, "/news/2"]);
    await tab.frameLocator("#top iframe").locator("#ad2").waitFor();
  });

  test("with an ad server on the page the bids become its key values", async () => {
    const adServer = `<script>
      window.shown = [];
      const slots = [];
      const slot = (path, sizes, id) => ({ path, id, keys: {}, addService() { return this },
        setTargeting(key, value) { this.keys[key] = value; return this },
        clearTargeting(key) { delete this.keys[key]; return this }, getSlotElementId: () => id });
      window.googletag = { cmd: { push: (job) => job() },
        defineSlot(path, sizes, id) { const one = slot(path, sizes, id); slots.push(one); return one },
        pubads: () => ({ getSlots: () => slots, refresh: (list) => window.shown.push("refresh " + list.length) }),
        enableServices() {}, display: (id) => window.shown.push("display " + id) };
      window.slots = slots;
    </script>`;
    const withDeal = bidFor("<b>x</b>", { dealid: "d-1" });
    upstream.script({ "/news/1": page('<div id="top"></div>', adServer), "/openrtb2/auction": withDeal });
    await tab.goto(`${edge.url}/news/1`);
    await tab.waitForFunction("window.shown.length > 0");
    expect(await tab.evaluate("[window.shown, slots[0].path, slots[0].keys.hb_pb, slots[0].keys.hb_bidder]")).toEqual([
      ["display top"],
      "/123/top",
      "3.00",
      "alpha",
    ]);
    expect(await tab.evaluate("slots[0].keys.hb_deal")).toBe("d-1");
    upstream.script({ "/openrtb2/auction": bidFor("<b>x</b>") });
    await tab.evaluate("window.tsjs.refresh('/news/1')");
    await tab.waitForFunction("window.shown.length > 1");
    expect(await tab.evaluate("window.shown")).toEqual(["display top", "refresh 1"]);
    expect(await tab.evaluate("[slots[0].keys.hb_pb, slots[0].keys.hb_deal]")).toEqual(["3.00", undefined]);
  });

  test("Prebid.js asks the edge through its adapter, and gets bids that it can show", async () => {
    const prebid = `<script>
      window.pbjs.registerBidAdapter = (make, code, spec) => { window.adapter = spec; window.code = code };
      for (const job of window.pbjs.que) job();
    </script>`;
    const bid = {
      nurl: `${upstream.url}/won`,
      burl: `${upstream.url}/billed`,
      dealid: "d-1",
      crid: "c1",
      adomain: ["brand.example"],
    };
    upstream.script({ "/plain": page("<p>x</p>", prebid), "/openrtb2/auction": bidFor("<b id=ad>prebid</b>", bid) });
    await tab.goto(`${edge.url}/plain`);
    expect(
      await tab.evaluate("[code, adapter.code, adapter.supportedMediaTypes, adapter.isBidRequestValid({})]"),
    ).toEqual(["parley", "parley", ["banner", "video", "native"], true]);
    const bids = await tab.evaluate(`(async () => {
      const unit = { adUnitCode: "top", mediaTypes: { banner: { sizes: [[300, 250]] } } };
      const request = adapter.buildRequests([
        { ...unit, bidId: "bid-1", params: { bidderParams: { alpha: { placement: 7 } } } },
        { ...unit, bidId: "bid-2", params: {} },
      ]);
      const response = await fetch(request.url, { method: request.method, body: request.data, headers: { "content-type": "application/json" } });
      window.bids = adapter.interpretResponse({ body: await response.json() }, request);
      return window.bids;
    })()`);
    expect(bids).toEqual([
      {
        requestId: "bid-1",
        cpm: 3.03,
        currency: "USD",
        width: 300,
        height: 250,
        ad: expect.stringContaining("<b id=ad>prebid</b>"),
        creativeId: "c1",
        dealId: "d-1",
        netRevenue: true,
        ttl: 300,
        meta: { advertiserDomains: ["brand.example"], networkName: "alpha" },
        nurl: bid.nurl,
        burl: bid.burl,
      },
    ]);
    await tab.evaluate("adapter.onBidWon(bids[0]), adapter.onBidBillable(bids[0])");
    await expect.poll(() => upstream.seen.map(({ path }) => path)).toEqual(expect.arrayContaining(["/won", "/billed"]));
    expect(await tab.evaluate("adapter.interpretResponse({}, { bidIds: {} })")).toEqual([]);
    const odd = '{ body: { seatbid: [{ seat: "s", bid: [{ impid: "constructor", adm: "x" }, { impid: "top" }] }] } }';
    expect(await tab.evaluate(`adapter.interpretResponse(${odd}, { bidIds: { top: "1" } })`)).toEqual([]);
  });

  test("click guard: a changed query is signed anew, a swapped target is undone", async () => {
    const click =
      "/first-party/click?tsurl=https%3A%2F%2Fcdn.example%2Fa.png&x=1&y=2" +
      "&tstoken=stvgkRl2VO1hosYUQzEGXeIvTd8jwST5I2SMU8Q1bEE";
    const link = `<a id="ad" href="${click}" data-tsclick="${click}">ad</a>`.replaceAll("&", "&amp;");
    upstream.script({ "/plain": page(link) });
    await tab.goto(`${edge.url}/plain`);
    await tab.evaluate("document.getElementById('ad').href = 'https://cdn.example/a.png?x=1&y=3&z=4'");
    await tab.waitForFunction("document.getElementById('ad').getAttribute('href').includes('z=4')");
    const href = String(await tab.evaluate("document.getElementById('ad').getAttribute('href')"));
    expect(href).toMatch(/^\/first-party\/click\?tsurl=https%3A%2F%2Fcdn\.example%2Fa\.png&x=1&y=3&z=4&/);
    const answer = await context.request.get(`${edge.url}${href}`, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([302, "https://cdn.example/a.png?x=1&y=3&z=4"]);

    await tab.evaluate("document.getElementById('ad').href = 'https://evil.example/'");
    await tab.waitForFunction(`document.getElementById('ad').getAttribute('href') === ${JSON.stringify(href)}`);
  });

  test("consent: what the page's consent platform says becomes the cookies that the edge reads", async () => {
    const platform = `<script>
      window.__tcfapi = (command, version, tell) => {
        if (command === "addEventListener") tell({ eventStatus: "useractioncomplete", tcString: "${CONSENT}" }, true);
      };
      window.__gpp = (command, tell) => {
        if (command === "ping") tell({ gppString: "DBABLA~BVQqAAAAAgA.QA", applicableSections: [7, 8] });
      };
      window.__uspapi = (command, version, tell) => tell({ uspString: "1YNN" }, true);
      window.pbjs = { que: { push: (job) => job() },
        getUserIdsAsEids: () => [{ source: "inttest.example.com", uids: [{ id: "uid-1", atype: 3 }] }] };
    </script>`;
    await context.clearCookies();
    upstream.script({ "/plain": page("<p>x</p>", platform) });
    await tab.goto(`${edge.url}/plain`);
    await tab.waitForFunction("document.cookie.includes('us_privacy')");
    const cookies = Object.fromEntries((await context.cookies()).map(({ name, value }) => [name, value]));
    expect(cookies).toEqual({
      "euconsent-v2": CONSENT,
      __gpp: "DBABLA~BVQqAAAAAgA.QA",
      __gpp_sid: "7,8",
      us_privacy: "1YNN",
      "ts-eids": "W3sic291cmNlIjoiaW50dGVzdC5leGFtcGxlLmNvbSIsInVpZHMiOlt7ImlkIjoidWlkLTEiLCJhdHlwZSI6M31dfV0=",
    });
  });

  describe("the operators' page of auctions", () => {
    const hostile = "<img src=x onerror=alert(1)>\u202e";
    const httpCredentials = { username: "ops", password: "correct horse battery staple" };
    const heard: string[] = [];
    let desk: BrowserContext;
    let auctions: Page;

    beforeAll(async () => {
      const ask = (code: string) =>
        fetch(`${edge.url}/auction`, {
          method: "POST",
          headers: { "content-type": "application/json", cookie: `euconsent-v2=${CONSENT}` },
          body: JSON.stringify({
            adUnits: [
              { code, mediaTypes: { banner: { sizes: [[300, 250]] } }, bids: [{ bidder: "alpha", params: { a: 1 } }] },
            ],
          }),
        });
      const won = { id: "b1", impid: hostile, price: 2.5, adm: "<b>x</b>", w: 300, h: 250, dealid: `deal ${hostile}` };
      const seatbid = [{ seat: `seat ${hostile}`, bid: [{ ...won, nurl: "https://alpha.example/won" }] }];
      const json = { "content-type": "application/json" };
      upstream.script({ "/openrtb2/auction": { headers: json, body: JSON.stringify({ cur: "USD", seatbid }) } });
      await ask(hostile);
      upstream.script({ "/openrtb2/auction": { status: 400, body: `Invalid request: ${hostile}` } });
      await ask("top");
      upstream.script({ "/openrtb2/auction": { status: 204 } });
      await ask("x".repeat(5_000));
      desk = await browser.newContext({ httpCredentials, viewport: { width: 1360, height: 900 } });
      auctions = await desk.newPage();
      auctions.on("console", (message) => heard.push(message.text()));
      auctions.on("dialog", (dialog) => (heard.push("dialog"), void dialog.dismiss()));
      auctions.on("request", (request) => {
        if (!request.url().startsWith(edge.url)) heard.push(request.url());
      });
    });
    afterAll(() => desk.close());

    const card = (words: string) => auctions.locator("article").filter({ hasText: words });

    test("shows each auction against its budget, what each slot came to, and hostile text as text", async () => {
      await auctions.goto(`${edge.url}/_ts/admin/auctions`);
      const won = card("won");
      const name = "<img src=x onerror=alert(1)>\\u{202e}";
      expect(await won.first().innerText()).toContain(`seat ${name} at $2.50, deal deal ${name}`);
      expect(await won.first().innerText()).toContain("win notice by the page, no billing notice");
      const refused = card("every provider failed").first();
      expect(await refused.innerText()).toContain(`It said: Invalid request: ${name}`);
      const [bar, budget] = ["rect.error", "line.budget"].map((part) => refused.locator(part).first());
      expect(Number.parseFloat((await budget?.getAttribute("x1")) ?? "")).toBeGreaterThan(90);
      expect(await bar?.getAttribute("width")).toMatch(/%$/);
      expect(await card("nobody bid").first().innerText()).toContain("not sold");
      expect(await auctions.locator("img, script, iframe").count()).toBe(0);
      expect(heard).toEqual([]);
    });

    test("has no finding in either theme, nothing cut off at 360 px, and a policy that lets nothing in", async () => {
      for (const [colorScheme, width] of [
        ["light", 1360],
        ["dark", 1360],
        ["light", 360],
        ["dark", 360],
      ] as const) {
        await auctions.setViewportSize({ width, height: 900 });
        await auctions.emulateMedia({ colorScheme });
        const answer = await auctions.goto(`${edge.url}/_ts/admin/auctions?limit=20`);
        expect(answer?.headers()["content-security-policy"]).toMatch(
          /^default-src 'none'; style-src 'sha256-\S+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
        );
        expect(await auctions.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")).toBe("14px");
        const tools = await desk.newCDPSession(auctions);
        await tools.send("Page.setBypassCSP", { enabled: true });
        await auctions.evaluate(axe.source);
        expect(await auctions.evaluate("axe.run().then(({ violations }) => violations.map(({ id }) => id))")).toEqual(
          [],
        );
        await tools.detach();
        const root = "document.documentElement";
        expect(await auctions.evaluate(`${root}.scrollWidth > ${root}.clientWidth`)).toBe(false);
      }
      expect(heard).toEqual([]);
    });

    test("answers JSON to who does not ask for a page, and nobody without a name and password", async () => {
      const asJson = await desk.request.get(`${edge.url}/_ts/admin/auctions?limit=1`, { headers: { accept: "*/*" } });
      expect(asJson.headers()["content-type"]).toBe("application/json");
      expect(((await asJson.json()) as { auctions: object[] }).auctions[0]).toMatchObject({
        unsold: ["x".repeat(128)],
        providers: [{ words: null }],
      });
      const stranger = await fetch(`${edge.url}/_ts/admin/auctions`, { headers: { accept: "text/html" } });
      expect([stranger.status, await stranger.text()]).toEqual([401, "Unauthorized"]);
    });
  });
});
