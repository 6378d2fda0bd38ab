import { expect, test } from "vitest";
import { openPostgresStore } from "../../storage/postgres/driver.ts";
import { openRaces, raceForApprovals } from "../skills/races/approval-races.ts";
import type { World } from "../skills/world.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

const race = async (world: World): Promise<void> => {
  await raceForApprovals(world, 10_000);
  expect(world.logged.filter((line) => line.level === "error")).toEqual([]);
  await world.close();
};

test("race: 10,000 approvals decided twice, or decided and timed out at once, have one effect each", async () =>
  race(await openRaces()));

await describeOnPostgres("approvals on PostgreSQL", (url) => {
  test("race: 10,000 approvals decided twice, or decided and timed out at once, have one effect each", async () =>
    race(await openRaces({ openStore: () => openPostgresStore({ url, schema: "races", log: () => undefined }) })));
});
