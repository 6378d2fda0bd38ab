import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { create } from "../../protocol/seam/changes.ts";
import { deliveryKind, type DeliveryRow } from "../../skills/seller/webhooks/record.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, offerOf, serveConsole, type Served, talkOf } from "./harness.ts";
import { type Opened, signedIn } from "./page.ts";
import { expectSound } from "./sound.ts";

let seller: Served;
let browser: Browser;
let opened: Opened;
const ids: Record<string, string> = {};

const fill = async (): Promise<void> => {
  const buyer = await buyerNamed(seller, "Harbor Coffee");
  const { send } = seller;
  await bookingOf(seller, buyer);
  ids["approval"] = await offerOf(seller, buyer);
  const [talk] = (await send("operator", "list_negotiations", {}))["negotiations"] as { quote_id: string }[];
  ids["talk"] = String(talk?.quote_id);
  const quote = await send(buyer, "request_quote", { product_id: "prod-15ba2543", deal_type: "PD", impressions: 1e6 });
  ids["quote"] = String(quote["quote_id"]);
  const deal = await send(buyer, "book_deal", { quote_id: quote["quote_id"] });
  ids["deal"] = String(deal["deal_id"]);
  const order = await send(buyer, "create_order", { deal_id: deal["deal_id"] });
  ids["order"] = String(order["order_id"]);
  const change = { order_id: ids["order"], change_type: "impressions", proposed_values: { impressions: 900_000 } };
  const asked = await send(buyer, "create_change_request", { ...change, reason: "Less is enough" });
  ids["change"] = String(asked["change_request_id"]);
  const { session_id } = await send(buyer, "create_session", {});
  const message = { session_id, type: "query", content: { text: "What does CTV cost?" } };
  await send(buyer, "send_session_message", message);
  ids["conversation"] = await talkOf(seller);
  const buyers = (await send("operator", "list_buyers", {}))["buyers"] as { owner: string; name: string | null }[];
  ids["buyer"] = String(buyers.find(({ name }) => name === "Harbor Coffee")?.owner);
  const hook = { url: "https://hooks.example.com/parley", event_types: ["deal.created"] };
  ids["webhook"] = String((await send("operator", "create_webhook", hook))["webhook_id"]);
  const parts = { name: "Evening", placements: [{ product_id: "prod-15ba2543" }], base_price: 20, floor_price: 15 };
  ids["package"] = String((await send("operator", "create_package", parts))["package_id"]);
};

beforeAll(async () => {
  seller = await serveConsole();
  await fill();
  browser = await startBrowser();
  opened = await signedIn(browser, seller, "/console/");
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

const routes: readonly (readonly [path: string, heading: RegExp])[] = [
  ["home", /waits for you$/],
  ["approvals", /^Approvals$/],
  ["approvals/{approval}", /Harbor Coffee offers/],
  ["approvals?view=history", /^Approvals$/],
  ["deals", /^Deals$/],
  ["deals/{deal}", /Pre-Roll Video/],
  ["negotiations", /^Price talk$/],
  ["negotiations/{talk}", /Harbor Coffee/],
  ["quotes", /^Quotes$/],
  ["quotes/{quote}", /^Harbor Coffee was quoted Pre-Roll Video$/],
  ["orders", /^Orders$/],
  ["orders/{order}", /^Order /],
  ["changes", /^Changes$/],
  ["changes/{change}", /^Change of impressions/],
  ["products", /^Products$/],
  ["products/prod-53e78a97", /CTV Premium Streaming/],
  ["packages", /^Packages$/],
  ["packages/{package}", /^Evening$/],
  ["week", /^Week of /],
  ["talks", /^Talks$/],
  ["talks/{conversation}", /^Talk with/],
  ["buyers", /^Buyers$/],
  ["buyers/{buyer}", /Harbor Coffee/],
  ["keys", /^Keys$/],
  ["webhooks", /^Webhooks$/],
  ["webhooks/{webhook}", /hooks\.example\.com/],
  ["events", /^Events$/],
  ["audit", /^Audit$/],
  ["setup", /^Setup$/],
  ["none-such", /^Nothing here$/],
];

const pathOf = (path: string): string =>
  `/console/${path.replace(/\{(\w+)\}/, (_whole, name: string) => encodeURIComponent(ids[name] ?? ""))}`;

test.each(routes)("%s: both themes, both widths, no finding, no policy violation", async (path, heading) => {
  await expectSound(opened, seller, pathOf(path), heading);
});

test("a screen whose part of the script does not come says so, and another try draws it", async () => {
  const { page, context } = await signedIn(browser, seller, "/console/keys");
  await page.route(/console\/assets\/.*\.js$/, (route) => route.abort());
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  await page.getByText(/^This screen did not load: .* Load the page again\.$/).waitFor();
  await page.unroute(/console\/assets\/.*\.js$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  await page.getByRole("link", { name: "Webhooks", exact: true }).click();
  await expect.poll(() => page.evaluate("document.activeElement.innerText")).toBe("Webhooks");
  await context.close();
});

const at = async (path: string, heading: RegExp): Promise<Opened["page"]> => {
  const { page } = opened;
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.goto(new URL(pathOf(path), seller.url).href);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  return page;
};

test("a talk shows what was offered, what was taken, and how", async () => {
  const buyer = await buyerNamed(seller, "Talking Coffee");
  const { session_id } = await seller.send(buyer, "create_session", {});
  const say = (message: string) => seller.send(buyer, "send_session_message", { session_id, message });
  await say("Quote for Pre-Roll Video, PD, 100,000 impressions, 1 to 30 June 2027");
  await say("1");
  const page = await at(`talks/${encodeURIComponent(await talkOf(seller))}`, /^Talk with/);
  const said = page.locator(".transcript");
  await said.getByText(/^Shown to be agreed to: quote qt-\w+, terms sha256:/i).waitFor();
  await said.getByText(/^Taken by its number: quote qt-\w+, terms sha256:/i).waitFor();
});

test("a product's price is changed after before and after were shown, never over another's change", async () => {
  const page = await at("products/prod-15ba2543", /Pre-Roll Video/);
  await page.getByRole("button", { name: "Change price, floor or cap" }).click();
  const confirm = page.getByRole("button", { name: "Yes, change it" });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel(/^Floor, now/).fill("90");
  await page
    .locator("dialog .error")
    .getByText(/price would lie under the floor/)
    .waitFor();
  await page.getByLabel(/^Floor, now/).fill("");
  await page.getByLabel(/^List price per thousand/).fill("26,50");
  const after = page.getByRole("row", { name: /^List price/ });
  await after.getByText("$26.50").waitFor();
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await seller.send("senior", "update_product", { product_id: "prod-15ba2543", base_cpm: 30 });
  await confirm.click();
  await page.getByText("It changed meanwhile, and nothing was done.").waitFor();
  await after.getByText("$30.00").waitFor();
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("$26.50").first().waitFor();
  expect(await seller.send("operator", "get_product", { product_id: "prod-15ba2543" })).toMatchObject({
    base_cpm: 26.5,
  });
});

test("a price that is planned for a later day is shown, and taken back before that day", async () => {
  const planned = { product_id: "prod-15ba2543", base_cpm: 31, effective_from: "2027-08-01", reason: "Late summer" };
  await seller.send("operator", "update_product", planned);
  const page = await at("products/prod-15ba2543", /Pre-Roll Video/);
  const row = page.getByRole("row", { name: /^Flights from 1 Aug 2027 List price \$[\d.]+ → \$31\.00 Late summer/ });
  await row.getByRole("button", { name: "Take it back" }).click();
  await page.getByRole("button", { name: "Yes, take it back" }).click();
  await row.waitFor({ state: "detached" });
  expect(await seller.send("operator", "get_product", { product_id: "prod-15ba2543" })).toMatchObject({
    planned_changes: [],
  });
});

test("the list of products says which are nearly full", async () => {
  const cap = 2_000_000;
  const product_id = "prod-889e2b7d";
  await seller.send("operator", "update_product", { product_id, maximum_impressions: cap });
  const flight = { flight_start: "2027-02-01", flight_end: "2027-02-20" };
  const terms = { product_id, deal_type: "PG", impressions: cap, ...flight };
  const buyer = await buyerNamed(seller, "Full Moon");
  const { quote_id } = await seller.send(buyer, "request_quote", terms);
  await seller.send(buyer, "book_deal", { quote_id });
  const page = await at("products", /^Products$/);
  await page.getByRole("row", { name: /^NBC Primetime .* nearly full, 100 %$/ }).waitFor();
});

test("a package is made, changed, archived and brought back", async () => {
  const page = await at("packages", /^Packages$/);
  await page.getByRole("button", { name: "Make a package" }).click();
  await page.getByLabel("Name").fill("Breakfast <b>");
  await page.getByLabel("Pre-Roll Video", { exact: false }).first().check();
  await page.getByLabel("Price per thousand").fill("24");
  await page.locator("dialog .error").getByText("A price of its own needs a floor.").waitFor();
  await page.getByLabel("Floor").fill("18");
  await page.locator("dialog .facts").getByText("$24.00").waitFor();
  await page.getByRole("button", { name: "Yes, make a package" }).click();
  await page.getByRole("heading", { level: 1, name: "Breakfast <b>" }).waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel(/^Price, now \$24\.00/).fill("22.5");
  await page.locator("dialog .facts").getByText("$22.50").waitFor();
  await page.getByRole("button", { name: "Yes, change" }).click();
  await page.getByText("$22.50").first().waitFor();
  await page.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Yes, archive" }).click();
  await page.getByRole("button", { name: "Bring back" }).click();
  await page.getByRole("button", { name: "Yes, bring back" }).click();
  await page.getByRole("button", { name: "Archive" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  expect(await seller.send("anonymous", "get_package", { package_id: id })).toMatchObject({ name: "Breakfast <b>" });
});

const bookedBy = async (buyer: string): Promise<string> => {
  const terms = { product_id: "prod-15ba2543", deal_type: "PD", impressions: 1_000_000 };
  const { quote_id } = await seller.send(buyer, "request_quote", terms);
  return String((await seller.send(buyer, "book_deal", { quote_id }))["deal_id"]);
};

test("a cancellation is decided with its deal in view, written when it is applied, and in no sum after", async () => {
  const { send } = seller;
  const buyer = await buyerNamed(seller, "Linden Books");
  const deal_id = await bookedBy(buyer);
  const { order_id } = await send(buyer, "create_order", { deal_id });
  const asked = await send(buyer, "create_change_request", { order_id, change_type: "cancellation" });
  const look = { key: seller.world.secretOf("senior") ?? "" };
  const path = `/console/changes/${String(asked["change_request_id"])}`;
  const { page, heard, context } = await signedIn(browser, seller, path, look);
  await page.getByRole("heading", { level: 1, name: "Cancellation" }).waitFor();
  await page.getByRole("row", { name: /^Order and deal stand cancelled$/ }).waitFor();
  const subject = /Linden Books: Pre-Roll Video.*, \d+ \w+ to \d+ \w+ \d{4}, \$[\d,.]+\./;
  await page.getByRole("button", { name: "Approve" }).click();
  expect(await page.getByRole("dialog").innerText()).toMatch(subject);
  await page.getByText(/Nothing changes until you click Apply/).waitFor();
  await page.getByRole("button", { name: "Yes, approve" }).click();
  await page.getByText(/^Approved\. One step is left: Apply writes it/).waitFor();
  await page.getByRole("button", { name: "Apply" }).click();
  expect(await page.getByRole("dialog").innerText()).toMatch(subject);
  await page.getByRole("button", { name: "Yes, apply" }).click();
  await page.getByText("Written to the order and its deal.").first().waitFor();
  const { deals } = await send("operator", "list_deals", {});
  const owner = (deals as { deal_id: string; buyer: string }[]).find((one) => one.deal_id === deal_id)?.buyer ?? "";
  await bookedBy(buyer);
  await page.goto(new URL(`/console/deals?buyer=${encodeURIComponent(owner)}`, seller.url).href);
  await page.locator(".strip-card", { hasText: "1 count, 1 ended early" }).waitFor();
  expect(await page.locator(".strip-card .figure").allInnerTexts()).toEqual([
    expect.stringMatching(/Deals\s+2/),
    expect.stringMatching(/Value\s+\$[\d,]+/),
    expect.stringMatching(/Impressions\s+1M/),
    expect.stringMatching(/Average CPM\s+\$/),
  ]);
  expect(heard).toEqual([]);
  await context.close();
});

test("home says what waits in money and in number, and counts a deal that waits for approval once", async () => {
  const desk = await seller.send("operator", "get_desk_status", {});
  // What is only to be activated has its line, and needs no decision.
  const { activation: _activation, ...decided } = desk;
  const tiles = Object.values(decided).filter((tile) => (tile as { state?: string }).state === "act");
  const number = tiles.reduce<number>((sum, tile) => sum + (tile as { count: number }).count, 0);
  const { deals } = await seller.send("operator", "list_deals", { status: ["proposed"] });
  const waiting = (deals as { status_text: string }[]).filter(({ status_text: text }) => text.includes("approve it"));
  expect(waiting.length).toBeGreaterThan(0);
  expect(desk["activation"]).toMatchObject({ count: (deals as unknown[]).length - waiting.length });
  const page = await at("home", /^\$[\d,]+ waits for you$/);
  await page.getByText(`${number} things need you. Sandbox`).waitFor();
  await page.getByRole("link", { name: /^To activate/ }).click();
  await page
    .getByRole("row", { name: /To activate$/ })
    .first()
    .waitFor();
  expect(await page.getByRole("row", { name: /Waits for approval$/ }).count()).toBe(0);
});

test("what the rules would say is shown, and nothing is said or kept", async () => {
  const { quote_id: quote } = await seller.send(await buyerNamed(seller, "Kestrel Air"), "request_quote", {
    product_id: "prod-15ba2543",
    deal_type: "PD",
    impressions: 100_000,
  });
  const talk = await seller.send(await buyerNamed(seller, "Kestrel Air"), "negotiate", {
    action: "counter",
    quote_id: quote,
    buyer_price: 10,
  });
  const page = await at(`negotiations/${String(quote)}`, /Kestrel Air/);
  await page.getByLabel("If they offered, per thousand").fill("11.20");
  await page.getByText(/^The rules would counter with \$/).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press(".");
  const calls = page.getByRole("dialog", { name: "As a call" });
  await calls
    .getByText(/"buyer_price":11.2,"dry_run":true/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  const status = await seller.send("operator", "get_negotiation_status", { negotiation_id: talk["negotiation_id"] });
  expect(status["rounds"]).toHaveLength(1);
});

const deadDelivery = (n: number): DeliveryRow => ({
  delivery_id: `whd-dead-${n}`,
  webhook_id: ids["webhook"] ?? "",
  owner: "operator",
  event_id: `event-${n}`,
  event_type: "deal.created",
  created_at_ms: seller.nowMs(),
  last_status: 500,
  last_error: "http_500",
  life: {
    value: "dead",
    context: { attempts: 9, failures: 9, nextAttemptAtMs: null, finishedAtMs: seller.nowMs(), claimedUntilMs: null },
  },
});

test("deliveries say why they failed, and all that failed are sent again after they were counted", async () => {
  const rows = [deadDelivery(1), deadDelivery(2)];
  const audit = { at: "2027-01-15T00:00:00Z", request_id: "r", operation: "test", door: "test", principal: "test" };
  await seller.world.store.commit({ changes: rows.map((row) => create(deliveryKind, row.delivery_id, row)), audit });
  const page = await at("webhooks/{webhook}?status=dead", /hooks\.example\.com/);
  await page.getByText("answered 500").first().waitFor();
  await page.getByRole("button", { name: "Send all failed again" }).click();
  await page.getByText(/^2 deliveries failed for good/).waitFor();
  await page.getByRole("button", { name: "Yes, send 2 again" }).click();
  await expect.poll(() => page.locator("dialog b").allInnerTexts()).toEqual(["sent again", "sent again"]);
  await page.keyboard.press("Escape");
  await page.getByText("Nothing matches these filters.").waitFor();
});

test("a webhook is made with its secret shown once, and deleted", async () => {
  const page = await at("webhooks", /^Webhooks$/);
  await page.getByRole("button", { name: "Make a webhook" }).click();
  await page.getByLabel("Address, public and https").fill("https://hooks.example.com/second");
  await page.getByLabel("Deals").check();
  await page.getByRole("button", { name: "Yes, make a webhook" }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("link", { name: "https://hooks.example.com/second" }).click();
  await page.getByText(/approval\.requested.*deal\.created/).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Yes, delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "https://hooks.example.com/second" }).count()).toBe(0);
});

test("a buyer gets a key whose secret is shown once, with the identity that the operator vouches for", async () => {
  const page = await at("buyers", /^Buyers$/);
  await page.getByRole("button", { name: "Make a buyer's key" }).click();
  const confirm = page.getByRole("button", { name: "Yes, make a buyer's key" });
  await page.getByLabel("Tier").selectOption("advertiser");
  await page.getByLabel("Id of the advertiser").fill("adv-new");
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel("Id of its agency").fill("agency-new");
  await page.getByLabel("Its name, for people").fill("Larch & Sons <i>");
  await confirm.click();
  const key = await page.locator(".copyable pre").innerText();
  const caller = { "X-API-Key": key };
  const who = await fetch(new URL("/api/v1/caller", seller.url), { headers: caller });
  expect(await who.json()).toMatchObject({ role: "buyer", tier: "advertiser" });
  await page.getByRole("button", { name: "I have it" }).click();
  expect(await page.locator(".copyable").count()).toBe(0);
  await page.getByRole("link", { name: "Larch & Sons <i>" }).waitFor();
});

test("a new key starts with the role that may do least", async () => {
  const page = await at("keys", /^Keys$/);
  await page.getByRole("button", { name: "Make a key" }).click();
  expect(await page.getByLabel("Role").inputValue()).toBe("viewer");
});

test("an agent is blocked at once with a reason, and let in again", async () => {
  const agent_url = "https://rogue.example/agent";
  const identity = { agency_id: "agency-rogue", agency_name: "Rogue Media", agent_url };
  const { api_key: key } = await seller.send("operator", "create_api_key", identity);
  const isBlocked = async () =>
    (await fetch(new URL("/products", seller.url), { headers: { "X-API-Key": String(key) } })).status === 403;
  const page = await at("buyers/agency:agency-rogue", /^Rogue Media$/);
  await page.getByRole("button", { name: "Block" }).click();
  const confirm = page.getByRole("button", { name: "Yes, block" });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel("Reason, for other operators").fill("Floods us with quotes");
  await confirm.click();
  await page.locator(".states .here").getByText("blocked").waitFor();
  expect(await isBlocked()).toBe(true);
  await page.getByRole("link", { name: "All buyers" }).click();
  await page.getByText("Floods us with quotes").waitFor();
  await page.getByRole("button", { name: "Let it in again" }).click();
  await page.getByRole("button", { name: "Yes, let it in again" }).click();
  await page.getByText("Floods us with quotes").waitFor({ state: "detached" });
  expect(await isBlocked()).toBe(false);
});

test("events and audit name who it was, and a change what it was before", async () => {
  const events = await at("events?type=change_request.created", /^Events$/);
  await events.getByRole("link", { name: /^A change is asked for: Harbor Coffee/ }).click();
  await events.getByRole("dialog").getByRole("link", { name: "Open it" }).click();
  await events.getByRole("heading", { level: 1, name: /^Change of impressions/ }).waitFor();
  const audit = await at("audit", /^Audit$/);
  await audit.getByRole("link", { name: "operator of the tests" }).first().click();
  await expect.poll(() => new URL(audit.url()).searchParams.get("actor")).toMatch(/^key:/);
  const change = await at("changes/{change}", /^Change of impressions/);
  await change.getByRole("row", { name: "Volume 1,000,000 900,000" }).waitFor();
  expect(await change.getByText("system", { exact: true }).count()).toBe(0);
});

test("the theme is chosen once for this browser, and another session of the key is ended", async () => {
  const address = new URL("/console/session", seller.url);
  const own = { "X-Parley-Console": "1", "Content-Type": "application/json" };
  const body = JSON.stringify({ key: seller.operatorKey });
  const other = await fetch(address, { method: "POST", headers: own, body });
  const cookie = other.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = await at("setup", /^Setup$/);
  const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  await page.emulateMedia({ colorScheme: "light" });
  const light = await background();
  await page.getByLabel("Theme").selectOption("dark");
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Setup" }).waitFor();
  expect(await background()).toBe(dark);
  await page.getByLabel("Theme").selectOption("system");
  expect(await background()).toBe(light);
  await page
    .getByRole("button", { name: /^End the session from/ })
    .first()
    .click();
  // The press returns before the agent has answered it.
  const isOpen = async (): Promise<unknown> =>
    ((await (await fetch(address, { headers: { ...own, cookie } })).json()) as { readonly signed_in: boolean })
      .signed_in;
  await expect.poll(isOpen).toBe(false);
});

test("in a narrow window every screen is reached over More", async () => {
  const page = await at("home", /waits for you$/);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.getByRole("navigation", { name: "Screens" }).getByRole("link").count()).toBe(4);
  await page.getByRole("button", { name: /^More/ }).click();
  const all = page.getByRole("dialog", { name: "Screens" });
  expect(await all.getByRole("listitem").getByRole("link").allInnerTexts()).toHaveLength(18);
  expect(await all.getByRole("link", { name: "Guide" }).getAttribute("href")).toBe("/guide/");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^More/ }).click();
  await all.getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  expect(await all.count()).toBe(0);
});
