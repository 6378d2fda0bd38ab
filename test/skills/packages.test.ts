import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { sellerDueWork } from "../../skills/seller/due-work.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { openDoors } from "../doors/doors.ts";
import { crowdedPlace } from "./crowd.ts";
import type { StoredRow } from "../../storage/store.ts";
import { openWorld, plainSettings, type Reply, startMs, type World } from "./world.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const openOne = async (options: Parameters<typeof openWorld>[0] = {}): Promise<World> => {
  const world = await openWorld(options);
  closing.push(() => world.close());
  return world;
};

const ask = (world: World, caller: string, operation: string, input: unknown = {}): Promise<Reply> =>
  world.send({ caller, operation, input });

const namesOf = (reply: Reply, member: "packages" | "results"): readonly string[] =>
  (reply.body[member] as { name: string }[]).map(({ name }) => name);

const eventTypes = async (world: World): Promise<readonly string[]> =>
  (await world.store.list({ kind: "event", terms: [], order: "oldest", limit: 500 }))
    .map(({ body }) => (body as { event_type: string }).event_type)
    .filter((type) => type.startsWith("package."));

const csvWorld = async (): Promise<{ world: World; write: (rows: readonly string[]) => Promise<void> }> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-sync-"));
  closing.push(() => rm(dir, { recursive: true }));
  const world = await openOne({ settings: { adServer: { type: "csv", dir, includeArchived: false } } });
  const write = (rows: readonly string[]): Promise<void> =>
    writeFile(join(dir, "inventory.csv"), ["id,name,inventory_type,status,updated_at", ...rows].join("\n"));
  return { world, write };
};

describe("sync: only what differs is written", () => {
  test("items that come, move and go change their packages alone, and a stale package is removed", async () => {
    const { world, write } = await csvWorld();
    await write(["1,A,display,active,2027-01-01", "2,B,display,active,2027-01-01", "3,C,native,active,2027-01-01"]);
    expect((await ask(world, "operator", "sync_packages")).body).toMatchObject({ created: 2, removed: 0 });
    const created = (await ask(world, "operator", "get_package", { package_id: "pkg-synced-csv-display" })).body[
      "created_at"
    ];
    world.advance(60_000);
    await write(["1,A,display,active,2027-01-01", "2,B,video,active,2027-01-05"]);
    const second = (await ask(world, "operator", "sync_packages")).body;
    expect(second).toMatchObject({ created: 1, updated: 1, unchanged: 0, removed: 1 });
    expect(second["synced_packages"]).toEqual(["pkg-synced-csv-display", "pkg-synced-csv-video"]);
    const display = (await ask(world, "operator", "get_package", { package_id: "pkg-synced-csv-display" })).body;
    expect(display).toMatchObject({ revision: 2, created_at: created, updated_at: "2027-01-15T12:01:00.000Z" });
    expect(display["placements"]).toMatchObject([{ product_id: "1" }]);
    expect((await ask(world, "operator", "get_package", { package_id: "pkg-synced-csv-native" })).code).toBe(
      "package_not_found",
    );
    expect(await eventTypes(world)).toEqual(["package.synced", "package.synced", "package.archived"]);
  });

  test("an incremental import adds, renames and drops what is named, and keeps the rest", async () => {
    const { world, write } = await csvWorld();
    await write(["1,A,display,active,2027-01-01", "2,B,native,active,2027-01-02"]);
    await ask(world, "operator", "sync_packages");
    await write([
      "1,Unseen,display,active,2027-01-01",
      "2,B,native,archived,2027-01-03",
      "4,D,display,active,2027-01-03",
    ]);
    const reply = (await ask(world, "operator", "sync_packages", { incremental: true })).body;
    expect(reply).toMatchObject({ created: 0, updated: 1, removed: 1, synced_packages: ["pkg-synced-csv-display"] });
    const display = (await ask(world, "seat", "get_package", { package_id: "pkg-synced-csv-display" })).body;
    expect(display["placements"]).toMatchObject([
      { product_id: "1", product_name: "A" },
      { product_id: "4", product_name: "D" },
    ]);
  });

  test("simultaneous imports leave the packages of one", async () => {
    const world = await openOne();
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(world, "operator", "sync_packages")));
    expect(replies.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => null));
    expect(replies.reduce((sum, { body }) => sum + Number(body["created"]), 0)).toBe(4);
    expect((await ask(world, "operator", "list_packages")).body["total"]).toBe(4);
  });
});

describe("packages: limits and events", () => {
  test("simultaneous creations never pass the limit of active packages", async () => {
    const world = await openOne({ settings: { mostActivePackages: 5 } });
    const make = (place: number) =>
      ask(world, "operator", "create_package", { name: `P${place}`, base_price: 5, floor_price: 1 });
    const codes = (await Promise.all(Array.from({ length: 20 }, (_, place) => make(place)))).map(({ code }) => code);
    expect(codes.filter((code) => code === null)).toHaveLength(5);
    expect(codes.filter((code) => code !== null && code !== "too_many_packages")).toEqual([]);
    expect((await ask(world, "anonymous", "list_packages")).body["total"]).toBe(5);
  });

  test("each change emits its event, without a figure, and a change of nothing emits none", async () => {
    const world = await openOne();
    const made = await ask(world, "operator", "create_package", { name: "P", base_price: 31.37, floor_price: 29.91 });
    const packageId = made.body["package_id"];
    await ask(world, "operator", "update_package", { package_id: packageId, base_price: 33.37 });
    await ask(world, "operator", "update_package", { package_id: packageId });
    await ask(world, "operator", "archive_package", { package_id: packageId });
    await ask(world, "operator", "archive_package", { package_id: packageId });
    const rows = await world.store.list({
      kind: "event",
      terms: [`flow=${String(packageId)}`],
      order: "oldest",
      limit: 10,
    });
    expect(rows.map(({ body }) => body)).toMatchObject([
      { event_type: "package.created", payload: { package_id: packageId, name: "P", layer: "curated" } },
      { event_type: "package.updated", payload: { updated_fields: ["base_price"] } },
      { event_type: "package.archived" },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/31\.37|29\.91|33\.37|31370000|29910000|33370000/);
  });
});

describe("packages: no list does work that grows with the store", () => {
  const lists = [
    ["list_packages", {}],
    ["list_packages", { layer: "curated", featured_only: true, audience_type: "standard", audience_id: "3" }],
    ["list_media_kit_packages", { layer: "curated", featured_only: true, audience_type: "standard" }],
    ["get_media_kit", {}],
  ] as const;

  test.each(lists)("%s %j reads its page under one term, and nothing else", async (operation, input) => {
    const world = await openOne();
    const wish = { name: "P", base_price: 5, floor_price: 1, is_featured: true, audience_segment_ids: ["3"] };
    for (let place = 0; place < 8; place += 1) await ask(world, "operator", "create_package", wish);
    const list = vi.spyOn(world.store, "list");
    const reply = await ask(world, "seat", operation, { ...input, limit: 5 });
    expect(reply.body).toMatchObject({ total: 8, count: 5 });
    const queries = list.mock.calls.map(([query]) => query).filter(({ kind }) => kind === "package");
    expect(queries.length).toBeLessThanOrEqual(3);
    expect(queries.every(({ terms, limit }) => terms.length === 1 && limit <= 6)).toBe(true);
  });

  test("a search reads the packages once, and after a change that package alone", async () => {
    const world = await openOne();
    await ask(world, "operator", "sync_packages");
    const list = vi.spyOn(world.store, "list");
    const reads = () => list.mock.calls.filter(([query]) => query.kind === "package").length;
    for (const query of ["ctv", "bundle", "nothing like it"])
      await ask(world, "anonymous", "search_media_kit", { query });
    expect(reads()).toBe(1);
    await ask(world, "operator", "archive_package", { package_id: "pkg-synced-mock-ctv-premium" });
    const get = vi.spyOn(world.store, "get");
    await ask(world, "anonymous", "search_media_kit", { query: "ctv" });
    expect(reads()).toBe(1);
    expect(get.mock.calls).toStrictEqual([["package", "pkg-synced-mock-ctv-premium"]]);
  });
});

describe("packages: through REST", () => {
  test("a body that names another package than its path is refused, one that names the same is not", async () => {
    const world = await openOne();
    const doors = await openDoors(world.runner, world.nowMs);
    closing.push(() => doors.close());
    await ask(world, "operator", "sync_packages");
    const put = async (body: unknown) => {
      const headers = { "content-type": "application/json", "x-api-key": String(world.secretOf("operator")) };
      const url = new URL("/packages/pkg-synced-mock-video-suite", doors.url);
      const answer = await fetch(url, { method: "PUT", headers, body: JSON.stringify(body) });
      return { status: answer.status, etag: answer.headers.get("etag"), body: (await answer.json()) as unknown };
    };
    expect(await put({ package_id: "pkg-synced-mock-ctv-premium", name: "Mine" })).toMatchObject({
      status: 422,
      body: { error: "immutable_field", field: "package_id" },
    });
    expect(await put({ package_id: "pkg-synced-mock-video-suite", name: "Mine" })).toMatchObject({
      status: 200,
      etag: '"2"',
      body: { name: "Mine" },
    });
  });
});

const secret: Product = {
  ...(defaultProducts[0] as Product),
  product_id: "prod-canary",
  base_cpm_micros: 50_000_000,
  floor_cpm_micros: 31_370_000,
};

describe("packages: what is hidden stays hidden", () => {
  const buyers = ["anonymous", "key without identity", "seat", "agency", "advertiser"];

  test.each(buyers)("the floor of a product in a package is in no answer that %s can reach", async (caller) => {
    const world = await openOne({ catalog: createCatalog([secret]) });
    const input = { name: "Canary", product_ids: ["prod-canary"] };
    const made = await ask(world, "operator", "assemble_package", input);
    expect(made.body["floor_price"]).toBe(31.37);
    const packageId = { package_id: made.body["package_id"] };
    await ask(world, "operator", "create_package", { ...input, base_price: 50, floor_price: 40 });
    const seen = [];
    for (const [operation, wish] of [
      ["list_packages", {}],
      ["get_package", packageId],
      ["get_media_kit", {}],
      ["list_media_kit_packages", {}],
      ["get_media_kit_package", packageId],
      ["search_media_kit", { query: "canary" }],
      ["assemble_package", input],
      ["update_package", { ...packageId, floor_price: 1 }],
    ] as const) {
      seen.push(await ask(world, caller, operation, wish));
    }
    seen.push(await world.store.list({ kind: "event", terms: [], order: "newest", limit: 50 }), world.logged);
    expect(JSON.stringify(seen)).not.toMatch(/31\.37|31370000/);
  });

  test("the public order and result of a search are the same whatever segments and prices packages have", async () => {
    const orders = [];
    for (const [segments, price] of [
      [["7"], 10],
      [[], 90],
    ] as const) {
      const world = await openOne();
      const extra = { floor_price: 1, audience_segment_ids: segments, base_price: price };
      for (const name of ["Alpha 7 show", "Beta show", "Gamma show 7"]) {
        await ask(world, "operator", "create_package", { name, ...extra });
      }
      const found = await ask(world, "anonymous", "search_media_kit", { query: "7 show" });
      orders.push(namesOf(found, "results"));
    }
    expect(orders[0]).toEqual(["Gamma show 7", "Alpha 7 show", "Beta show"]);
    expect(orders[1]).toEqual(orders[0]);
  });

  test("a search sees a change at once, whichever way it came", async () => {
    const world = await openOne();
    const made = await ask(world, "operator", "create_package", { name: "Zebra", base_price: 5, floor_price: 1 });
    const search = async () =>
      namesOf(await ask(world, "anonymous", "search_media_kit", { query: "zebra" }), "results");
    expect(await search()).toEqual(["Zebra"]);
    await ask(world, "operator", "update_package", { package_id: made.body["package_id"], name: "Zebra Crossing" });
    expect(await search()).toEqual(["Zebra Crossing"]);
    await ask(world, "operator", "update_package", { package_id: made.body["package_id"], status: "draft" });
    expect(await search()).toEqual([]);
  });

  test("a search finds what changed before its index was last asked, also after the changes are forgotten", async () => {
    const world = await openOne();
    const everyChange = { kind: "package_change", terms: [], order: "oldest", limit: 500 } as const;
    const search = async () =>
      namesOf(await ask(world, "anonymous", "search_media_kit", { query: "zebra" }), "results");
    await ask(world, "operator", "create_package", { name: "Zebra", base_price: 5, floor_price: 1 });
    expect(await search()).toEqual(["Zebra"]);
    await ask(world, "operator", "create_package", { name: "Zebra Crossing", base_price: 5, floor_price: 1 });
    const changes = await world.store.list(everyChange);
    const dueAt = async (row: StoredRow, nowMs: number) =>
      (await sellerDueWork(plainSettings)(row, nowMs, world.store))?.changes ?? [];
    for (const row of changes) expect(await dueAt(row, startMs + 3_599_999)).toEqual([]);
    world.advance(3_600_000);
    const due = await world.store.due(world.nowMs(), 10);
    expect(due.map(({ id }) => id)).toEqual(changes.map(({ id }) => id));
    const work = (await Promise.all(due.map((row) => dueAt(row, world.nowMs())))).flat();
    expect(await world.store.commit({ changes: work, audit: null })).toEqual({ ok: true });
    expect(await world.store.list(everyChange)).toEqual([]);
    expect(await search()).toEqual(["Zebra Crossing", "Zebra"]);
  });

  test("packages that change while an index is made are found by the next search, however many there are", async () => {
    const { openStore, crowd } = crowdedPlace();
    const world = await openOne({ openStore });
    const create = (name: string) => ask(world, "operator", "create_package", { name, base_price: 5, floor_price: 1 });
    const search = async (query: string) => (await ask(world, "operator", "search_media_kit", { query })).body["total"];
    await create("Zebra");
    await crowd(1_200);
    const before = Promise.all([search("zebra"), search("zebra")]);
    await Promise.all(["Okapi", "Okapi"].map(create));
    expect(await search("okapi")).toBe(2);
    expect(await before).toStrictEqual([1_201, 1_201]);
  });
});
