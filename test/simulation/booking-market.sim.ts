import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectSoundMarket, openMarket, runKilledBuyer } from "../buyer/market.ts";
import { compileProgram } from "../storage/children.ts";
import { runSeed } from "../storage/crash/random.ts";

const seed = runSeed("market");
const clockOffsetMs = Date.UTC(2027, 0, 15, 12) - Date.now();
const clock = { nowMs: () => Date.now() + clockOffsetMs, move: () => undefined };
const countOf = (texts: readonly string[], wanted: string): number => texts.filter((text) => text === wanted).length;

let program = "";
beforeAll(async () => {
  program = await compileProgram(join(import.meta.dirname, "..", "buyer", "market-child.ts"));
});
afterAll(() => rm(program, { force: true }));

test("market: 50 briefs at 12 sellers, 20 kills of the buyer and of sellers: all end, within budget, nothing is booked twice", async () => {
  const market = await openMarket({ seed, sellers: 12, products: 24, lossPct: 6, delayMs: 30, clock });
  try {
    const startedMs = performance.now();
    const jobs = await runKilledBuyer(program, market, { seed, briefs: 50, kills: 20, clockOffsetMs });
    const deals = await expectSoundMarket(market, jobs);
    const completed = jobs.filter(({ status }) => status === "completed").length;
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    const failed = jobs.filter(({ status }) => status === "failed").map(({ errors }) => errors.at(-1) ?? "");
    const reasons = Object.fromEntries([...new Set(failed)].map((reason) => [reason, countOf(failed, reason)]));
    process.stdout.write(`${JSON.stringify({ jobs: jobs.length, completed, deals, seconds, reasons })}\n`);
    expect(completed).toBeGreaterThan(25);
  } finally {
    await market.close();
  }
});
