import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { verifyAuditTrail } from "../../../storage/audit.ts";
import { schemaOf } from "../../../storage/postgres/connection.ts";
import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { type Child, compileProgram, startChild } from "../children.ts";
import { collect, commitOk, idsOf, put } from "../contract/kit.ts";
import { describeOnPostgres, runSql } from "./database.ts";

await describeOnPostgres("postgres: several processes on one database", (url) => {
  let schemas = 0;
  const open: (Child | Store)[] = [];
  const program = compileProgram(join(import.meta.dirname, "child.ts"));

  const start = async (schema: string, options: object = {}): Promise<Child> => {
    const child = startChild(await program, { url, schema, ...options });
    open.push(child);
    return child;
  };
  const pair = async (): Promise<{ schema: string; left: Child; right: Child }> => {
    const schema = `processes_${(schemas += 1)}`;
    const [left, right] = await Promise.all([start(schema), start(schema)]);
    return { schema, left, right };
  };
  const openStore = async (schema: string, options: object = {}): Promise<Store> => {
    const store = await openPostgresStore({ url, schema, log: () => undefined, catchUpMs: 100, ...options });
    open.push(store);
    return store;
  };
  const checkTrail = async (store: Store, records: number): Promise<void> => {
    const heads = await store.auditHeads();
    expect(await verifyAuditTrail(store.auditTrail(), heads)).toEqual({ ok: true, records, chains: heads.length });
  };

  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => ("end" in one ? one.end() : one.close())));
  });

  it("two processes that start on an empty database migrate it once", async () => {
    const { schema, left, right } = await pair();
    expect(await Promise.all([left.run("ready"), right.run("ready")])).toEqual([true, true]);
    const versions = await runSql<{ version: number }>(url, `SELECT version FROM ${schema}.schema_version ORDER BY 1`);
    expect(versions).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  it("of two processes that create the same 500 ids, each id is created by exactly one", async () => {
    const { schema, left, right } = await pair();
    const store = await openStore(schema);
    await commitOk(store, put("shared", 0, "open", { kind: "quote" }));
    const [won, lost] = await Promise.all([
      left.run<string[]>("race", { ids: 500, name: "left" }),
      right.run<string[]>("race", { ids: 500, name: "right" }),
    ]);
    expect(won.length + lost.length).toBe(500);
    expect(new Set([...won, ...lost]).size).toBe(500);
    expect((await store.get("quote", "shared"))?.version).toBe(2);
    expect(await store.count("deal", null)).toBe(500);
    expect(await store.count("deal", "status=left")).toBe(won.length);
    expect(await store.count("deal", "status=right")).toBe(lost.length);
    await checkTrail(store, 500);
  });

  it("64 writers in two processes never reserve past the limit, and reach it", async () => {
    const { schema, left, right } = await pair();
    const load = { writers: 32, each: 10, limit: 300 };
    const taken = await Promise.all([
      left.run<number>("reserve", { ...load, name: "left" }),
      right.run<number>("reserve", { ...load, name: "right" }),
    ]);
    const store = await openStore(schema);
    expect((taken[0] ?? 0) + (taken[1] ?? 0)).toBe(300);
    expect(await store.reserved("inventory", 0, 5)).toBe(300);
    expect(await store.count("booking", null)).toBe(300);
    await checkTrail(store, 300);
  });

  it("300 due rows are handed out once in all by two processes and this one", async () => {
    const { schema, left, right } = await pair();
    const store = await openStore(schema);
    const rows = Array.from({ length: 300 }, (_, i) => put(`job${i}`, 0, "open", { kind: "job", dueAtMs: 1_000 + i }));
    await commitOk(store, ...rows);
    const [one, two] = await Promise.all([
      left.run<string[]>("sweep", { nowMs: 5_000 }),
      right.run<string[]>("sweep", { nowMs: 5_000 }),
    ]);
    expect(new Set([...one, ...two]).size).toBe(300);
    expect(one.length + two.length).toBe(300);
    expect(await store.due(5_000, 10)).toEqual([]);
  });

  it("a row that a process was handed and did not handle goes to another when the claim has lapsed", async () => {
    const schema = `processes_${(schemas += 1)}`;
    const [dead, alive] = [await openStore(schema, { claimMs: 200 }), await openStore(schema, { claimMs: 200 })];
    await commitOk(dead, put("job", 0, "open", { dueAtMs: 1 }));
    expect(idsOf(await dead.due(5, 10))).toEqual(["job"]);
    await expect.poll(async () => idsOf(await alive.due(5, 10))).toEqual(["job"]);
    expect(await dead.due(5, 10)).toEqual([]);
  });

  it("a watcher hears of rows that other processes write, once each", async () => {
    const { left, right, schema } = await pair();
    const store = await openStore(schema);
    const heard: string[] = [];
    store.watch("event", (id) => heard.push(id));
    await Promise.all([left.run("listen", { kind: "event" }), right.run("ready")]);
    const ids = Array.from({ length: 200 }, (_, i) => `e${i}`);
    await right.run("create", { kind: "event", ids });
    await right.run("create", { kind: "other", ids });
    await expect.poll(() => heard.length).toBe(200);
    await expect.poll(() => left.heard.length).toBe(200);
    expect([...heard].sort()).toEqual([...ids].sort());
    expect([...(left.heard as string[])].sort()).toEqual([...ids].sort());
  });

  it("a watcher whose notifications are all lost still hears of every row", async () => {
    const schema = `processes_${(schemas += 1)}`;
    const [writer, watcher] = [await openStore(schema), await openStore(schema)];
    const heard: string[] = [];
    watcher.watch("event", (id) => heard.push(id));
    const cut = setInterval(() => {
      void runSql(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    }, 20);
    for (let i = 0; i < 40; i += 1) await commitOk(writer, put(`e${i}`, 0, i, { kind: "event" }));
    await expect.poll(() => heard.length).toBe(40);
    clearInterval(cut);
    expect(new Set(heard).size).toBe(40);
  });

  it("rows whose notification was never sent are heard of, 2,500 of one commit too", async () => {
    const schema = `processes_${(schemas += 1)}`;
    const store = await openStore(schema);
    const heard: string[] = [];
    store.watch("event", (id) => heard.push(id));
    const writeSilently = (prefix: string, rows: number): Promise<unknown> =>
      runSql(
        url,
        `BEGIN;
         SELECT pg_advisory_xact_lock_shared(${schemaOf(url, schema).lockClass}, -2);
         WITH one AS MATERIALIZED (SELECT nextval('${schema}.stamps') AS stamp)
         INSERT INTO ${schema}.rows (kind, id, n, version, written, body, terms)
         SELECT 'event', '${prefix}' || i, nextval('${schema}.stamps'), 1, stamp, '1', '{}'
         FROM one, generate_series(1, ${rows}) i;
         COMMIT`,
      );
    await writeSilently("silent", 1);
    await expect.poll(() => heard).toEqual(["silent1"]);
    await writeSilently("many", 2_500);
    await expect.poll(() => heard.length).toBe(2_501);
    expect(new Set(heard).size).toBe(2_501);
  });

  it("a reader that walks upwards while two processes write misses no row", async () => {
    const { schema, left, right } = await pair();
    const store = await openStore(schema);
    await Promise.all([left.run("ready"), right.run("ready")]);
    const seen: string[] = [];
    let after = 0;
    const walk = async (): Promise<number> => {
      const rows = await store.list({ kind: "deal", terms: [], order: "oldest", limit: 50, after });
      after = rows.at(-1)?.n ?? after;
      seen.push(...idsOf(rows));
      return rows.length;
    };
    let writing = true;
    const loads = Promise.all([
      left.run<{ commits: number }>("load", { writers: 8, seconds: 2, name: "left" }),
      right.run<{ commits: number }>("load", { writers: 8, seconds: 2, name: "right" }),
    ]).finally(() => (writing = false));
    while (writing) await walk();
    while ((await walk()) > 0);
    const written = (await loads).reduce((sum, { commits }) => sum + commits, 0);
    expect(written).toBeGreaterThan(0);
    expect(new Set(seen).size).toBe(written);
    expect(seen.length).toBe(written);
  });

  it("a commit that is held up delays what was written after it in a walk upwards, and loses none of it", async () => {
    const store = await openStore(`processes_${(schemas += 1)}`);
    const schema = `processes_${schemas}`;
    await commitOk(store, put("held", 0, 1, { kind: "quote" }), put("d0", 0, 1));
    const walk = async (after: number) => store.list({ kind: "deal", terms: [], order: "oldest", limit: 50, after });
    const [first] = await walk(0);
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM ${schema}.rows WHERE kind = 'quote' FOR UPDATE`);
    const held = commitOk(store, put("held", 1, 2, { kind: "quote" }), put("d1", 0, 1));
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = $1";
    await expect.poll(() => runSql(url, waiting, [`parley ${schema}`])).toHaveLength(1);
    await commitOk(store, put("d2", 0, 1));
    expect(await walk(first?.n ?? 0)).toEqual([]);
    expect((await store.get("deal", "d2"))?.version).toBe(1);
    expect(idsOf(await store.list({ kind: "deal", terms: [], order: "newest", limit: 5 }))).toEqual(["d2", "d0"]);
    await blocker.query("COMMIT");
    await blocker.end();
    await held;
    expect(idsOf(await walk(first?.n ?? 0)).sort()).toEqual(["d1", "d2"]);
  });

  it("claiming a row never makes a commit on it conflict", async () => {
    const schema = `processes_${(schemas += 1)}`;
    const [store, sweeper] = [await openStore(schema), await openStore(schema, { claimMs: 0 })];
    const ids = ["a", "b", "c", "d"];
    await commitOk(store, ...ids.map((id) => put(id, 0, 0, { dueAtMs: 1 })));
    let writing = true;
    const sweeps = Promise.all(
      ids.map(async () => {
        let handed = 0;
        while (writing) handed += (await sweeper.due(5, 10)).length;
        return handed;
      }),
    );
    const write = async (id: string): Promise<void> => {
      for (let version = 1; version <= 100; version += 1) {
        await commitOk(store, put(id, version, version, { dueAtMs: 1 }));
      }
    };
    await Promise.all(ids.map(write)).finally(() => (writing = false));
    expect((await sweeps).reduce((sum, handed) => sum + handed, 0)).toBeGreaterThan(0);
    for (const id of ids) expect(await store.get("deal", id)).toMatchObject({ version: 101, body: 100 });
  });

  it("the trail of a database that others write to verifies while they write", async () => {
    const { schema, left } = await pair();
    const store = await openStore(schema);
    await left.run("ready");
    const load = left.run("load", { writers: 8, seconds: 1, name: "left" });
    await expect.poll(async () => (await store.auditHeads()).length).toBeGreaterThan(1);
    for (let i = 0; i < 5; i += 1) {
      const heads = await store.auditHeads();
      expect((await verifyAuditTrail(store.auditTrail(), heads)).ok).toBe(true);
    }
    await load;
    expect((await collect(store.auditTrail())).length).toBeGreaterThan(0);
  });
});
