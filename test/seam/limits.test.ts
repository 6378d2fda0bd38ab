import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProductFinder } from "../../skills/understanding/product-finder.ts";
import { moneyIn } from "../../skills/understanding/quantities.ts";
import { openWorld, type World } from "../skills/world.ts";

describe("limits: refused credentials", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ settings: { rateLimitAnonymousPerMinute: 5, rateLimitPerMinute: 1000 } });
  });
  afterAll(() => world.close());

  test("wrong keys count against their address, and then nothing more is looked up", async () => {
    const codes: (string | null)[] = [];
    for (let n = 0; n < 7; n += 1) {
      codes.push((await world.send({ caller: `ask_live_wrong${n}`, operation: "list_products", input: {} })).code);
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => "invalid_api_key"), "rate_limited", "rate_limited"]);
  });

  test("a right key from the same address is not held back by them", async () => {
    expect((await world.send({ caller: "agency", operation: "list_products", input: {} })).code).toBeNull();
  });
});

describe("limits: text", () => {
  test("the figure is found behind a long row of digits as before", () => {
    expect(moneyIn("up to 25 CPM, or $22.50, or 1,000.5 dollars").map(({ value }) => value)).toEqual([
      25, 22.5, 1000.5,
    ]);
    expect(moneyIn(`price ${"9".repeat(19_900)}`)).toEqual([]);
  });

  test("words beyond the bound are not looked up, the product named before them is found", () => {
    const product = { product_id: "prod-1", name: "Pre-Roll Video", inventory_type: "video", deal_types: ["PD"] };
    const finder = createProductFinder([product]);
    expect(finder.find(`pre-roll video ${"lorem ".repeat(3_000)}`).products).toEqual([product]);
    expect(finder.find("x".repeat(20_000)).products).toEqual([]);
  });
});
