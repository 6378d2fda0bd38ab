import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { unpackBackup, writeBackup } from "../../agents/host/backup.ts";
import { backUp, checkPlace, restore } from "../../agents/host/store-tools.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import type { Change, Store } from "../../storage/store.ts";
import { describeOnPostgres } from "./postgres/database.ts";

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-backup-"));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

const entry = (request_id: string) => ({
  at: "2026-11-27T10:00:00.000Z",
  request_id,
  operation: "book_deal",
  door: "rest",
  principal: "key:test",
});

const opened = async (dir: string, snapshotAfterBytes?: number): Promise<Store> => {
  const store = await openLowdbStore({ dir, ...(snapshotAfterBytes === undefined ? {} : { snapshotAfterBytes }) });
  undo.push(() => store.close());
  return store;
};

/** A deal and its event are one commit, and the writer's counter with them. */
const commitOf = (writer: string, n: number): { changes: Change[]; audit: ReturnType<typeof entry> } => {
  const put = (kind: string, id: string, expect: number): Change => {
    return {
      op: "put",
      kind,
      id,
      expect,
      body: { n, fill: "x".repeat(300) },
      terms: [`writer=${writer}`],
      dueAtMs: null,
    };
  };
  const id = `${writer}-${n}`;
  const changes: Change[] = [put("deal", id, 0), put("event", id, 0), put("counter", writer, n)];
  changes.push({ op: "reserve", ledger: "day", fromSlot: 1, toSlot: 3, amount: 1, limit: null });
  return { changes, audit: entry(id) };
};

describe("a backup of a live store", () => {
  it("under load holds every commit that was acknowledged before it, and none in part", async () => {
    const [dir, target] = [await folder(), join(await folder(), "restored")];
    const store = await opened(dir, 200_000);
    const writers = ["a", "b", "c", "d"];
    const acknowledged = new Map(writers.map((writer) => [writer, 0]));
    let stopped = false;
    const load = writers.map(async (writer) => {
      for (let n = 0; !stopped; n += 1) {
        expect(await store.commit(commitOf(writer, n))).toEqual({ ok: true });
        acknowledged.set(writer, n + 1);
      }
    });
    const all = (): number => [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
    for (let round = 0; round < 3; round += 1) {
      const before = all();
      await expect.poll(all, { interval: 5 }).toBeGreaterThan(before + 300);
      const known = new Map(acknowledged);
      const file = join(await folder(), "seller.backup");
      await writeBackup(store, { agent: "seller", file });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const place = join(target, String(round));
      const checked = await restore({ file, to: () => ({ driver: "lowdb", dir: place }), log });
      const copy = await opened(place);
      let deals = 0;
      for (const [writer, count] of known) {
        const held = await copy.count("deal", `writer=${writer}`);
        expect(held).toBeGreaterThanOrEqual(count);
        expect(await copy.count("event", `writer=${writer}`)).toBe(held);
        expect(await copy.get("counter", writer)).toMatchObject({ version: held, body: { n: held - 1 } });
        deals += held;
      }
      expect(await copy.reserved("day", 1, 3)).toBe(deals);
      expect(checked.records).toBe(deals);
    }
    stopped = true;
    await Promise.all(load);
  });

  it("goes on taking commits and snapshots after a backup that failed, of which nothing is left", async () => {
    const [dir, out] = [await folder(), await folder()];
    const store = await opened(dir, 20_000);
    for (let n = 0; n < 50; n += 1) await store.commit(commitOf("a", n));
    await writeFile(join(out, "there"), "mine");
    await symlink("/dev/full", join(out, "full.part"));
    const wrong: readonly (readonly [string, RegExp])[] = [
      [join(out, "there"), /is there already\. Name a new file\. Nothing was left behind/],
      [join(out, "full"), /has no room on its disk\. Free space, or name a file elsewhere\. Nothing was left behind/],
      [join(out, "none", "x"), /is in a folder that does not exist\. Make the folder, or name another/],
      ["/proc/parley.backup", /(does not exist|may not be written|read-only)/],
    ];
    for (const [file, words] of wrong)
      await expect(writeBackup(store, { agent: "seller", file })).rejects.toThrow(words);
    expect(await readdir(out)).toEqual(["there"]);
    expect(await readFile(join(out, "there"), "utf8")).toBe("mine");
    for (let n = 50; n < 200; n += 1) expect(await store.commit(commitOf("a", n))).toEqual({ ok: true });
    await expect.poll(async () => (await stat(join(dir, "audit-archive.jsonl"))).size).toBeGreaterThan(30_000);
  });
});

describe("restoring", () => {
  const made = async (): Promise<{ readonly file: string; readonly dir: string }> => {
    const dir = await folder();
    const store = await opened(dir);
    for (let n = 0; n < 20; n += 1) await store.commit(commitOf("a", n));
    await writeFile(join(dir, "card-signing.key"), "a key", { mode: 0o600 });
    const file = join(await folder(), "seller.backup");
    await writeBackup(store, { agent: "seller", file });
    return { file, dir };
  };

  it("brings the agent's secrets back, and the same digest", async () => {
    const { file, dir } = await made();
    const target = join(await folder(), "new");
    const { digest } = await restore({ file, to: () => ({ driver: "lowdb", dir: target }), log });
    expect(await readFile(join(target, "card-signing.key"), "utf8")).toBe("a key");
    expect((await stat(join(target, "card-signing.key"))).mode & 0o777).toBe(0o600);
    await undo.splice(1, 1)[0]?.();
    const place = { driver: "lowdb", dir } as const;
    expect(await checkPlace(place, "seller", log)).toMatchObject({ digest, faults: [] });
  });

  const sealed = (text: string): Buffer => {
    const sha256 = createHash("sha256").update(text).digest("hex");
    return gzipSync(`${text}${JSON.stringify({ sha256 })}\n`);
  };
  const head = `${JSON.stringify({ parley_backup: 1, agent: "seller", at: "" })}\n`;

  it.each<readonly [string, (good: Buffer) => Buffer]>([
    ["cut", (good) => good.subarray(0, good.length - 40)],
    ["changed in a byte", (good) => gzipSync(Buffer.from(gunzipSync(good).toString().replace("xxxx", "xxyx")))],
    ["cut at a line", (good) => gzipSync(gunzipSync(good).toString().split("\n").slice(0, -2).join("\n") + "\n")],
    ["no backup", () => Buffer.from("hello")],
    ["empty", () => Buffer.alloc(0)],
    ["another gzip", () => gzipSync("hello")],
    ["of a file outside the folder", () => sealed(`${head}{"file":"../evil","bytes":2}\nhi`)],
    ["of a file with an absolute name", () => sealed(`${head}{"file":"/tmp/evil","bytes":2}\nhi`)],
    ["of a length below zero", () => sealed(`${head}{"file":"store.json","bytes":-1}\n`)],
    ["of two files with one name", () => sealed(`${head}{"file":"a","bytes":1}\nx{"file":"a","bytes":1}\ny`)],
  ])("a file that is %s is refused in a sentence, and nothing is made", async (_what, spoil) => {
    const { file } = await made();
    const bad = `${file}.bad`;
    await writeFile(bad, spoil(await readFile(file)));
    const target = join(await folder(), "new");
    const restoring = restore({ file: bad, to: () => ({ driver: "lowdb", dir: target }), log });
    await expect(restoring).rejects.toThrow(
      /(is no backup of Parley, or not whole.*Use another backup|is there already)/,
    );
    expect(await readdir(target)).toEqual([]);
  });

  it("a missing file and a folder that is in use are refused", async () => {
    const { file, dir } = await made();
    const to = () => ({ driver: "lowdb", dir }) as const;
    await expect(restore({ file, to, log })).rejects.toThrow(/is not empty\. Nothing was restored\. Name an empty/);
    await expect(unpackBackup(`${file}.none`, join(dir, "x"))).rejects.toThrow(/There is no file .*Name a backup/);
  });
});

await describeOnPostgres("a backup of a database", (url) => {
  it("of an agent that runs, is restored into a folder and into another database with the same digest", async () => {
    const { openPostgresStore } = await import("../../storage/postgres/driver.ts");
    const place = { driver: "postgres", url, schema: "parley_seller" } as const;
    const store = await openPostgresStore({ url, schema: place.schema, log: () => undefined });
    undo.push(() => store.close());
    for (let n = 0; n < 30; n += 1) await store.commit(commitOf("a", n));
    const file = join(await folder(), "seller.backup");
    let stopped = false;
    const load = (async () => {
      for (let n = 30; !stopped; n += 1) await store.commit(commitOf("a", n));
    })();
    await backUp(place, "seller", file, log);
    stopped = true;
    await load;
    const dir = join(await folder(), "new");
    const restored = await restore({ file, to: () => ({ driver: "lowdb", dir }), log });
    expect(restored.kinds["deal"]).toBeGreaterThanOrEqual(30);
    expect(restored.kinds["event"]).toBe(restored.kinds["deal"]);
    await expect(restore({ file, to: () => place, log })).rejects.toThrow("connections of running agents are open");
    const again = await restore({ file, to: () => ({ ...place, schema: "parley_again" }), log });
    expect(again.digest).toBe(restored.digest);
  });
});
