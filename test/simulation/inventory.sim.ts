import { expect, test } from "vitest";
import { openRush, rushOnPostgres, rushForInventory } from "../skills/races/inventory-rush.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";
import { runSeed } from "../storage/crash/random.ts";

const seed = runSeed("inventory");
const rounds = Array.from({ length: 25 }, (_, round) => round + 1);

test.each(rounds)("inventory: 64 buyers, round %i of 25 with 40,000 attempts", async (round) => {
  const world = await openRush();
  const plan = { attempts: 40_000, seed: seed + 1_000 * round, throughDoorsPct: 2 };
  const ends = await rushForInventory(world, plan);
  expect(ends.get("book_deal inventory_unavailable")).toBeGreaterThan(500);
  await world.close();
});

await describeOnPostgres("inventory on PostgreSQL", (url) => {
  test("64 buyers and 20,000 attempts", () => rushOnPostgres(url, { attempts: 20_000, seed, throughDoorsPct: 2 }));
});
