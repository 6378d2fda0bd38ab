import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, offerOf, serveConsole, type Served } from "./harness.ts";
import { signedIn, visit } from "./page.ts";

let seller: Served;
let browser: Browser;
let harbor: string;

beforeAll(async () => {
  seller = await serveConsole();
  browser = await startBrowser();
  harbor = await buyerNamed(seller, "Harbor Coffee");
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

interface Approval {
  readonly request: { readonly status: string };
  readonly response: { readonly decision: string; readonly reason: string; readonly decided_by: string } | null;
}

const approvalOf = async (approval_id: string): Promise<Approval> =>
  (await seller.send("operator", "get_approval", { approval_id })) as unknown as Approval;

const open = (id: string, look = {}) => signedIn(browser, seller, `/console/approvals/${id}`, look);

const pressed = async (page: Page, key: string, button: string): Promise<void> => {
  await page.getByRole("button", { name: /^Reject/ }).waitFor();
  await page.keyboard.press(key);
  await expect.poll(() => page.getByRole("button", { name: button }).isEnabled()).toBe(true);
};

test("a rejection carries one of the ready reasons to the record", async () => {
  const id = await offerOf(seller, harbor);
  const { page, heard, context } = await open(id);
  await pressed(page, "r", "Yes, reject");
  await page.getByRole("button", { name: "The price is below what we can accept." }).click();
  await page.getByRole("button", { name: "Yes, reject" }).click();
  await page.getByText("You rejected this").waitFor();
  const { response } = await approvalOf(id);
  expect(response).toMatchObject({ decision: "reject", reason: "The price is below what we can accept." });
  expect(response?.decided_by).toBe("operator of the tests");
  expect(heard).toEqual([]);
  await context.close();
});

test("a counter under the floor is refused before it is sent, one above it is sent", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await open(id);
  await pressed(page, "c", "Yes, counter");
  const price = page.getByLabel(/Your price/);
  await price.fill("1.00");
  await page.locator(".sheet .error").waitFor();
  expect(await page.getByRole("button", { name: "Yes, counter" }).isDisabled()).toBe(true);
  // Their offer is above our last price: half way would ask for more than before.
  expect(await page.getByRole("button", { name: /Half way/ }).count()).toBe(0);
  await page.getByRole("button", { name: /Last ours/ }).click();
  await expect.poll(() => page.getByRole("button", { name: "Yes, counter" }).isEnabled()).toBe(true);
  await price.fill("12 or so");
  await page.getByText("A number, for example 12.50.").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Yes, counter" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: /Last ours/ }).click();
  await expect.poll(() => page.getByRole("button", { name: "Yes, counter" }).isEnabled()).toBe(true);
  expect(await page.locator(".ruler-dot.us").innerText()).toContain("Your counter");
  await page.getByRole("button", { name: "Yes, counter" }).click();
  await page.getByText("You countered this").waitFor();
  expect((await approvalOf(id)).response?.decision).toBe("counter");
  await context.close();
});

test("decided by somebody else meanwhile: said by whom, the buttons are gone, nothing is sent", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await open(id);
  await pressed(page, "a", "Yes, approve");
  await seller.send("senior", "approve_or_reject", { approval_id: id, decision: "reject", decided_by: "Maja" });
  await page.getByText("Maja rejected this").waitFor();
  await page.getByText("Nothing of yours was sent.").waitFor();
  expect(await page.getByRole("button", { name: /pprove/ }).count()).toBe(0);
  await context.close();
});

test("what changed meanwhile is marked from old to new, and must be seen before it is confirmed", async () => {
  const id = await offerOf(seller, harbor, "prod-91ddc363");
  const { page, context } = await open(id);
  await page.getByRole("button", { name: /^Approve at/ }).waitFor();
  await seller.send("operator", "update_product", { product_id: "prod-91ddc363", base_cpm: 16 });
  await page.keyboard.press("a");
  await page.getByText(/Changed meanwhile: .*list price \$15\.00 → \$16\.00/).waitFor();
  const confirm = page.getByRole("button", { name: "Yes, approve" });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "I have seen it" }).click();
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  expect((await approvalOf(id)).request.status).toBe("pending");
  await context.close();
});

test("a decision about what changed is refused by the agent itself, whatever the screen has seen", async () => {
  const id = await offerOf(seller, harbor, "prod-91ddc363");
  const old = await seller.send("operator", "get_approval_brief", { approval_id: id });
  const { page, context } = await open(id);
  let isRefused = false;
  page.on("response", (response) => (isRefused ||= response.status() === 412));
  await page.route("**/brief", (route) => (isRefused ? route.continue() : route.fulfill({ json: old })));
  await pressed(page, "a", "Yes, approve");
  await seller.send("operator", "update_product", { product_id: "prod-91ddc363", base_cpm: 17 });
  const confirm = page.getByRole("button", { name: "Yes, approve" });
  await confirm.click();
  await page.getByText(/Changed meanwhile: .*→ \$17\.00/).waitFor();
  expect(isRefused).toBe(true);
  expect((await approvalOf(id)).request.status).toBe("pending");
  await page.getByRole("button", { name: "I have seen it" }).click();
  await confirm.click();
  await page.getByText("You approved this").waitFor();
  await context.close();
});

test("the rate card is changed after its before and after were shown", async () => {
  const { page, heard, context } = await signedIn(browser, seller, "/console/setup");
  const row = page.getByRole("row", { name: /^ctv/ });
  await row.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("List price per thousand").fill("36,50");
  await page.getByText("$35.00 → $36.50").waitFor();
  const confirm = page.getByRole("button", { name: "Yes, change" });
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.click();
  await row.getByText("$36.50").waitFor();
  const { entries } = (await seller.send("operator", "get_rate_card", {})) as unknown as {
    readonly entries: readonly { readonly inventory_type: string; readonly base_cpm: number }[];
  };
  expect(entries.find(({ inventory_type: type }) => type === "ctv")?.base_cpm).toBe(36.5);
  expect(entries.length).toBeGreaterThan(1);
  expect(heard).toEqual([]);
  await context.close();
});

test("an agent that goes away is said at once, and nothing can be decided", async () => {
  const other = await serveConsole();
  const id = await offerOf(other, await buyerNamed(other, "Harbor Coffee"));
  const { page, context } = await signedIn(browser, other, `/console/approvals/${id}`);
  const approve = page.getByRole("button", { name: /^Approve at/ });
  await approve.waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await other.close();
  await page.getByText("No connection to the agent.").waitFor();
  expect(await approve.isDisabled()).toBe(true);
  await page.keyboard.press("a");
  expect(await page.locator(".sheet").count()).toBe(0);
  expect(await page.locator(".ruler").isVisible()).toBe(true);
  await context.close();
});

test("back after a loss, what is shown is read anew", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await open(id);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.route("**/events/stream", (route) => route.abort());
  await page.reload();
  await page.getByText("Connection lost, trying again").waitFor();
  await seller.send("senior", "approve_or_reject", { approval_id: id, decision: "approve", decided_by: "Maja" });
  await page.unroute("**/events/stream");
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByText(/Maja approved this/).waitFor();
  await context.close();
});

/** The answers of the next decisions do not come, though they are made. */
const loseAnswers = (page: Page): Promise<unknown> =>
  page.route("**/decide", async (route) => {
    await route.fetch();
    await route.abort();
  });

test("an answer that is lost on its way: sending again sends the same, and decides once", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await open(id);
  // A page that does not hear of the decision keeps the button.
  let first: unknown;
  let isHeldBack = true;
  await page.route("**/brief", async (route) => {
    const response = await route.fetch();
    const now: unknown = await response.json();
    first ??= now;
    await route.fulfill({ response, json: isHeldBack ? first : now });
  });
  await page.reload();
  await pressed(page, "a", "Yes, approve");
  await loseAnswers(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/decide"))
      sent.push(`${request.headers()["idempotency-key"]} ${request.postData()}`);
  });
  await page.getByRole("button", { name: "Yes, approve" }).click();
  await page.getByText("No answer came").first().waitFor();
  await page.unroute("**/decide");
  expect((await approvalOf(id)).request.status).toBe("approved");
  await page.route("**/decide", async (route) => {
    isHeldBack = false;
    await route.continue();
  });
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText(/approved this/).waitFor();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatch(/^console-.*"approve"/);
  expect(sent[1]).toBe(sent[0]);
  const told = await seller.send("operator", "list_events", { event_type: "approval.granted", limit: 500 });
  const granted = (told["events"] as { payload: { approval_id: string } }[]).filter(
    ({ payload }) => payload.approval_id === id,
  );
  expect(granted).toHaveLength(1);
  expect((await approvalOf(id)).response?.decision).toBe("approve");
  await context.close();
});

test("an answer that is lost on its way: a page that hears of the decision asks for nothing more", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await open(id);
  await pressed(page, "a", "Yes, approve");
  await loseAnswers(page);
  await page.getByRole("button", { name: "Yes, approve" }).click();
  await page.getByText(/approved this/).waitFor();
  expect(await page.getByRole("button", { name: /Send again|Yes, approve/ }).count()).toBe(0);
  expect((await approvalOf(id)).response?.decision).toBe("approve");
  await context.close();
});

test("several of one kind are decided at once, each with its own outcome", async () => {
  const buyer = await buyerNamed(seller, "Northlight Media");
  const [one, two] = [await bookingOf(seller, buyer), await bookingOf(seller, buyer)];
  const { page, heard, context } = await signedIn(browser, seller, "/console/approvals?kind=deal");
  const boxes = page.getByLabel("Select Northlight Media");
  await boxes.nth(1).waitFor();
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.locator(".selected").getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Yes, approve 2" }).click();
  await expect.poll(() => page.locator("dialog b").allInnerTexts()).toEqual(["approved", "approved"]);
  expect([(await approvalOf(one)).request.status, (await approvalOf(two)).request.status]).toEqual([
    "approved",
    "approved",
  ]);
  await page.getByRole("link", { name: "Activate the deals" }).click();
  await page.getByLabel("Select all rows that are shown").check();
  await page.getByRole("button", { name: /^Activate all \d+$/ }).click();
  await page.getByRole("button", { name: /^Yes, activate \d+$/ }).click();
  // The rows leave the list behind the sheet; what became of each stays until it is closed.
  await page.getByText("Nothing matches these filters.").waitFor();
  await expect.poll(async () => new Set(await page.locator("dialog b").allInnerTexts())).toEqual(new Set(["active"]));
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  expect(heard).toEqual([]);
  await context.close();
});

test("deals activated from the home screen: what became of each stays when none is left to activate", async () => {
  const approval_id = await bookingOf(seller, harbor);
  await seller.send("operator", "approve_or_reject", { approval_id, decision: "approve" });
  const { page, heard, context } = await signedIn(browser, seller, "/console");
  await page.getByRole("button", { name: "Activate it" }).click();
  await page.getByRole("button", { name: "Yes, activate 1" }).click();
  await page.getByRole("link", { name: "To activate", exact: true }).waitFor({ state: "detached" });
  await expect.poll(() => page.locator("dialog b").allInnerTexts()).toEqual(["active"]);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  expect(heard).toEqual([]);
  await context.close();
});

test("a viewer sees all and can decide nothing", async () => {
  const id = await offerOf(seller, harbor);
  const made = await seller.send("operator", "create_operator_key", { label: "looker", role: "viewer" });
  const { page, context } = await open(id, { key: String(made["api_key"]) });
  await page.getByText("Look only: deciding needs an operator's key.").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await page.keyboard.press("a");
  expect(await page.locator(".sheet").count()).toBe(0);
  const status = await page.evaluate(`fetch("/approvals/${id}/decide", { method: "POST",
    headers: { "X-Parley-Console": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ decision: "approve" }) }).then((answer) => answer.status)`);
  expect(status).toBe(403);
  expect((await approvalOf(id)).request.status).toBe("pending");
  await context.close();
});

test("a key that is revoked while its holder works ends in the sign-in, over the same address", async () => {
  const id = await offerOf(seller, harbor);
  const made = await seller.send("operator", "create_operator_key", { label: "leaver" });
  const { page, context } = await open(id, { key: String(made["api_key"]) });
  await page.getByRole("button", { name: /^Approve at/ }).waitFor();
  await seller.send("operator", "revoke_api_key", { key_id: made["key_id"] });
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/approvals/${id}`);
  await context.close();
});

test("the keyboard alone signs in, moves, opens, decides and goes elsewhere", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await visit(browser, seller, "/console/approvals?kind=negotiation");
  await page.getByLabel("Operator's key").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type(seller.operatorKey);
  await page.keyboard.press("Enter");
  await page.locator(".inbox-row").first().waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: /offers/ }).waitFor();
  await page.keyboard.press("f");
  expect(await page.evaluate("document.activeElement.type")).toBe("search");
  await page.keyboard.type("Harbor");
  await page.keyboard.press("Escape");
  await page.goto(new URL(`/console/approvals/${id}`, seller.url).href);
  await pressed(page, "a", "Yes, approve");
  await page.keyboard.press("Escape");
  expect(await page.locator(".sheet").count()).toBe(0);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.getByRole("heading", { level: 1, name: "Deals" }).waitFor();
  await page.keyboard.press(".");
  await page.getByRole("dialog", { name: "As a call" }).getByText("list_deals").first().waitFor();
  await context.close();
});

const pressAtOnce = `new MutationObserver((_changes, observer) => {
  const isDrawn = [...document.querySelectorAll("button")].some((button) => button.textContent.startsWith("Reject"));
  if (!isDrawn) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true }));
}).observe(document, { childList: true, subtree: true });`;

test("a key acts in the moment its button is drawn, and two keys in a row are not bound to a time", async () => {
  const id = await offerOf(seller, harbor);
  const { page, context } = await signedIn(browser, seller, "/console/home");
  await page.addInitScript(pressAtOnce);
  await page.goto(new URL(`/console/approvals/${id}`, seller.url).href);
  await page.getByRole("button", { name: "Yes, reject" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.clock.fastForward(60_000);
  await page.keyboard.press("d");
  await page.getByRole("heading", { level: 1, name: "Deals" }).waitFor();
  await page.keyboard.press("?");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await context.close();
});

test("ten tabs share one stream, and a new approval shows in each", async () => {
  const { page, context } = await signedIn(browser, seller, "/console/home");
  const opened = Array.from({ length: 9 }, async () => {
    const tab = await context.newPage();
    await tab.clock.setFixedTime(seller.world.nowMs());
    await tab.goto(new URL("/console/home", seller.url).href);
    return tab;
  });
  const tabs = [page, ...(await Promise.all(opened))];
  await Promise.all(tabs.map((tab) => tab.getByText("Live", { exact: true }).waitFor()));
  const titles = () => Promise.all(tabs.map((tab) => tab.title()));
  // A tab is live before it has read its counts.
  await expect.poll(async () => new Set(await titles()).size).toBe(1);
  const [before = ""] = await titles();
  await offerOf(seller, harbor);
  const waiting = Number(/\d+/.exec(before)?.[0] ?? 0) + 1;
  await expect.poll(titles).toEqual(tabs.map(() => `(${waiting}) Parley seller`));
  await context.close();
});

test("a rate card that somebody else replaced meanwhile is read again, and neither change is lost", async () => {
  const { page, context } = await signedIn(browser, seller, "/console/setup");
  const row = page.getByRole("row", { name: /^audio/ });
  await row.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("List price per thousand").fill("16");
  const confirm = page.getByRole("button", { name: "Yes, change" });
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  const { entries } = (await seller.send("operator", "get_rate_card", {})) as unknown as {
    readonly entries: readonly { readonly inventory_type: string; readonly base_cpm: number }[];
  };
  const theirs = entries.map((one) => (one.inventory_type === "native" ? { ...one, base_cpm: 11 } : one));
  await seller.send("senior", "update_rate_card", { entries: theirs });
  await confirm.click();
  await page.getByText("It changed meanwhile, and nothing was done.").waitFor();
  await page
    .getByRole("row", { name: /^native/, includeHidden: true })
    .getByText("$11.00")
    .waitFor({ state: "attached" });
  await expect.poll(() => confirm.isEnabled()).toBe(true);
  await confirm.click();
  // Exact: the question of the open dialog, within the row, has the amount as well.
  await row.getByText("$16.00", { exact: true }).waitFor();
  const { entries: now } = await seller.send("operator", "get_rate_card", {});
  expect(now).toContainEqual(expect.objectContaining({ inventory_type: "native", base_cpm: 11 }));
  expect(now).toContainEqual(expect.objectContaining({ inventory_type: "audio", base_cpm: 16 }));
  await context.close();
});
