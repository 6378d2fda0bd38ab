import fc from "fast-check";
import { expect } from "vitest";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import type { Product } from "../../../skills/seller/products/record.ts";
import { openWorld, type World } from "../world.ts";

const oddPrices: readonly (readonly [base: number | null, floor: number | null])[] = [
  [10_010_000, 9_990_000],
  [33_333_333, 21_111_111],
  [1_000_001, null],
  [null, 7_770_000],
  [1_050_000, 1_000_000],
  [999_990_000, 1],
];

const oddProducts: readonly Product[] = oddPrices.map(([base, floor], index) => ({
  product_id: `odd-${index}`,
  name: `Odd ${index}`,
  description: null,
  inventory_type: "video",
  deal_types: ["PG", "PD", "PA"],
  pricing_models: ["cpm"],
  base_cpm_micros: base,
  floor_cpm_micros: floor,
  currency: "USD",
  minimum_impressions: 1_000,
  maximum_impressions: null,
  audience_targeting: null,
  content_targeting: null,
  ad_product_targeting: null,
}));

const products = [...defaultProducts.filter((item) => item.base_cpm_micros !== null), ...oddProducts];
const micros = (cpm: unknown): number => Math.round(Number(cpm) * 1_000_000);

const wish = fc.record({
  caller: fc.constantFrom("anonymous", "seat", "agency", "advertiser", "key without identity"),
  product: fc.constantFrom(...products),
  dealType: fc.constantFrom("PG", "PD", "PA"),
  impressions: fc.integer({ min: 10_000, max: 60_000_000 }),
  targetMicros: fc.option(fc.integer({ min: 1, max: 60_000_000 })),
  day: fc.integer({ min: 1, max: 28 }),
});

export const openOddWorld = (): Promise<World> =>
  openWorld({ catalog: createCatalog(products), settings: { priceProbeLimit: 0 } });

/** The booked price and terms are the quoted ones, within floor and list. */
export const checkPrices = async (world: World, runs: number): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(wish, async ({ caller, product, dealType, impressions, targetMicros, day }) => {
      const input = {
        product_id: product.product_id,
        deal_type: product.deal_types.some((type) => type === dealType) ? dealType : product.deal_types[0],
        impressions,
        flight_start: `2028-0${(day % 9) + 1}-${String(day).padStart(2, "0")}`,
        ...(targetMicros === null ? {} : { target_cpm: targetMicros / 1_000_000 }),
      };
      const quote = await world.send({ caller, operation: "request_quote", input });
      expect(quote.code).toBeNull();
      const quoted = quote.body["pricing"] as Record<string, unknown>;
      const plain = await world.send({
        caller,
        operation: "get_pricing",
        input: { product_id: product.product_id, volume: impressions },
      });
      const final = micros(quoted["final_cpm"]);
      const list = product.base_cpm_micros ?? product.floor_cpm_micros ?? 0;
      expect(final).toBeGreaterThanOrEqual(Math.max(product.floor_cpm_micros ?? 0, 1_000_000));
      expect(final).toBeLessThanOrEqual(Math.max(Math.ceil(list / 10_000) * 10_000, 1_000_000));
      expect(final).toBeLessThanOrEqual(micros(plain.body["final_price"]));
      const deal = await world.send({ caller, operation: "book_deal", input: { quote_id: quote.body["quote_id"] } });
      if (deal.code === "inventory_unavailable") return;
      expect(deal.code).toBeNull();
      expect(deal.body["pricing"]).toStrictEqual(quote.body["pricing"]);
      expect(deal.body["terms"]).toStrictEqual(quote.body["terms"]);
      expect(deal.body["terms_digest"]).toBe(quote.body["terms_digest"]);
      expect(micros((deal.body["openrtb_params"] as Record<string, unknown>)["bidfloor"])).toBe(final);
    }),
    { numRuns: runs },
  );
};
