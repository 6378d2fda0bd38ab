import { describe, expect, onTestFinished, test } from "vitest";
import { buyerSettingsOf, buyerSettingTable } from "../../agents/buyer/config.ts";
import type { BuyerSettings } from "../../agents/buyer/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { answerJson } from "../client/loopback.ts";
import { type Bends, type FakeSeller, startFakeSeller } from "./fake-seller.ts";
import { callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

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
  onTestFinished(() => seller.close());
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

const jobAt = async (
  sellers: readonly FakeSeller[],
  kpis: object = {},
  settings: Partial<BuyerSettings> = {},
): Promise<Job> => {
  const endpoints = sellers.map(({ url }) => ({ url, key: null, headerType: "api_key" as const }));
  const world = await openBuyer({ sellers: endpoints, ...settings });
  onTestFinished(() => world.close());
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

describe("fees beside a seller's price", () => {
  const settingsFor = (fees: string): Partial<BuyerSettings> =>
    buyerSettingsOf(readSettings(buyerSettingTable, { SELLER_FEES: fees }));
  const feesOnly = (fees: string) => ({ sellerFees: settingsFor(fees).sellerFees ?? new Map() });

  test("fees: the cheaper price with fees comes second, and fees are no part of its cost", async () => {
    const [plain, charged] = [await sellerOf(() => 10), await sellerOf(() => 9.8)];
    const bare = await jobAt([plain, charged]);
    expect(bare.recommendations[0]).toMatchObject({ seller_url: charged.url, effective_cpm: 9.8, fees: null });
    const job = await jobAt([plain, charged], {}, feesOnly(`${charged.url}/path=5%+0.50`));
    expect(job.recommendations[0]).toMatchObject({ seller_url: plain.url, cpm: 10, effective_cpm: 10, fees: null });
    const lone = await jobAt([charged], {}, feesOnly(`${charged.url}=5%+0.50`));
    expect(lone.recommendations).toMatchObject([
      { cpm: 9.8, effective_cpm: 10.79, fees: { intermediary_percent: 5, tech_cpm: 0.5 }, cost: 999.99 },
    ]);
    expect(lone.recommendations[0]?.["rationale"]).toContain(", $10.79 with fees");
  });

  test("fees: kpis.max_cpm is kept with them, and the warning names what it would cost", async () => {
    const seller = await sellerOf(() => 10);
    const job = await jobAt([seller], { max_cpm: 10 }, feesOnly(`${seller.url}=0%+0.50`));
    expect(job.recommendations).toEqual([]);
    expect(job.warnings).toContainEqual({
      field: "kpis.max_cpm",
      message: expect.stringMatching(/would cost 10\.50 USD$/) as string,
    });
  });

  test.each(["http://s.example=5%", "http://s.example=0.50", "s.example=5%+1", "http://s.example=-5%+1", "=5%+1"])(
    "fees: SELLER_FEES %s is rejected with an example",
    (fees) => {
      expect(() => settingsFor(fees)).toThrow("https://seller.example=5%+0.50");
    },
  );
});
