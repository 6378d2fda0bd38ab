import { expect, test } from "vitest";
import { describeOnPostgres } from "../../storage/postgres/database.ts";
import { openRush, rushOnPostgres, rushForInventory } from "./inventory-rush.ts";

/** Fewer ends mean that the run tried too little. */
const ends = [
  "book_deal done",
  "book_deal replayed",
  "book_deal inventory_unavailable",
  "book_deal quote_already_booked",
  "generate_deal done",
  "apply_change_request done",
  "create_change_request validation_failed",
  "transition_deal done",
  "transition_order done",
];

test("inventory: 64 buyers and 2,000 attempts never hold more of a day than there is", async () => {
  const world = await openRush();
  const met = await rushForInventory(world, { attempts: 2_000, seed: 1, throughDoorsPct: 5 });
  expect([...met.keys()]).toEqual(expect.arrayContaining(ends));
  await world.close();
});

await describeOnPostgres("inventory on PostgreSQL", (url) => {
  test("64 buyers and 500 attempts never hold more of a day than there is", () =>
    rushOnPostgres(url, { attempts: 500, seed: 1, throughDoorsPct: 5 }));
});
