import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channelBuys, dealTypeFor } from "../../skills/buyer/bookings/flow/channels.ts";
import { costCents, impressionsFor, splitCents } from "../../skills/buyer/bookings/flow/money.ts";
import { effectiveCpmMicros, rankOffers, sellerCpmWithin } from "../../skills/buyer/bookings/flow/choice/rank.ts";
import type { Offer } from "../../skills/buyer/bookings/record.ts";

const offer = (deal_type: string, cpm: number, fill_rate: number | null = null): Offer => ({
  channel: "ctv",
  flight: 0,
  seller_url: "http://s",
  seller_id: null,
  product_id: `${deal_type}-${cpm}`,
  product_name: "",
  publisher: "",
  inventory_type: "ctv",
  targeting: null,
  minimum_impressions: 1,
  deal_type,
  quote_id: "q",
  quote_expires_at_ms: null,
  buyer_tier: "seat",
  impressions: 1,
  is_available: true,
  available_impressions: null,
  fill_rate,
  list_cpm_micros: null,
  cpm_micros: cpm * 1_000_000,
  is_negotiable: true,
  bargain: null,
});

describe("ranking of offers", () => {
  test("ranking: a lone preferred deal at 12.50 scores 73", () => {
    expect(rankOffers([offer("PD", 12.5)], null)).toMatchObject([{ score: 73, effective_cpm_micros: 12_500_000 }]);
  });

  test("ranking: a private auction counts a fifth dearer, guaranteed inventory and fill raise the score", () => {
    const ranked = rankOffers([offer("PD", 20), offer("PG", 19.4, 0.9), offer("PA", 16)], null);
    expect(ranked.map((entry) => [entry.offer.deal_type, entry.effective_cpm_micros, entry.score])).toEqual([
      ["PG", 19_400_000, 83],
      ["PA", 19_200_000, 82],
      ["PD", 20_000_000, 28],
    ]);
  });

  test("ranking: fees raise what an offer costs in effect, not its price", () => {
    const fees = { intermediary_bps: 500, tech_cpm_micros: 500_000 };
    const ranked = rankOffers([offer("PD", 20), { ...offer("PG", 18, 0.9), fees }, offer("PA", 16)], null);
    expect(ranked.map((entry) => [entry.offer.cpm_micros, entry.effective_cpm_micros, entry.score])).toEqual([
      [18_000_000, 19_400_000, 83],
      [16_000_000, 19_200_000, 82],
      [20_000_000, 20_000_000, 28],
    ]);
    expect(effectiveCpmMicros({ ...offer("PA", 10), fees })).toBe(13_000_000);
    expect(rankOffers([{ ...offer("PD", 20), fees }], 20_000_000)).toEqual([]);
  });

  test("ranking: the seller's price within a limit is the highest whose cost in effect keeps it", () => {
    const bps = fc.integer({ min: 0, max: 9_999 });
    const micros = fc.integer({ min: 0, max: 1_000_000_000 });
    const type = fc.constantFrom("PG", "PD", "PA");
    fc.assert(
      fc.property(type, bps, micros, micros, (deal_type, intermediary_bps, tech_cpm_micros, above) => {
        const charged = { deal_type, fees: { intermediary_bps, tech_cpm_micros } };
        const limit = tech_cpm_micros + above;
        const most = sellerCpmWithin(charged, limit);
        const within = effectiveCpmMicros({ ...charged, cpm_micros: most }) <= limit;
        return within && effectiveCpmMicros({ ...charged, cpm_micros: most + 2 }) > limit;
      }),
    );
    expect(sellerCpmWithin({ deal_type: "PD" }, 12_000_001)).toBe(12_000_001);
  });

  test("ranking: what passes the ceiling in effect is left out, what equals it stays", () => {
    const ranked = rankOffers([offer("PA", 10), offer("PD", 12), offer("PD", 12.000001)], 12_000_000);
    expect(ranked.map((entry) => entry.offer.product_id).toSorted()).toEqual(["PA-10", "PD-12"]);
  });

  test("ranking: equal offers keep their order, and nothing ranks to nothing", () => {
    const same = [offer("PD", 5), { ...offer("PD", 5), product_id: "second" }];
    expect(rankOffers(same, null).map((entry) => entry.offer.product_id)).toEqual(["PD-5", "second"]);
    expect(rankOffers([], null)).toEqual([]);
  });
});

describe("money of a booking", () => {
  test("money: 1,000.00 at 29.92 buys 33,422 impressions for 999.99", () => {
    expect(impressionsFor(100_000, 29_920_000)).toBe(33_422);
    expect(costCents(29_920_000, 33_422)).toBe(99_999);
  });

  test("money: what a budget buys never costs more than the budget", () => {
    const cents = fc.integer({ min: 0, max: 400_000_000_000 });
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 1_000_000_000 }), (budget, cpmMicros) => {
        const cost = costCents(cpmMicros, impressionsFor(budget, cpmMicros));
        return cost === null || cost <= budget;
      }),
      { numRuns: 5_000 },
    );
  });

  test("money: parts add up to the whole to the cent, and no part is off its exact share by a cent", () => {
    const weight = fc.double({ min: 0.000001, max: 1_000_000, noNaN: true });
    const weights = fc.array(weight, { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000_000_000 }), weights, (cents, shares) => {
        const parts = splitCents(cents, shares);
        const rounded = shares.map((share) => Math.round(share * 1_000_000));
        const sum = rounded.reduce((total, share) => total + share, 0);
        const near = parts.every((part, index) => Math.abs(part - (cents * (rounded[index] ?? 0)) / sum) < 1.001);
        return near && parts.reduce((total, part) => total + part, 0) === cents;
      }),
      { numRuns: 5_000 },
    );
  });

  test("money: a cent over goes to the largest remainder, the earlier part on a tie", () => {
    expect(splitCents(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(splitCents(101, [60, 40])).toEqual([61, 40]);
    expect(splitCents(5, [0.1, 0.2, 0.7])).toEqual([1, 1, 3]);
  });
});

describe("channels", () => {
  test("channels: each buys its inventory types, any other channel the type of its own name", () => {
    expect(["display", "video", "native", "ctv"].map((type) => channelBuys("branding", type))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(channelBuys("linear_tv", "linear_tv")).toBe(true);
    expect(channelBuys("constructor", "constructor")).toBe(true);
  });

  test("channels: ctv asks for guaranteed deals first, the others never do", () => {
    expect(dealTypeFor("ctv", ["PD", "PG"])).toBe("PG");
    expect(dealTypeFor("branding", ["PG", "PA"])).toBe("PA");
    expect(dealTypeFor("branding", ["PG"])).toBeNull();
    expect(dealTypeFor("dooh", ["PG"])).toBe("PG");
  });
});
