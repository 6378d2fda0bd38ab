import { expect, it } from "vitest";
import { checkFloors } from "../adcp/floors.ts";
import { checkKills } from "../adcp/kills.ts";
import { openWorld } from "../skills/world.ts";
import { runSeed, seededRandom } from "../storage/crash/random.ts";

const halfAnHour = 1_800_000;

it("adcp: no answer to 100,000 requests tells a floor", { timeout: halfAnHour }, async () => {
  const random = seededRandom(runSeed("floors"));
  // Each world is new, so that lists stay short.
  for (let round = 0; round < 100; round += 1) {
    const world = await openWorld({ settings: { priceProbeLimit: 0 } });
    expect(await checkFloors(world, random, 1_000)).toBeGreaterThan(500);
    await world.close();
  }
});

it("adcp: a buy of 20 packages, killed 200 times, is whole or not there", { timeout: halfAnHour }, async () => {
  await checkKills(seededRandom(runSeed("kills")), 200);
});
