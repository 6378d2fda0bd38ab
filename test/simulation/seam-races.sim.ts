import { expect, test } from "vitest";
import { openDoors } from "../doors/doors.ts";
import { loseAnswers, raceForQuotes } from "../seam/commits/races.ts";
import { openWorld, startMs } from "../skills/world.ts";

test("race: 10,000 quotes booked twice at once are 10,000 deals and 10,000 times 409", async () => {
  const world = await openWorld();
  await raceForQuotes(world, 10_000);
  expect(world.logged.filter((line) => line.level === "error")).toEqual([]);
  await world.close();
});

test("lost answer: 500 bookings whose connection was cut are found again by their key", async () => {
  const world = await openWorld();
  const doors = await openDoors(world.runner, () => startMs);
  await loseAnswers(world, doors, 500);
  await doors.close();
  await world.close();
});
