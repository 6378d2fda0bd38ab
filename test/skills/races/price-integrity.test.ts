import { afterAll, beforeAll, describe, test } from "vitest";
import { checkPrices, openOddWorld } from "./price-integrity.ts";
import type { World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await openOddWorld();
});
afterAll(() => world.close());

describe("price integrity", () => {
  test("the booked price is the quoted price to the micro, never below the floor, never above the list price", () =>
    checkPrices(world, 400));
});
