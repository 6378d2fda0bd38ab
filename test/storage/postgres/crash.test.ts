import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { verifyAuditTrail } from "../../../storage/audit.ts";
import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";
import { auditEntry, collect, put, reserve } from "../contract/kit.ts";
import { describeSkipped, runSql } from "./database.ts";
import { launchPostgres, type PostgresServer } from "./server.ts";

interface Ledger {
  readonly done: Set<string>;
  readonly undone: Set<string>;
  readonly unknown: Set<string>;
}

const WRITERS = 32;
const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, "code") : undefined);

const book = async (store: Store, name: string, ledger: Ledger, running: () => boolean): Promise<void> => {
  for (let n = 0; running(); n += 1) {
    const id = `${name}-${n}`;
    try {
      const counter = await store.get("counter", name);
      const body = ((counter?.body as number | undefined) ?? 0) + 1;
      const changes = [
        put(name, counter?.version ?? 0, body, { kind: "counter" }),
        put(id, 0, { of: name }, { terms: [`writer=${name}`], dueAtMs: n }),
        reserve("inventory", [0, 2], 1),
      ];
      const outcome = await store.commit({ changes, audit: auditEntry(id) });
      (outcome.ok ? ledger.done : ledger.undone).add(id);
    } catch (error) {
      const code = codeOf(error);
      if (code === "commit_outcome_unknown") ledger.unknown.add(id);
      else if (code === "store_unreachable") ledger.undone.add(id);
      else throw error;
      await sleep(5);
    }
  }
};

const allDeals = async (store: Store): Promise<StoredRow[]> => {
  const rows: StoredRow[] = [];
  for (;;) {
    const page = await store.list({ kind: "deal", terms: [], order: "oldest", limit: 500, after: rows.at(-1)?.n ?? 0 });
    if (page.length === 0) return rows;
    rows.push(...page);
  }
};

const counters = async (store: Store): Promise<number> => {
  const rows = await store.list({ kind: "counter", terms: [], order: "oldest", limit: 500 });
  return rows.reduce((sum, row) => sum + (row.body as number), 0);
};

const checkWhole = async (store: Store, ledger: Ledger): Promise<number> => {
  const ids = (await allDeals(store)).map((row) => row.id);
  const present = new Set(ids);
  expect(ids.length).toBe(present.size);
  expect([...ledger.done].filter((id) => !present.has(id))).toEqual([]);
  expect([...ledger.undone].filter((id) => present.has(id))).toEqual([]);
  expect([...present].filter((id) => !ledger.done.has(id) && !ledger.unknown.has(id))).toEqual([]);
  expect(await counters(store)).toBe(present.size);
  expect(await store.count("deal", null)).toBe(present.size);
  expect(await store.reserved("inventory", 0, 2)).toBe(present.size);
  const heads = await store.auditHeads();
  const trail = await collect(store.auditTrail());
  expect(await verifyAuditTrail(trail, heads)).toMatchObject({ ok: true, records: present.size });
  expect(new Set(trail.map((record) => record.request_id))).toEqual(present);
  return present.size;
};

const killOneBackend = async (url: string, schema: string): Promise<void> => {
  const rows = await runSql<{ pid: number }>(
    url,
    "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%apply_commit%' LIMIT 1",
    [`parley ${schema}`],
  );
  const [victim] = rows;
  if (victim !== undefined) process.kill(victim.pid, "SIGKILL");
};

const launched = await launchPostgres({ durable: true });

const crashTests = (server: PostgresServer): void => {
  const url = server.url("postgres");
  afterAll(() => server.stop());

  const run = async (schema: string, rounds: number, disturb: () => Promise<void>): Promise<Ledger> => {
    const ledger: Ledger = { done: new Set(), undone: new Set(), unknown: new Set() };
    const store = await openPostgresStore({ url, schema, log: () => undefined, catchUpMs: 100 });
    let running = true;
    const writers = Array.from({ length: WRITERS }, (_, i) => book(store, `w${i}`, ledger, () => running));
    for (let round = 0; round < rounds; round += 1) {
      const before = ledger.done.size;
      await expect.poll(() => ledger.done.size, { timeout: 20_000 }).toBeGreaterThan(before + 50);
      await disturb();
    }
    const before = ledger.done.size;
    await expect.poll(() => ledger.done.size, { timeout: 20_000 }).toBeGreaterThan(before + 50);
    running = false;
    await Promise.all(writers);
    expect(await checkWhole(store, ledger)).toBeGreaterThan(rounds * 50);
    await store.close();
    return ledger;
  };

  it("the server killed 5 times during commits: what was acknowledged stands once, unknown is said so", async () => {
    const ledger = await run("killed", 5, async () => {
      await server.kill("SIGKILL");
      await sleep(50);
      await server.start();
    });
    expect(ledger.unknown.size).toBeGreaterThan(0);
  });

  it("a backend killed 3 times during its commit takes all connections along; nothing is lost or doubled", async () => {
    await run("backend", 3, () => killOneBackend(url, "backend"));
  });

  it("an administrator who ends the connections 5 times during commits loses nothing either", async () => {
    await run("ended", 5, async () => {
      const text = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley ended'";
      await runSql(url, text);
    });
  });

  it("while the server is away a commit is refused as not done, and reads work again when it is back", async () => {
    const store = await openPostgresStore({ url, schema: "away", log: () => undefined });
    expect(await store.commit({ changes: [put("d1", 0, 1)], audit: null })).toEqual({ ok: true });
    await server.kill("SIGKILL");
    const first = await store.commit({ changes: [put("d2", 0, 1)], audit: null }).catch(codeOf);
    expect(["store_unreachable", "commit_outcome_unknown"]).toContain(first);
    expect(await store.commit({ changes: [put("d3", 0, 1)], audit: null }).catch(codeOf)).toBe("store_unreachable");
    await expect(store.get("deal", "d1")).rejects.toThrow(/Cannot reach PostgreSQL at .*, schema away/);
    await server.start();
    expect((await store.get("deal", "d1"))?.body).toBe(1);
    expect(await store.get("deal", "d3")).toBeNull();
    await store.close();
  });

  it("a store whose server is gone still closes", async () => {
    const store = await openPostgresStore({ url, schema: "gone", log: () => undefined });
    await store.commit({ changes: [put("d1", 0, 1)], audit: auditEntry("r1") });
    await server.kill("SIGKILL");
    await store.close();
    await server.start();
  });
};

if ("reason" in launched) {
  describeSkipped("postgres: crashes", launched.reason);
} else {
  describe("postgres: crashes", () => crashTests(launched));
}
