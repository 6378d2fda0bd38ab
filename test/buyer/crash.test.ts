import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import type { Store } from "../../storage/store.ts";
import { compileProgram, startChild } from "../storage/children.ts";
import { type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import {
  callAgent,
  eventsOf,
  type Job,
  logTo,
  movableClock,
  openBuyer,
  plainBuyer,
  sampleBrief,
  settledJob,
  until,
} from "./world.ts";

const fakeSeller = async (...args: Parameters<typeof startFakeSeller>): Promise<FakeSeller> => {
  const seller = await startFakeSeller(...args);
  onTestFinished(() => seller.close());
  return seller;
};

/** Dies before the n-th commit is written, or after and before anybody knows. */
const dyingStore = (store: Store, at: number, when: "before" | "after"): { store: Store; died: () => boolean } => {
  let commits = 0;
  const commit: Store["commit"] = async (commitment) => {
    commits += 1;
    if (commits < at) return store.commit(commitment);
    if (commits === at && when === "after") await store.commit(commitment);
    throw new Error("killed");
  };
  return { store: { ...store, commit }, died: () => commits >= at };
};

const oneFlight = { ...sampleBrief, channels: ["branding", "ctv"], budget: 1000, flights: null };

const expectBookedOnce = (seller: FakeSeller, job: Job): void => {
  expect(job.status).toBe("completed");
  expect(job.errors).toEqual([]);
  expect(job.booked_lines).toHaveLength(2);
  expect(job.booked_lines.map((line) => line.deal_id).toSorted()).toEqual([...seller.deals.keys()].toSorted());
  expect([...seller.bookings.values()]).toEqual([1, 1]);
  expect(job.booked_lines.reduce((sum, line) => sum + line.cost, 0)).toBeLessThanOrEqual(1000);
};

describe("booking flow: a crash at any step", () => {
  const points = Array.from({ length: 15 }, (_none, index) => index + 1);

  test.each(
    points.flatMap(
      (at) =>
        [
          [at, "before"],
          [at, "after"],
        ] as const,
    ),
  )(
    "booking flow: killed at commit %i (%s it is durable), a restart ends with the same deals, each booked once",
    async (at, when) => {
      const seller = await fakeSeller();
      const world = await openBuyer({});
      onTestFinished(() => world.close());
      const settings = { ...plainBuyer, sellers: [{ url: seller.url, key: null, headerType: "api_key" as const }] };
      const parts = { settings, clock: world.clock, log: logTo([]), pause: async () => undefined };
      await world.buyer.stop();
      const created = await callAgent(world.buyer, "create_booking", { brief: oneFlight, auto_approve: true });
      const jobId = String(created.output["job_id"]);
      const dying = dyingStore(world.store, at, when);
      const first = createBuyer({ ...parts, store: dying.store, worker: { leaseMs: 60_000 } });
      await until(async () => {
        const { output } = await callAgent(first, "get_booking", { job_id: jobId });
        return dying.died() || output["status"] === "completed" ? true : null;
      });
      await first.stop();
      world.clock.move(120_000);
      const second = createBuyer({ ...parts, store: world.store });
      onTestFinished(() => second.stop());
      const job = await settledJob(second, jobId);
      expectBookedOnce(seller, job);
      const types = (await eventsOf(world.store)).map((event) => event["event_type"]);
      for (const [type, count] of [
        ["campaign.created", 1],
        ["budget.allocated", 1],
        ["inventory.discovered", 1],
        ["quote.received", 2],
        ["booking.submitted", 2],
        ["deal.booked", 2],
      ] as const) {
        expect([type, types.filter((entry) => entry === type).length]).toEqual([type, count]);
      }
    },
  );
});

describe("booking flow: a killed process", () => {
  let program = "";
  beforeAll(async () => {
    program = await compileProgram(join(import.meta.dirname, "buyer-child.ts"));
  });
  afterAll(() => rm(program, { force: true }));

  test("booking flow: kill -9 between the seller's booking and our record gives the same deal", async () => {
    let told: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (told = resolve));
    let isFirst = true;
    const seller = await fakeSeller({
      deal: () => {
        if (!isFirst) return false;
        isFirst = false;
        told();
        return true;
      },
    });
    const dir = await mkdtemp(join(tmpdir(), "parley-buyer-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const child = startChild(program, { dir, sellerUrl: seller.url });
    const jobId = await child.run<string>("book", oneFlight);
    await reached;
    const gone = once(child.process, "exit");
    child.process.kill("SIGKILL");
    await gone;
    expect(seller.deals.size).toBe(1);
    const store = await openLowdbStore({ dir });
    const settings = { ...plainBuyer, sellers: [{ url: seller.url, key: null, headerType: "api_key" as const }] };
    const clock = movableClock();
    clock.move(60_000);
    const buyer = createBuyer({ store, settings, clock, log: logTo([]) });
    onTestFinished(async () => {
      await buyer.stop();
      await store.close();
    });
    expectBookedOnce(seller, await settledJob(buyer, jobId));
  });
});

describe("booking flow: restarts", () => {
  test("booking flow: a job given up while a deal was asked for says that it may be booked", async () => {
    let calls = 0;
    const seller = await fakeSeller({ booking: () => (calls += 1) > 1, deal: () => true });
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    const sellers = [{ url: seller.url, key: null, headerType: "api_key" as const }];
    const settings = { ...plainBuyer, sellerTimeoutSeconds: 60, sellers };
    await world.buyer.stop();
    const brief = { ...oneFlight, channels: ["branding"] };
    const created = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
    for (let round = 1; round <= 3; round += 1) {
      let isDead = false;
      const commit: Store["commit"] = async (commitment) => {
        if (isDead) throw new Error("killed");
        return world.store.commit(commitment);
      };
      const dying = { ...world.store, commit };
      const buyer = createBuyer({
        store: dying,
        settings,
        clock: world.clock,
        log: logTo([]),
        worker: { leaseMs: 60_000 },
      });
      await until(async () => (calls >= round ? true : null));
      isDead = true;
      await buyer.stop();
      world.clock.move(120_000);
    }
    const last = createBuyer({ store: world.store, settings, clock: world.clock, log: logTo([]) });
    onTestFinished(() => last.stop());
    const job = await settledJob(last, String(created.output["job_id"]));
    expect(seller.deals.size).toBe(1);
    expect(job).toMatchObject({ status: "failed", booked_lines: [] });
    expect(job.errors).toEqual([
      "interrupted by restart",
      "Booking not confirmed for Product p-display, ask the seller: the booking ended before its answer was heard",
    ]);
  });

  test("booking flow: a job that dies three times at the same step is given up as interrupted by restart", async () => {
    const seller = await fakeSeller({ products: () => true });
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    const sellers = [{ url: seller.url, key: null, headerType: "api_key" as const }];
    const settings = { ...plainBuyer, sellerTimeoutSeconds: 60, sellers };
    await world.buyer.stop();
    const created = await callAgent(world.buyer, "create_booking", { brief: oneFlight, auto_approve: true });
    const jobId = String(created.output["job_id"]);
    const { clock } = world;
    const { seen } = seller.server;
    const asked = (count: number): Promise<true> => until(async () => (seen.length >= count ? true : null));
    let at = 4;
    for (let round = 1; round <= 3; round += 1) {
      const dying = dyingStore(world.store, at, "before");
      const buyer = createBuyer({ store: dying.store, settings, clock, log: logTo([]), worker: { leaseMs: 60_000 } });
      await asked(round);
      // Nothing the dead process still does is written; its claim stays until it expires.
      await buyer.stop();
      clock.move(120_000);
      at = 2;
    }
    const last = createBuyer({ store: world.store, settings, clock, log: logTo([]) });
    onTestFinished(() => last.stop());
    const job = await settledJob(last, jobId);
    expect(job).toMatchObject({ status: "failed", errors: ["interrupted by restart"], progress: 0.4 });
    expect(seen).toHaveLength(3);
  });

  test("booking flow: an ordered stop gives the job back at once, and the next start goes on", async () => {
    let isDeaf = true;
    const seller = await fakeSeller({ quote: () => isDeaf });
    const world = await openBuyer({});
    onTestFinished(() => world.close());
    await world.buyer.stop();
    const settings = { ...plainBuyer, sellers: [{ url: seller.url, key: null, headerType: "api_key" as const }] };
    const parts = { store: world.store, settings, clock: world.clock, log: logTo([]) };
    const first = createBuyer({ ...parts, worker: { leaseMs: 3_600_000 } });
    const created = await callAgent(first, "create_booking", { brief: oneFlight, auto_approve: true });
    await until(async () => (seller.quotes.size > 0 ? true : null));
    await first.stop();
    isDeaf = false;
    const second = createBuyer(parts);
    onTestFinished(() => second.stop());
    expectBookedOnce(seller, await settledJob(second, String(created.output["job_id"])));
  });
});
