import { expect, test } from "vitest";
import { faultsOfStrategy } from "../machines/prices/offer-rules.ts";
import { runSeed } from "../storage/crash/random.ts";

const seed = runSeed("offers");

test("offers: 100,000 strategies come no closer to the floor than the engine's own last concession", () => {
  const faults: string[] = [];
  for (let strategy = 0; strategy < 100_000 && faults.length < 5; strategy += 1) {
    faults.push(...faultsOfStrategy(seed + strategy));
  }
  expect(faults).toStrictEqual([]);
});
