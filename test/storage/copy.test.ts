import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openStore, type StoreLocation } from "../../agents/host/store-location.ts";
import { agentOf, openMovable } from "../../agents/host/store-tools.ts";
import { verifyAuditTrail } from "../../storage/audit.ts";
import type { MovableStore, StoreLoader } from "../../storage/content.ts";
import type { Change, Store } from "../../storage/store.ts";
import { takeInventory } from "../../storage/transfer/compare.ts";
import { type Copied, copyStore } from "../../storage/transfer/copy.ts";
import { describeOnPostgres, runSql } from "./postgres/database.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const folder = async (): Promise<StoreLocation> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-copy-"));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  return { driver: "lowdb", dir };
};

const entry = (request_id: string) => ({
  at: new Date(1_790_000_000_000 + Number(request_id)).toISOString(),
  request_id,
  operation: "book_deal",
  door: "rest",
  principal: "key:test",
});

const odd = "\u0000\u0001\u0002 ☃ \ud83d\ude00 'quoted' \\";
const longTerm = `url=${"é".repeat(2_000)}`;

/** Rows of several kinds, updated and removed ones, odd names, deadlines, ledgers and sums beyond 2^53. */
const fill = async (store: Store, rows = 2_500): Promise<void> => {
  const put = (kind: string, id: string, expect: number, body: unknown, terms: readonly string[] = []): Change => ({
    op: "put",
    kind,
    id,
    expect,
    body,
    terms,
    dueAtMs: expect === 0 ? 1_790_000_000_000 : null,
  });
  for (let at = 0; at < rows; at += 500) {
    const deals = Array.from({ length: 500 }, (_, i) => {
      const body = { id: at + i, cents: 0.1 + i, b: { z: 1, a: [odd, null, true] } };
      return put("deal", `deal-${at + i}`, 0, body, [`status=${i % 3}`, `buyer=${odd}`]);
    });
    await store.commit({ changes: deals, audit: entry(String(at)) });
  }
  const most = Number.MAX_SAFE_INTEGER;
  const changes: Change[] = [
    put("deal", "deal-1", 1, "changed", ["status=x", ""]),
    put(odd, odd, 0, odd, [longTerm, "", odd]),
    { op: "remove", kind: "deal", id: "deal-2", expect: 1 },
    { op: "reserve", ledger: `inventory ${odd}`, fromSlot: 20_000, toSlot: 20_030, amount: 7, limit: null },
    { op: "reserve", ledger: "other", fromSlot: -3, toSlot: 3, amount: most, limit: null },
    { op: "add", sums: ["value", `of ${odd}`], slot: 20_000, amounts: [most, -5, 0] },
    { op: "add", sums: ["value"], slot: 20_000, amounts: [most] },
    { op: "add", sums: ["nothing"], slot: 1, amounts: [5] },
    { op: "add", sums: ["nothing"], slot: 1, amounts: [-5] },
  ];
  expect(await store.commit({ changes, audit: entry("9999") })).toEqual({ ok: true });
  // A row whose place no row has any more: the next one must not get it again.
  await store.commit({ changes: [put("last", "last", 0, 1)], audit: entry("10000") });
  await store.commit({ changes: [{ op: "remove", kind: "last", id: "last", expect: 1 }], audit: null });
};

const filled = async (place: StoreLocation, rows?: number): Promise<StoreLocation> => {
  const store = await openStore(place, log);
  await fill(store, rows);
  await store.close();
  return place;
};

const opened = async <T>(place: StoreLocation, work: (store: MovableStore) => Promise<T>): Promise<T> => {
  const movable = await openMovable(place, log);
  try {
    return await work(movable);
  } finally {
    await movable.store.close();
  }
};

const copied = (from: StoreLocation, to: StoreLocation, loading = (loader: StoreLoader) => loader): Promise<Copied> =>
  opened(from, (source) =>
    opened(to, (target) =>
      copyStore({ from: source, to: { ...target, loader: loading(target.loader) }, progress: () => undefined }),
    ),
  );

const digestOf = (place: StoreLocation): Promise<string> =>
  opened(place, async (movable) => {
    const content = await movable.read();
    expect(await content.faults()).toEqual([]);
    const { digest } = await takeInventory(content);
    await content.close();
    return digest;
  });

const isWhole = async (place: StoreLocation): Promise<void> => {
  const store = await openStore(place, log);
  undo.push(() => store.close());
  expect(await verifyAuditTrail(store.auditTrail(), await store.auditHeads())).toMatchObject({ ok: true });
  expect(await store.count("deal", null)).toBe(2_499);
  expect(await store.count("deal", "status=x")).toBe(1);
  expect((await store.list({ kind: odd, terms: [longTerm], order: "newest", limit: 5 })).map(({ id }) => id)).toEqual([
    odd,
  ]);
  expect(await store.count(odd, "")).toBe(1);
  expect(await store.reserved("other", 0, 0)).toBe(Number.MAX_SAFE_INTEGER);
  expect(await store.added(["value"], 20_000, 20_000)).toEqual([2 * Number.MAX_SAFE_INTEGER, -5, 0]);
  expect((await store.due(1_790_000_000_001, 5)).length).toBe(5);
  const [newest] = await store.list({ kind: "deal", terms: [], order: "newest", limit: 1 });
  const next = { op: "put", kind: "deal", id: "next", expect: 0, body: 1, terms: [], dueAtMs: null } as const;
  expect(await store.commit({ changes: [next], audit: entry("20000") })).toEqual({ ok: true });
  expect((await store.get("deal", "next"))?.n).toBeGreaterThan((newest?.n ?? 0) + 1);
  const back: string[] = [];
  for await (const { request_id } of store.auditTrailBack(null)) back.push(request_id);
  expect(back).toContain("9999");
  expect(await verifyAuditTrail(store.auditTrail(), await store.auditHeads())).toMatchObject({ ok: true });
  await store.close();
};

await describeOnPostgres("a store is copied", (url) => {
  let schemas = 0;
  const schema = (): StoreLocation => ({ driver: "postgres", url, schema: `copy_${(schemas += 1)}` });

  it("from a folder to PostgreSQL, on to another folder and back, equal in each", async () => {
    const first = await filled(await folder());
    const [second, third, fourth] = [schema(), await folder(), schema()];
    const digest = await digestOf(first);
    const one = await copied(first, second);
    expect(one).toMatchObject({ resumed: false, rows: 2_500, kinds: { deal: 2_499 }, ledgers: 2, sums: 2, digest });
    expect(await digestOf(second)).toBe(digest);
    const two = await copied(second, third);
    expect(two).toMatchObject({ rows: 2_500, digest });
    expect(two.chains.map(({ chain }) => chain)).toEqual(
      expect.arrayContaining([...one.chains.map((c) => c.chain), "lane-0"]),
    );
    expect(await digestOf(third)).toBe(digest);
    const three = await copied(third, fourth);
    expect(three.digest).toBe(digest);
    for (const place of [first, second, third, fourth]) await isWhole(place);
  });

  it.each([1, 4, 8])("after an end at step %i it goes on, and ends as if it had not", async (steps) => {
    const first = await filled(await folder());
    const digest = await digestOf(first);
    for (const [from, to] of [
      [first, schema()],
      [first, await folder()],
    ] as const) {
      let left = steps;
      const breaking = (loader: StoreLoader): StoreLoader => {
        const counted = <A extends unknown[]>(work: (...args: A) => Promise<void>) => {
          return async (...args: A): Promise<void> => {
            if ((left -= 1) < 0) throw new Error("the power is gone");
            await work(...args);
          };
        };
        return {
          rows: counted(loader.rows),
          ledgers: counted(loader.ledgers),
          sums: counted(loader.sums),
          lastRecord: loader.lastRecord,
          records: counted(loader.records),
        };
      };
      const broken = await copied(from, to, breaking).catch((error: unknown) => String(error));
      if (typeof broken === "string") {
        expect(broken).toContain("the power is gone");
        await expect(openStore(to, log)).rejects.toThrow(/There is a half-made copy of lowdb:.* Repeat that copy/);
      }
      left = 1_000;
      if (typeof broken === "string") expect(await copied(from, to)).toMatchObject({ resumed: true, digest });
      expect(await digestOf(to)).toBe(digest);
      await isWhole(to);
    }
  });

  it("a target that holds anything, and a half-made copy of another state, are refused and stay as they are", async () => {
    const [first, other] = [await filled(await folder(), 500), await filled(schema(), 500)];
    const before = await digestOf(other);
    await expect(copied(first, other)).rejects.toThrow(/is not empty: it holds a store\. Name an empty place/);
    expect(await digestOf(other)).toBe(before);
    const half = schema();
    const stop = (loader: StoreLoader): StoreLoader => ({
      ...loader,
      ledgers: () => Promise.reject(new Error("stop")),
    });
    await expect(copied(first, half, stop)).rejects.toThrow("stop");
    const store = await openStore(first, log);
    await store.commit({ changes: [], audit: entry("30000") });
    await store.close();
    await expect(copied(first, half)).rejects.toThrow(/has changed since\. Remove it, or name an empty target/);
  });

  it("a row that was changed in the target is named, and the copy does not end", async () => {
    const [first, second] = [await filled(await folder(), 500), schema()];
    const change = (loader: StoreLoader): StoreLoader => ({
      ...loader,
      records: async (chain, page) => {
        await loader.records(chain, page);
        await runSql(
          url,
          `UPDATE ${second.driver === "postgres" ? second.schema : ""}.rows SET body = '7' WHERE id = 'deal-77'`,
        );
      },
    });
    await expect(copied(first, second, change)).rejects.toThrow(
      "row deal deal-77 is another. Remove it and copy again.",
    );
    await expect(openStore(second, log)).rejects.toMatchObject({ code: "store_unfinished" });
  });

  it("agents that run on a database are told to be stopped first", async () => {
    const place = schema();
    const store = await openStore(place, log);
    undo.push(() => store.close());
    await expect(copied(place, await folder())).rejects.toThrow(
      /connections of running agents are open\. Stop the agents/,
    );
    await expect(copied(await folder(), place)).rejects.toThrow(/connections of running agents are open/);
  });
});

describe("whose store it is", () => {
  it("is told by its rows, where they tell", async () => {
    const place = await folder();
    expect(await opened(place, agentOf)).toBeNull();
    await filled(place, 500);
    expect(await opened(place, agentOf)).toBe("seller");
  });
});
