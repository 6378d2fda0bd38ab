import { describe, expect, onTestFinished, test } from "vitest";
import { answerJson } from "../client/loopback.ts";
import { type Bends, startFakeSeller } from "./fake-seller.ts";
import { keyFor, sellerHere } from "./seller-here.ts";
import { callAgent, type Job, openBuyer, sampleBrief, settledJob } from "./world.ts";

const brief = { ...sampleBrief, channels: ["branding"], budget: 1000, flights: null };

const bookAt = async (url: string, key: string | null, researchDeadlineSeconds = 120): Promise<Job> => {
  const world = await openBuyer({
    sellers: [{ url, key, headerType: "api_key" }],
    researchDeadlineSeconds,
    sellerTimeoutSeconds: 20,
  });
  onTestFinished(() => world.close());
  const { output } = await callAgent(world.buyer, "create_booking", { brief, auto_approve: true });
  return settledJob(world.buyer, String(output["job_id"]));
};

const product = (id: string, type: string, base: number) => ({
  product_id: id,
  name: `Product ${id}`,
  description: null,
  inventory_type: type,
  deal_types: ["PD" as const],
  pricing_models: ["cpm" as const],
  base_cpm_micros: base * 1_000_000,
  floor_cpm_micros: 1_000_000,
  currency: "USD",
  minimum_impressions: 1000,
  maximum_impressions: null,
  audience_targeting: null,
  content_targeting: null,
  ad_product_targeting: null,
});

const identity = { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" };

const sellerWithPackage = async (productIds: readonly string[]) => {
  const products = [product("p-display", "display", 20), product("p-video", "video", 30), product("p-ctv", "ctv", 40)];
  const seller = await sellerHere({ products });
  onTestFinished(() => seller.close());
  const made = await callAgent(seller.agent, "create_package", {
    name: "Run of site",
    base_price: 5,
    floor_price: 2,
    product_ids: productIds,
    geo_targets: ["US"],
    audience_segment_ids: ["3-7"],
  });
  expect(made.code).toBeNull();
  return { seller, key: await keyFor(seller, identity), packageId: String(made.output["package_id"]) };
};

describe("media kits in research", () => {
  test("booking: a package that the catalog does not list is quoted, recommended and booked as the seller has it", async () => {
    const { seller, key, packageId } = await sellerWithPackage(["p-display", "p-video"]);
    const job = await bookAt(seller.url, key);
    expect(job).toMatchObject({ status: "completed", errors: [] });
    expect(job.recommendations[0]).toMatchObject({
      product_id: packageId,
      product_name: "Run of site",
      format: "package",
    });
    expect(job.recommendations[0]?.["targeting"]).toMatchObject({ geo_targets: ["US"], audience_segments: ["3-7"] });
    expect(job.warnings.filter(({ field }) => field.startsWith("target_audience"))).toEqual([]);
    const line = job.booked_lines.find(({ product_id: id }) => id === packageId);
    const { output: deal } = await callAgent(seller.agent, "get_deal", { deal_id: line?.deal_id });
    expect(deal).toMatchObject({
      product: { product_id: packageId },
      pricing: { final_cpm: line?.["cpm"] },
      terms: { impressions: line?.["impressions"] },
    });
  });

  test.each([
    ["a part of another type than the channel buys", ["p-display", "p-ctv"]],
    ["no key of its own to see the price with", null],
  ])("booking: a package with %s is no offer", async (_name, ids) => {
    const { seller, key } = await sellerWithPackage(ids ?? ["p-display"]);
    const job = await bookAt(seller.url, ids === null ? null : key);
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ product_id: "p-display" }], errors: [] });
  });

  const html = "<!doctype html><title>Welcome</title>";
  const kits: readonly [string, NonNullable<Bends["kit"]>, RegExp][] = [
    ["a page of HTML", (response) => (answerJson(response, 200, html), true), /invalid_response/],
    ["an error", (response) => (answerJson(response, 500, {}), true), /error 500/],
    ["nothing, for ever", () => true, /no answer within 2 seconds/],
  ];
  test.each(kits)(
    "booking: a media kit that is %s is left out with a warning, the seller is not",
    async (_name, kit, cause) => {
      const seller = await startFakeSeller({ kit });
      onTestFinished(() => seller.close());
      const job = await bookAt(seller.url, null, 8);
      expect(job).toMatchObject({ status: "completed", booked_lines: [{ product_id: "p-display" }], errors: [] });
      const warnings = job.warnings.filter(({ field }) => field === "media_kit");
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.message).toContain(`the media kit of ${seller.url} is left out: `);
      expect(warnings[0]?.message).toMatch(cause);
    },
  );

  test("booking: of a media kit only what can be quoted is asked for, and a seller without one is no warning", async () => {
    const good = { name: "Fine", deal_types: ["PD"], exact_price: 1, placements: [{ product_id: "p-display" }] };
    const odd = [
      null,
      { ...good, package_id: "pkg-text", exact_price: "1" },
      { ...good, package_id: "pkg-negative", exact_price: -1 },
      { ...good, package_id: "pkg-euro", currency: "EUR" },
      { ...good, package_id: "pkg-flat", rate_type: "flat" },
      { ...good, package_id: "pkg-empty", placements: [] },
      { ...good, package_id: "pkg-foreign", placements: [{ product_id: "p-display" }, { product_id: "p-other" }] },
      { ...good, package_id: "x".repeat(500) },
      { ...good, package_id: "p-display" },
    ];
    const seller = await startFakeSeller({ kit: (response) => (answerJson(response, 200, { results: odd }), true) });
    onTestFinished(() => seller.close());
    const job = await bookAt(seller.url, null);
    expect(job).toMatchObject({ status: "completed", booked_lines: [{ product_id: "p-display", cpm: 10 }] });
    expect(seller.quotes.size).toBe(1);
    const plain = await startFakeSeller();
    onTestFinished(() => plain.close());
    expect((await bookAt(plain.url, null)).warnings.filter(({ field }) => field === "media_kit")).toEqual([]);
  });
});
