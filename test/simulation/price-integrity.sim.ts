import { afterAll, beforeAll, describe, test } from "vitest";
import { checkPrices, openOddWorld } from "../skills/races/price-integrity.ts";
import type { World } from "../skills/world.ts";

let world: World;
beforeAll(async () => {
  world = await openOddWorld();
});
afterAll(() => world.close());

describe("price integrity, the long form", () => {
  test("100,000 generated wishes: quoted, agreed and booked price are one integer of micros", () =>
    checkPrices(world, 100_000));
});
