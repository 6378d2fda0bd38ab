import { afterEach, describe, expect, test } from "vitest";
import { answerJson } from "../client/loopback.ts";
import { type Bends, type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const brief = { ...sampleBrief, channels: ["branding"], budget: 1000, flights: null };

const sellerOf = async (
  cpmAt: (impressions: number) => number,
  more: Pick<Bends, "products"> & { readonly left?: number } = {},
): Promise<FakeSeller> => {
  const { left, ...bends } = more;
  const seller = await startFakeSeller({
    ...bends,
    quote: (response, quote) => {
      const { impressions } = quote["terms"] as { readonly impressions: number };
      const final_cpm = cpmAt(impressions);
      const availability = {
        inventory_available: left === undefined || impressions <= left,
        available_impressions: left ?? null,
      };
      Object.assign(quote, { pricing: { ...(quote["pricing"] as object), final_cpm }, availability });
      answerJson(response, 201, quote);
      return true;
    },
  });
  open.push(() => seller.close());
  return seller;
};

/** Floor 8 from 100,000 impressions on, 9 below; 60,000 are left. */
const auctionSeller = (): Promise<FakeSeller> => {
  const product = {
    product_id: "p-auction",
    name: "Auction",
    inventory_type: "display",
    base_cpm: 8,
    currency: "USD",
    deal_types: ["privateauction"],
    ext: { inventory_type: "display", minimum_impressions: 1000, deal_types: ["PA"] },
  };
  return sellerOf((impressions) => (impressions >= 100_000 ? 8 : 9), {
    left: 60_000,
    products: (response) => {
      answerJson(response, 200, { products: [product], total: 1, total_count: 1, count: 1 });
      return true;
    },
  });
};

const jobAt = async (sellers: readonly FakeSeller[], kpis: object = {}): Promise<Job> => {
  const endpoints = sellers.map(({ url }) => ({ url, key: null, headerType: "api_key" as const }));
  const world = await openBuyer({ sellers: endpoints });
  open.push(() => world.close());
  const { output } = await callAgent(world.buyer, "create_booking", { brief: { ...brief, kpis } });
  return settledJob(world.buyer, String(output["job_id"]));
};

describe("a line that was quoted anew in the volume that fits", () => {
  test("choice: rank, score and effective price of a dearer quote are those of its own price", async () => {
    const [fixed, auction] = [await sellerOf(() => 10), await auctionSeller()];
    const job = await jobAt([fixed, auction]);
    // The auction was first at 9.60 in effect; at floor 9 it is 10.80, so the fixed price of 10 wins.
    expect(job.recommendations).toMatchObject([
      {
        seller_url: fixed.url,
        impressions: 46_000,
        cpm: 10,
        effective_cpm: 10,
        score: 88,
        priority: 1,
        cost: 460,
        rationale: "Rank 1 of 2 for branding: $10.00 CPM at the agency tier, list $10.00, score 88.00",
      },
      {
        seller_url: auction.url,
        impressions: 60_000,
        cpm: 9,
        effective_cpm: 10.8,
        score: 22,
        priority: 2,
        cost: 540,
      },
    ]);
    expect(job.recommendations[1]?.["rationale"]).toMatch(/^Rank 2 of 2 for branding: \$9\.00 CPM .*, score 22\.00$/);
  });

  test("choice: a lone offer that became dearer has the score of its own price", async () => {
    const lone = await sellerOf((impressions) => (impressions >= 100_000 ? 10.26 : 10.8));
    const job = await jobAt([lone]);
    expect(job.recommendations).toMatchObject([{ impressions: 92_592, cpm: 10.8, effective_cpm: 10.8, score: 75.04 }]);
  });

  test("choice: a quote that passes the ceiling at its new price is not recommended", async () => {
    const [fixed, auction] = [await sellerOf(() => 10), await auctionSeller()];
    const job = await jobAt([fixed, auction], { max_cpm: 10.79 });
    expect(job.recommendations).toMatchObject([{ seller_url: fixed.url, impressions: 100_000, cost: 1000 }]);
    const reached = await jobAt([fixed, auction], { max_cpm: 10.8 });
    expect(reached.recommendations.map((line) => line["seller_url"])).toEqual([fixed.url, auction.url]);
  });
});
