import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import type { Store } from "../../storage/store.ts";
import { answerJson } from "../client/loopback.ts";
import { type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { callAgent, type Job, logTo, openBuyer, plainBuyer, sampleBrief, settledJob, until } from "./world.ts";

/** mulberry32: the same seed meets the same faults. */
const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** After the effect: cuts the line, answers an error or garbage, or never answers. */
const spoiler =
  (random: () => number, share: number) =>
  (response: ServerResponse): boolean => {
    if (random() >= share) return false;
    const faults = [
      () => void response.socket?.destroy(),
      () => answerJson(response, 503, { error: "busy", detail: "later" }, { "retry-after": "1" }),
      () => answerJson(response, 500, {}),
      () => answerJson(response, 201, "{]"),
      () => undefined,
    ];
    faults[Math.floor(random() * faults.length)]?.();
    return true;
  };

interface SellerDeal {
  readonly deal_id: string;
  readonly pricing: { readonly final_cpm: number };
  readonly terms: { readonly impressions: number };
}

/** After the fatal commit nothing is written any more. */
const dyingStore = (store: Store, at: number): { store: Store; died: () => boolean } => {
  let commits = 0;
  const commit: Store["commit"] = async (commitment) => {
    commits += 1;
    if (commits < at) return store.commit(commitment);
    throw new Error("killed");
  };
  return { store: { ...store, commit }, died: () => commits >= at };
};

const expectInvariants = (job: Job, sellers: readonly FakeSeller[], budget: number): void => {
  const deals = sellers.flatMap((seller) => [...seller.deals.values()].map((deal) => [seller.url, deal] as const));
  for (const seller of sellers) expect([...seller.bookings.values()].filter((times) => times !== 1)).toEqual([]);
  const costOf = ({ pricing, terms }: SellerDeal): number => (pricing.final_cpm * terms.impressions) / 1000;
  const sold = deals.reduce((sum, [, deal]) => sum + costOf(deal as unknown as SellerDeal), 0);
  expect(sold).toBeLessThanOrEqual(budget + 0.01 * deals.length);
  const spent = job.booked_lines.reduce((sum, line) => sum + Math.round(line.cost * 100), 0);
  expect(spent).toBeLessThanOrEqual(budget * 100);
  for (const line of job.booked_lines) {
    const found = deals.find(([url, deal]) => url === line["seller_url"] && deal["deal_id"] === line.deal_id);
    expect(found?.[1]).toMatchObject({
      pricing: { final_cpm: line["cpm"] },
      terms: { impressions: line["impressions"] },
    });
  }
  const unheard = job.errors.filter((error) => error.startsWith("Booking not confirmed")).length;
  expect(deals.length).toBeLessThanOrEqual(job.booked_lines.length + unheard);
  expect(job.status).toBe(job.booked_lines.length > 0 ? "completed" : "failed");
};

describe("booking flow in a bad world", () => {
  const seeds = Array.from({ length: 24 }, (_none, index) => index + 1);

  test.each(seeds)(
    "booking flow: seed %i: answers are lost, processes die, and no quote is booked twice nor the budget passed",
    async (seed) => {
      const random = randomOf(seed);
      const spoil = spoiler(random, 0.25);
      const bends = { quote: spoil, deal: spoil, forgetful: random() < 0.3 };
      const sellers = [await startFakeSeller(bends), await startFakeSeller({ ...bends, price: () => 7.77 })];
      for (const seller of sellers) onTestFinished(() => seller.close());
      const world = await openBuyer({});
      onTestFinished(() => world.close());
      await world.buyer.stop();
      const budget = Math.round(random() * 100_000) / 100 + 100;
      const brief = { ...sampleBrief, channels: ["branding", "ctv"], budget };
      const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
      const jobId = String(output["job_id"]);
      expect(output["status"]).toBe("pending");
      const endpoints = sellers.map(({ url }) => ({ url, key: null, headerType: "api_key" as const }));
      const settings = { ...plainBuyer, sellers: endpoints, sellerTimeoutSeconds: 0.05 };
      const parts = { settings, clock: world.clock, log: logTo([]), pause: async () => undefined };
      for (let life = 0; life < 2; life += 1) {
        const dying = dyingStore(world.store, 2 + Math.floor(random() * 12));
        const buyer = createBuyer({ ...parts, store: dying.store, worker: { leaseMs: 60_000 } });
        await until(async () => {
          const job = await callAgent(buyer, "get_booking", { job_id: jobId });
          const isOver = ["completed", "failed"].includes(String(job.output["status"]));
          return isOver || dying.died() ? true : null;
        });
        await buyer.stop();
        world.clock.move(120_000);
      }
      const last = createBuyer({ ...parts, store: world.store });
      onTestFinished(() => last.stop());
      expectInvariants(await settledJob(last, jobId), sellers, budget);
    },
  );

  test("booking flow: three workers on one store book ten jobs, each once", async () => {
    const seller = await startFakeSeller();
    onTestFinished(() => seller.close());
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    await world.buyer.stop();
    const settings = { ...plainBuyer, sellers: [{ url: seller.url, key: null, headerType: "api_key" as const }] };
    const parts = { store: world.store, settings, clock: world.clock, log: logTo([]) };
    const workers = [createBuyer(parts), createBuyer(parts), createBuyer(parts)];
    for (const worker of workers) onTestFinished(() => worker.stop());
    const brief = { ...sampleBrief, channels: ["branding"], flights: null, budget: 100 };
    const created = await Promise.all(
      Array.from({ length: 10 }, () => callAgent(world.buyer, "create_booking", { brief, auto_approve: true })),
    );
    const jobs = await Promise.all(created.map(({ output }) => settledJob(world.buyer, String(output["job_id"]))));
    expect(jobs.map((job) => [job.status, job.booked_lines.length])).toEqual(Array(10).fill(["completed", 1]));
    expect([...seller.bookings.values()]).toEqual(Array(10).fill(1));
    expect(seller.quotes.size).toBe(10);
  });
});
