import { expect, test } from "vitest";
import { gatedDeals, raceForApprovals } from "../skills/approval-races.ts";
import { openWorld } from "../skills/world.ts";

test("race: 10,000 approvals decided twice, or decided and timed out at once, have one effect each", async () => {
  const world = await openWorld({ settings: gatedDeals });
  await raceForApprovals(world, 10_000);
  expect(world.logged.filter((line) => line.level === "error")).toEqual([]);
  await world.close();
});
