import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileProgram } from "../storage/children.ts";
import { expectSoundMarket, openMarket, runKilledBuyer } from "./market.ts";

const clockOffsetMs = Date.UTC(2027, 0, 15, 12) - Date.now();
const clock = { nowMs: () => Date.now() + clockOffsetMs, move: () => undefined };

describe("a market of sellers and a buyer that are killed", () => {
  let program = "";
  beforeAll(async () => {
    program = await compileProgram(join(import.meta.dirname, "market-child.ts"));
  });
  afterAll(() => rm(program, { force: true }));

  test("market: 8 briefs at 4 sellers, 4 kills of the buyer and of sellers: all end, within budget, nothing is booked twice", async () => {
    const market = await openMarket({ seed: 11, sellers: 4, products: 8, lossPct: 6, delayMs: 20, clock });
    try {
      const jobs = await runKilledBuyer(program, market, { seed: 11, briefs: 8, kills: 4, clockOffsetMs });
      // How many are booked depends on the machine: on a slow one sellers miss their deadline, and lines fail.
      expect(await expectSoundMarket(market, jobs)).toBeGreaterThan(0);
    } finally {
      await market.close();
    }
  }, 120_000);
});
