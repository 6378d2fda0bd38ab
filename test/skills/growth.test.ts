import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startCounting } from "./work.ts";

const counter = await startCounting(join(import.meta.dirname, "..", ".."));
afterAll(() => counter.stop());

// Counted code must be loaded after the counting began.
const { listsLeftOut } = await import("../bench/rows/list-rows.ts");
const { sellerOperations } = await import("../../agents/seller/operations.ts");
const { loadCases, openCase } = await import("./cases.ts");
const { createCatalog } = await import("../../agents/seller/catalog/catalog.ts");
const { defaultProducts } = await import("../../agents/seller/catalog/default-products.ts");
const { dispatchEvents } = await import("../../agents/seller/webhooks/dispatch.ts");
const { crowdedPlace } = await import("./crowd.ts");
const { createProductFinder } = await import("../../skills/talk/reader/names/product-finder.ts");
const { openWorld } = await import("./world.ts");

/** A page has at most 500 rows. */
const [few, many] = [600, 1_800] as const;

/** By how many blocks the work may grow while each kind grows by 1,200 rows: sorted lists are searched. */
const mostGrowth = 200;

/** A first read wraps its rows, and a search indexes changed packages: what reads is called once beforehand. */
const isRead = (operation: string): boolean =>
  sellerOperations.some(({ contract }) => contract.name === operation && contract.effect === "read");

type Found = ReturnType<typeof loadCases>[number];

const exemplary = loadCases().filter(
  ({ file, skillCase }) => file.includes("/exemplary/") && skillCase.expect?.refusal === undefined,
);

/** No more packages on sale than the small store has copies. */
const openCrowded = async ({ skillCase }: Found) => {
  const { openStore, crowd } = crowdedPlace();
  const settings = { ...skillCase.settings, mostActivePackages: few };
  const { world, request } = await openCase({ ...skillCase, settings }, { openStore });
  const workAmong = async (copies: number, more: object = {}): Promise<number> => {
    await crowd(copies);
    if (isRead(request.operation)) await world.send({ ...request, ...more });
    return counter.count(async () => {
      expect(await world.send({ ...request, ...more })).toMatchObject({ code: null });
    });
  };
  return { workAmong, input: request.input, close: () => world.close() };
};

/** Of a list also an operator's middle and last pages. */
const growthOfRead = async (found: Found, isList: boolean): Promise<readonly number[]> => {
  const { workAmong, input, close } = await openCrowded(found);
  const pageAt = (offset: number) => ({ caller: "operator", input: { ...(input as object), offset, limit: 50 } });
  const workOf = async (copies: number): Promise<readonly number[]> => [
    await workAmong(copies),
    ...(isList ? [await workAmong(copies, pageAt(copies / 2)), await workAmong(copies, pageAt(copies - 50))] : []),
  ];
  const before = await workOf(few);
  const after = await workOf(many);
  await close();
  return after.map((work, place) => work - (before[place] ?? 0));
};

/** Each time on a fresh store. */
const growthOfWrite = async (found: Found): Promise<readonly number[]> => {
  const works: number[] = [];
  for (const copies of [few, many]) {
    const { workAmong, close } = await openCrowded(found);
    works.push(await workAmong(copies));
    await close();
  }
  const [before = 0, after = 0] = works;
  return [after - before];
};

describe("what a call of the seller does stays the same while the store grows", () => {
  test.each(sellerOperations.map(({ contract }) => [contract.name, contract] as const))(
    "%s",
    async (name, contract) => {
      const isList = "offset" in ((contract.input as { shape?: object }).shape ?? {});
      const cases = exemplary.filter(({ operation }) => operation === name);
      expect(cases).not.toHaveLength(0);
      for (const found of cases.slice(0, isList ? 4 : 1)) {
        const growth = contract.effect === "read" ? await growthOfRead(found, isList) : await growthOfWrite(found);
        expect(Math.max(...growth), found.file).toBeLessThan(mostGrowth);
      }
    },
  );
});

test("work that grows with the store is found: every session read, a page at a time", async () => {
  const { openStore, crowd } = crowdedPlace();
  const world = await openWorld({ openStore });
  await world.send({ caller: "agency", operation: "create_session", input: {} });
  const workAmong = async (copies: number): Promise<number> => {
    await crowd(copies);
    return counter.count(async () => {
      for (let offset = 0; offset < copies; offset += 500) {
        await world.store.list({ kind: "session", terms: [], order: "oldest", limit: 500, offset });
      }
    });
  };
  const before = await workAmong(few);
  expect((await workAmong(many)) - before).toBeGreaterThan(mostGrowth);
  await world.close();
});

test("every list of either agent, with each of its filters, is one of those that are measured at a million rows", () => {
  expect(listsLeftOut()).toStrictEqual([]);
});

test("a page of the catalog is the same work in a large one: of all types, of one and of several", async () => {
  const pages = [[], ["ctv"], ["ctv", "display", "video"]];
  const workIn = async (copies: number): Promise<number> => {
    const products = Array.from({ length: copies }, (_, copy) =>
      defaultProducts.map((item) => ({ ...item, product_id: `${item.product_id}-${copy}` })),
    ).flat();
    const catalog = createCatalog(products);
    return counter.count(async () => {
      for (const inventoryTypes of pages) {
        expect(catalog.page({ inventoryTypes, offset: copies - 50, limit: 50 }).products).toHaveLength(50);
      }
    });
  };
  expect((await workIn(many)) - (await workIn(few))).toBeLessThan(mostGrowth * pages.length);
});

test("a message is read with the same work in a large catalog", async () => {
  const texts = ["are ctv spots available?", "price of the okapi reel", "what about prod-okapi", "zebra", "pre-roll"];
  const workIn = (copies: number): Promise<number> => {
    const named = (id: string, name: string) => ({ product_id: id, name, inventory_type: "ctv", deal_types: ["PG"] });
    const lots = Array.from({ length: copies }, (_, place) => named(`prod-${place}`, `Lot ${place}`));
    const finder = createProductFinder([named("prod-okapi", "Okapi Reel"), ...lots]);
    return counter.count(async () => {
      const found = texts.map((text) => finder.find(text).products.length);
      expect(found).toStrictEqual([50, 1, 1, 0, 0]);
    });
  };
  expect((await workIn(many)) - (await workIn(few))).toBeLessThan(mostGrowth);
});

const searchAfterChange = async (copies: number): Promise<number> => {
  const { openStore, crowd } = crowdedPlace();
  const world = await openWorld({ openStore, settings: { mostActivePackages: 2 * many } });
  const ask = async (caller: string, operation: string, input: object) => {
    const reply = await world.send({ caller, operation, input });
    expect(reply).toMatchObject({ code: null });
    return reply.body;
  };
  const price = { base_price: 5, floor_price: 1 };
  await ask("operator", "create_package", { name: "Okapi", ...price });
  await crowd(copies);
  const { package_id: packageId } = await ask("operator", "create_package", { name: "Zebra", ...price });
  expect(await ask("operator", "search_media_kit", { query: "okapi", limit: 1 })).toMatchObject({ total: copies + 1 });
  await ask("operator", "update_package", { package_id: packageId, name: "Quagga" });
  const work = await counter.count(async () => {
    expect(await ask("operator", "search_media_kit", { query: "quagga" })).toMatchObject({ total: 1 });
  });
  await world.close();
  return work;
};

test("a search after a change takes in the package that changed, and the others are not read again", async () => {
  expect((await searchAfterChange(many)) - (await searchAfterChange(few))).toBeLessThan(mostGrowth);
});

const handOverAmong = async (copies: number): Promise<{ readonly work: number; readonly told: number }> => {
  const { openStore, crowd } = crowdedPlace();
  const world = await openWorld({ openStore });
  const subscribe = (caller: string) => {
    const input = { url: "https://hooks.example/parley", event_types: ["session.created"] };
    return world.send({ caller, operation: "create_webhook", input });
  };
  expect((await subscribe("seat")).code).toBeNull();
  await crowd(copies);
  expect((await subscribe("agency")).code).toBeNull();
  const handOver = (): Promise<void> => dispatchEvents({ store: world.store, clock: world }, () => false);
  await handOver();
  await world.send({ caller: "agency", operation: "create_session", input: {} });
  const work = await counter.count(handOver);
  const told = await world.store.count("webhook_delivery", null);
  await world.close();
  return { work, told };
};

test("an event is handed to those who want it, and the subscriptions of others are not looked at", async () => {
  const [before, after] = [await handOverAmong(few), await handOverAmong(many)];
  expect([before.told, after.told]).toStrictEqual([1, 1]);
  expect(after.work - before.work).toBeLessThan(mostGrowth);
});
