import { expect, test } from "vitest";
import { openWorld } from "../skills/world.ts";
import { seededRandom } from "../storage/crash/random.ts";
import { checkFloors } from "./floors.ts";
import { checkKills } from "./kills.ts";

test("adcp: no answer tells a floor", async () => {
  const world = await openWorld({ settings: { priceProbeLimit: 0 } });
  expect(await checkFloors(world, seededRandom(7), 500)).toBeGreaterThan(250);
  await world.close();
});

test("adcp: a buy of twenty packages is whole or not there", async () => {
  await checkKills(seededRandom(11), 8);
});
