import { expect, test } from "vitest";
import { openRaces, raceForApprovals } from "../skills/approval-races.ts";

test("race: 10,000 approvals decided twice, or decided and timed out at once, have one effect each", async () => {
  const world = await openRaces();
  await raceForApprovals(world, 10_000);
  expect(world.logged.filter((line) => line.level === "error")).toEqual([]);
  await world.close();
});
