import { expect, test } from "vitest";
import { buy } from "../buyer/savings.ts";
import { movableClock } from "../buyer/world.ts";
import { runSeed } from "../storage/crash/random.ts";

const seed = runSeed("savings");

test("negotiation: 200 briefs at 6 sellers, with and without", async () => {
  const plan = { seed, briefs: 200, sellers: 6, products: 12 };
  const without = await buy(false, plan, movableClock());
  const with_ = await buy(true, plan, movableClock());
  process.stdout.write(`${JSON.stringify({ without, with: with_ }, null, 2)}\n`);
  expect(with_.averageCpm).toBeLessThan(without.averageCpm);
  expect(with_.spent).toBeLessThanOrEqual(with_.budget);
});
