import { describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import type { Store } from "../../storage/store.ts";
import { keyFor, sellerHere } from "./seller-here.ts";
import { callAgent, eventsOf, logTo, openBuyer, plainBuyer, sampleBrief, settledJob, until } from "./world.ts";

const brief = { ...sampleBrief, channels: ["display"], budget: 20_000, flights: null };

/** Odd commits die before they are written, even ones after. */
const dyingStore = (store: Store, at: number): { store: Store; died: () => boolean } => {
  let commits = 0;
  const commit: Store["commit"] = async (commitment) => {
    commits += 1;
    if (commits < at) return store.commit(commitment);
    if (commits === at && at % 2 === 0) await store.commit(commitment);
    throw new Error("killed");
  };
  return { store: { ...store, commit }, died: () => commits >= at };
};

interface Negotiated {
  readonly outcome: string;
}

describe("a crash while prices are negotiated, lines booked and orders made", () => {
  const points = Array.from({ length: 26 }, (_none, index) => index + 1);

  test.each(points)(
    "booking flow: killed at commit %i, a restart agrees, books and orders everything once",
    async (at) => {
      const seller = await sellerHere();
      onTestFinished(() => seller.close());
      const key = await keyFor(seller, { seat_id: "s", agency_id: "a" });
      const world = await openBuyer({});
      onTestFinished(() => world.close());
      await world.buyer.stop();
      const settings = { ...plainBuyer, sellers: [{ url: seller.url, key, headerType: "api_key" as const }] };
      const parts = { settings, clock: world.clock, log: logTo([]), pause: async () => undefined };
      const created = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
      const jobId = String(created.output["job_id"]);
      const dying = dyingStore(world.store, at);
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
      expect(job).toMatchObject({ status: "completed", errors: [], progress: 1 });
      expect(job.totals.booked).toBeLessThanOrEqual(20_000);
      const { output } = await callAgent(second, "get_negotiation_rounds", { job_id: jobId });
      const negotiations = output["negotiations"] as readonly Negotiated[];
      expect(negotiations.map(({ outcome }) => outcome)).toEqual(negotiations.map(() => "accepted"));
      const [deals, orders] = [await seller.rows("deal"), await seller.rows("order")];
      const ids = job.booked_lines.map(({ deal_id }) => deal_id).toSorted();
      expect(deals.map((deal) => String(deal["deal_id"])).toSorted()).toEqual(ids);
      expect(orders.map((order) => String(order["deal_id"])).toSorted()).toEqual(ids);
      const types = (await eventsOf(world.store)).map((event) => event["event_type"]);
      const counted = (type: string): number => types.filter((one) => one === type).length;
      expect(counted("negotiation.concluded")).toBe(negotiations.length);
      expect(counted("negotiation.started")).toBe(negotiations.length);
      expect(counted("negotiation.round")).toBe((output["rounds"] as readonly unknown[]).length);
      expect([counted("deal.booked"), counted("booking.submitted")]).toEqual([ids.length, ids.length]);
    },
  );
});
