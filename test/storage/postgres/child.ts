import pg from "pg";
import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Change, PutChange, Store } from "../../../storage/store.ts";

export interface ChildOptions {
  readonly url: string;
  readonly schema: string;
  readonly claimMs?: number;
}

const optionsOf = (): ChildOptions => JSON.parse(process.argv[2] ?? "{}") as ChildOptions;

const put = (kind: string, id: string, expect: number, body: unknown, dueAtMs: number | null = null): PutChange => ({
  op: "put",
  kind,
  id,
  expect,
  body,
  terms: [`status=${String(body)}`],
  dueAtMs,
});

const entry = (requestId: string) => ({
  at: "2026-11-21T10:00:00.000Z",
  request_id: requestId,
  operation: "book_deal",
  door: "rest",
  principal: "key:child",
});

const repeat = async (writers: number, each: (writer: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: writers }, (_, writer) => each(writer)));
};

const race = async (store: Store, { ids, name }: { ids: number; name: string }): Promise<string[]> => {
  const won: string[] = [];
  await repeat(ids, async (n) => {
    const changes = [put("deal", `d${n}`, 0, name), put("quote", "shared", 1, name)].slice(0, n === 0 ? 2 : 1);
    if ((await store.commit({ changes, audit: entry(`${name}-${n}`) })).ok) won.push(`d${n}`);
  });
  return won;
};

const reserve = async (store: Store, input: { writers: number; each: number; limit: number; name: string }) => {
  let taken = 0;
  await repeat(input.writers, async (writer) => {
    for (let i = 0; i < input.each; i += 1) {
      const changes: Change[] = [
        put("booking", `${input.name}-${writer}-${i}`, 0, "booked"),
        { op: "reserve", ledger: "inventory", fromSlot: writer % 3, toSlot: 5, amount: 1, limit: input.limit },
      ];
      if ((await store.commit({ changes, audit: entry("reserve") })).ok) taken += 1;
    }
  });
  return taken;
};

const sweep = async (store: Store, { nowMs }: { nowMs: number }): Promise<string[]> => {
  const handled: string[] = [];
  for (;;) {
    const rows = await store.due(nowMs, 5);
    if (rows.length === 0) return handled;
    for (const row of rows) {
      const outcome = await store.commit({ changes: [put(row.kind, row.id, row.version, "done")], audit: null });
      if (outcome.ok) handled.push(row.id);
      else throw new Error(`${row.id} was handed to two processes`);
    }
  }
};

/** Like a booking: one row updated, three created, one link. */
const load = async (store: Store, input: { writers: number; seconds: number; name: string }) => {
  const until = Date.now() + input.seconds * 1_000;
  const before = process.cpuUsage();
  let commits = 0;
  await repeat(input.writers, async (writer) => {
    const id = `${input.name}-${writer}`;
    await store.commit({ changes: [put("quote", id, 0, "open")], audit: null });
    for (let n = 1; Date.now() < until; n += 1) {
      const changes = [
        put("quote", id, n, "open"),
        put("deal", `${id}-${n}`, 0, "booked"),
        put("event", `${id}-${n}`, 0, "new", 1_790_000_000_000 + n),
        put("idempotency", `${id}-${n}`, 0, "done", 1_790_000_000_000 + n),
      ];
      if ((await store.commit({ changes, audit: entry(`${id}-${n}`) })).ok) commits += 1;
    }
  });
  const cpu = process.cpuUsage(before);
  return { commits, cpuMicros: cpu.user + cpu.system };
};

const BARE_TABLES = `
  CREATE TABLE IF NOT EXISTS bare_quote (id text PRIMARY KEY, n bigint, body text);
  CREATE TABLE IF NOT EXISTS bare_deal (id text PRIMARY KEY, body text);
  CREATE TABLE IF NOT EXISTS bare_event (id text PRIMARY KEY, body text);
  CREATE TABLE IF NOT EXISTS bare_audit (id text PRIMARY KEY, body text);`;
const BARE_COMMIT = `WITH quote AS (UPDATE bare_quote SET n = n + 1, body = $3 WHERE id = $1),
  deal AS (INSERT INTO bare_deal VALUES ($2, $3)), event AS (INSERT INTO bare_event VALUES ($2, $3))
  INSERT INTO bare_audit VALUES ($2, $3)`;

const bare = async (_store: Store, input: { writers: number; seconds: number; name: string }) => {
  const pool = new pg.Pool({ connectionString: optionsOf().url, max: 20 });
  await pool.query(`SELECT pg_advisory_lock(1); ${BARE_TABLES} SELECT pg_advisory_unlock(1)`);
  const until = Date.now() + input.seconds * 1_000;
  const before = process.cpuUsage();
  let commits = 0;
  await repeat(input.writers, async (writer) => {
    const id = `${input.name}-${writer}`;
    await pool.query("INSERT INTO bare_quote VALUES ($1, 0, '')", [id]);
    for (let n = 1; Date.now() < until; n += 1) {
      await pool.query({ name: "bare", text: BARE_COMMIT, values: [id, `${id}-${n}`, JSON.stringify({ id, n })] });
      commits += 1;
    }
  });
  const cpu = process.cpuUsage(before);
  await pool.end();
  return { commits, cpuMicros: cpu.user + cpu.system };
};

const listen = (store: Store, { kind }: { kind: string }): boolean => {
  store.watch(kind, (id) => process.send?.({ news: id }));
  return true;
};

const create = async (store: Store, { kind, ids }: { kind: string; ids: string[] }): Promise<boolean> => {
  for (const id of ids) await store.commit({ changes: [put(kind, id, 0, "new")], audit: null });
  return true;
};

type Task = (store: Store, input: never) => unknown;
const tasks: Readonly<Record<string, Task>> = { race, reserve, sweep, load, bare, listen, create, ready: () => true };

const main = async (): Promise<void> => {
  const opening = openPostgresStore({ ...optionsOf(), log: () => undefined, catchUpMs: 200 });
  const answer = async (task: string, input: unknown): Promise<unknown> => tasks[task]?.(await opening, input as never);
  process.on("message", ({ task, input }: { task: string; input: unknown }) => {
    answer(task, input).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.on("disconnect", () => {
    void opening.then((store) => store.close());
  });
  await opening.catch(() => undefined);
};

await main();
