import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { startFakeSeller } from "../buyer/fake-seller.ts";
import { openMarket } from "../buyer/market.ts";
import { callAgent, movableClock, openBuyer, sampleBrief, settledJob, until } from "../buyer/world.ts";
import { runSeed } from "../storage/crash/random.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heldBytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

test("booking: a job over 12 sellers of 100 products costs hardly more than its slowest seller", async () => {
  const clock = movableClock();
  const market = await openMarket({
    seed: runSeed("cost"),
    sellers: 12,
    products: 100,
    lossPct: 0,
    delayMs: 100,
    clock,
  });
  const world = await openBuyer({ sellers: market.endpoints, sellerTimeoutSeconds: 20 }, { clock });
  try {
    const brief = { ...sampleBrief, flights: null, negotiation: { enabled: false } };
    const times: { readonly jobMs: number; readonly slowestMs: number }[] = [];
    for (let run = 0; run < 5; run += 1) {
      const startedMs = performance.now();
      const { output } = await callAgent(world.buyer, "create_booking", { brief });
      const job = await settledJob(world.buyer, String(output["job_id"]));
      const sellers = (job as unknown as { sellers: readonly { ms: number }[] }).sellers;
      expect(sellers).toHaveLength(12);
      expect(job.status).toBe("awaiting_approval");
      const jobMs = Math.round(performance.now() - startedMs);
      times.push({ jobMs, slowestMs: Math.max(...sellers.map(({ ms }) => ms)) });
    }
    process.stdout.write(`${JSON.stringify({ times })}\n`);
    const [best] = times.toSorted((left, right) => left.jobMs - right.jobMs);
    expect(best?.jobMs).toBeLessThanOrEqual(1.5 * (best?.slowestMs ?? 0) + 200);
  } finally {
    await world.close();
    await market.close();
  }
});

test("booking: 1,000 jobs that wait for a decision are held in less than 50 MB", async () => {
  const seller = await startFakeSeller();
  const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
  try {
    const brief = { ...sampleBrief, channels: ["branding", "ctv"], flights: null };
    const many = async (count: number): Promise<void> => {
      const { output: before } = await callAgent(world.buyer, "list_bookings", { limit: 1 });
      for (let made = 0; made < count; made += 1) await callAgent(world.buyer, "create_booking", { brief });
      const wanted = Number(before["total"]) + count;
      await until(async () => {
        const { output } = await callAgent(world.buyer, "list_bookings", { status: "awaiting_approval", limit: 1 });
        return output["total"] === wanted ? true : null;
      });
      seller.quotes.clear();
      seller.server.seen.length = 0;
      world.lines.length = 0;
    };
    await many(20);
    const before = heldBytes();
    await many(1_000);
    const megabytes = (heldBytes() - before) / 1_048_576;
    process.stdout.write(`${JSON.stringify({ megabytes: Math.round(megabytes * 10) / 10 })}\n`);
    expect(megabytes).toBeLessThan(50);
  } finally {
    await world.close();
    await seller.close();
  }
});
