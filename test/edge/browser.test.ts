import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readTestConfig } from "./harness/cases.ts";
import { startBrowser } from "./harness/chromium.ts";
import { startTestEdge, type TestEdge } from "./harness/edge.ts";
import { startUpstream, type Reply, type Upstream } from "./harness/upstream.ts";

const CONSENT = "CQtAQoAQtAQoAAbABAENCWEAAPAAAAAAAAAAAAAAAAAA";
const HTML = { "content-type": "text/html; charset=utf-8" };

const bidFor = (markup: string): Reply => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    cur: "USD",
    seatbid: [{ seat: "alpha", bid: [{ id: "b1", impid: "top", price: 3.03, adm: markup, w: 300, h: 250 }] }],
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
    edge = await startTestEdge("A", { config: readTestConfig("auction", upstream) });
  });
  afterAll(async () => {
    await browser.close();
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
        setTargeting(key, value) { this.keys[key] = value; return this }, getSlotElementId: () => id });
      window.googletag = { cmd: { push: (job) => job() },
        defineSlot(path, sizes, id) { const one = slot(path, sizes, id); slots.push(one); return one },
        pubads: () => ({ getSlots: () => slots, refresh: (list) => window.shown.push("refresh " + list.length) }),
        enableServices() {}, display: (id) => window.shown.push("display " + id) };
      window.slots = slots;
    </script>`;
    upstream.script({ "/news/1": page('<div id="top"></div>', adServer), "/openrtb2/auction": bidFor("<b>x</b>") });
    await tab.goto(`${edge.url}/news/1`);
    await tab.waitForFunction("window.shown.length > 0");
    expect(await tab.evaluate("[window.shown, slots[0].path, slots[0].keys.hb_pb, slots[0].keys.hb_bidder]")).toEqual([
      ["display top"],
      "/123/top",
      "3.00",
      "alpha",
    ]);
    await tab.evaluate("window.tsjs.refresh('/news/1')");
    await tab.waitForFunction("window.shown.length > 1");
    expect(await tab.evaluate("window.shown")).toEqual(["display top", "refresh 1"]);
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
});
