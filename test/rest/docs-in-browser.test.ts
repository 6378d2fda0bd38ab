import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { type Sample, serveSample } from "./sample.ts";

let seller: Sample;
let browser: Browser;
beforeAll(async () => {
  seller = await serveSample();
  browser = await startBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

/** `heard`: console output and requests to others. */
const opened = async (path: string): Promise<{ readonly page: Page; readonly heard: readonly string[] }> => {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  const heard: string[] = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(seller.url) && !request.url().startsWith("data:")) heard.push(request.url());
  });
  await page.goto(new URL(path, seller.url).href);
  return { page, heard };
};

const isTooWide = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

test("docs: an operation is opened with the keyboard, and the page asks nobody else", async () => {
  const { page, heard } = await opened("/docs");
  await page.locator(".opblock-summary-control").first().focus();
  expect(await isTooWide(page)).toBe(false);
  await page.keyboard.press("Enter");
  await page.locator(".opblock.is-open").first().waitFor();
  expect(heard).toEqual([]);
});

test("redoc: the reading page fits a narrow window", async () => {
  const { page, heard } = await opened("/redoc");
  expect(await page.locator("article").count()).toBeGreaterThan(3);
  expect(await isTooWide(page)).toBe(false);
  expect(heard).toEqual([]);
});
