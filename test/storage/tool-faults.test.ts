import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { writeBackup } from "../../agents/host/backup.ts";
import { openStore, type StoreLocation } from "../../agents/host/store-location.ts";
import { backUp, checkPlace, copyBetween, openMovable, restore } from "../../agents/host/store-tools.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { diskFiles } from "../../storage/lowdb/log/index.ts";
import { copyStore } from "../../storage/transfer/copy.ts";
import { buildProduct, main } from "../cli/program.ts";
import { openTcpProxy } from "../processes/tcp-proxy.ts";
import { describeOnPostgres, runSql } from "./postgres/database.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-faults-"));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

const rows = 1_500;

/** A seller's store with deals of its own, closed. */
const made = async (): Promise<StoreLocation & { readonly driver: "lowdb" }> => {
  const place = { driver: "lowdb", dir: join(await folder(), "store") } as const;
  const store = await openStore(place, log);
  const audit = {
    at: "2026-11-27T10:00:00.000Z",
    request_id: "1",
    operation: "book_deal",
    door: "rest",
    principal: "k",
  };
  const changes = Array.from({ length: rows }, (_, n) => {
    const body = { n, fill: "x".repeat(200) };
    return { op: "put", kind: "deal", id: `deal-${n}`, expect: 0, body, terms: [`s=${n % 3}`], dueAtMs: null } as const;
  });
  await store.commit({ changes, audit });
  await store.close();
  return place;
};

const backedUp = async (place: StoreLocation): Promise<string> => {
  const file = join(await folder(), "seller.backup");
  await backUp(place, "seller", file, log);
  return file;
};

/** One sentence, or two, and a cure; no stack and no word of a driver. */
const cutShort =
  /^A restore into \S+ was cut short, and what is there is no whole store\. Remove that folder and restore/;

describe("a restore into a folder that was ended", () => {
  it("at each step is told by the next restore, by a start, by a backup and by a check, and nothing is changed", async () => {
    const file = await backedUp(await made());
    const whole = join(await folder(), "whole");
    await restore({ file, to: () => ({ driver: "lowdb", dir: whole }), log });
    const names = (await readdir(whole)).sort(
      (one, other) => Number(one === "store.json") - Number(other === "store.json"),
    );
    for (let moved = 0; moved <= names.length; moved += 1) {
      const dir = join(await folder(), "cut");
      await mkdir(dir);
      await cp(whole, join(dir, ".restoring"), { recursive: true });
      for (const name of names.slice(0, moved)) await rename(join(dir, ".restoring", name), join(dir, name));
      const place = { driver: "lowdb", dir } as const;
      if (moved === names.length) {
        const store = await openStore(place, log);
        expect(await store.count("deal", null)).toBe(rows);
        await store.close();
        expect(await readdir(dir)).not.toContain(".restoring");
        continue;
      }
      const before = (await readdir(dir, { recursive: true })).sort();
      const calls = [
        () => restore({ file, to: () => place, log }),
        () => openStore(place, log),
        () => backUp(place, "seller", `${file}.2`, log),
        () => checkPlace(place, "seller", log),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(cutShort);
      expect((await readdir(dir, { recursive: true })).sort()).toEqual(before);
    }
  });
});

it("a data folder without room for a snapshot ends a backup in a sentence, and the store goes on", async () => {
  const { dir } = await made();
  let isFull = false;
  const files = {
    ...diskFiles,
    create: (path: string) =>
      isFull
        ? Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }))
        : diskFiles.create(path),
  };
  const store = await openLowdbStore({ dir, files, warn: () => undefined });
  undo.push(() => store.close());
  const file = join(await folder(), "seller.backup");
  isFull = true;
  await expect(writeBackup(store, { agent: "seller", file })).rejects.toThrow(
    /^The data folder takes no snapshot \(ENOSPC: .*\), with which a backup begins\. Free space on its disk\. Nothing was left/,
  );
  const change = { op: "put", kind: "deal", id: "next", expect: 0, body: 1, terms: [], dueAtMs: null } as const;
  expect(await store.commit({ changes: [change], audit: null })).toEqual({ ok: true });
  isFull = false;
  expect(await writeBackup(store, { agent: "seller", file })).toBeGreaterThan(1_000);
});

/** No file of the child can grow beyond so many blocks of 512 or 1,024 bytes. */
const withoutRoom = (blocks: number, args: readonly string[], environment: Readonly<Record<string, string>>) =>
  spawnSync("sh", ["-c", `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, "sh", process.execPath, main, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...environment },
  });

await describeOnPostgres("tools on a database with faults", (url) => {
  let schemas = 0;
  const schema = (at = url): StoreLocation => ({ driver: "postgres", url: at, schema: `faults_${(schemas += 1)}` });
  const through = async () => {
    const parsed = new URL(url);
    const socket = parsed.searchParams.get("host");
    const proxy = await openTcpProxy([socket === null ? Number(parsed.port || 5432) : `${socket}/.s.PGSQL.5432`]);
    undo.push(() => proxy.close());
    const user = parsed.searchParams.get("user") ?? parsed.username;
    const password = parsed.password === "" ? "" : `:${parsed.password}`;
    return { proxy, url: `postgres://${user}${password}@127.0.0.1:${proxy.port}${parsed.pathname}` };
  };

  it("a proxy that cuts connections ends a copy in a sentence; repeated, it goes on and is equal", async () => {
    const from = await made();
    const { proxy, url: address } = await through();
    const to = schema(address);
    const copy = (progress: () => void) => copyBetween({ from, to: () => to, agent: "seller", log, progress });
    await expect(copy(() => proxy.mode("refuse"))).rejects.toThrow(
      /^Cannot reach PostgreSQL at 127\.0\.0\.1:\d+, .*\./,
    );
    proxy.mode("open");
    await expect(openStore(to, log)).rejects.toThrow(/There is a half-made copy of lowdb:\S+ in .* Repeat that copy/);
    expect(await copy(() => undefined)).toMatchObject({ resumed: true, rows });
  });

  it("a restore that was ended goes on when it is repeated, and no agent starts before", async () => {
    const from = await made();
    const file = await backedUp(from);
    const to = schema();
    const [source, target] = [await openMovable(from, log), await openMovable(to, log)];
    const loader = { ...target.loader, records: () => Promise.reject(new Error("the power is gone")) };
    const request = { from: { ...source, label: `the backup ${file}` }, to: { ...target, loader } };
    await expect(copyStore({ ...request, progress: () => undefined })).rejects.toThrow("the power is gone");
    await source.store.close();
    await target.store.close();
    await expect(openStore(to, log)).rejects.toThrow(
      /half-made copy of the backup \S+ in the schema .* Repeat that copy/,
    );
    const other = await backedUp(await made());
    await expect(restore({ file: other, to: () => to, log })).rejects.toThrow(/Remove it, or name an empty target/);
    expect(await restore({ file, to: () => to, log })).toMatchObject({ rows });
    const store = await openStore(to, log);
    expect(await store.count("deal", null)).toBe(rows);
    await store.close();
  });

  it("a backup without a folder, and one whose file is there, are refused before anything is read", async () => {
    const place = schema();
    await (await openStore(place, log)).close();
    const out = await folder();
    await writeFile(join(out, "there"), "mine");
    await expect(backUp(place, "seller", join(out, "there"), log)).rejects.toThrow(
      /is there already\. Name a new file/,
    );
    await expect(backUp(place, "seller", join(out, "none", "x"), log)).rejects.toThrow(
      /is in a folder that does not exist\. Make the folder, or name another\. Nothing was left behind/,
    );
    expect(await readdir(out)).toEqual(["there"]);
  });

  it("a backup whose disk is full ends in a sentence with the cure, and leaves nothing", async () => {
    buildProduct();
    const from = await made();
    const to = { driver: "postgres", url, schema: "parley_seller" } as const;
    await copyBetween({ from, to: () => to, agent: "seller", log, progress: () => undefined });
    const out = await folder();
    const args = ["store", "backup", join(out, "seller.backup"), "--agent", "seller"];
    const said = withoutRoom(100, args, { DATABASE_URL: url });
    expect(said.status).toBe(1);
    expect(said.stderr).toMatch(
      /^parley: \S+seller\.backup would be larger than a file may be here\. Name a file elsewhere\. Nothing was left behind/m,
    );
    expect(await readdir(out)).toEqual([]);
  });

  it("a user without rights is told which it lacks, by each tool, and nothing is made", async () => {
    const from = await made();
    const name = `faults_${process.pid}`;
    await runSql(url, `CREATE ROLE ${name} LOGIN`);
    undo.push(async () => {
      await runSql(url, `DROP OWNED BY ${name}`);
      await runSql(url, `DROP ROLE ${name}`);
    });
    const parsed = new URL(url);
    if (parsed.searchParams.has("user")) parsed.searchParams.set("user", name);
    else parsed.username = name;
    const to = schema(parsed.href);
    const file = await backedUp(from);
    const lacks = /permission denied for database .* Grant the user CREATE on the database, or run parley migrate/;
    const copying = copyBetween({ from, to: () => to, agent: "seller", log, progress: () => undefined });
    await expect(copying).rejects.toThrow(lacks);
    await expect(restore({ file, to: () => to, log })).rejects.toThrow(lacks);
    expect(await runSql(url, `SELECT 1 FROM pg_namespace WHERE nspname = 'faults_${schemas}'`)).toEqual([]);
  });
});
