import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { openWorld, type World } from "./world.ts";

/** No rule computes this floor from the base price, so finding it is a leak. */
const canary: Product = {
  product_id: "prod-canary",
  name: "Canary",
  description: "A product with a limit that nobody may see.",
  inventory_type: "video",
  deal_types: ["PG", "PD", "PA"],
  pricing_models: ["cpm"],
  base_cpm_micros: 50_000_000,
  floor_cpm_micros: 31_370_000,
  currency: "USD",
  minimum_impressions: 10_000,
  maximum_impressions: 9_000_000,
  audience_targeting: null,
  content_targeting: null,
  ad_product_targeting: null,
};

let world: World;
beforeAll(async () => {
  world = await openWorld({ catalog: createCatalog([canary]) });
});
afterAll(() => world.close());

const buyers = ["anonymous", "key without identity", "seat", "agency", "advertiser"];

const wishes = [
  { deal_type: "PG", impressions: 10_000 },
  { deal_type: "PD" },
  { deal_type: "PD", target_cpm: 31 },
  { deal_type: "PD", target_cpm: 49 },
  { deal_type: "XX" },
  { deal_type: "PG", impressions: 9_000_001 },
  { deal_type: "PD", impressions: 1 },
];

describe("what no buyer sees", () => {
  test.each(buyers)("the floor's figure is in no answer, refusal or event that %s can reach", async (caller) => {
    const seen: unknown[] = [];
    const ask = async (operation: string, input: unknown) => {
      const reply = await world.send({ caller, operation, input });
      seen.push(reply);
      return reply;
    };
    await ask("list_products", {});
    await ask("get_product", { product_id: "prod-canary" });
    for (const query of ["price", "cost of video", "catalog", "avails", "targeting"]) {
      await ask("discover_inventory", { query });
    }
    await ask("get_pricing", { product_id: "prod-canary", volume: 5_000_000, buyer_tier: "advertiser" });
    for (const wish of wishes) {
      const quote = await ask("request_quote", { product_id: "prod-canary", ...wish });
      const quoteId = quote.body["quote_id"];
      if (quoteId !== undefined) await ask("get_quote", { quote_id: quoteId });
      if (quoteId !== undefined) await ask("book_deal", { quote_id: quoteId });
    }
    seen.push(await world.store.list({ kind: "event", terms: [], order: "newest", limit: 500 }), world.logged);
    const text = JSON.stringify(seen);
    expect(text).not.toContain("31.37");
    expect(text).not.toContain("31370000");
    expect(text).not.toMatch(/"floor(_cpm)?":(?!null)/);
  });

  test("a price that is clamped to the floor says that a limit applied and not which", async () => {
    const priced = await world.send({
      caller: "advertiser",
      operation: "get_pricing",
      input: { product_id: "prod-canary", volume: 50_000_000 },
    });
    expect(priced.body["final_price"]).toBe(34);
    const text = JSON.stringify(priced.body);
    expect(text.toLowerCase()).not.toContain("floor");
  });

  test("foreign and missing records answer in equal bytes but for the id", async () => {
    const quote = await world.send({
      caller: "agency",
      operation: "request_quote",
      input: { product_id: "prod-canary", deal_type: "PD" },
    });
    const deal = await world.send({
      caller: "agency",
      operation: "book_deal",
      input: { quote_id: quote.body["quote_id"] },
    });
    const askBoth = async (operation: string, member: string, ids: readonly unknown[]) =>
      Promise.all(
        ids.map(async (id) => {
          const reply = await world.send({ caller: "advertiser", operation, input: { [member]: id } });
          return { code: reply.code, text: JSON.stringify(reply).replaceAll(String(id), "ID") };
        }),
      );
    for (const [operation, member, ids] of [
      ["get_quote", "quote_id", [quote.body["quote_id"], "qt-ffffffffffff"]],
      ["book_deal", "quote_id", [quote.body["quote_id"], "qt-ffffffffffff"]],
      ["get_deal", "deal_id", [deal.body["deal_id"], "DEMO-FFFFFFFFFFFF"]],
      ["get_api_key", "key_id", ["key-00000000", "key-ffffffff"]],
    ] as const) {
      const [foreign, missing] = await askBoth(operation, member, ids);
      expect(foreign?.text, operation).toBe(missing?.text);
      expect(foreign?.code).not.toBeNull();
    }
  });
});
