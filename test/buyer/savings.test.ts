import { expect, test } from "vitest";
import { buy } from "./savings.ts";
import { movableClock } from "./world.ts";

test("negotiation: the same briefs buy more at a lower average price than without, within the same budget", async () => {
  const plan = { seed: 3, briefs: 6, sellers: 4, products: 8 };
  const [without, with_] = [await buy(false, plan, movableClock()), await buy(true, plan, movableClock())];
  expect(with_.budget).toBe(without.budget);
  expect(with_.averageCpm).toBeLessThan(without.averageCpm);
  expect(with_.impressions).toBeGreaterThan(without.impressions);
  expect(with_.spent).toBeLessThanOrEqual(with_.budget);
}, 60_000);
