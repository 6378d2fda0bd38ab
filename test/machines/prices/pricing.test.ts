import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discountedPrice } from "../../../machines/pricing/formula.ts";
import {
  defaultPricingPolicy,
  lowestPriceMicros,
  priceFor,
  type PriceQuestion,
} from "../../../machines/pricing/price.ts";
import { cpmRange, priceRange } from "../../../machines/pricing/range.ts";
import type { PricingRule } from "../../../machines/pricing/rules.ts";
import { lowerTier, tierOfIdentity, type Tier } from "../../../machines/pricing/tiers.ts";
import { volumeDiscountPct } from "../../../machines/pricing/volume.ts";
import { roundHalfEven } from "../../../machines/money.ts";
import { covers } from "../../requirements.ts";
import { halfEvenInteger } from "./rational.ts";

const ctv: PriceQuestion = {
  baseMicros: 35_000_000,
  floorMicros: 28_000_000,
  tier: "agency",
  impressions: 5_000_000,
  targetMicros: null,
  agencyId: "agency-1",
  advertiserId: null,
  holdingCompanyId: null,
  customPrices: [],
  productId: "prod-53e78a97",
  inventoryType: "ctv",
  currency: "USD",
  nowMs: 1_800_000_000_000,
};

const ask = (changes: Partial<PriceQuestion>, policy = defaultPricingPolicy) => {
  const price = priceFor({ ...ctv, ...changes }, policy);
  if (price === null) throw new Error("expected a price");
  return price;
};

const million = 1_000_000;

const vectors: readonly [Tier, number, number, number, number, number][] = [
  ["public", 0, 0, 0, 35, 35],
  ["public", 50, 0, 0, 35, 35],
  ["seat", 0, 5, 0, 33.25, 33.25],
  ["seat", 50, 5, 0, 33.25, 33.25],
  ["agency", 0, 10, 0, 31.5, 31.5],
  ["agency", 5, 10, 5, 29.92, 29.92],
  ["agency", 10, 10, 10, 28.35, 28.35],
  ["agency", 20, 10, 15, 26.77, 28],
  ["agency", 50, 10, 20, 25.2, 28],
  ["advertiser", 0, 15, 0, 29.75, 29.75],
  ["advertiser", 5, 15, 5, 28.26, 28.26],
  ["advertiser", 10, 15, 10, 26.78, 28],
  ["advertiser", 20, 15, 15, 25.29, 28],
  ["advertiser", 50, 15, 20, 23.8, 28],
];

describe("pricing: the vectors of the published examples, bare and clamped", () => {
  const title = "%s at %d million: %d and %d percent give %d, sold at %d";
  it.each(vectors)(title, (tier, volume, tierPct, volumePct, bare, sold) => {
    covers("seller.pricing.formula", "seller.pricing.tier-discount", "seller.pricing.volume-discount");
    const discounts = { tierPct, rulePct: 0, overrideMicros: null, volumePct };
    expect(roundHalfEven(discountedPrice(35_000_000, discounts), 2)).toBe(bare);
    const withoutFloor = ask({ tier, impressions: volume * million, floorMicros: null });
    expect(withoutFloor.computedMicros).toBe(Math.round(bare * million));
    const price = ask({ tier, impressions: volume * million });
    expect(price).toMatchObject({
      baseMicros: 35_000_000,
      tierDiscountPct: tierPct,
      volumeDiscountPct: volumePct,
      computedMicros: sold * million,
      finalMicros: sold * million,
      targetAccepted: false,
    });
  });

  it.each([
    [4_999_999, 0],
    [5_000_000, 5],
    [9_999_999, 5],
    [10_000_000, 10],
    [19_999_999, 10],
    [20_000_000, 15],
    [49_999_999, 15],
    [50_000_000, 20],
    [9_007_199_254_740_991, 20],
  ])("%d impressions earn %d percent", (impressions, pct) => {
    expect(volumeDiscountPct(defaultPricingPolicy.volume, impressions)).toBe(pct);
    expect(volumeDiscountPct([...defaultPricingPolicy.volume].reverse(), impressions)).toBe(pct);
  });

  it("the global floor of 1.00 holds where the product has none", () => {
    expect(ask({ baseMicros: 1_050_000, floorMicros: null }).computedMicros).toBe(1_000_000);
    expect(ask({ baseMicros: 200_000, floorMicros: null, tier: "public" }).computedMicros).toBe(1_000_000);
    expect(lowestPriceMicros(null)).toBe(1_000_000);
    expect(lowestPriceMicros(28_005_000)).toBe(28_005_000);
    expect(ask({ floorMicros: 28_005_000, impressions: 50_000_000 }).computedMicros).toBe(28_010_000);
  });

  it("a product without a base is priced from its floor, one without both has no price", () => {
    expect(ask({ baseMicros: null, tier: "public" }).computedMicros).toBe(28_000_000);
    expect(priceFor({ ...ctv, baseMicros: null, floorMicros: null })).toBeNull();
  });

  it("a base below the floor is sold at the floor", () => {
    const price = ask({ baseMicros: 20_000_000, tier: "public" });
    expect(price.computedMicros).toBe(28_000_000);
    expect(price.rationale).toBe("Base price: $20.00 CPM | Price limit applied | Final price: $28.00 CPM");
  });
});

describe("pricing: target CPM", () => {
  it.each([
    [29_000_000, true],
    [28_000_000, true],
    [29_920_000, true],
    [28_123_456, true],
    [29_920_001, false],
    [27_999_999, false],
    [1, false],
    [0, false],
    [-5_000_000, false],
    [100_000_000, false],
  ])("a target of %d micros: accepted is %s", (targetMicros, accepted) => {
    const price = ask({ targetMicros });
    expect(price.targetAccepted).toBe(accepted);
    expect(price.finalMicros).toBe(accepted ? targetMicros : 29_920_000);
    expect(price.computedMicros).toBe(29_920_000);
    expect(price.rationale).toBe(ask({}).rationale);
  });

  it("without a product floor the global one still holds", () => {
    expect(ask({ floorMicros: null, targetMicros: 1_000_000 }).finalMicros).toBe(1_000_000);
    expect(ask({ floorMicros: null, targetMicros: 999_999 }).finalMicros).toBe(29_920_000);
  });
});

describe("pricing: the rationale", () => {
  it.each<[Partial<PriceQuestion>, string]>([
    [
      {},
      "Base price: $35.00 CPM | Agency tier: -10% | Volume discount: -5.0% | Final price: $29.92 CPM" +
        " | (Total savings: 14.5%)",
    ],
    [{ tier: "public" }, "Base price: $35.00 CPM | Final price: $35.00 CPM"],
    [{ tier: "seat" }, "Base price: $35.00 CPM | Seat tier: -5% | Final price: $33.25 CPM | (Total savings: 5.0%)"],
    [
      { tier: "advertiser", impressions: 50_000_000 },
      "Base price: $35.00 CPM | Advertiser tier: -15% | Volume discount: -20.0% | Price limit applied" +
        " | Final price: $28.00 CPM | (Total savings: 20.0%)",
    ],
  ])("case %#", (changes, text) => {
    expect(ask(changes).rationale).toBe(text);
  });

  it("no rationale ever names a floor", () => {
    for (const [tier, volume] of vectors) {
      expect(ask({ tier, impressions: volume * million }).rationale).not.toMatch(/floor|minimum/i);
    }
  });
});

describe("pricing: custom rules", () => {
  const rule: PricingRule = {
    ruleId: "rule-1",
    priority: 1,
    accessTier: null,
    agencyIds: [],
    advertiserIds: [],
    holdingCompanyIds: [],
    productIds: [],
    inventoryTypes: [],
    overrideMicros: null,
    discountPct: 5,
    validFromMs: null,
    validToMs: null,
    isActive: true,
  };
  const policy = (...rules: readonly Partial<PricingRule>[]) => ({
    ...defaultPricingPolicy,
    rules: rules.map((changes) => ({ ...rule, ...changes })),
  });
  const free = { floorMicros: null, impressions: 0 };

  it("the largest single discount counts after the tier, discounts never stack", () => {
    const price = ask(free, policy({ discountPct: 5 }, { discountPct: 20 }, { discountPct: 10 }));
    expect(price.computedMicros).toBe(25_200_000);
    expect(price.rationale).toBe(
      "Base price: $35.00 CPM | Agency tier: -10% | Custom rule: -20% | Final price: $25.20 CPM" +
        " | (Total savings: 28.0%)",
    );
  });

  it("the override of the highest priority replaces the price and cancels discounts; volume still applies", () => {
    const rules = policy(
      { overrideMicros: 30_000_000, priority: 1 },
      { overrideMicros: 20_000_000, priority: 2 },
      { overrideMicros: 10_000_000, priority: 2 },
      { discountPct: 50, priority: 9 },
    );
    expect(ask(free, rules).computedMicros).toBe(20_000_000);
    expect(ask({ ...free, impressions: 5_000_000 }, rules).computedMicros).toBe(19_000_000);
    expect(ask(free, rules).rationale).toBe(
      "Base price: $35.00 CPM | Custom rule: $20.00 CPM | Final price: $20.00 CPM | (Total savings: 42.9%)",
    );
  });

  it("no rule sells below the floor or above the list price", () => {
    expect(ask({}, policy({ overrideMicros: 1_000_000 })).computedMicros).toBe(28_000_000);
    expect(ask({ impressions: 0 }, policy({ overrideMicros: 90_000_000 })).computedMicros).toBe(35_000_000);
    expect(ask({}, policy({ discountPct: 400 })).computedMicros).toBe(28_000_000);
  });

  it("a buyer's own price counts before every rule: that of the product, else that of all others", () => {
    covers("seller.auth.ceiling.preferred-custom-pricing");
    const rules = policy({ overrideMicros: 20_000_000 }, { discountPct: 50 });
    const ownCpm = { product_id: ctv.productId, cpm_micros: 30_000_000, discount_pct: 0 };
    const forOthers = { product_id: null, cpm_micros: null, discount_pct: 10 };
    const elsewhere = { product_id: "prod-15ba2543", cpm_micros: 1_000_000, discount_pct: 0 };
    const priceAt = (...customPrices: PriceQuestion["customPrices"]) =>
      ask({ ...free, customPrices }, rules).computedMicros;
    expect(priceAt(forOthers, ownCpm)).toBe(30_000_000);
    expect(priceAt(forOthers, elsewhere)).toBe(28_350_000);
    expect(priceAt(elsewhere)).toBe(20_000_000);
  });

  it("no price of a buyer's own is below the floor or above the list price", () => {
    covers("seller.auth.ceiling.preferred-custom-pricing");
    const at = (cpmMicros: number | null, discountPct: number) => ({
      impressions: 0,
      customPrices: [{ product_id: null, cpm_micros: cpmMicros, discount_pct: discountPct }],
    });
    expect(ask(at(1_000_000, 0)).computedMicros).toBe(28_000_000);
    expect(ask(at(90_000_000, 0)).computedMicros).toBe(35_000_000);
    expect(ask(at(null, 100)).computedMicros).toBe(28_000_000);
  });

  it.each<[Partial<PricingRule>, boolean]>([
    [{ accessTier: "agency" }, true],
    [{ accessTier: "advertiser" }, false],
    [{ agencyIds: ["agency-2", "agency-1"] }, true],
    [{ agencyIds: ["agency-2"] }, false],
    [{ advertiserIds: ["adv-1"] }, false],
    [{ holdingCompanyIds: ["hold-1"] }, false],
    [{ productIds: ["prod-53e78a97"], inventoryTypes: ["ctv"] }, true],
    [{ productIds: ["prod-53e78a97"], inventoryTypes: ["display"] }, false],
    [{ isActive: false }, false],
    [{ validFromMs: 1_800_000_000_000, validToMs: 1_800_000_000_001 }, true],
    [{ validFromMs: 1_800_000_000_001 }, false],
    [{ validToMs: 1_800_000_000_000 }, false],
  ])("scope %j matches: %s", (scope, applies) => {
    expect(ask(free, policy(scope)).computedMicros).toBe(applies ? 29_920_000 : 31_500_000);
  });
});

describe("pricing: tiers and ranges", () => {
  it.each([
    [{}, "public"],
    [{ seat_id: "s" }, "seat"],
    [{ seat_id: "s", agency_id: "a" }, "agency"],
    [{ agency_id: "a" }, "agency"],
    [{ seat_id: "s", agency_id: "a", advertiser_id: "v" }, "advertiser"],
    [{ agency_id: "a", advertiser_id: "v" }, "advertiser"],
    [{ seat_id: "s", advertiser_id: "v" }, "seat"],
    [{ advertiser_id: "v" }, "public"],
    [{ seat_id: null, agency_id: "", advertiser_id: " " }, "public"],
  ])("identity %j claims %s", (identity, tier) => {
    expect(tierOfIdentity(identity)).toBe(tier);
  });

  it("the lower of two tiers is in force", () => {
    expect(lowerTier("advertiser", "seat")).toBe("seat");
    expect(lowerTier("public", "agency")).toBe("public");
    expect(lowerTier("agency", "agency")).toBe("agency");
  });

  it.each([
    [12_000_000, "$10-$14 CPM"],
    [15_000_000, "$12-$18 CPM"],
    [25_000_000, "$20-$30 CPM"],
    [35_000_000, "$28-$42 CPM"],
  ])("a base of %d micros is shown as %s", (base, text) => {
    expect(cpmRange(base, "USD")).toBe(text);
    expect(priceRange(base, "USD")).toBe(text.replace(" CPM", ""));
  });
});

describe("pricing: properties over generated cases", () => {
  /** Exact rationals; says whether doubles may fall on the other side of a tie. */
  const exactCents = (
    baseMicros: number,
    pcts: readonly number[],
  ): { readonly cents: bigint; readonly nearTie: boolean } => {
    let numerator = BigInt(baseMicros);
    let denominator = 10_000n;
    for (const pct of pcts) {
      numerator *= 100n - BigInt(pct);
      denominator *= 100n;
    }
    const cents = (numerator * 2n + denominator) / (denominator * 2n);
    const twiceRest = (numerator % denominator) * 2n - denominator;
    const distance = twiceRest < 0n ? -twiceRest : twiceRest;
    return { cents, nearTie: distance * 1_000_000_000n < denominator };
  };

  const cases = fc.record({
    base: fc.integer({ min: 1, max: 20_000 }),
    floor: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: null }),
    tier: fc.constantFrom<Tier>("public", "seat", "agency", "advertiser"),
    impressions: fc.oneof(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(5e6, 1e7, 2e7, 5e7)),
    target: fc.option(fc.integer({ min: -1_000_000, max: 250_000_000 }), { nil: null }),
  });

  it("100,000 prices: whole cents, never below a floor, never above list, as exact rationals say", () => {
    fc.assert(
      fc.property(cases, ({ base, floor, tier, impressions, target }) => {
        const baseMicros = base * 10_000;
        const floorMicros = floor === null ? null : floor * 10_000;
        const price = ask({ baseMicros, floorMicros, tier, impressions, targetMicros: target });
        const lowest = Math.max(floorMicros ?? 0, 1_000_000);
        if (price.computedMicros % 10_000 !== 0) throw new Error("not whole cents");
        if (price.computedMicros < lowest || price.finalMicros < lowest) throw new Error("below a floor");
        if (price.computedMicros > Math.max(baseMicros, lowest)) throw new Error("above list");
        if (price.finalMicros > price.computedMicros) throw new Error("above the computed price");
        const { cents, nearTie } = exactCents(baseMicros, [price.tierDiscountPct, price.volumeDiscountPct]);
        const expected = Math.max(Number(cents) * 10_000, lowest);
        if (!nearTie && price.computedMicros !== expected) throw new Error(`not ${expected} micros`);
        const doubles = (baseMicros / 1e6) * (1 - price.tierDiscountPct / 100) * (1 - price.volumeDiscountPct / 100);
        const binary = Math.max(Number(halfEvenInteger(doubles, 2)) * 10_000, lowest);
        if (price.computedMicros !== binary) throw new Error(`not ${binary} micros, as the doubles have it`);
      }),
      { numRuns: 100_000 },
    );
  });

  it("a base and a floor finer than a cent still give whole cents at or above the floor", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60_000_000 }),
        fc.integer({ min: 0, max: 60_000_000 }),
        fc.constantFrom<Tier>("public", "seat", "agency", "advertiser"),
        (baseMicros, floorMicros, tier) => {
          const price = ask({ baseMicros, floorMicros, tier });
          const list = ask({ baseMicros, floorMicros, tier: "public" });
          expect(price.computedMicros % 10_000).toBe(0);
          expect(price.computedMicros).toBeGreaterThanOrEqual(floorMicros);
          expect(price.computedMicros).toBeLessThanOrEqual(list.computedMicros);
        },
      ),
      { numRuns: 20_000 },
    );
  });
});
