import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, offerOf, serveConsole, type Served } from "./harness.ts";
import { isTooWide, signedIn, visit } from "./page.ts";

const hostileName = "<img src=x onerror=alert(1)> \u202e& Söhne";

let seller: Served;
let browser: Browser;
let harbor: string;

beforeAll(async () => {
  seller = await serveConsole();
  browser = await startBrowser();
  harbor = await buyerNamed(seller, "Harbor Coffee");
  await bookingOf(seller, await buyerNamed(seller, hostileName));
});
afterAll(async () => {
  await browser.close();
  await seller.close();
});

const findings = async (page: Page): Promise<unknown> => {
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run().then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ": " + nodes.map(({ html }) => html).join(" ")))`);
};

const statusOf = async (approval_id: string): Promise<unknown> =>
  ((await seller.send("operator", "get_approval", { approval_id }))["request"] as { status: string }).status;

const open = (id: string, look = {}) => signedIn(browser, seller, `/console/approvals/${id}`, look);

test("an offer is approved by two presses: the first asks, the second commits", async () => {
  const id = await offerOf(seller, harbor);
  const { page, heard } = await open(id);
  await page.getByRole("heading", { level: 1, name: /Harbor Coffee offers \$[\d.]+ for / }).waitFor();
  await page.keyboard.press("a");
  const confirm = page.getByRole("button", { name: "Yes, approve" });
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  expect(await page.locator(".sheet").innerText()).toMatch(/4,200,000 impressions at \$[\d.]+, \$[\d,.]+ in all/);
  expect(await statusOf(id)).toBe("pending");
  await page.keyboard.press("Enter");
  await page.getByText("You approved this").waitFor();
  expect(await statusOf(id)).toBe("approved");
  expect(heard).toEqual([]);
  await page.context().close();
});

test("a name that is markup and hides characters is shown as typed, and nothing runs", async () => {
  const { page, heard } = await signedIn(browser, seller, "/console/approvals");
  await page.getByText("<img src=x onerror=alert(1)> ?& Söhne").first().waitFor();
  expect(heard).toEqual([]);
  await page.context().close();
});

test.each([
  [1360, "light"],
  [1360, "dark"],
  [360, "light"],
  [360, "dark"],
] as const)("sign-in, list and decision have no finding of axe at %i px, %s", async (width, theme) => {
  const id = await offerOf(seller, harbor);
  const first = await visit(browser, seller, "/console/", { width, theme });
  await first.page.getByLabel("Operator's key").waitFor();
  expect(await findings(first.page)).toEqual([]);
  await first.context.close();
  const { page, heard } = await signedIn(browser, seller, "/console/approvals", { width, theme });
  await page.locator(".inbox-row").first().waitFor();
  expect(await findings(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  await page.locator(`a[href*="${id}"]`).click();
  await page.locator(".ruler").waitFor();
  expect(await findings(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  expect(heard).toEqual([]);
  await page.context().close();
});
