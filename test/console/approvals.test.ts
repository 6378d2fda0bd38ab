import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintConsoleCode } from "../../agents/console/codes.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, offerOf, serveConsole, type Served } from "./harness.ts";
import { isTooWide, signedIn, visit } from "./page.ts";
import { findings } from "./sound.ts";

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
  await closePages(browser);
  await seller.close();
});

const statusOf = async (approval_id: string): Promise<unknown> =>
  ((await seller.send("operator", "get_approval", { approval_id }))["request"] as { status: string }).status;

const open = (id: string, look = {}) => signedIn(browser, seller, `/console/approvals/${id}`, look);

test("an offer is approved by two presses: the first asks, the second commits", async () => {
  const id = await offerOf(seller, harbor);
  const { page, heard, context } = await open(id);
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
  await context.close();
});

test("an offer shows its flight, its pace and what the buyer wrote, and a counter its price as typed", async () => {
  const id = await offerOf(seller, harbor);
  const { page, heard, context } = await open(id);
  await page.getByText("1 Jun to 28 Jun 2027").first().waitFor();
  await page.getByText("150K a day for 28 days").waitFor();
  await page.locator(".they-wrote", { hasText: "Launch of the summer blend" }).waitFor();
  await page.keyboard.press("c");
  const price = page.getByLabel(/^Your price/);
  await price.fill("abc");
  await page.getByText("A number, for example 12.50.").waitFor();
  expect(await page.locator(".sheet .error").count()).toBe(1);
  const asked = page.waitForResponse(/dry_run=true/);
  await price.fill("20.101");
  await page.locator(".sheet", { hasText: "4,200,000 impressions at $20.101, $84,424.20 in all" }).waitFor();
  await asked;
  expect(heard).toEqual([]);
  await context.close();
});

test("a booking whose cancellation waits says so before it is approved, in the buyer's words", async () => {
  const approval_id = await bookingOf(seller, harbor);
  const { request } = await seller.send("operator", "get_approval", { approval_id });
  const { deal_id } = request as { deal_id: string };
  await seller.send(harbor, "cancel_deal", { deal_id, reason: "The launch is off" });
  const { page, heard, context } = await open(approval_id);
  await page
    .locator(".notice", { hasText: "The buyer has since asked for a cancellation. Decide that first" })
    .waitFor();
  await page.locator(".they-wrote", { hasText: "The launch is off" }).waitFor();
  await page.getByRole("link", { name: "Decide that first" }).click();
  await page.getByText(/it waits for (a senior operator's yes|your review)/).waitFor();
  expect(heard).toEqual([]);
  await context.close();
});

test("a list that its filters leave empty says so, and leads to all", async () => {
  const { page, context } = await signedIn(browser, seller, "/console/deals?q=nobody-has-this");
  await page.getByText("Nothing matches these filters.").waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByRole("link", { name: "Harbor Coffee" }).first().waitFor();
  await context.close();
});

test("a deal that waits for a person names its buyer, leads to the decision and offers no other move", async () => {
  const approval_id = await bookingOf(seller, harbor);
  const { request } = await seller.send("operator", "get_approval", { approval_id });
  const { deal_id: deal } = request as { deal_id: string };
  const { page, heard, context } = await signedIn(browser, seller, `/console/deals/${deal}`);
  await page.getByRole("link", { name: "Decide it" }).waitFor();
  expect(await page.locator(".facts").getByText("Harbor Coffee").count()).toBe(1);
  expect(await page.getByRole("button", { name: /Activate|Reject/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Decide it" }).click();
  await page.getByRole("heading", { level: 1, name: /Harbor Coffee books / }).waitFor();
  await page.getByText(/ open on .* after this\. A deal takes its whole volume on each day that it runs/).waitFor();
  await page.getByRole("button", { name: /^Approve at/ }).click();
  await page.getByRole("button", { name: "Yes, approve" }).click();
  await page.getByText("You approved this").waitFor();
  expect(await page.getByText(/expires_at|T\d\d:\d\d/).count()).toBe(0);
  await page.getByText(/Click Activate before .*, or it expires/).waitFor();
  expect(await page.getByRole("link", { name: "The deal" }).getAttribute("href")).toBe(`/console/deals/${deal}`);
  await page.getByRole("button", { name: "Activate" }).click();
  await page.getByText(/Only a cancellation takes that back\.$/).waitFor();
  await page.getByRole("button", { name: "Yes, activate" }).click();
  await page.getByText(/^Active: it runs from /).waitFor();
  expect(await page.getByRole("button", { name: "Activate" }).count()).toBe(0);
  expect(heard).toEqual([]);
  await context.close();
});

const activeDealOf = async (name: string): Promise<{ readonly deal: string; readonly order: string }> => {
  const { send } = seller;
  const buyer = await buyerNamed(seller, name);
  const terms = { product_id: "prod-15ba2543", deal_type: "PD", impressions: 1_000_000 };
  const { quote_id } = await send(buyer, "request_quote", terms);
  const { deal_id: deal } = await send(buyer, "book_deal", { quote_id });
  await send("operator", "transition_deal", { deal_id: deal, to_status: "active" });
  const { order_id: order } = await send(buyer, "create_order", { deal_id: deal });
  return { deal: String(deal), order: String(order) };
};

test("cancelling an order names whose deal and how much money falls with it, and who did it is kept", async () => {
  const { deal, order } = await activeDealOf("Mill Bakery");
  const { page, heard, context } = await signedIn(browser, seller, `/console/orders/${order}`);
  await page.getByText(/Its deal is active already and does not wait for the order\./).waitFor();
  await page.getByRole("button", { name: "Cancel the order" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^Its deal is cancelled with it\. Mill Bakery: Pre-Roll Video.*, \$[\d,.]+\. The deal is now: Active\./)
    .waitFor();
  await page.getByLabel(/^Reason/).fill("Its budget is gone");
  await page.getByRole("button", { name: "Yes, cancel the order" }).click();
  await page.getByRole("row", { name: /Draft to cancelled operator of the tests Its budget is gone$/ }).waitFor();
  await page.getByRole("link", { name: "Its deal" }).click();
  await page.getByText(/^Cancelled: Order .* was cancelled: Its budget is gone\.$/).waitFor();
  expect(await page.locator(".chip").first().innerText()).toBe("Cancelled");
  expect(await page.getByRole("heading", { name: "Activation" }).count()).toBe(0);
  const life = page.locator(".life .step");
  await life.filter({ hasText: /A quote was made.*Parley$/ }).waitFor();
  await life.filter({ hasText: /A deal was booked.*Mill Bakery$/ }).waitFor();
  await life.filter({ hasText: /A deal was cancelled.*operator of the tests$/ }).waitFor();
  expect(page.url()).toContain(deal);
  expect(heard).toEqual([]);
  await context.close();
});

test("an active deal is cancelled from its own page, over a change that says what it is worth", async () => {
  const { deal } = await activeDealOf("Fern Hotels");
  const look = { key: seller.world.secretOf("senior") ?? "" };
  const operator = await signedIn(browser, seller, `/console/deals/${deal}`);
  await operator.page.getByRole("button", { name: "Cancel the deal" }).click();
  await operator.page.getByText(/^Fern Hotels: Pre-Roll Video.*, \$[\d,.]+\. The deal stays as it is until/).waitFor();
  await operator.page.getByRole("button", { name: "Go on to the cancellation" }).click();
  await operator.page.getByRole("heading", { level: 1, name: "Cancellation" }).waitFor();
  const { page, heard, context } = await signedIn(browser, seller, `/console/deals/${deal}`, look);
  await page.getByRole("link", { name: "Decide it" }).waitFor();
  expect(await page.getByRole("button", { name: "Cancel the deal" }).count()).toBe(0);
  expect([...heard, ...operator.heard]).toEqual([]);
  await operator.context.close();
  await context.close();
});

test("a senior cancels in one sheet, and moves a flight or changes a volume in one sheet each", async () => {
  const { deal } = await activeDealOf("Larch Travel");
  const look = { key: seller.world.secretOf("senior") ?? "" };
  const { page, heard, context } = await signedIn(browser, seller, `/console/deals/${deal}`, look);
  const terms = page.locator(".card", { has: page.getByRole("heading", { name: "Terms" }) });
  await page.getByRole("button", { name: "Change the volume" }).click();
  await page.getByLabel("Impressions", { exact: true }).fill("800,000");
  await page.getByText(/1,000,000 impressions → 800,000, at the same price/).waitFor();
  await page.getByRole("button", { name: "Yes, change it" }).click();
  await terms.getByText("800,000 impressions").waitFor();
  await page.getByRole("button", { name: "Reschedule" }).click();
  await page.getByLabel("Last day").fill("2027-12-30");
  await page.getByLabel("First day").fill("2027-12-01");
  await page.getByRole("button", { name: "Yes, move the flight" }).click();
  await terms.getByText("1 Dec to 30 Dec 2027").waitFor();
  await page.getByRole("button", { name: "Cancel the deal" }).click();
  await page.getByText(/It ends for good, its orders with it, and the impressions are free again/).waitFor();
  await page.getByRole("button", { name: "Yes, cancel it" }).click();
  await expect.poll(() => page.locator(".chip").first().innerText()).toBe("Cancelled");
  expect(heard).toEqual([]);
  await context.close();
});

test("the trust of an agent that nobody could look up is set, and a buyer without an agent loses its keys", async () => {
  const { send } = seller;
  const silent = { agency_id: "agency-silent", agency_name: "Silent Media", agent_url: "https://silent.example/agent" };
  await send("operator", "create_api_key", silent);
  const { page, heard, context } = await signedIn(browser, seller, "/console/buyers/agency:agency-silent");
  await page.getByRole("button", { name: "Set approved" }).click();
  await page.getByRole("button", { name: "Yes, set approved" }).click();
  await page.locator(".states .here").getByText("approved").waitFor();
  expect(await send("operator", "get_buyer", { owner: "agency:agency-silent" })).toMatchObject({ tier: "agency" });
  const { api_key: key } = await send("operator", "create_api_key", { agency_id: "agency-plain" });
  await page.goto(new URL("/console/buyers/agency:agency-plain", seller.url).href);
  await page.getByRole("button", { name: "Revoke its key" }).click();
  await page.getByRole("button", { name: "Yes, revoke 1" }).click();
  await page.getByRole("dialog").getByText("revoked", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("None of its keys works any more.").waitFor();
  const products = new URL("/products", seller.url);
  expect((await fetch(products, { headers: { "X-API-Key": String(key) } })).status).toBe(401);
  expect(heard).toEqual([]);
  await context.close();
});

test("a changed volume shows in the list of approvals and in its sum at once", async () => {
  const other = await serveConsole();
  const buyer = await buyerNamed(other, "Larch Radio");
  const approval_id = await bookingOf(other, buyer);
  const { request } = await other.send("operator", "get_approval", { approval_id });
  const { order_id } = await other.send(buyer, "create_order", { deal_id: (request as { deal_id: string }).deal_id });
  const { page, context } = await signedIn(browser, other, "/console/approvals");
  const before = await page.getByText(/^1 waits for you, worth/).innerText();
  const smaller = { order_id, change_type: "impressions", proposed_values: { impressions: 1_500_000 } };
  const { change_request_id: cr_id } = await other.send(buyer, "create_change_request", smaller);
  await other.send("operator", "review_change_request", { cr_id, decision: "approve" });
  await other.send("operator", "apply_change_request", { cr_id });
  await expect.poll(() => page.getByText(/^1 waits for you, worth/).innerText()).not.toBe(before);
  const worth = (await page.getByText(/^1 waits for you, worth/).innerText()).split("worth ")[1] ?? "";
  await page.getByRole("link", { name: new RegExp(`^Larch Radio.*${worth.replace("$", "\\$")}`) }).waitFor();
  await context.close();
  await other.close();
});

test("a buyer that asks for a person is seen, answered, and reads the answer with its next message", async () => {
  const { send } = seller;
  const { session_id } = await send(harbor, "create_session", {});
  const say = async (message: string) =>
    String((await send(harbor, "send_session_message", { session_id, message }))["text"]);
  // A hand-over is an option like all that text does (decision 120).
  await say("Can I talk to a person about June?");
  await say("yes");
  const { page, heard, context } = await signedIn(browser, seller, "/console/home");
  await page.getByRole("link", { name: /^Want a person needs you 1 buyer waits for an answer/ }).click();
  await page.getByRole("row", { name: /^Harbor Coffee / }).waitFor();
  const waiting = page.locator(".card", { hasText: "They ask for a person" });
  await waiting.getByText("Can I talk to a person about June?").waitFor();
  await waiting.getByRole("link", { name: "The talk" }).click();
  await page.getByRole("heading", { level: 1, name: "Talk with Harbor Coffee" }).waitFor();
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByLabel("Your answer").fill("June is free. Maja");
  await page.getByRole("button", { name: "Yes, answer" }).click();
  await waiting.waitFor({ state: "detached" });
  const answered = page.locator(".card", { hasText: "All answers" });
  await answered.getByText("June is free. Maja").waitFor();
  await page.goto(new URL("/console/talks", seller.url).href);
  await page.locator(".card", { hasText: "Answered" }).getByText("Can I talk to a person about June?").waitFor();
  expect(await say("hello")).toMatch(/^A person of our team answers you: "June is free\. Maja"\n/);
  expect(heard).toEqual([]);
  await context.close();
});

test("a price ten times the old is asked about once more, and what is missing is said", async () => {
  const { page, heard, context } = await signedIn(browser, seller, "/console/products/prod-15ba2543");
  await page.getByRole("button", { name: "Change price, floor or cap" }).click();
  await page.getByText("Nothing is changed yet: fill in a field.").waitFor();
  await page.getByLabel(/^List price per thousand/).fill("99,999,999");
  await page.getByText("Confirm the unusual price.").waitFor();
  const confirm = page.getByRole("button", { name: "Yes, change it" });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel(/^I mean \$99,999,999\.00 as list price, [\d,]+ times the old$/).check();
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await page.keyboard.press("Escape");
  await page.goto(new URL("/console/buyers", seller.url).href);
  await page.getByRole("button", { name: "Make a buyer's key" }).click();
  await page.getByText("The id of the agency is missing.").waitFor();
  expect(heard).toEqual([]);
  await context.close();
});

test("a change is listed with what it changes, counted in the menu, and its whole row opens it", async () => {
  const { send } = seller;
  const { order } = await activeDealOf("Quince Studio");
  const buyer = { order_id: order, change_type: "impressions", proposed_values: { impressions: 400_000 } };
  await send("operator", "create_change_request", buyer);
  const { page, heard, context } = await signedIn(browser, seller, "/console/changes");
  await page
    .getByRole("navigation", { name: "Screens" })
    .getByRole("link", { name: /^Changes \d+$/ })
    .waitFor();
  const row = page.getByRole("row", { name: /^Volume 1,000,000 → 400,000 .*Quince Studio/ });
  await row.click();
  await page.getByRole("heading", { level: 1, name: "Change of impressions" }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: /^More \d+$/ }).waitFor();
  expect(heard).toEqual([]);
  await context.close();
});

test("a name that is markup and hides characters is shown as typed, and nothing runs", async () => {
  const { page, heard, context } = await signedIn(browser, seller, "/console/approvals");
  await page.getByText("<img src=x onerror=alert(1)> \\u{202e}& Söhne").first().waitFor();
  expect(heard).toEqual([]);
  await context.close();
});

test("the sign-in has no finding of axe in either theme, and is not too wide", async () => {
  const { page, heard, context } = await visit(browser, seller, "/console/");
  await page.getByLabel("Operator's key").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  expect(heard).toEqual([]);
  await context.close();
});

test("a wrong key is refused in words, and the field is empty", async () => {
  const { page, context } = await visit(browser, seller, "/console/deals");
  const field = page.getByLabel("Operator's key");
  await field.fill("ask_live_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This does not sign in.").waitFor();
  expect(await field.inputValue()).toBe("");
  await context.close();
});

test("a one-time code in the fragment signs in and leaves the address bar", async () => {
  const keyId = String((await seller.send("operator", "create_operator_key", { label: "coded" }))["key_id"]);
  const code = await mintConsoleCode(seller.world.store, keyId, seller.world.nowMs());
  const { page, heard, context } = await visit(browser, seller, `/console/deals#code=${code}`);
  await page.getByRole("heading", { level: 1, name: "Deals" }).waitFor();
  expect(page.url()).toBe(new URL("/console/deals", seller.url).href);
  expect(heard).toEqual([]);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await context.close();
});
