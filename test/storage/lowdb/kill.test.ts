import { expect, it } from "vitest";
import { killMany } from "../crash/killing.ts";
import { runSeed, seededRandom } from "../crash/random.ts";

const slowMs = 240_000;

it(
  "embedded store: 25 processes killed under load lose no acknowledged commit and leave no part of one",
  async () => {
    const deals = await killMany(25, seededRandom(runSeed("kill -9")));
    expect(deals).toBeGreaterThan(25);
  },
  slowMs,
);
