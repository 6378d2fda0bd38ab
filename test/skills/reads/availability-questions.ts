import fc from "fast-check";
import { expect } from "vitest";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import type { Product } from "../../../skills/seller/products/record.ts";
import { openWorld, startMs } from "../world.ts";

const bookEvery = 40;
const dayMs = 86_400_000;
const firstDay = Math.floor(startMs / dayMs);

const caps: readonly (number | null)[] = [null, 0, 1, 50_000, 3_000_000, 3_000_001, 20_000_000, 1_000_000_000];
const [sample] = defaultProducts;
if (sample === undefined) throw new Error("no product");

/** Each of a type of its own, so that discovery can be asked for one. */
const products: readonly Product[] = caps.map((maximum_impressions, place) => ({
  ...sample,
  product_id: `prod-${place}`,
  inventory_type: `type_${place}`,
  deal_types: ["PG", "PD"],
  minimum_impressions: 1,
  maximum_impressions,
}));

const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

const question = fc.record({
  place: fc.nat({ max: products.length - 1 }),
  from: fc.integer({ min: -3, max: 90 }),
  length: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(731)),
  volume: fc.oneof(fc.integer({ min: 1, max: 4_000_000 }), fc.constantFrom(1, 50_000, 3_000_000, 100_000_000)),
});

type Members = Readonly<Record<string, unknown>>;

/** Discovery, avails, quote and calendar give one figure for each. */
export const askEverywhere = async (questions: number): Promise<void> => {
  const world = await openWorld({ catalog: createCatalog(products), settings: { priceProbeLimit: 0 } });
  const held = products.map(() => new Map<number, number>());
  const ask = async (operation: string, input: Members): Promise<Members> => {
    const reply = await world.send({ caller: "agency", operation, input });
    expect(reply.code, `${operation} ${JSON.stringify(input)}`).toBeNull();
    return reply.body;
  };
  const leftIn = (place: number, from: number, to: number): number | null => {
    const cap = caps[place] ?? null;
    if (cap === null) return null;
    const days = Array.from({ length: to - from + 1 }, (_, step) => held[place]?.get(from + step) ?? 0);
    return cap - Math.max(...days);
  };
  let [asked, booked] = [0, 0];
  const answered = fc.asyncProperty(question, async ({ place, from: start, length, volume }) => {
    const to = firstDay + start + length - 1;
    // A flight that began is sold from today on; one that is over is not sold (decision 122).
    const from = Math.max(firstDay, firstDay + start);
    const [first, last] = [dateOf(firstDay + start), dateOf(to)];
    const productId = products[place]?.product_id;
    const days = { flight_start: first, flight_end: last };
    const discovery = await ask("discover_inventory", { query: `availability of type_${place}`, ...days });
    const wish = { product_id: productId, start_date: first, end_date: last, requestedImpressions: volume };
    const avails = await ask("check_avails", wish);
    const calendar = await ask("get_availability", { product_id: [productId], from: first, to: last, step: "week" });
    const deal = { product_id: productId, deal_type: "PG", impressions: volume, ...days };
    if (to < firstDay) {
      const { code } = await world.send({ caller: "agency", operation: "request_quote", input: deal });
      expect(code).toBe("flight_over");
      expect([avails["available_impressions"], avails["unlimited"]]).toEqual([0, false]);
      asked += 1;
      return;
    }
    const quote = await ask("request_quote", deal);
    const shown = [
      (discovery["availability"] as { products: readonly Members[] }).products[0],
      avails,
      (calendar["products"] as readonly Members[])[0],
      quote["availability"] as Members,
    ];
    const left = leftIn(place, from, to);
    const figures = shown.map((one) => [one?.["available_impressions"], one?.["unlimited"]]);
    expect(figures, JSON.stringify(deal)).toEqual(shown.map(() => [left, left === null]));
    const isEnough = left === null || (left > 0 && left >= volume);
    expect((quote["availability"] as Members)["inventory_available"]).toBe(isEnough);
    asked += 1;
    if (asked % bookEvery !== 0 || !isEnough) return;
    await ask("book_deal", { quote_id: quote["quote_id"] });
    booked += 1;
    for (let day = from; day <= to; day += 1) held[place]?.set(day, (held[place]?.get(day) ?? 0) + volume);
  });
  await fc.assert(answered, { numRuns: questions, seed: 116, endOnFailure: true });
  expect(asked).toBe(questions);
  expect(booked).toBeGreaterThan(20);
  await world.close();
};
