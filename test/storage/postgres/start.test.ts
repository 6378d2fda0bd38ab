import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { holdsPostgresStore, openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { commitOk, put } from "../contract/kit.ts";
import { describeOnPostgres, runSql } from "./database.ts";

await describeOnPostgres("postgres: start", (url) => {
  const open: Store[] = [];
  let schemas = 0;
  const nextSchema = (): string => `start_${(schemas += 1)}`;
  const openStore = async (options: { url?: string; schema?: string } = {}): Promise<Store> => {
    const store = await openPostgresStore({ url, schema: nextSchema(), log: () => undefined, ...options });
    open.push(store);
    return store;
  };
  const failure = (options: { url?: string; schema?: string }): Promise<Error & { code?: string }> =>
    openStore(options).then(
      () => Promise.reject(new Error("it started")),
      (error: Error & { code?: string }) => error,
    );

  const setReadOnly = async (value: "on" | "off"): Promise<void> => {
    const [{ name } = { name: "" }] = await runSql<{ name: string }>(url, "SELECT current_database() AS name");
    const set = `ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`;
    await runSql(url, `BEGIN READ WRITE; ${set}; COMMIT`);
    const others = "datname = current_database() AND pid <> pg_backend_pid()";
    await runSql(url, `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${others}`);
  };

  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
  });

  it.each([
    ...["", "Parley", "a b", 'x"; DROP SCHEMA public; --', "x'y", "$1", "1a", "pg_parley", "information_schema"],
    ...["é", "a".repeat(49), "a-b", "a.b", "a\u0000b"],
  ])("%j is refused as the name of a schema, and nothing is created", async (schema) => {
    const before = await runSql(url, "SELECT nspname FROM pg_namespace ORDER BY 1");
    const error = await failure({ schema });
    expect(error.code).toBe("store_unusable");
    expect(error.message).toMatch(/cannot be the name of a schema: use 1 to 48 lower-case letters/);
    expect(await runSql(url, "SELECT nspname FROM pg_namespace ORDER BY 1")).toEqual(before);
  });

  it("a database that is set to read only is told apart from one that takes commits, and back again", async () => {
    const store = await openStore();
    expect(await store.failure()).toBeNull();
    await setReadOnly("on");
    expect(await store.failure()).toMatchObject({ code: "store_unusable" });
    await setReadOnly("off");
    expect(await store.failure()).toBeNull();
  });

  it("whether a schema holds a store is told without making one", async () => {
    const schema = nextSchema();
    const made = () => runSql(url, `SELECT 1 FROM pg_namespace WHERE nspname = '${schema}'`);
    expect(await holdsPostgresStore({ url, schema })).toBe(false);
    expect(await made()).toEqual([]);
    await openStore({ schema });
    expect(await holdsPostgresStore({ url, schema })).toBe(true);
  });

  it("a reserved word of SQL is a schema like any other", async () => {
    for (const schema of ["select", "user", "table", "a".repeat(48)]) {
      const store = await openStore({ schema });
      await commitOk(store, put("d1", 0, schema));
      expect((await store.get("deal", "d1"))?.body).toBe(schema);
    }
  });

  it("two agents in one database see nothing of each other", async () => {
    const [seller, buyer] = [await openStore({ schema: "seller" }), await openStore({ schema: "buyer" })];
    const heard: string[] = [];
    buyer.watch("deal", (id) => heard.push(id));
    await commitOk(seller, put("d1", 0, 1, { terms: ["s=a"], dueAtMs: 1 }));
    expect(await buyer.get("deal", "d1")).toBeNull();
    expect(await buyer.count("deal", "s=a")).toBe(0);
    expect(await buyer.due(5, 10)).toEqual([]);
    await commitOk(buyer, put("d2", 0, 1));
    await expect.poll(() => heard).toEqual(["d2"]);
  });

  it("a schema newer than the program stops the start and says what to do", async () => {
    const schema = nextSchema();
    await (await openStore({ schema })).close();
    await runSql(url, `INSERT INTO ${schema}.schema_version (version, name) VALUES (900, 'future')`);
    const error = await failure({ schema });
    expect(error.message).toContain("has version 900, this program knows versions up to 3");
    expect(error.message).toContain(`schema ${schema}`);
    expect(error.message).toContain("Start a program of that version or newer");
    expect(error.code).toBe("store_unusable");
  });

  it("a migration of another program than this one's stops the start with both digests and the cure", async () => {
    const schema = nextSchema();
    await (await openStore({ schema })).close();
    await runSql(url, `UPDATE ${schema}.schema_version SET digest = '${"0".repeat(64)}' WHERE version = 2`);
    const error = await failure({ schema });
    expect(error.code).toBe("store_unusable");
    expect(error.message).toContain(`migration 2 (functions) was applied with the digest ${"0".repeat(64)}`);
    expect(error.message).toMatch(/in this program it has [0-9a-f]{64}\. Start the program that made this schema/);
  });

  it("the store is no longer ready when a commit cannot be made, whatever reads answer", async () => {
    const schema = nextSchema();
    const store = await openStore({ schema });
    expect(await store.failure()).toBeNull();
    await runSql(url, `ALTER TABLE ${schema}.audit_heads RENAME TO heads_of_others`);
    await runSql(url, `ALTER FUNCTION ${schema}.claim_lane RENAME TO claim_of_others`);
    expect(await store.count("deal", null)).toBe(0);
    await (await openStore()).close();
    await runSql(
      url,
      `DO $$ DECLARE f regprocedure; BEGIN
      FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
        WHERE p.proname = 'apply_commit' AND p.pronamespace = '${schema}'::regnamespace
      LOOP EXECUTE 'DROP FUNCTION ' || f; END LOOP; END $$`,
    );
    expect(await store.failure()).toMatchObject({ code: expect.stringMatching(/^store_|^statement_/) as string });
  });

  it("eight stores that open one empty schema at once all start on one set of tables", async () => {
    const schema = nextSchema();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore({ schema })));
    await Promise.all(stores.map((store, i) => commitOk(store, put(`d${i}`, 0, i))));
    expect(await stores[0]?.count("deal", null)).toBe(8);
    expect(await runSql(url, `SELECT version, name FROM ${schema}.schema_version ORDER BY 1`)).toEqual([
      { version: 1, name: "tables" },
      { version: 2, name: "functions" },
      { version: 3, name: "sums" },
    ]);
  });

  it("a migration that fails leaves nothing behind, and the next start repeats it", async () => {
    const schema = nextSchema();
    await runSql(url, `CREATE SCHEMA ${schema}`);
    await runSql(url, `CREATE TABLE ${schema}.ledgers (in_the_way int)`);
    const error = await failure({ schema });
    expect(error.message).toMatch(/relation "ledgers" already exists/);
    expect(await runSql(url, `SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace`)).toEqual([
      { relname: "ledgers" },
    ]);
    await runSql(url, `DROP TABLE ${schema}.ledgers`);
    const store = await openStore({ schema });
    await commitOk(store, put("d1", 0, 1));
  });

  it("a server that is not there is named with the cure, and never the password", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-none-"));
    const away = `postgres:///shop?host=${encodeURIComponent(folder)}&user=mallory&password=s3cret`;
    const error = await failure({ url: away });
    expect(error.code).toBe("store_unreachable");
    expect(error.message).toContain(`Cannot reach PostgreSQL at ${folder}, database shop`);
    expect(error.message).toContain("Start PostgreSQL there, or correct DATABASE_URL.");
    const refused = await failure({ url: "postgres://mallory:s3cret@127.0.0.1:1/shop" });
    expect(refused.message).toContain("Cannot reach PostgreSQL at 127.0.0.1:1, database shop");
    for (const { message, stack } of [error, refused]) expect(`${message}${stack}`).not.toContain("s3cret");
    await rm(folder, { recursive: true });
  });

  it("a database that does not exist is named with the cure", async () => {
    const missing = new URL(url);
    missing.pathname = "/no_such_database";
    const error = await failure({ url: missing.href });
    expect(error.message).toContain("database no_such_database");
    expect(error.message).toContain("Create the database, or correct its name in DATABASE_URL.");
  });

  it.each(["", "mysql://u:s3cret@h/db", "u:s3cret@h/db", "postgres://u:s3cret@h:99999999/db", "lowdb:./x"])(
    "%j is refused as an address without repeating it",
    async (address) => {
      const error = await failure({ url: address });
      expect(error.code).toBe("store_unusable");
      expect(error.message).toMatch(/^DATABASE_URL is not an address of the form postgres:/);
      expect(`${error.message}${error.stack}`).not.toContain("s3cret");
    },
  );

  it("a database that is not UTF-8 stops the start", async () => {
    const name = `parley_latin_${process.pid}`;
    await runSql(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    const latin = new URL(url);
    latin.pathname = `/${name}`;
    const { message } = await failure({ url: latin.href });
    expect(message).toMatch(/encoded in LATIN1. Create the database with ENCODING 'UTF8'/);
    await runSql(url, `DROP DATABASE ${name}`);
  });

  it("a user without rights on the database is told which it lacks", async () => {
    const role = `parley_poor_${process.pid}`;
    await runSql(url, `CREATE ROLE ${role} LOGIN PASSWORD 'poor'`);
    const poor = new URL(url);
    if (poor.host === "") poor.searchParams.set("user", role);
    else [poor.username, poor.password] = [role, "poor"];
    const error = await failure({ url: poor.href });
    expect(error.message).toContain("Grant the user CREATE on the database, or run parley migrate as the owner");
    const schema = nextSchema();
    await (await openStore({ schema })).close();
    expect((await failure({ url: poor.href, schema })).message).toContain("permission denied");
    await runSql(
      url,
      `GRANT USAGE ON SCHEMA ${schema} TO ${role};
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
       GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    );
    const store = await openStore({ url: poor.href, schema });
    await commitOk(store, put("d1", 0, 1, { terms: ["s=a"], dueAtMs: 1 }));
    expect(await store.failure()).toBeNull();
    expect((await store.due(5, 10)).map(({ id }) => id)).toEqual(["d1"]);
    await runSql(url, `DELETE FROM ${schema}.schema_version WHERE version = 3`);
    expect((await failure({ url: poor.href, schema })).message).toMatch(/permission denied .*run parley migrate/);
    await runSql(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it("a database set to acknowledge before its log is on disk is overruled by the store", async () => {
    const database = decodeURIComponent(new URL(url).pathname.slice(1));
    await runSql(url, `ALTER DATABASE ${database} SET synchronous_commit = off`);
    const schema = nextSchema();
    const store = await openStore({ schema });
    await runSql(url, `CREATE TABLE ${schema}.seen (setting text)`);
    await runSql(
      url,
      `CREATE FUNCTION ${schema}.see() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO ${schema}.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
       CREATE TRIGGER see AFTER INSERT ON ${schema}.rows FOR EACH ROW EXECUTE FUNCTION ${schema}.see()`,
    );
    await commitOk(store, put("d1", 0, 1));
    expect(await runSql(url, `SELECT setting FROM ${schema}.seen`)).toEqual([{ setting: "on" }]);
    await runSql(url, `ALTER DATABASE ${database} RESET synchronous_commit`);
  });
});
