import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { type ServedBuyer, serveBuyer } from "./buyer-harness.ts";
import { expectHarmless, hostile } from "./hostile-texts.ts";
import { type Opened, signedIn } from "./page.ts";

/** A seller whose every product is named and described by a hostile text. */
const products = hostile.map((text, at): Product => {
  const sample = defaultProducts[at % defaultProducts.length] as Product;
  return { ...sample, product_id: `${sample.product_id}-${at}`, name: text, description: text };
});

let agent: ServedBuyer;
let browser: Browser;
let opened: Opened;
const ids: Record<string, string> = {};

beforeAll(async () => {
  agent = await serveBuyer(products);
  for (const label of hostile) await agent.call("create_operator_key", { label });
  ids["waiting"] = await agent.jobOf(hostile[0] ?? "", false);
  ids["booked"] = await agent.jobOf(hostile.slice(0, 3).join(" "), true);
  browser = await startBrowser();
  opened = await signedIn(browser, agent, "/console/");
});
afterAll(async () => {
  await closePages(browser);
  await agent.close();
});

const inAddress = encodeURIComponent(hostile.slice(0, 4).join(" "));

test.each([
  "home",
  "campaigns",
  "campaigns/{waiting}",
  "campaigns/{booked}",
  `campaigns/${inAddress}`,
  "compare?brief={waiting}",
  "compare?brief={booked}",
  `compare?brief=${inAddress}`,
  "compare?from=2027-03-01&to=2027-03-31",
  `compare?q=${inAddress}`,
  "deals",
  `deals?q=${inAddress}&status=${inAddress}`,
  "sellers",
  "keys",
  "events",
])("the buyer's %s shows hostile text as text: nothing runs, nothing is asked elsewhere", async (path) => {
  const address = path.replace(/\{(\w+)\}/, (_whole, name: string) => encodeURIComponent(ids[name] ?? ""));
  await expectHarmless(opened, agent, `/console/${address}`);
});

test("the names of a seller's products and of keys are shown as typed, all of them", async () => {
  const { page } = opened;
  await page.goto(new URL("/console/compare?brief=none", agent.url).href);
  await page.locator("tbody").getByText("<script>window.hit=1</script>", { exact: true }).first().waitFor();
  expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(40);
  await page.goto(new URL("/console/keys", agent.url).href);
  await page.getByText("\\u{202e}gnp.tset").first().waitFor();
  expect(await page.locator("tbody tr").count()).toBeGreaterThanOrEqual(40);
});
