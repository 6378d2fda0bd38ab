import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { type Started, startSeller } from "../spec/launched.ts";
import { builtConsole, bookingOf, buyerNamed, serveConsole, type Served } from "./harness.ts";
import { isTooWide, type Opened, signedIn, type Visited } from "./page.ts";
import { findings } from "./sound.ts";

let browser: Browser;
let seller: Served;
let launched: Started;
let visited: Visited;

beforeAll(async () => {
  await builtConsole();
  [seller, launched] = await Promise.all([
    serveConsole(),
    startSeller({ SANDBOX: "calls", APPROVAL_TIMEOUT_HOURS: "12" }),
  ]);
  const { api_key: key } = await launched.host("create_operator_key", { label: "Maja", role: "senior" });
  visited = { url: launched.url, operatorKey: String(key), nowMs: () => Date.now() };
  browser = await startBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await Promise.all([seller.close(), launched.close()]);
});

const expectFree = async ({ page }: Opened): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findings(page), colorScheme).toEqual([]);
  }
};

test("a senior changes what waits, sees what it would have decided, and it counts at once", async () => {
  const buyer = await buyerNamed(seller, "Harbor Coffee");
  await bookingOf(seller, buyer);
  const opened = await signedIn(browser, seller, "/console/setup", { key: seller.world.secretOf("senior") ?? "" });
  const { page, heard, context } = opened;
  await page.getByRole("button", { name: "Change: What waits for a person" }).click();
  const sheet = page.getByRole("dialog");
  const yes = sheet.getByRole("button", { name: "Yes, change it" });
  await sheet.getByText("Change something.").waitFor();
  await sheet.getByLabel("From this value on").fill("1,2,3");
  await sheet.getByText("This cannot be read. Write it as before, for example 12.5.").waitFor();
  expect(await yes.isDisabled()).toBe(true);
  await sheet.getByLabel("From this value on").fill("100,000");
  await sheet
    .getByText(/^Approvals: 0 of 1 booking and offer would wait instead of 1 \(0 more, \$0; 1 fewer/)
    .waitFor();
  await expectFree(opened);
  await yes.click();
  await page.getByText("Changed last by senior of the tests", { exact: false }).waitFor();
  const deal = await seller.send(buyer, "request_quote", {
    product_id: "prod-53e78a97",
    deal_type: "PG",
    impressions: 2_000_000,
    flight_start: "2027-06-01",
    flight_end: "2027-06-28",
  });
  expect(await seller.send(buyer, "book_deal", { quote_id: deal["quote_id"] })).not.toMatchObject({
    awaiting_approval: true,
  });
  await page.getByRole("button", { name: "Change: Price talks" }).click();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findings(page), "narrow").toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  expect(heard).toEqual([]);
  await context.close();
});

test("what the environment fixes is shown as fixed; an operator looks and changes nothing", async () => {
  const { page, context } = await signedIn(browser, visited, "/console/setup");
  await page.getByText("fixed where the agent runs, as APPROVAL_TIMEOUT_HOURS").waitFor();
  await page.getByRole("button", { name: "Change: What waits for a person" }).click();
  await page.getByRole("dialog").getByLabel("From this value on").waitFor();
  expect(await page.getByRole("dialog").getByLabel("Hours until it ends unanswered").count()).toBe(0);
  await context.close();
  const looks = await signedIn(browser, seller, "/console/setup");
  await looks.page.getByText("a senior operator changes them", { exact: false }).waitFor();
  expect(await looks.page.getByRole("button", { name: /^Change:/ }).count()).toBe(0);
  await looks.context.close();
});

test("one's own seller is talked with as an agency; what is taken there is no business", async () => {
  const opened = await signedIn(browser, visited, "/console/talks/try");
  const { page, heard, context } = opened;
  const field = page.getByLabel("Message, or the number of a button");
  await field.fill("What would 2 million impressions of CTV cost in March 2027?");
  await field.press("Enter");
  const button = page.locator(".transcript .button");
  await button.first().waitFor();
  await page.getByText("10% off for you", { exact: false }).waitFor();
  await button.first().click();
  await page.getByText("Shall I book it?", { exact: false }).waitFor();
  await page.getByRole("button", { name: /Book quote/ }).click();
  await page.locator(".transcript .theirs").nth(2).waitFor();
  const { total } = await launched.host("list_deals", {});
  expect(total ?? 0).toBe(0);
  expect(await launched.store.list({ kind: "quote", terms: [], order: "oldest", limit: 5 })).toEqual([]);
  expect(await launched.sandboxStore?.list({ kind: "deal", terms: [], order: "oldest", limit: 5 })).toHaveLength(1);
  await expectFree(opened);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findings(page), "narrow").toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  expect(heard).toEqual([]);
  await context.close();
});

test("without a sandbox nothing is said to the seller, and a sentence tells how to have one", async () => {
  const plain = await startSeller();
  const { api_key: key } = await plain.host("create_operator_key", { label: "Maja" });
  const agent = { url: plain.url, operatorKey: String(key), nowMs: () => Date.now() };
  const { page, context } = await signedIn(browser, agent, "/console/talks/try?tier=public");
  const field = page.getByLabel("Message, or the number of a button");
  await field.fill("book 1M CTV in March 2027");
  await field.press("Enter");
  await page.getByText(/SANDBOX=calls/).waitFor();
  await page.getByText("Not sent: book 1M CTV in March 2027").waitFor();
  expect(await plain.store.list({ kind: "quote", terms: [], order: "oldest", limit: 5 })).toEqual([]);
  await context.close();
  await plain.close();
});
