import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeyUses, startCountWriter } from "../../agents/server/key-uses.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { apiKeyKind, type ApiKeyRow } from "../../skills/seller/api-keys/record.ts";
import type { Store } from "../../storage/store.ts";
import { openDoors } from "../doors/doors.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { openWorld, plainSettings, startMs, type World } from "../skills/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const clock = { nowMs: () => world.nowMs() };

const newKey = async (): Promise<{ readonly id: string; readonly secret: string }> => {
  const { body } = await world.send({ caller: "operator", operation: "create_api_key", input: { seat_id: "s" } });
  return { id: String(body["key_id"]), secret: String(body["api_key"]) };
};

const shown = async (id: string): Promise<readonly unknown[]> => {
  const { body } = await world.send({ caller: "operator", operation: "get_api_key", input: { key_id: id } });
  return [body["use_count"], body["last_used_at"]];
};

const written = async (id: string): Promise<ApiKeyRow> => (await world.store.get("api_key", id))?.body as ApiKeyRow;

const revoke = (id: string) => world.send({ caller: "operator", operation: "revoke_api_key", input: { key_id: id } });

test("an operator sees at once how often a key was used and when last, refused requests included", async () => {
  const { id, secret } = await newKey();
  expect(await shown(id)).toStrictEqual([0, null]);
  await world.send({ caller: secret, operation: "get_pricing", input: { product_id: "prod-53e78a97" } });
  world.advance(1000);
  await world.send({ caller: secret, operation: "list_api_keys", input: {} });
  expect(await shown(id)).toStrictEqual([2, new Date(startMs + 1000).toISOString()]);
  await revoke(id);
  expect((await world.send({ caller: secret, operation: "list_products", input: {} })).code).toBe("api_key_revoked");
  expect(await shown(id)).toStrictEqual([2, new Date(startMs + 1000).toISOString()]);
});

test("a request is one use of its key through every door", async () => {
  const { id, secret } = await newKey();
  const doors = await openDoors(world.runner, () => startMs);
  const counts: unknown[] = [];
  for (const door of ["rest", "rpc", "a2a"] as const) {
    await doors.send(door, { caller: secret, operation: "list_products", input: {} }, secret);
    counts.push((await shown(id))[0]);
  }
  await doors.close();
  expect(counts).toStrictEqual([1, 2, 3]);
});

test("what is written is counted once, and a pass without uses commits nothing", async () => {
  const { id } = await newKey();
  const uses = createKeyUses({ store: world.store, kind: apiKeyKind, clock });
  uses.note(id);
  uses.note(id);
  expect(uses.unwritten(id)).toStrictEqual({ count: 2, lastAtMs: startMs });
  const writing = uses.write();
  uses.note(id);
  await writing;
  expect((await written(id)).use).toStrictEqual({ count: 2, lastAtMs: startMs });
  expect(uses.unwritten(id)).toStrictEqual({ count: 1, lastAtMs: startMs });
  await uses.write();
  expect((await written(id)).use).toStrictEqual({ count: 3, lastAtMs: startMs });
  expect(uses.unwritten(id)).toBeNull();
  const before = world.commits();
  await uses.write();
  expect(world.commits()).toBe(before);
  expect(await shown(id)).toStrictEqual([3, new Date(startMs).toISOString()]);
});

test("more keys than a commit takes are all written", async () => {
  const ids = await Promise.all(Array.from({ length: 101 }, async () => (await newKey()).id));
  const uses = createKeyUses({ store: world.store, kind: apiKeyKind, clock });
  for (const id of ids) uses.note(id);
  await uses.write();
  const counts = await Promise.all(ids.map(async (id) => (await written(id)).use?.count));
  expect(counts).toStrictEqual(ids.map(() => 1));
});

test("a revocation that comes between stays, and the uses are written the next time", async () => {
  const { id } = await newKey();
  const overtaken = (store: Store): Store => ({
    ...store,
    get: async (kind, of) => {
      const row = await store.get(kind, of);
      await revoke(id);
      return row;
    },
    commit: (commit) => store.commit(commit),
  });
  const uses = createKeyUses({ store: overtaken(world.store), kind: apiKeyKind, clock });
  uses.note(id);
  await uses.write();
  expect(await written(id)).toMatchObject({ life: { value: "revoked" } });
  expect((await written(id)).use).toBeUndefined();
  await uses.write();
  expect(await written(id)).toMatchObject({ life: { value: "revoked" }, use: { count: 1, lastAtMs: startMs } });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test("the writer writes once a minute and at its end, and again what could not be written", async () => {
  vi.useFakeTimers();
  try {
    const errors: unknown[] = [];
    let writes = 0;
    const write = async (): Promise<void> => {
      writes += 1;
      if (writes === 1) throw new Error("the disk is full");
    };
    const log = { ...silent, error: (fields: unknown) => void errors.push(fields) };
    const writer = startCountWriter({ counts: { write }, log });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(writes).toBe(0);
    await vi.advanceTimersByTimeAsync(60_001);
    expect([writes, errors]).toStrictEqual([2, [{ error: "the disk is full" }]]);
    await writer.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(writes).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("a seller that stops has written the uses of its keys", async () => {
  const { id, secret } = await newKey();
  const catalog = createCatalog(canaryProducts);
  const seller = createSeller({ store: world.store, settings: plainSettings, catalog, clock, log: silent });
  seller.background.start();
  const outcome = await seller.runner.run({
    operation: "list_products",
    door: "rest",
    requestId: "r",
    input: () => ({ input: {} }),
    admission: seller.runner.admit({ apiKey: secret, authorization: null, address: "127.0.0.1" }),
  });
  expect(outcome).toMatchObject({ kind: "done" });
  expect((await written(id)).use).toBeUndefined();
  await seller.stop();
  expect((await written(id)).use).toStrictEqual({ count: 1, lastAtMs: startMs });
});
