import { describe, expect, onTestFinished, test } from "vitest";
import { buyerSettingsOf, buyerSettingTable } from "../../agents/buyer/config.ts";
import type { SellerEndpoint } from "../../agents/buyer/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import type { Loopback } from "../client/loopback.ts";
import { type Started, startSeller } from "../spec/launched.ts";
import { startOneDoor } from "./one-door.ts";
import { type BuyerWorld, callAgent, type Job, movableClock, openBuyer, sampleBrief, settledJob } from "./world.ts";

interface Sold {
  readonly door: Loopback;
  readonly seller: Started;
  readonly key: string;
}

/** A seller of which only the paths that match can be reached. */
const sellerBehind = async (paths: RegExp): Promise<Sold> => {
  const seller: { started?: Started } = {};
  const door = await startOneDoor(paths, () => seller.started?.url ?? "");
  onTestFinished(() => door.close());
  const started = await startSeller({ SELLER_AGENT_URL: door.url });
  seller.started = started;
  onTestFinished(() => started.close());
  const identity = { seat_id: "s1", agency_id: "a1", advertiser_id: "v1", label: "buyer" };
  const { api_key: key } = await started.host("create_api_key", identity);
  return { door, seller: started, key: String(key) };
};

const buyIn = async (endpoint: SellerEndpoint): Promise<{ job: Job; world: BuyerWorld }> => {
  const clock = movableClock();
  clock.move(Date.now() - clock.nowMs());
  const world = await openBuyer({ sellers: [endpoint], sellerTimeoutSeconds: 20 }, { clock });
  const { output } = await callAgent(world.buyer, "create_booking", { brief: sampleBrief, auto_approve: true });
  return { job: await settledJob(world.buyer, String(output["job_id"])), world };
};

const buyFrom = async (endpoint: SellerEndpoint): Promise<Job> => {
  const { job, world } = await buyIn(endpoint);
  onTestFinished(() => world.close());
  return job;
};

const wires = [
  { wire: "mcp", paths: /^\/mcp$/ },
  { wire: "a2a", paths: /^\/(a2a\/seller\/jsonrpc|\.well-known\/agent-card\.json)$/ },
] as const;

test("SELLER_ENDPOINTS: a prefix fixes the protocol; the key and the allowed host are those of the address", () => {
  const config = readSettings(buyerSettingTable, {
    SELLER_ENDPOINTS: "mcp+http://127.0.0.1:9001/, a2a+https://seller.example/agent, http://127.0.0.1:9003",
    SELLER_API_KEYS: "http://127.0.0.1:9001=ask_live_1",
  });
  const { sellers, outboundAllow } = buyerSettingsOf(config);
  expect(sellers).toMatchObject([
    { url: "http://127.0.0.1:9001", wire: "mcp", key: "ask_live_1" },
    { url: "https://seller.example/agent", wire: "a2a", key: null },
    { url: "http://127.0.0.1:9003", wire: null, key: null },
  ]);
  expect(outboundAllow).toEqual(["127.0.0.1:9001", "seller.example:443", "127.0.0.1:9003"]);
  expect(() => readSettings(buyerSettingTable, { SELLER_ENDPOINTS: "grpc+http://127.0.0.1:9001" })).toThrow(
    "SELLER_ENDPOINTS",
  );
});

const rest = { wire: "rest", paths: /^\/(api|products|auth)/ } as const;

test.each([rest, ...wires])("$wire: what the seller refuses for good keeps its status and code", async (of) => {
  const { door, key } = await sellerBehind(of.paths);
  const clock = movableClock();
  clock.move(Date.now() - clock.nowMs());
  const sellers = [{ url: door.url, key, headerType: "api_key", wire: of.wire } as const];
  const world = await openBuyer({ sellers, sellerTimeoutSeconds: 20 }, { clock });
  onTestFinished(() => world.close());
  const at = { seller_url: door.url, flight_start: "2027-03-01", flight_end: "2027-03-31" };
  const asked = (input: object) => callAgent(world.buyer, "request_quote", { ...at, ...input });
  const refused = (status: number, code: string) => ({
    code: "seller_refused",
    status,
    message: expect.stringContaining(`Seller API error ${status} at ${door.url}: ${code} - `),
  });
  expect(await asked({ product_id: "00" })).toMatchObject(refused(404, "product_not_found"));
  expect(await asked({ product_id: "prod-15ba2543", deal_type: "PG" })).toMatchObject(
    refused(400, "pg_requires_impressions"),
  );
  const { output } = await asked({ product_id: "prod-15ba2543", impressions: 1_000_000 });
  const book = { seller_url: door.url, quote_id: output["quote_id"] };
  expect(await callAgent(world.buyer, "book_deal", book)).toMatchObject({ status: 200 });
  expect(await callAgent(world.buyer, "book_deal", book)).toMatchObject(refused(409, "quote_already_booked"));
  expect(await callAgent(world.buyer, "book_deal", { ...book, quote_id: "qt-none" })).toMatchObject({
    code: "not_found",
    status: 404,
  });
});

describe("sellers that speak MCP or A2A alone", () => {
  test.each(wires)("$wire: a brief becomes deals and orders of the seller, equal on both sides", async (of) => {
    const { door, seller, key } = await sellerBehind(of.paths);
    const job = await buyFrom({ url: door.url, key, headerType: "api_key", wire: of.wire });
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(job.booked_lines.length).toBeGreaterThanOrEqual(4);
    for (const line of job.booked_lines) {
      const deal = await seller.host("get_deal", { deal_id: line.deal_id });
      expect(deal).toMatchObject({
        quote_id: line["quote_id"],
        buyer_tier: "advertiser",
        pricing: { final_cpm: line["cpm"] },
        terms: {
          impressions: line["impressions"],
          flight_start: line["flight_start"],
          flight_end: line["flight_end"],
        },
      });
      expect(line["order_id"]).toMatch(/^\S+$/);
    }
    const { total } = await seller.host("list_deals", {});
    expect(total).toBe(job.booked_lines.length);
    expect(door.seen.every(({ path }) => of.paths.test(path))).toBe(true);
  });

  test.each(wires)("$wire: an address without a prefix finds the protocol that the seller speaks", async (of) => {
    const { door, key } = await sellerBehind(of.paths);
    const job = await buyFrom({ url: door.url, key, headerType: "bearer" });
    expect(job).toMatchObject({ status: "completed", errors: [] });
    const elsewhere = door.seen.filter(({ path }) => !of.paths.test(path));
    expect(elsewhere.length).toBeLessThanOrEqual(2);
  });

  test.each(wires)("$wire: a key that the seller does not know fails the job with the seller's answer", async (of) => {
    const { door } = await sellerBehind(of.paths);
    const job = await buyFrom({ url: door.url, key: "ask_live_wrong", headerType: "api_key", wire: of.wire });
    expect(job.status).toBe("failed");
    expect(job.errors).toEqual([`Seller API error 401 at ${door.url}: invalid_api_key - Invalid API key`]);
  });

  test("mcp: a buyer that stops ends its sessions, each once", async () => {
    const { door, key } = await sellerBehind(/^\/mcp$/);
    const { world } = await buyIn({ url: door.url, key, headerType: "api_key", wire: "mcp" });
    const opened = door.seen.filter(({ body }) => body.includes('"method":"initialize"'));
    expect(door.seen.some(({ method }) => method === "DELETE")).toBe(false);
    await world.close();
    const ended = door.seen.filter(({ method }) => method === "DELETE").map(({ headers }) => headers["mcp-session-id"]);
    expect(opened.length).toBeGreaterThan(0);
    expect(new Set(ended).size).toBe(opened.length);
    expect(ended).toHaveLength(opened.length);
  });

  test("mcp: a seller that is gone does not keep the buyer from stopping", async () => {
    const { door, key } = await sellerBehind(/^\/mcp$/);
    const { world } = await buyIn({ url: door.url, key, headerType: "api_key", wire: "mcp" });
    await door.close();
    await expect(world.close()).resolves.toBeUndefined();
  });
});
