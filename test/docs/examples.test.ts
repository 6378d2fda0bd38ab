import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProduct, type Running, startParley } from "../cli/program.ts";
import { readTestConfig } from "../edge/harness/cases.ts";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { startTestEdge } from "../edge/harness/edge.ts";
import { startUpstream } from "../edge/harness/upstream.ts";
import { temporaryFolder } from "./folder.ts";

const folder = join(import.meta.dirname, "../examples");
const data = temporaryFolder("examples");

let seller: Running;
let feed: ChildProcess;
let url = "";
let key = "";

const said = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout?.setEncoding("utf8").once("data", (line: string) => resolve(line)));

const run = async (
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  answers: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly out: string }> => {
  const env = { PATH: process.env["PATH"], SELLER: url, PARLEY_KEY: key, ...environment };
  const child = spawn(process.execPath, [join(folder, name), ...args], { env, timeout: 30_000 });
  const left = [...answers];
  child.stdout.on("data", (said: Buffer) => {
    if (String(said).includes("[y/N]")) child.stdin.write(`${left.shift() ?? "n"}\n`);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (err !== "") throw new Error(err);
  return { code: child.exitCode, out };
};

const ask = async (path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> => {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(new URL(path, url), {
    headers: { "content-type": "application/json", "x-api-key": key },
    ...sent,
  });
  return (await answer.json()) as Readonly<Record<string, unknown>>;
};

beforeAll(async () => {
  buildProduct();
  const sheet = spawnSync(process.execPath, ["spreadsheet-to-catalog.mjs", "rate-card.csv"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(sheet.stderr).toBe("");
  writeFileSync(join(data, "catalog.csv"), sheet.stdout);
  const env = { PATH: process.env["PATH"], FEED_PORT: "0", FEED_TOKEN: "secret" };
  feed = spawn(process.execPath, [join(folder, "ad-server-feed.mjs")], { env });
  const feedUrl = /http:\S+/.exec(await said(feed))?.[0] ?? "";
  const flags = ["--port", "0", "--data", join(data, "seller"), "--catalog", join(data, "catalog.csv")];
  seller = startParley(["seller", ...flags], {
    AD_SERVER_TYPE: "http",
    AD_SERVER_FEED_URL: feedUrl,
    AD_SERVER_FEED_TOKEN: "secret",
    LOG_LEVEL: "error",
  });
  await seller.until("listening on ");
  url = /listening on (\S+)/.exec(seller.out())?.[1] ?? "";
  const made = startParley(["key", "create", "--agent", "seller", "--data", join(data, "seller"), "--label", "a", "--quiet"]);
  await made.until("\n");
  key = made.out().trim();
});
afterAll(async () => {
  feed.kill();
  await seller.stop("SIGTERM");
});

describe("examples: each runs", () => {
  it("a rate card of 200 rows becomes a catalog, and its last row is quoted at its price", async () => {
    expect(await ask("/products?limit=1")).toMatchObject({ total: 200 });
    const quote = await ask("/api/v1/quotes", { product_id: "RC-1200", deal_type: "PA", impressions: 100_000 });
    expect(quote).toMatchObject({ product: { name: "Science West Feed teaser" }, pricing: { base_cpm: 15.5, currency: "EUR" } });
  });

  it("an ad server of fifty lines is imported from", async () => {
    expect(await ask("/packages/sync", {})).toMatchObject({
      source: "feed",
      synced_packages: ["pkg-synced-feed-display", "pkg-synced-feed-video"],
      warnings: [],
    });
  });

  it("an A2A buyer books by an option, and leaves what is above its price", async () => {
    const wanted = ["RC-1013", "500000", "2027-03-01", "2027-03-31"];
    const bought = await run("a2a-buyer.mjs", [...wanted, "100"], {});
    expect(bought.out).toMatch(/^seller: Quote qt-[\s\S]*\nseller: Booked[\s\S]*\ndeal: DEMO-[0-9A-F]{12}\n$/);
    const left = await run("a2a-buyer.mjs", [...wanted, "1"], {});
    expect(left.out).toMatch(/Not booked: [\d.]+ is above 1\.\n$/);
    expect(await ask("/api/v1/deals")).toMatchObject({ total: 1 });
  });

  describe("a buyer that is a language model", () => {
    let model: Server;
    let modelUrl = "";
    const heard: { tools: readonly { function: { name: string } }[]; messages: readonly { role: string; content: string }[] }[] =
      [];
    const call = (id: string, name: string, input: unknown) => ({
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(input) } }],
    });
    beforeAll(async () => {
      model = createServer((request, response) => {
        void text(request).then((body) => {
          const asked = JSON.parse(body) as (typeof heard)[number];
          heard.push(asked);
          const results = asked.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
          const quoteId = /qt-[0-9a-f]{12}/.exec(results[0] ?? "")?.[0];
          const terms = { product_id: "RC-1013", deal_type: "PG", impressions: 50_000 };
          const flight = { flight_start: "2027-03-01", flight_end: "2027-03-31" };
          const answers = [
            call("c-1", "request_quote", { ...terms, ...flight }),
            call("c-2", "book_deal", { quote_id: quoteId }),
            { role: "assistant", content: `The seller said: ${results[1]?.slice(0, 200)}` },
          ];
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ choices: [{ message: answers[results.length] }] }));
        });
      });
      await new Promise<void>((resolve) => void model.listen(0, "127.0.0.1", resolve));
      modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    });
    afterAll(() => void model.close());

    it("books what a person confirmed", async () => {
      const before = (await ask("/api/v1/deals"))["total"];
      const said = await run("llm-buyer.mjs", ["Buy something"], { LLM_BASE_URL: modelUrl, LLM_MODEL: "m" }, ["y", "y"]);
      expect(said.out).toContain("The seller said: ");
      expect(heard[0]?.tools.map(({ function: { name } }) => name)).toContain("request_quote");
      expect((await ask("/api/v1/deals"))["total"]).toBe(Number(before) + 1);
    });

    it("books nothing that a person refused", async () => {
      const before = (await ask("/api/v1/deals"))["total"];
      const said = await run("llm-buyer.mjs", ["Buy something"], { LLM_BASE_URL: modelUrl, LLM_MODEL: "m" }, ["y", "no"]);
      expect(said.out).toContain("The person said no.");
      expect((await ask("/api/v1/deals"))["total"]).toBe(before);
    });
  });

  it("a page with Prebid shows a bid of a bidder behind the edge", async () => {
    const upstream = await startUpstream();
    const edge = await startTestEdge("A", {
      config: `${readTestConfig("auction", upstream)}\n[proxy]\nallowed_domains = ["cdn.example"]\n`,
    });
    const bid = { id: "b1", impid: "top", price: 3.03, adm: "<b id=ad>prebid</b>", w: 300, h: 250 };
    upstream.script({
      "/page": { headers: { "content-type": "text/html" }, body: readFileSync(join(folder, "prebid-page.html"), "utf8") },
      "/prebid.js": { headers: { "content-type": "text/javascript" }, body: prebid },
      "/openrtb2/auction": {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ cur: "USD", seatbid: [{ seat: "alpha", bid: [bid] }] }),
      },
    });
    const browser = await startBrowser();
    const context = await browser.newContext();
    const consent = "CQtAQoAQtAQoAAbABAENCWEAAPAAAAAAAAAAAAAAAAAA";
    await context.addCookies([{ name: "euconsent-v2", value: consent, url: edge.url }]);
    const page = await context.newPage();
    await page.goto(`${edge.url}/page`);
    expect(await page.frameLocator("#top iframe").locator("#ad").textContent()).toBe("prebid");
    await closePages(browser);
    await edge.close();
    await upstream.close();
  });
});

/** As much of Prebid.js as a page and an adapter meet; its packages hold no bundle that a page could load. */
const prebid = `
  const pbjs = (window.pbjs = window.pbjs || {});
  const jobs = pbjs.que || [];
  const units = [];
  const won = {};
  let adapter;
  pbjs.registerBidAdapter = (make, code, spec) => { adapter = spec; };
  pbjs.addAdUnits = (list) => { units.push(...list); };
  pbjs.getHighestCpmBids = (code) => (won[code] ? [won[code]] : []);
  pbjs.requestBids = async ({ bidsBackHandler }) => {
    const asked = units.flatMap(({ code, mediaTypes, bids }) =>
      bids.map(({ params }, at) => ({ bidId: code + at, adUnitCode: code, mediaTypes, params })));
    const { url, method, data, options } = adapter.buildRequests(asked);
    const answer = await fetch(url, { method, body: data, headers: { "content-type": options.contentType } });
    for (const bid of adapter.interpretResponse({ body: await answer.json() }, adapter.buildRequests(asked))) {
      won[asked.find(({ bidId }) => bidId === bid.requestId).adUnitCode] = bid;
    }
    bidsBackHandler();
  };
  pbjs.que = { push: (job) => job() };
  for (const job of jobs) job();
`;
