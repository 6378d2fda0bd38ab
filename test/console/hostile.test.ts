import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { buyerNamed, offerOf, serveConsole, type Served, talkOf } from "./harness.ts";
import { expectHarmless, hostile } from "./hostile-texts.ts";
import { type Opened, signedIn } from "./page.ts";

let seller: Served;
let browser: Browser;
let opened: Opened;
const ids: Record<string, string> = {};

beforeAll(async () => {
  seller = await serveConsole();
  const { send } = seller;
  for (const [at, name] of hostile.entries()) {
    await send("operator", "create_api_key", { seat_id: `seat-${at}`, seat_name: name, label: name });
    await send("anonymous", "create_api_key", { agency_id: `claimed-${at}`, agency_name: name, label: name });
  }
  const buyer = await buyerNamed(seller, hostile[0] ?? "");
  ids["approval"] = await offerOf(seller, buyer);
  const order = await send(buyer, "create_order", {});
  const change = { order_id: order["order_id"], change_type: "other", reason: hostile.join(" ").slice(0, 3000) };
  const proposed_values = Object.fromEntries(hostile.slice(0, 8).map((text, at) => [`field ${at}`, text]));
  ids["change"] = String(
    (await send(buyer, "create_change_request", { ...change, proposed_values }))["change_request_id"],
  );
  const { session_id } = await send(buyer, "create_session", {});
  for (const text of hostile.slice(0, 12)) {
    await send(buyer, "send_session_message", { session_id, type: "query", content: { text } });
  }
  ids["conversation"] = await talkOf(seller);
  const about = { description: hostile.join(" ").slice(0, 3000), base_price: 20, floor_price: 10 };
  for (const name of hostile.slice(0, 12)) {
    ids["package"] = String((await send("operator", "create_package", { name, ...about }))["package_id"]);
  }
  browser = await startBrowser();
  opened = await signedIn(browser, seller, "/console/");
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

test("there are at least forty of them", () => expect(new Set(hostile).size).toBeGreaterThanOrEqual(40));

test.each([
  "home",
  "approvals",
  "approvals/{approval}",
  "approvals?kind=api_key",
  "changes",
  "changes/{change}",
  "talks/{conversation}",
  "buyers",
  "packages",
  "packages/{package}",
  "keys",
  "events",
  "audit",
  "deals?q=%3Cscript%3Ewindow.hit%3D1%3C%2Fscript%3E&status=%22%3E%3Cimg%20src=x%20onerror=window.hit=1%3E",
  "approvals/%3Cscript%3Ewindow.hit=1%3C%2Fscript%3E",
])("%s shows hostile text as text: nothing runs, nothing is asked elsewhere", async (path) => {
  const address = path.replace(/\{(\w+)\}/, (_whole, name: string) => encodeURIComponent(ids[name] ?? ""));
  await expectHarmless(opened, seller, `/console/${address}`);
});

test("a name of invisible characters is shown escaped, and clipped", async () => {
  const { page } = opened;
  await page.goto(new URL("/console/keys", seller.url).href);
  await page.getByText("\\u{202e}gnp.tset").first().waitFor();
  await page.getByText("a\\u{200b}b\\u{200c}c\\u{feff}d").first().waitFor();
  await page
    .getByText(`${"W".repeat(79)}…`)
    .first()
    .waitFor();
});
