import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findings } from "../console/sound.ts";
import { isTooWide, type Look, type Opened, visit } from "../console/page.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { type Sample, serveSample } from "../rest/sample.ts";
import { builtGuide } from "./built.ts";

let seller: Sample;
let buyer: Sample;
let browser: Browser;
beforeAll(async () => {
  await builtGuide();
  seller = await serveSample();
  buyer = await serveSample({ name: "buyer", errorShape: "plain" });
  browser = await startBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
  await buyer.close();
});

const opened = (path: string, look: Look = {}): Promise<Opened> =>
  visit(browser, { url: seller.url, operatorKey: "", nowMs: () => Date.now() }, path, look);

test("guide: a refusal of either agent names its page, which both serve", async () => {
  for (const agent of [seller, buyer]) {
    const refusal = (await (await fetch(`${agent.url}/nothing`)).json()) as { error: string; help: string };
    expect(refusal.help).toBe(`/guide/refusals/${refusal.error}`);
    for (const one of [seller, buyer]) {
      const page = await fetch(`${one.url}${refusal.help}`);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(await page.text()).toContain("<h1>not_found</h1>");
    }
  }
});

test("guide: pages have the policy of the console, and each is there as text", async () => {
  const page = await fetch(`${buyer.url}/guide/start/rest`);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  expect(policy).not.toContain("unsafe");
  const html = await page.text();
  expect(html).toContain('data-agent="buyer"');
  expect(html).not.toMatch(/<script(?![^>]* src="\/guide\/assets\/)|\sstyle=|\son\w+=/);
  const text = await (await fetch(`${buyer.url}/guide/start/rest.md`)).text();
  expect(text).toMatch(/^# A REST developer\n/);
});

test("guide: what models read has every listed page, and the list is short", async () => {
  const list = await (await fetch(`${seller.url}/llms.txt`)).text();
  expect(list).toMatch(/^# .+\n\n> .+/);
  expect(Buffer.byteLength(list)).toBeLessThanOrEqual(20_000);
  for (const [, path = ""] of list.matchAll(/\]\((\/guide\/[^)]+)\)/g)) {
    expect([path, (await fetch(`${seller.url}${path}`)).status]).toEqual([path, 200]);
  }
  const whole = await (await fetch(`${seller.url}/llms-full.txt`)).text();
  expect(whole).toContain("# Retry safely");
  expect(whole).toContain("# Trust");
});

test.each(["/guide/none", "/guide/../package.json", "/guide/%2e%2e/package.json", "/guide/assets/..%2findex.html"])(
  "guide: %s is not found",
  async (path) => {
    expect((await fetch(`${seller.url}${path}`)).status).toBe(404);
  },
);

test("guide: a search answers within 50 ms, from the page alone, and the keyboard opens what it found", async () => {
  const { page, heard } = await opened("/guide/");
  await page.keyboard.press("/");
  await page.keyboard.type("agency ti");
  await page.locator("#found a").first().waitFor();
  const ms = await page.evaluate(`new Promise((resolve) => {
    const input = document.querySelector("input[type=search]");
    const list = document.querySelector("#found");
    const from = performance.now();
    new MutationObserver(() => resolve(performance.now() - from)).observe(list, { childList: true });
    input.value = "agency tier";
    input.dispatchEvent(new Event("input"));
  })`);
  expect(ms).toBeLessThan(50);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/keys-and-tiers|tiers-and-prices/);
  expect(heard).toEqual([]);
});

test("guide: a page of a refusal is found by its code", async () => {
  const { page } = await opened("/guide/");
  await page.locator("input[type=search]").fill("quote_expired");
  await page.locator("#found a").first().waitFor();
  expect(await page.locator("#found a").first().getAttribute("href")).toBe("/guide/refusals/quote_expired");
});

test.each(["/guide/", "/guide/start/rest", "/guide/reference/seller/deals", "/guide/refusals"])(
  "guide: %s is accessible in both themes, fits its window and breaks no policy",
  async (path) => {
    for (const look of [{ theme: "light" }, { theme: "dark", width: 360 }] as const) {
      const { page, heard } = await opened(path, look);
      await page.locator("h1").waitFor();
      expect(await isTooWide(page)).toBe(false);
      expect([await findings(page), heard]).toEqual([[], []]);
    }
  },
);
