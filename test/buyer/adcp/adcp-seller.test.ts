import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buyerSettingsOf, buyerSettingTable } from "../../../agents/buyer/config.ts";
import { readSettings } from "../../../protocol/neutral/settings.ts";
import { isHeld } from "../../../skills/buyer/bookings/record.ts";
import type { BookingRow } from "../../../skills/buyer/bookings/record.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { type BuyerWorld, callAgent, type Job, openBuyer, settledJob, until } from "../world.ts";
import { type FakeAdcp, openFakeAdcp, type Ways } from "./fake-adcp.ts";

let seller: FakeAdcp;
const opened: BuyerWorld[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
  await seller.close();
});

const brief = {
  ...{ name: "Spring", objectives: ["reach"], budget: 10_000, start_date: "2027-02-01", end_date: "2027-02-28" },
  ...{ target_audience: { age: "25-54" }, channels: ["ctv"] },
};

const openAt = async (wire: "adcp-mcp" | "adcp-a2a", store?: Store): Promise<BuyerWorld> => {
  const url = wire === "adcp-mcp" ? `${seller.url}/mcp` : seller.url;
  const world = await openBuyer(
    {
      sellers: [{ url, wire, key: "key-of-the-buyer", headerType: "api_key" }],
      adcp: { brand: "brand.example", operator: "agency.example", isSandbox: false },
    },
    { worker: { pollMs: 20 } },
    async () => store ?? openMemoryStore(),
  );
  opened.push(world);
  return world;
};

const order = async ({ buyer }: BuyerWorld): Promise<string> =>
  String((await callAgent(buyer, "create_booking", { brief, auto_approve: true })).output["job_id"]);

const bookedBy = async (world: BuyerWorld): Promise<Job> => settledJob(world.buyer, await order(world));

const rowOf = async ({ store }: BuyerWorld, jobId: string): Promise<BookingRow> =>
  (await store.get("booking", jobId))?.body as BookingRow;

/** The line that the seller holds, once it does. */
const heldIn = (world: BuyerWorld, jobId: string): Promise<BookingRow> =>
  until(async () => {
    const row = await rowOf(world, jobId);
    return row.recommendations.some(isHeld) && row.claim === null ? row : null;
  });

const setWays = (ways: Partial<Ways>): void => void Object.assign(seller.ways, ways);

const creates = (): FakeAdcp["calls"] => seller.calls.filter(({ task }) => task === "create_media_buy");

describe.each(["adcp-mcp", "adcp-a2a"] as const)("a seller of %s", (wire) => {
  beforeEach(async () => {
    seller = await openFakeAdcp();
  });

  test("is researched, bought within the budget, followed and cancelled", async () => {
    const world = await openAt(wire);
    const job = await bookedBy(world);
    expect(job.booked_lines).toMatchObject([{ deal_id: "mb-1", order_id: "pkg-1", deal_type: "PG", cost: 10_000 }]);
    const [bought] = creates();
    expect(bought?.key).toBe("Bearer key-of-the-buyer");
    expect(bought?.input).toMatchObject({
      adcp_version: "3.2",
      adcp_major_version: 3,
      account: { brand: { domain: "brand.example" }, operator: "agency.example" },
      start_time: "2027-02-01T00:00:00Z",
      end_time: "2027-02-28T23:59:59Z",
      packages: [{ product_id: "ctv-1", pricing_option_id: "cpm-fixed", budget: 10_000 }],
    });
    for (const buy of seller.buys.values()) buy.status = "active";
    const jobId = job.job_id;
    await until(async () => ((await rowOf(world, jobId)).booked_lines[0]?.booking_status === "active" ? true : null));
    const cancel = { job_id: jobId, line_id: "mb-1", reason: "plans changed" };
    expect((await callAgent(world.buyer, "cancel_booked_line", cancel)).code).toBeNull();
    await until(async () =>
      (await rowOf(world, jobId)).booked_lines[0]?.cancellation?.state === "done" ? true : null,
    );
    expect(seller.buys.get("mb-1")?.status).toBe("canceled");
  });

  test("that holds a buy keeps the line waiting, and books it once when it decides", async () => {
    setWays({ holds: true });
    const world = await openAt(wire);
    const jobId = await order(world);
    await heldIn(world, jobId);
    const waiting = (await callAgent(world.buyer, "get_booking", { job_id: jobId })).output as unknown as Job;
    expect(waiting).toMatchObject({
      status: "running",
      booked_lines: [],
      recommendations: [{ booking: "held", held: { task_id: "task-mb-1", message: "A person looks." } }],
      totals: { booked: 0, unconfirmed: 10_000, unspent: 0 },
    });
    setWays({ decision: "completed" });
    world.clock.move(301_000);
    const job = await settledJob(world.buyer, jobId);
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ deal_id: "mb-1", cost: 10_000 }] });
    expect(creates()).toHaveLength(1);
  });
});

describe("over MCP", () => {
  beforeEach(async () => {
    seller = await openFakeAdcp();
  });

  test("a buy that the seller rejects after a while fails the line, and its money is free", async () => {
    setWays({ holds: true, decision: "rejected" });
    const world = await openAt("adcp-mcp");
    const jobId = await order(world);
    await heldIn(world, jobId);
    world.clock.move(301_000);
    const job = await settledJob(world.buyer, jobId);
    expect(job).toMatchObject({ status: "failed", booked_lines: [], totals: { unconfirmed: 0, unspent: 10_000 } });
    expect(job.errors.join()).toContain("no room left");
  });

  test("a held line outlives the process, and is asked for by the next", async () => {
    setWays({ holds: true, version: "3.0" });
    const store = openMemoryStore();
    const first = await openAt("adcp-mcp", store);
    const jobId = await order(first);
    await heldIn(first, jobId);
    await first.buyer.stop();
    setWays({ decision: "completed" });
    const second = await openAt("adcp-mcp", store);
    second.clock.move(301_000);
    expect(await settledJob(second.buyer, jobId)).toMatchObject({
      status: "completed",
      booked_lines: [{ cost: 10_000 }],
    });
    expect(creates()).toHaveLength(1);
  });

  test("an answer that is lost is asked for again under its key, and one thing is bought", async () => {
    setWays({ lost: 1 });
    const job = await bookedBy(await openAt("adcp-mcp"));
    expect([...seller.buys.keys()]).toEqual(["mb-1"]);
    const [line] = job.recommendations;
    expect(["booked", "unknown"]).toContain(line?.["booking"]);
    expect(job.totals.booked + job.totals.unconfirmed).toBe(10_000);
  });

  test("a seller that does not know keys is sent a line once; what it bought is found by our mark", async () => {
    setWays({ knowsKeys: false, lost: 1 });
    const job = await bookedBy(await openAt("adcp-mcp"));
    expect(creates()).toHaveLength(1);
    expect(job.booked_lines).toMatchObject([{ deal_id: "mb-1", cost: 10_000 }]);
  });

  test("without a mark to find it by, the line stays unconfirmed and its money bound", async () => {
    setWays({ knowsKeys: false, lost: 1, keepsBuys: false });
    const job = await bookedBy(await openAt("adcp-mcp"));
    expect(creates()).toHaveLength(1);
    expect(job).toMatchObject({ booked_lines: [], recommendations: [{ booking: "unknown" }] });
    expect(job.totals.unspent).toBe(0);
  });

  test.each([
    ["budget", { changesBudget: 12_000 }],
    ["pricing option", { changesOption: "cpm-dear" }],
  ])("another %s than ordered is a breach: the buy is cancelled and not booked", async (name, ways) => {
    setWays(ways);
    const job = await bookedBy(await openAt("adcp-mcp"));
    expect(job.booked_lines).toEqual([]);
    expect(job.errors.join()).toContain(name);
    expect(seller.buys.get("mb-1")?.status).toBe("canceled");
  });

  test("a price that changed since it was shown is not bought at", async () => {
    const world = await openAt("adcp-mcp");
    const made = await callAgent(world.buyer, "create_booking", { brief, auto_approve: false });
    const jobId = String(made.output["job_id"]);
    await settledJob(world.buyer, jobId);
    setWays({ price: 21 });
    await callAgent(world.buyer, "approve_all_bookings", { job_id: jobId });
    const job = await settledJob(world.buyer, jobId);
    expect(job.booked_lines).toEqual([]);
    expect(job.errors.join()).toContain("price has changed");
    expect(creates()).toEqual([]);
  });

  test("an account that is not active holds everything, with the seller's words", async () => {
    setWays({ account: "pending_approval" });
    const job = await bookedBy(await openAt("adcp-mcp"));
    expect(job.status).toBe("failed");
    expect(job.errors.join()).toContain("Sign the terms.");
    expect(creates()).toEqual([]);
  });

  test("a refusal is told with its code, and nothing is sent again", async () => {
    setWays({ refuses: { errors: [{ code: "BUDGET_TOO_LOW", message: "10,001 at least", recovery: "correctable" }] } });
    const job = await bookedBy(await openAt("adcp-mcp"));
    expect(job.errors.join()).toContain("BUDGET_TOO_LOW");
    expect(creates()).toHaveLength(1);
    expect(seller.buys.size).toBe(0);
  });

  test("list_sellers says that it speaks AdCP, and in which version", async () => {
    const { buyer } = await openAt("adcp-mcp");
    const { output } = await callAgent(buyer, "list_sellers", {});
    expect(output).toMatchObject({
      sellers: [{ reachable: true, protocols: ["AdCP 3.2 over MCP"], adcp_version: "3.2", last_error: null }],
    });
  });
});

test("SELLER_ENDPOINTS names sellers of AdCP, which need the brand's domain", async () => {
  seller = await openFakeAdcp();
  const endpoints = { SELLER_ENDPOINTS: `adcp-mcp+${seller.url}/mcp, adcp-a2a+https://other.example/` };
  const settings = buyerSettingsOf(
    readSettings(buyerSettingTable, { ...endpoints, ADCP_BRAND_DOMAIN: "brand.example" }),
  );
  expect(settings.sellers).toMatchObject([
    { url: `${seller.url}/mcp`, wire: "adcp-mcp" },
    { url: "https://other.example", wire: "adcp-a2a" },
  ]);
  expect(settings.adcp).toEqual({ brand: "brand.example", operator: "brand.example", isSandbox: false });
  expect(() => buyerSettingsOf(readSettings(buyerSettingTable, endpoints))).toThrow("ADCP_BRAND_DOMAIN");
  const odd = { ...endpoints, ADCP_BRAND_DOMAIN: "https://brand.example" };
  expect(() => readSettings(buyerSettingTable, odd)).toThrow("ADCP_BRAND_DOMAIN");
});
