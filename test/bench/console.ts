import { availableParallelism, loadavg } from "node:os";
import type { Browser } from "playwright-core";
import { create } from "../../protocol/seam/changes.ts";
import { dealKind, type DealRow } from "../../skills/seller/deals/record.ts";
import { bookingOf, buyerNamed, serveConsole, type Served } from "../console/harness.ts";
import { signedIn } from "../console/page.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";

/** Sorted lists look at 10,000 rows at most. */
const deals = 9_999;
const batch = 500;
const rounds = 7;

const screens = ["/console/deals", "/console/deals?sort=value", "/console/quotes", "/console/audit?by=all"] as const;

/** Copies of one deal, of several volumes. */
const fill = async (seller: Served): Promise<void> => {
  await bookingOf(seller, await buyerNamed(seller, "Harbor Coffee"));
  const { store } = seller.world;
  const [first] = await store.list({ kind: dealKind.name, terms: [], order: "newest", limit: 1 });
  const row = first?.body as DealRow;
  const audit = { at: "2027-01-15T00:00:00Z", request_id: "r", operation: "fill", door: "test", principal: "test" };
  for (let start = 1; start < deals; start += batch) {
    const changes = Array.from({ length: Math.min(batch, deals - start) }, (_, place) => {
      const id = `DEMO-${String(start + place).padStart(12, "0")}`;
      const { terms } = row.life.context;
      const life = { ...row.life, context: { ...row.life.context, terms: { ...terms, impressions: 1_000 + place } } };
      return create(dealKind, id, { ...row, deal_id: id, life });
    });
    await store.commit({ changes, audit });
  }
};

const noteTimes = `
  window.times = { paint: 0, rows: 0 };
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) {
      if (name === "first-contentful-paint") window.times.paint = startTime;
    }
  }).observe({ type: "paint", buffered: true });
  new MutationObserver((_, observer) => {
    if (document.querySelector(".work tbody tr") === null) return;
    observer.disconnect();
    window.times.rows = performance.now();
  }).observe(document, { childList: true, subtree: true });
`;

interface Times {
  readonly paint: number;
  readonly rows: number;
}

/** With an empty cache, from the request of the page on. */
const opened = async (browser: Browser, seller: Served, path: string): Promise<Times> => {
  const { context } = await signedIn(browser, seller, "/healthz", { until: "html" });
  const page = await context.newPage();
  await page.addInitScript(noteTimes);
  await page.goto(new URL(path, seller.url).href);
  await page.locator(".work tbody tr").first().waitFor();
  await page.waitForFunction("window.times.paint > 0");
  const times = (await page.evaluate("window.times")) as Times;
  await context.close();
  return times;
};

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0);

/** Milliseconds until the first paint and the first row of a screen of the console among 10,000 deals. */
export const run = async () => {
  const seller = await serveConsole();
  await fill(seller);
  const browser = await startBrowser();
  const found: Record<string, unknown> = {};
  for (const path of screens) {
    const times: Times[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await opened(browser, seller, path));
    const rows = times.map((one) => one.rows);
    found[path] = {
      paint: median(times.map(({ paint }) => paint)),
      rows: median(rows),
      best: Math.round(Math.min(...rows)),
    };
  }
  found["load"] = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
  await closePages(browser);
  await browser.close();
  await seller.close();
  return found;
};
