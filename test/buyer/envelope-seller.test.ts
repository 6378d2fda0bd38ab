import { describe, expect, onTestFinished, test } from "vitest";
import type { BuyerSettings } from "../../agents/buyer/config.ts";
import { type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const brief = { ...sampleBrief, channels: ["branding", "ctv"] };

const buyTwice = async (settings: Partial<BuyerSettings>): Promise<{ seller: FakeSeller; jobs: readonly Job[] }> => {
  const seller = await startFakeSeller({ enveloped: true });
  onTestFinished(() => seller.close());
  const endpoint = { url: seller.url, key: null, headerType: "api_key" } as const;
  const world = await openBuyer({ sellers: [endpoint], ...settings });
  onTestFinished(() => world.close());
  const jobs: Job[] = [];
  for (const name of ["first", "second"]) {
    const input = { brief: { ...brief, name }, auto_approve: true };
    const { output } = await callAgent(world.buyer, "create_booking", input);
    jobs.push(await settledJob(world.buyer, String(output["job_id"])));
  }
  return { seller, jobs };
};

const isWrite = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && /quotes|deals/.test(path);

const isFlat = ({ body }: { body: string }): boolean => !body.includes("idempotency_key");

describe("a seller of the envelope form", () => {
  test("is bought from: its form is learnt from one 422, and the deals are equal on both sides", async () => {
    const { seller, jobs } = await buyTwice({});
    for (const job of jobs) {
      expect(job).toMatchObject({ status: "completed", errors: [] });
      expect(job.booked_lines).toHaveLength(4);
      for (const line of job.booked_lines) {
        expect(seller.deals.get(line.deal_id)).toMatchObject({
          quote_id: line["quote_id"],
          pricing: { final_cpm: line["cpm"] },
          terms: { impressions: line["impressions"], flight_start: line["flight_start"] },
        });
      }
    }
    expect([...seller.bookings.values()].every((count) => count === 1)).toBe(true);
    expect(seller.server.seen.filter((request) => isWrite(request) && isFlat(request))).toHaveLength(1);
  });

  test("SELLER_DIALECT: a pinned form is never learnt", async () => {
    const { seller, jobs } = await buyTwice({ sellerDialect: "envelope" });
    expect(jobs.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(seller.server.seen.filter((request) => isWrite(request) && isFlat(request))).toEqual([]);
    const flat = await buyTwice({ sellerDialect: "flat" });
    expect(flat.jobs.map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect(flat.jobs[0]?.errors[0]).toContain("idempotency_key");
  });

  test("a shown price of the catalog is used: no product is asked twice to learn it", async () => {
    const { seller } = await buyTwice({});
    const asked = seller.server.seen.filter(({ path }) => path === "/api/v1/quotes");
    // Two products, two flights, two jobs, and the one that was refused.
    expect(asked).toHaveLength(9);
  });
});
