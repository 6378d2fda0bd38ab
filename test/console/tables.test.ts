import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, serveConsole, type Served } from "./harness.ts";
import { signedIn } from "./page.ts";
import { findings } from "./sound.ts";

interface Proof {
  readonly entry: { readonly hash: string; readonly previous_hash: string };
  readonly hashed: string;
}

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

test("quotes sort, are counted and narrowed by day, and one is opened by keys", async () => {
  const { page, heard, context } = await signedIn(browser, seller, "/console/quotes");
  const rows = page.locator(".work tbody tr");
  await rows.nth(1).waitFor();
  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Booked 2" }).waitFor();
  await page.getByRole("link", { name: "CPM" }).click();
  await expect.poll(() => page.locator("th[aria-sort=descending]").innerText()).toContain("CPM");
  await page.locator("summary", { hasText: "Quoted any day" }).click();
  await page.getByLabel("To").fill("2026-01-01");
  await page.getByText("Nothing matches these filters.").waitFor();
  await page.getByRole("button", { name: "Today" }).click();
  await rows.nth(1).waitFor();
  await page.locator("body").click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /^Harbor Coffee was quoted / }).waitFor();
  expect(heard).toEqual([]);
  await context.close();
});

test("audit shows decisions first, folds the clock, and an entry is proved and saved as a file", async () => {
  const product_id = "prod-15ba2543";
  await seller.send("operator", "update_product", { product_id, base_cpm: 27 });
  const at = new Date(seller.nowMs()).toISOString();
  const swept = { at, request_id: "r", operation: "sweep_quote", door: "timer", principal: "system" };
  for (const operation of ["sweep_quote", "sweep_quote", "sweep_deal"]) {
    await seller.world.store.commit({ changes: [], audit: { ...swept, operation } });
  }
  const { page, heard, context } = await signedIn(browser, seller, "/console/audit");
  await page.getByText(/^base cpm .* → 27\.00/).waitFor();
  expect(await page.getByText("Asked for a quote").count()).toBe(0);
  await page.getByRole("link", { name: "Everything" }).click();
  await page.getByRole("row", { name: /Settled deals 1, Settled quotes 2 .* 3 entries, folded/ }).waitFor();
  const when = page.getByRole("columnheader", { name: "When" });
  expect(await when.getAttribute("aria-sort")).toBe("descending");
  await when.getByRole("link").click();
  await expect.poll(() => when.getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(() => page.locator(".work tbody tr").first().innerText()).toMatch(/\b1$/);
  await page.getByRole("link", { name: product_id }).click();
  await expect.poll(() => page.locator(".work tbody tr").count()).toBe(1);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.getByText(/^The trail is whole: .* and its hash fits what it says\.$/).waitFor();
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save the entry as a file" }).click();
  const proof = JSON.parse(await readFile(await (await file).path(), "utf8")) as Proof;
  const { previous_hash: before, hash } = proof.entry;
  expect(
    createHash("sha256")
      .update(before + proof.hashed)
      .digest("hex"),
  ).toBe(hash);
  expect(await findings(page)).toEqual([]);
  expect(heard).toEqual([]);
  await context.close();
});

test("a slash finds a record by its id, a buyer by its name and a setting, and Enter opens it", async () => {
  const { deals } = (await seller.send("operator", "list_deals", {})) as { deals: readonly { deal_id: string }[] };
  const id = deals[0]?.deal_id ?? "";
  const { page, heard, context } = await signedIn(browser, seller, "/console/deals");
  await page.locator(".work tbody tr").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(id.toLowerCase());
  await page.getByRole("option", { name: id }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: / buys / }).waitFor();
  expect(page.url()).toContain(id);
  await page.keyboard.press("/");
  await page.keyboard.type("harbor");
  await page.getByRole("option", { name: /^Buyer Harbor Coffee/ }).waitFor();
  expect(await page.getByRole("option", { name: /^Deal / }).count()).toBe(2);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("combobox").fill("<img src=x onerror=alert(1)> \u202e");
  await page.getByText(/^Nothing has this id or name/).waitFor();
  await page.getByRole("combobox").fill("rate c");
  await page.getByRole("option", { name: "Setting Rate card" }).click();
  await page.getByRole("heading", { level: 1, name: "Setup" }).waitFor();
  expect(heard).toEqual([]);
  await context.close();
});

test("a week is one sheet of paper, and what waits is counted in the title and icon, without a sound", async () => {
  const { page, heard, context } = await signedIn(browser, seller, "/console/week", { theme: "dark" });
  await page.getByRole("heading", { level: 1, name: /^Week of 9 Jan to 15 Jan 2027$/ }).waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
  const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.getByRole("link", { name: "Week before" }).click();
  await page.getByRole("heading", { level: 1, name: /^Week of 2 Jan to 8 Jan 2027$/ }).waitFor();
  await expect.poll(() => page.title()).toBe("(2) Parley seller");
  const icon = await page.locator("link[rel=icon]").getAttribute("href");
  expect(icon).toBe("/console/assets/waiting-2.svg");
  expect((await fetch(new URL(icon ?? "", seller.url))).headers.get("content-type")).toBe("image/svg+xml");
  await page.goto(new URL("/console/setup", seller.url).href);
  const sound = page.getByLabel("A short sound when something new waits");
  expect(await sound.isChecked()).toBe(false);
  await sound.check();
  await page.reload();
  await sound.waitFor();
  expect(await sound.isChecked()).toBe(true);
  expect(heard).toEqual([]);
  await context.close();
});

test("a table reads its rows once when it is opened, and again when an event tells of them", async () => {
  const { page, context } = await signedIn(browser, seller, "/healthz", { until: "html" });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/\/api\/v1\/(?:deals|approvals|desk)\b/.test(request.url())) asked.push(request.url());
  });
  await page.goto(new URL("/console/deals", seller.url).href);
  await page.getByRole("link", { name: "All 2" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const rows = (): number => asked.filter((url) => url.includes("limit=50")).length;
  expect(rows()).toBe(1);
  expect(asked).toHaveLength(4);
  const harbor = await buyerNamed(seller, "Harbor Coffee");
  await bookingOf(seller, harbor);
  await page.getByRole("link", { name: "All 3" }).waitFor();
  expect(rows()).toBeGreaterThan(1);
  await context.close();
});
