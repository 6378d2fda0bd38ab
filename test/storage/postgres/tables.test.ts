import { createHash } from "node:crypto";
import pg from "pg";
import { expect, it } from "vitest";
import { schemaOf } from "../../../storage/postgres/connection.ts";
import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import { type Statement, statementsFor } from "../../../storage/postgres/statements.ts";
import type { Change, Store } from "../../../storage/store.ts";
import { auditEntry, check, commit, commitOk, idsOf, put, remove, reserve } from "../contract/kit.ts";
import { describeOnPostgres, runSql } from "./database.ts";

const generator =
  (seed: number) =>
  (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };

const statementsOf = (value: unknown): Statement[] => {
  if (typeof value !== "object" || value === null) return [];
  return "text" in value ? [value as Statement] : Object.values(value).flatMap(statementsOf);
};

await describeOnPostgres("postgres: tables", (url) => {
  const openStore = (schema: string, options: object = {}): Promise<Store> =>
    openPostgresStore({ url, schema, log: () => undefined, ...options });

  it("after 16 writers created, changed and removed rows at random, terms and counters fit the rows", async () => {
    const store = await openStore("walk");
    const random = generator(20_261_121);
    const terms = (): string[] => ["s=a", "s=b", "s=c", "o=x", "o=y"].filter(() => random(2) === 0);
    const step = async (): Promise<void> => {
      const id = `d${random(20)}`;
      const row = await store.get("deal", id);
      const version = row?.version ?? 0;
      const removed = row !== null && random(3) === 0;
      const change: Change = removed ? remove(id, version) : put(id, version, random(9), { terms: terms() });
      await store.commit({ changes: [change], audit: auditEntry(id) });
    };
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let i = 0; i < 60; i += 1) await step();
      }),
    );
    const counted = await runSql(
      url,
      `SELECT kind, term, sum(amount)::int AS amount FROM walk.term_counts
       GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 1, 2`,
    );
    const scanned = await runSql(
      url,
      `SELECT kind, term, count(*)::int AS amount FROM (
         SELECT kind, unnest(terms) AS term FROM walk.rows UNION ALL SELECT kind, '' FROM walk.rows) t
       GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    expect(scanned.length).toBeGreaterThan(3);
    expect(counted).toEqual(scanned);
    const marks = "SELECT kind, term, n FROM walk.row_terms ORDER BY 1, 2, 3";
    const rows = "SELECT kind, unnest(terms) AS term, n FROM walk.rows ORDER BY 1, 2, 3";
    expect(await runSql(url, marks)).toEqual(await runSql(url, rows));
    await store.close();
  });

  it("no statement of the driver is planned to read or to join a whole table", async () => {
    const store = await openStore("plans");
    await store.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const statements = statementsFor(schemaOf(url, "plans"));
    await client.query({ ...statements.openSession });
    const plans: { name: string; plan: string }[] = [];
    for (const { name, text } of statementsOf(statements)) {
      const { rows } = await client.query<Record<"QUERY PLAN", string>>(`EXPLAIN (GENERIC_PLAN) ${text}`);
      plans.push({ name, plan: rows.map((row) => row["QUERY PLAN"]).join("\n") });
    }
    await client.end();
    expect(plans.length).toBeGreaterThan(15);
    // The heads of the audit chains are read whole: one per connection that ever wrote.
    const whole = /Seq Scan|Join Filter|Hash Join|Merge/;
    expect(plans.filter(({ name, plan }) => name !== "audit_heads" && whole.test(plan))).toEqual([]);
    const byTerm = plans.find(({ name }) => name === "list_term_newest");
    expect(byTerm?.plan).toMatch(/Index Only Scan Backward using row_terms_pkey/);
  });

  it("what a call reads does not grow with the table: 160 calls over 20,000 rows touch fewer than 4,000", async () => {
    // A connection reports its reads at the latest when it ends.
    const left = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'parley large'";
    const filler = await openStore("large");
    for (let from = 0; from < 20_000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, i) =>
        put(`d${from + i}`, 0, { i }, { terms: ["s=a", `owner=${(from + i) % 100}`], dueAtMs: 1_000_000 + from + i }),
      );
      await commitOk(filler, ...rows, ...[0, 1].map((to) => reserve("inv", [from, from + 499 + to], 1)));
    }
    await filler.close();
    await expect.poll(() => runSql(url, left), { timeout: 30_000 }).toEqual([]);
    const touched = async (): Promise<number> => {
      const sums = "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS amount FROM pg_stat_user_tables";
      const scans = "SELECT sum(idx_tup_read)::int AS amount FROM pg_stat_user_indexes";
      const where = "WHERE schemaname = 'large' AND relname <> 'audit_heads'";
      const found = [
        ...(await runSql<{ amount: number }>(url, `${sums} ${where}`)),
        ...(await runSql<{ amount: number }>(url, `${scans} ${where}`)),
      ];
      return found.reduce((sum, { amount }) => sum + amount, 0);
    };
    const before = await touched();
    const store = await openStore("large");
    for (let i = 0; i < 10; i += 1) {
      await commitOk(store, put(`d${i}`, 1, 2, { terms: ["s=b"] }), put(`e${i}`, 0, 1, { terms: ["s=a"] }));
      await commitOk(store, remove(`d${i}`, 2), check(`d${i + 50}`, 1), check(`no${i}`, 0));
      expect((await commit(store, put(`d${i + 50}`, 0, 1), put(`f${i}`, 0, 1))).ok).toBe(false);
      expect((await commit(store, put(`d${i + 50}`, 7, 1))).ok).toBe(false);
      await commitOk(store, reserve("inv", [i, i + 1], -1), reserve("inv", [i, i + 2], 1, 100));
      await store.reserved("inv", i, i + 5);
      await store.count("deal", "s=a");
      for (const order of ["newest", "oldest"] as const) {
        await store.list({ kind: "deal", terms: [], order, limit: 3 });
        await store.list({ kind: "deal", terms: ["s=a"], order, limit: 3 });
        await store.list({ kind: "deal", terms: ["s=a", "owner=70"], order, limit: 3 });
      }
      await store.due(1_000_000 + i, 3);
    }
    await store.close();
    await expect.poll(() => runSql(url, left), { timeout: 30_000 }).toEqual([]);
    const read = (await touched()) - before;
    expect(read).toBeGreaterThan(500);
    expect(read).toBeLessThan(4_000);
  });

  it("commits that add to one sum do not wait for one another", async () => {
    const store = await openStore("sums", { poolSize: 4 });
    const addition: Change = { op: "add", sums: ["all"], slot: 1, amounts: [1] };
    await commitOk(store, put("held", 0, 1, { terms: ["s=a"] }), addition);
    const client = new pg.Client(url);
    await client.connect();
    await client.query("BEGIN");
    // The counters are written after the sums.
    await client.query("LOCK TABLE sums.term_counts IN SHARE MODE");
    const stuck = commit(store, remove("held", 1), addition);
    const waiting = "SELECT count(*)::int AS found FROM pg_locks WHERE NOT granted";
    await expect.poll(() => runSql(url, waiting)).toEqual([{ found: 1 }]);
    for (let made = 0; made < 4; made += 1) await commitOk(store, addition);
    expect(await store.added(["all"], 1, 1)).toEqual([5]);
    await client.query("ROLLBACK");
    await client.end();
    expect(await stuck).toEqual({ ok: true });
    expect(await store.added(["all"], 1, 1)).toEqual([6]);
    await store.close();
  });

  it("the audit trail can be written to but not changed", async () => {
    const store = await openStore("sealed");
    await store.commit({ changes: [], audit: auditEntry("r1") });
    await store.close();
    for (const text of ["UPDATE sealed.audit SET record = '{}'", "DELETE FROM sealed.audit", "TRUNCATE sealed.audit"]) {
      await expect(runSql(url, text)).rejects.toThrow(/the audit trail is append-only/);
    }
  });

  it("the digest of an audit record is that of the changes as they were handed over", async () => {
    const store = await openStore("digest", { poolSize: 2 });
    const digests: string[] = [];
    for (const id of ["d1", "d2"]) {
      const body = { id: "same", status: "booked" };
      const committed = store.commit({ changes: [put("d", id === "d1" ? 0 : 1, body)], audit: auditEntry(id) });
      const plain = JSON.stringify([put("d", id === "d1" ? 0 : 1, body)]);
      body.status = "stolen";
      digests.push(createHash("sha256").update(plain).digest("hex"));
      expect(await committed).toEqual({ ok: true });
    }
    const recorded: string[] = [];
    for await (const record of store.auditTrail()) recorded.push(record.digest);
    expect(recorded).toEqual(digests);
    await store.close();
    await expect(store.auditTrail()[Symbol.asyncIterator]().next()).rejects.toThrow(/closed/);
  });

  it("texts that try to be SQL stay texts, in every place a caller can reach", async () => {
    const store = await openStore("hostile");
    const text = `'); DROP TABLE hostile.rows; --"\\ {schema} {lock} $1 \u0000 \u0001 \u0002 \ud800`;
    const change = put(text, 0, { [text]: text }, { kind: text, terms: [text, `${text}2`], dueAtMs: 5 });
    const reserve = { op: "reserve", ledger: text, fromSlot: 0, toSlot: 1, amount: 2, limit: 5 } as const;
    expect(await store.commit({ changes: [change, reserve], audit: auditEntry(text) })).toEqual({ ok: true });
    expect((await store.get(text, text))?.body).toEqual({ [text]: text });
    const query = { kind: text, terms: [text, `${text}2`], order: "newest", limit: 5 } as const;
    expect(idsOf(await store.list(query))).toEqual([text]);
    expect(await store.count(text, text)).toBe(1);
    expect(await store.reserved(text, 0, 5)).toBe(2);
    expect(idsOf(await store.due(9, 5))).toEqual([text]);
    for await (const record of store.auditTrail()) expect(record.request_id).toBe(text);
    await store.close();
  });

  it("a key too long for an index is refused with its limit, and is simply absent for a reader", async () => {
    const store = await openStore("long_keys");
    const long = "\u{1F4FA}".repeat(400);
    await expect(commit(store, put(long, 0, 1), put("d1", 0, 1))).rejects.toThrow(/at most 1250 bytes/);
    expect(await store.get("deal", long)).toBeNull();
    expect(await store.get("deal", "d1")).toBeNull();
    await commitOk(store, put("empty", 0, 1, { terms: [""] }));
    expect([await store.count("deal", null), await store.count("deal", "")]).toEqual([1, 1]);
    const term = `name=${"x".repeat(100_000)}`;
    await commitOk(store, put("d2", 0, 1, { terms: [term, `${term}y`] }));
    expect(await store.count("deal", term)).toBe(1);
    expect(idsOf(await store.list({ kind: "deal", terms: [`${term}y`], order: "oldest", limit: 5 }))).toEqual(["d2"]);
    await store.close();
  });

  it("two connections are enough for a store, and 200 calls at once wait their turn", async () => {
    const store = await openStore("narrow", { poolSize: 2 });
    const ids = Array.from({ length: 100 }, (_, i) => `d${i}`);
    await Promise.all(ids.map((id) => commitOk(store, put(id, 0, 1))));
    const reads = await Promise.all([...ids, ...ids].map((id) => store.get("deal", id)));
    expect(reads.every((row) => row?.version === 1)).toBe(true);
    expect((await store.auditHeads()).length).toBe(0);
    await store.close();
  });

  it("what the server cannot do now is told apart from what it never does", async () => {
    const store = await openStore("unable");
    const failWith = (state: string): Promise<unknown> =>
      runSql(
        url,
        `CREATE OR REPLACE FUNCTION unable.fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION SQLSTATE '${state}'; END $$`,
      );
    await failWith("23514");
    await runSql(url, "CREATE TRIGGER fail BEFORE INSERT ON unable.rows FOR EACH ROW EXECUTE FUNCTION unable.fail()");
    const codes: unknown[] = [];
    for (const state of ["53100", "25006", "55P03", "40P01", "23514"]) {
      await failWith(state);
      codes.push(await commit(store, put("d1", 0, 1)).catch((error: { code?: unknown }) => error.code));
    }
    expect(codes).toEqual([...Array.from({ length: 4 }, () => "store_unusable"), "statement_refused"]);
    expect(await store.get("deal", "d1")).toBeNull();
    await store.close();
  });

  it.each(["40P01", "40001"])(
    "a commit that the server rolled back with %s three times stands after the fourth",
    async (state) => {
      const schema = `again_${state.toLowerCase()}`;
      const store = await openStore(schema);
      await runSql(url, `CREATE SEQUENCE ${schema}.tries`);
      await runSql(
        url,
        `CREATE FUNCTION ${schema}.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('${schema}.tries') <= 3 THEN RAISE EXCEPTION SQLSTATE '${state}'; END IF; RETURN NEW; END $$`,
      );
      const rows = `${schema}.rows FOR EACH ROW EXECUTE FUNCTION ${schema}.fail()`;
      await runSql(url, `CREATE TRIGGER fail BEFORE INSERT ON ${rows}`);
      await commitOk(store, put("d1", 0, 1), reserve("inv", [1, 1], 5));
      expect([await store.count("deal", null), await store.reserved("inv", 1, 1)]).toEqual([1, 5]);
      await store.close();
    },
  );

  it("commits that reserve several spans of one ledger never wait for one another in a circle", async () => {
    const store = await openStore("spans");
    const random = generator(20_261_122);
    const span = (): readonly [number, number] => {
      const from = random(60);
      return [from, from + random(40)];
    };
    const sums = new Map<number, number>();
    const one = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        const spans = Array.from({ length: 1 + random(3) }, span);
        await commitOk(store, ...spans.map((of) => reserve("inv", of, 1, 10_000)));
        for (const [from, to] of spans) for (let at = from; at <= to; at += 1) sums.set(at, (sums.get(at) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 15 }, one));
    const slots = [...sums.keys()];
    expect(await Promise.all(slots.map((slot) => store.reserved("inv", slot, slot)))).toEqual([...sums.values()]);
    await store.close();
    const counted = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";
    expect(await runSql(url, counted)).toEqual([{ deadlocks: 0 }]);
  });

  it("a statement that takes too long is ended, and nothing of it stands", async () => {
    const store = await openStore("slow", { answerMs: 300 });
    await commitOk(store, put("d1", 0, 1));
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query("BEGIN");
    await blocker.query("SELECT 1 FROM slow.rows WHERE kind = 'deal' AND id = 'd1' FOR UPDATE");
    const blocked = store.commit({ changes: [put("d1", 1, 2), put("d2", 0, 1)], audit: auditEntry("r1") });
    await expect(blocked).rejects.toMatchObject({ code: "store_unusable" });
    await blocker.query("COMMIT");
    await blocker.end();
    expect((await store.get("deal", "d1"))?.version).toBe(1);
    expect(await store.get("deal", "d2")).toBeNull();
    expect(await store.commit({ changes: [put("d1", 1, 2)], audit: auditEntry("r2") })).toEqual({ ok: true });
    await store.close();
  });
});
