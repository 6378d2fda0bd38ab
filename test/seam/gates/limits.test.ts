import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import type { Outcome } from "../../../protocol/seam/operation.ts";
import type { Product } from "../../../skills/seller/products/record.ts";
import { scanOf } from "../../../skills/talk/reader/entities.ts";
import { entitiesOf } from "../../../skills/talk/reader/entity.ts";
import { createProductFinder } from "../../../skills/talk/reader/names/product-finder.ts";
import { openWorld, type World } from "../../skills/world.ts";

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
    const finder = createProductFinder([]);
    const moneyIn = (text: string) =>
      entitiesOf(scanOf(text, finder, 0)).flatMap((one) =>
        one.kind === "price" || one.kind === "money" ? [one.value] : [],
      );
    expect(moneyIn("up to 25 CPM, or $22.50, or 1,000.5 dollars")).toEqual([25, 22.5, 1000.5]);
    expect(moneyIn(`price ${"9".repeat(19_900)}`)).toEqual([]);
  });

  test("words beyond the bound are not looked up, the product named before them is found", () => {
    const product = { product_id: "prod-1", name: "Pre-Roll Video", inventory_type: "video", deal_types: ["PD"] };
    const finder = createProductFinder([product]);
    expect(finder.find(`pre-roll video ${"lorem ".repeat(3_000)}`).products).toEqual([product]);
    expect(finder.find("x".repeat(20_000)).products).toEqual([]);
  });

  test("one message is answered about fifty products at most, named by their ids or by their type", async () => {
    const product = defaultProducts.find((item) => item.inventory_type === "ctv");
    const ids = Array.from({ length: 51 }, (_, place) => `prod-${place}`);
    const catalog = createCatalog(ids.map((id) => ({ ...(product as Product), product_id: id, name: `Lot ${id}` })));
    const world = await openWorld({ catalog });
    const claim = { apiKey: world.secretOf("agency"), authorization: null, address: "::1" };
    const say = (text: string, slots: object): Promise<Outcome> => {
      const input = () => ({ input: { text, slots } });
      return world.runner.run({
        operation: "converse",
        door: "a2a",
        admission: world.runner.admit(claim),
        requestId: "one",
        input,
      });
    };
    const namedIn = (said: Outcome): number => new Set(JSON.stringify(said).match(/"product_id":"prod-\d+"/g)).size;
    expect(await say("price", { product_id: ids })).toMatchObject({ refusal: { code: "validation_error" } });
    expect(namedIn(await say("price", { product_id: ids.slice(1) }))).toBe(50);
    const available = namedIn(await say("is ctv available in March?", {}));
    expect(available).toBeGreaterThan(1);
    expect(available).toBeLessThanOrEqual(50);
    await world.close();
  });
});
