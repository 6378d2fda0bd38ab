import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { knownChannels } from "../../machines/booking/weights.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { sellerHere } from "../buyer/seller-here.ts";
import { type ServedBuyer, serveBuyer } from "./buyer-harness.ts";
import { isTooWide, type Opened, signedIn } from "./page.ts";
import { expectPicture } from "./picture.ts";
import { expectSound, findings } from "./sound.ts";

/** Of another seller: some the same, at other prices. */
const dearer = defaultProducts
  .slice(0, 9)
  .map((product) => ({ ...product, base_cpm_micros: Math.round((product.base_cpm_micros ?? 0) * 1.07) }));

const hostile = "<img src=x onerror=alert(1)>\u202E";

let agent: ServedBuyer;
let browser: Browser;
let opened: Opened;
const ids = { waiting: "", booked: "" };

beforeAll(async () => {
  agent = await serveBuyer(defaultProducts, dearer);
  ids.waiting = await agent.jobOf("Harbor Coffee: summer blend", false);
  ids.booked = await agent.jobOf(hostile, true);
  browser = await startBrowser();
  opened = await signedIn(browser, agent, "/console/");
});

afterAll(async () => {
  await closePages(browser);
  await agent.close();
});

const routes: readonly (readonly [path: string, heading: RegExp])[] = [
  ["home", /1 campaign needs you/],
  ["campaigns", /^Campaigns$/],
  ["campaigns/new", /^New brief$/],
  ["campaigns/{waiting}", /^Harbor Coffee: summer blend$/],
  ["campaigns/{booked}", /^<img src=x onerror=alert\(1\)>\\u\{202e\}$/],
  ["talk", /^Talk$/],
  ["compare?brief={waiting}", /^Compare$/],
  ["compare?brief={booked}", /^Compare$/],
  ["compare?from=2027-03-01&to=2027-03-31", /^Compare$/],
  ["deals", /^Deals$/],
  ["sellers", /^Sellers$/],
  ["events", /^Events$/],
  ["audit?by=all", /^Audit$/],
  ["keys", /^Keys$/],
  ["setup", /^Setup$/],
];

const pathOf = (path: string): string =>
  `/console/${path.replace("{waiting}", ids.waiting).replace("{booked}", ids.booked)}`;

test.each(routes)("%s: both themes, both widths, no finding, no policy violation", async (path, heading) => {
  await expectSound(opened, agent, pathOf(path), heading);
});

test.each(["light", "dark"] as const)("the picture of a campaign, %s, is that of a screen", async (colorScheme) => {
  const { page, heard } = opened;
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(new URL(pathOf("campaigns/{waiting}"), agent.url).href);
  await page.getByRole("heading", { name: "Choose what to book" }).waitFor();
  await expectPicture(page, `campaign-${colorScheme}`);
  expect(heard).toEqual([]);
});

test("a brief is written beside its split, its lines are chosen and booked, nothing else is", async () => {
  const { page, heard } = opened;
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.goto(new URL("/console/campaigns/new", agent.url).href);
  await page.getByLabel("Name").fill("Winter boots");
  await page.getByLabel(/^Budget/).fill("60,000");
  await page.getByLabel("First day").fill("2026-06-01");
  await page.getByLabel("Last day").fill("2026-06-30");
  await page.getByText("The whole campaign lies in the past. Choose a later last day.").waitFor();
  expect(await page.getByRole("button", { name: "Ask the sellers" }).isDisabled()).toBe(true);
  await page.reload();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Winter boots");
  await page.getByLabel("First day").fill("2027-06-01");
  await page.getByLabel("Last day").fill("2027-06-30");
  const offered = page.getByRole("group", { name: /^Only these channels/ });
  expect(await offered.getByRole("checkbox").count()).toBe(knownChannels.length);
  await offered.getByLabel("Display", { exact: true }).check();
  await offered.getByLabel("Connected TV").check();
  await page.getByLabel("Connected TV at most").fill("half");
  await page.getByText("A share as 40 %, or an amount.").waitFor();
  await page.getByLabel("Connected TV at most").fill("40 %");
  const split = page.getByRole("region", { name: "How it would be split" }).or(page.locator(".card").last());
  await split.getByText(/\$\d/).first().waitFor();
  const jobs = await agent.call("list_bookings", {});
  expect(jobs["total"]).toBe(2);
  const ask = page.getByRole("button", { name: "Ask the sellers" });
  await page.getByLabel(/^Highest price/).fill("36.5.0");
  await page.getByText("A number, for example 12.50.").waitFor();
  await expect.poll(() => ask.isDisabled()).toBe(true);
  await page.getByLabel(/^Highest price/).fill("36,5");
  await expect.poll(() => ask.isEnabled()).toBe(true);
  await ask.click();
  await page.getByRole("heading", { name: "Choose what to book" }).waitFor();
  const boxes = page.getByRole("checkbox");
  const all = await boxes.count();
  expect(all).toBeGreaterThan(1);
  await boxes.first().uncheck();
  await page.getByRole("button", { name: `Book ${all - 1} of ${all} lines` }).click();
  await page.getByText(/Deals bind\. The other 1 line is rejected\./).waitFor();
  await page.getByRole("button", { name: "Yes, book" }).click();
  await page.getByRole("heading", { name: "Booked", exact: true }).waitFor();
  const { jobs: listed } = (await agent.call("list_bookings", { q: "Winter boots" })) as {
    readonly jobs: readonly { readonly job_id: string }[];
  };
  const job = (await agent.call("get_booking", { job_id: listed[0]?.job_id })) as {
    readonly booked_lines: readonly { readonly cost: number }[];
    readonly recommendations: readonly { readonly status: string }[];
    readonly totals: { readonly booked: number };
    readonly brief: object;
  };
  expect(job.brief).toMatchObject({
    kpis: { max_cpm: 36.5 },
    channels: ["display", "ctv"],
    channel_limits: { ctv: { max_share: 0.4 } },
    objectives: ["brand_awareness"],
  });
  await page.getByText(/Costs are what the sellers charge, all in/).waitFor();
  expect(job.booked_lines).toHaveLength(all - 1);
  expect(job.recommendations.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(job.totals.booked).toBeLessThanOrEqual(60_000);
  expect(heard).toEqual([]);
});

test("a seller is called by the name of its card", async () => {
  const { page } = opened;
  await page.route(/\/sellers$/, async (route) => {
    const answer = await route.fetch();
    const { sellers } = (await answer.json()) as { readonly sellers: readonly object[] };
    await route.fulfill({ response: answer, json: { sellers: sellers.map((one) => ({ ...one, name: "Globex TV" })) } });
  });
  await page.goto(new URL("/console/compare?brief=none", agent.url).href);
  await page.getByRole("columnheader", { name: "Globex TV" }).first().waitFor();
  expect(await page.getByRole("columnheader", { name: /127\.0\.0\.1/ }).count()).toBe(0);
  await page.unroute(/\/sellers$/);
});

test("the sellers of a brief stand side by side; what is chosen there is booked", async () => {
  const { page, heard } = opened;
  await page.setViewportSize({ width: 1360, height: 900 });
  const id = await agent.jobOf("Aster Home Energy", false);
  await page.goto(new URL("/console/compare", agent.url).href);
  const table = page.getByRole("table", { name: "Products by seller" });
  await table.waitFor();
  expect(await table.getByRole("columnheader").count()).toBe(3);
  await table.getByText("best: price").first().waitFor();
  const boxes = table.getByRole("checkbox");
  const all = await boxes.count();
  await boxes.first().uncheck();
  await page.getByText("no money was left for its minimum").first().waitFor();
  await page.getByRole("button", { name: /^Book \d+ of \d+ lines$/ }).click();
  await page.getByRole("button", { name: "Yes, book" }).click();
  await page.getByRole("table", { name: "Delivery against plan" }).waitFor();
  const job = (await agent.call("get_booking", { job_id: id })) as {
    booked_lines: unknown[];
    recommendations: unknown[];
  };
  expect(all).toBeGreaterThan(1);
  expect(job.booked_lines.length).toBeGreaterThan(0);
  expect(job.booked_lines.length).toBeLessThan(job.recommendations.length);
  expect(heard).toEqual([]);
});

test("a campaign is cancelled from its page only until its booking starts", async () => {
  const { page } = opened;
  const id = await agent.jobOf("Quince Bikes", false);
  const { recommendations } = (await agent.call("get_booking", { job_id: id })) as {
    recommendations: { recommendation_id: string }[];
  };
  await page.goto(new URL(`/console/campaigns/${id}`, agent.url).href);
  const cancel = page.getByRole("button", { name: "Cancel the campaign" });
  await cancel.waitFor();
  const first = { job_id: id, recommendation_ids: [recommendations[0]?.recommendation_id], keep_rest: true };
  await agent.call("approve_booking", first);
  await page.reload();
  await page.getByRole("heading", { name: "Choose what to book" }).waitFor();
  expect(await cancel.count()).toBe(0);
  await expect(agent.call("cancel_booking", { job_id: id })).rejects.toThrow("cancel_booking");
  const ended = await agent.jobOf("Rowan Tents", false);
  await agent.call("cancel_booking", { job_id: ended });
  await page.goto(new URL("/console/campaigns", agent.url).href);
  const row = page.getByRole("row", { name: /Rowan Tents/ });
  await row.getByText("Cancelled").waitFor();
  expect(await row.innerText()).not.toContain("Failed");
});

test("a seller is added by its address: what it says is shown first, its key comes with it", async () => {
  const { page, heard } = opened;
  const fresh = await sellerHere({ products: defaultProducts.slice(0, 3) });
  await page.goto(new URL("/console/sellers", agent.url).href);
  await page.getByRole("button", { name: "Add a seller" }).click();
  const sheet = page.getByRole("dialog");
  const yes = sheet.getByRole("button", { name: "Yes, add a seller" });
  await sheet.getByLabel("Address of the seller").fill("seller.example");
  await sheet.getByText(/^Write an http or https address/).waitFor();
  expect(await yes.isDisabled()).toBe(true);
  await sheet.getByLabel("Address of the seller").fill(fresh.url);
  await sheet.getByText("Not in the agent registry").waitFor();
  await expectDialogSound();
  await yes.click();
  await page.getByText(/is added/).waitFor();
  const { sellers } = (await agent.call("list_sellers", {})) as { sellers: { url: string; key_hint: string | null }[] };
  expect(sellers.find(({ url }) => url === fresh.url)).toMatchObject({ source: "added", reachable: true });
  await page
    .getByRole("row", { name: new RegExp(fresh.url) })
    .getByRole("button", { name: "Remove" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, remove" }).click();
  await expect.poll(() => page.getByRole("row").count()).toBe(3);
  expect(heard).toEqual([]);
  await fresh.close();
});

const expectDialogSound = async (): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await opened.page.emulateMedia({ colorScheme });
    expect(await findings(opened.page), colorScheme).toEqual([]);
  }
};

test("the audit names who decided and what changed, folds a campaign's own steps, and proves an entry", async () => {
  const { page, heard } = opened;
  await page.setViewportSize({ width: 1360, height: 900 });
  const { key_id: id } = await agent.call("create_operator_key", { label: "Otto" });
  await agent.call("revoke_operator_key", { key_id: id });
  await page.goto(new URL("/console/audit", agent.url).href);
  const rows = page.locator(".work tbody tr");
  await rows.first().waitFor();
  expect(await page.getByText("Went on with a campaign").count()).toBe(0);
  await page.getByRole("link", { name: "Everything" }).click();
  await page
    .getByText(/^Went on with a campaign \d+$/)
    .first()
    .waitFor();
  await page.getByRole("link", { name: String(id) }).click();
  await page.getByText("status active → revoked").waitFor();
  expect(await rows.count()).toBe(1);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Prove it" }).click();
  await page.getByText(/^The trail is whole: .* and its hash fits what it says\.$/).waitFor();
  await expectDialogSound();
  expect(heard).toEqual([]);
});

test("a viewer sees the lines and no way to book them", async () => {
  const { api_key: key } = await agent.call("create_operator_key", { label: "Vera", role: "viewer" });
  const other = await signedIn(browser, agent, pathOf("campaigns/{waiting}"), { key: String(key) });
  await other.page.getByRole("heading", { name: "Lines" }).waitFor();
  expect(await other.page.getByRole("checkbox").count()).toBe(0);
  expect(await other.page.getByRole("button", { name: /Book|Cancel/ }).count()).toBe(0);
  await other.context.close();
});

test("a campaign is started in words: shown as a button, taken by its number, and told", async () => {
  const { page, heard } = opened;
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.goto(new URL("/console/talk", agent.url).href);
  const field = page.getByLabel("Message, or the number of a button");
  const say = async (text: string): Promise<void> => {
    await field.fill(text);
    await field.press("Enter");
  };
  await say("Spend 20k on display from 1 to 30 June 2027 for sports fans, brand awareness");
  const button = page.locator(".transcript .button");
  await button.waitFor();
  expect(await page.locator(".transcript li").count()).toBe(2);
  const label = (await button.innerText()).replace(/^1\s+/, "");
  await say("1");
  await expect.poll(() => page.locator(".transcript .theirs").last().innerText()).toContain("Started");
  expect(await page.locator(".transcript .ours .said").last().innerText()).toBe(label);
  const { jobs } = (await agent.call("list_bookings", { limit: 1 })) as { jobs: { campaign_name: string }[] };
  expect(jobs).toHaveLength(1);
  expect(await button.count()).toBe(0);
  await say("compare");
  const table = page.locator(".transcript .table").first();
  await table.waitFor();
  expect(await table.getByRole("columnheader", { name: "product" }).count()).toBe(1);
  expect(await page.locator(".transcript .theirs").last().innerText()).not.toContain("|");
  await expectTalkSound();
  expect(heard).toEqual([]);
});

const expectTalkSound = async (): Promise<void> => {
  const { page } = opened;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findings(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findings(page), "narrow").toEqual([]);
  expect(await isTooWide(page)).toBe(false);
};
