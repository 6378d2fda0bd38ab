import { expect, it } from "vitest";
import { killMany } from "../storage/crash/killing.ts";
import { powerCuts } from "../storage/crash/power-cuts.ts";
import { runSeed, seededRandom } from "../storage/crash/random.ts";

const tenMinutes = 600_000;

it("embedded store: 500 processes killed under load lose no acknowledged commit", { timeout: tenMinutes }, async () => {
  expect(await killMany(500, seededRandom(runSeed("kill -9")))).toBeGreaterThan(500);
});

it("embedded store: 1,500 power cuts lose nothing that was acknowledged", { timeout: tenMinutes }, async () => {
  expect(await powerCuts(runSeed("power cuts"), 300, 5)).toBe(1_500);
});
