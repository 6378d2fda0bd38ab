import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { type Started, startSeller } from "../spec/launched.ts";
import { builtConsole } from "./harness.ts";
import { signedIn } from "./page.ts";

let browser: Browser;
let seller: Started;
beforeAll(async () => {
  await builtConsole();
  [browser, seller] = await Promise.all([startBrowser(), startSeller({ SANDBOX: "calls" }, defaultProducts)]);
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

const quote = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 2_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

test("sandbox: the console goes over to it and back, and never shows both", async () => {
  const inSandbox = { "x-parley-sandbox": "true", "x-api-key": "demo-tester-v1" };
  const { body } = await seller.ask("POST", "/api/v1/quotes", { headers: inSandbox, body: quote });
  const booking = { headers: inSandbox, body: { quote_id: body["quote_id"] } };
  const { body: deal } = await seller.ask("POST", "/api/v1/deals", booking);
  const made = await seller.host("create_operator_key", { label: "op", role: "senior" });
  const visited = { url: seller.url, operatorKey: String(made["api_key"]), nowMs: () => Date.now() };
  const { page, heard, context } = await signedIn(browser, visited, "/console/deals");
  const tried = page.getByText(String(deal["deal_id"]));
  await page.getByRole("button", { name: "Look at the sandbox" }).click();
  await tried.first().waitFor();
  await page.getByText("Sandbox", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Back to the business" }).click();
  await page.getByRole("button", { name: "Look at the sandbox" }).waitFor();
  await page.getByText("No deal.").first().waitFor();
  expect(await tried.count()).toBe(0);
  expect(heard).toEqual([]);
  await context.close();
});
