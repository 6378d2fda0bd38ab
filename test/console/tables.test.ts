import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, serveConsole, type Served } from "./harness.ts";
import { signedIn } from "./page.ts";

let seller: Served;
let browser: Browser;

beforeAll(async () => {
  seller = await serveConsole();
  const harbor = await buyerNamed(seller, "Harbor Coffee");
  await bookingOf(seller, harbor);
  await bookingOf(seller, harbor, "prod-15ba2543");
  browser = await startBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

test("deals sort by their header, are selected by keys, and a view of the address is kept by name", async () => {
  const { page, heard, context } = await signedIn(browser, seller, "/console/deals");
  await page.locator(".work tbody tr").nth(1).waitFor();
  await page.getByRole("link", { name: "Value" }).click();
  await expect.poll(() => page.locator("th[aria-sort=descending]").innerText()).toContain("Value");
  const values = async (): Promise<readonly number[]> =>
    (await page.locator(".c-value b").allInnerTexts()).map((text) => Number(text.replace(/[$,]/g, "")));
  await expect.poll(async () => (await values()).join()).toBe((await values()).toSorted((a, b) => b - a).join());
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.getByText("2 selected").count()).toBe(0);
  await page.getByText("+ Save view").click();
  await page.getByLabel("Name of the view").fill("By value");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "All deals" }).click();
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "By value" }).click();
  await expect.poll(() => page.url()).toContain("sort=value");
  await page.getByText("Columns").click();
  await page.getByLabel("Tier").check();
  await page.getByRole("columnheader", { name: "Tier" }).waitFor();
  await page.reload();
  await page.getByRole("columnheader", { name: "Tier" }).waitFor();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const text = await readFile(await (await file).path(), "utf8");
  expect(text.split("\r\n")[0]).toContain('"deal","buyer","product","flight"');
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: / buys / }).waitFor();
  expect(heard).toEqual([]);
  await context.close();
});
