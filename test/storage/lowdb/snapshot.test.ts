import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyAuditTrail } from "../../../storage/audit.ts";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { AuditRecord, Store } from "../../../storage/store.ts";
import { auditEntry, collect, commitOk, put, remove, reserve } from "../contract/kit.ts";
import { acknowledged, allRows, book, cancel, expectWhole } from "../crash/bookings.ts";
import { crashingFiles, gatedFiles } from "../crash/files.ts";
import { tempFolder, withStore, type TempFolder } from "../crash/folders.ts";

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

const pathOf = (name: string): string => join(folder.dir, name);
const filesOf = async (): Promise<string[]> => (await readdir(folder.dir)).sort();
const openHere = (snapshotAfterBytes = 32 << 20): Promise<Store> =>
  openLowdbStore({ dir: folder.dir, snapshotAfterBytes, warn: () => undefined });

const withAudit = (store: Store, id: string) =>
  store.commit({ changes: [put(id, 0, { id }, { terms: ["s=a"] })], audit: auditEntry(id) });

const closedFolder = async (): Promise<void> => {
  const store = await openHere();
  for (const id of ["r1", "r2", "r3"]) await withAudit(store, id);
  await commitOk(store, reserve("inv", [1, 2], 7));
  await store.close();
};

const contents = async (): Promise<readonly (readonly [string, string])[]> =>
  Promise.all((await filesOf()).map(async (name) => [name, await readFile(pathOf(name), "utf8")] as const));

const edit = async (name: string, change: (text: string) => string): Promise<void> =>
  writeFile(pathOf(name), change(await readFile(pathOf(name), "utf8")));

describe("embedded store: the snapshot", () => {
  it("is one readable JSON document with a row per line, and replaces the journal at close", async () => {
    await closedFolder();
    expect(await filesOf()).toEqual(["audit-archive.jsonl", "journal-0000000000000005.jsonl", "store.json"]);
    expect(await readFile(pathOf("journal-0000000000000005.jsonl"), "utf8")).toBe("");
    const text = await readFile(pathOf("store.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      head: { format: 2, seq: 4, n: 3, audit: { seq: 3 } },
      rows: [
        { kind: "deal", id: "r1", n: 1, version: 1, terms: ["s=a"], dueAtMs: null, body: { id: "r1" } },
        { id: "r2" },
        { id: "r3" },
      ],
      ledgers: [
        {
          ledger: "inv",
          seq: 4,
          slots: [
            [1, 7],
            [2, 7],
          ],
        },
      ],
      sums: [],
      tail: { rows: 3, ledgers: 1, sums: 0, seq: 4 },
    });
    expect(text.split("\n").filter((line) => line.includes('"kind":"deal"'))).toHaveLength(3);
  });

  it("a close without a commit since the last snapshot writes none", async () => {
    await closedFolder();
    const before = await readFile(pathOf("store.json"), "utf8");
    await (await openHere()).close();
    expect(await readFile(pathOf("store.json"), "utf8")).toBe(before);
  });

  it("is written in idle times as well", async () => {
    const store = await openLowdbStore({ dir: folder.dir, snapshotAfterBytes: 100, snapshotWhenIdleMs: 20 });
    await commitOk(store, put("d1", 0, 1));
    const rows = async () => (JSON.parse(await readFile(pathOf("store.json"), "utf8")) as { rows: unknown[] }).rows;
    await expect.poll(rows).toHaveLength(1);
    await store.close();
  });

  it("waits for a journal half as large again as the last one", async () => {
    const first = await openHere();
    await commitOk(first, put("d1", 0, "x".repeat(40_000)));
    await first.close();
    const store = await openHere(1_000);
    const rows = async () =>
      (JSON.parse(await readFile(pathOf("store.json"), "utf8")) as { rows: { version: number }[] }).rows;
    for (let version = 1; version < 52; version += 1) await commitOk(store, put("d1", version, "x".repeat(900)));
    expect(await rows()).toMatchObject([{ version: 1 }]);
    for (let version = 52; version < 66; version += 1) await commitOk(store, put("d1", version, "x".repeat(900)));
    await expect.poll(rows).not.toMatchObject([{ version: 1 }]);
    await store.close();
  });

  it("snapshots under load hold every commit once, whatever was created, changed and removed meanwhile", async () => {
    const files = crashingFiles({ at: 1_000_000, half: false }, () => undefined);
    const store = await openLowdbStore({ dir: folder.dir, files, snapshotAfterBytes: 20_000, warn: () => undefined });
    const lines: string[] = [];
    const work = async (writer: number): Promise<void> => {
      for (let i = 0; i < 60; i += 1) {
        const id = `w${writer}-${i}`;
        await book(store, id, i);
        lines.push(`book ${id}`);
        if (i % 2 === 0) await cancel(store, id, i).then(() => lines.push(`cancel ${id}`));
        await store.commit({ changes: [put("again", 0, i, { kind: "scratch" })], audit: null });
        const scratch = await store.get("scratch", "again");
        await store.commit({ changes: [remove("again", scratch?.version ?? 1, "scratch")], audit: null });
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, writer) => work(writer)));
    expect(files.taken.filter((op) => op === "rename").length).toBeGreaterThan(5);
    await files.freeze();
    const left = await folder.copyOf(folder.dir);
    await withStore({ dir: left }, async (again) => {
      expect(await expectWhole(again, acknowledged(lines))).toBe(960);
      expect((await allRows(again, "scratch")).length).toBeLessThanOrEqual(1);
    });
    await files.abandon();
  });
});

describe("embedded store: a folder that was changed by hand stops the start and names the place", () => {
  const json = (change: (text: string) => string) => () => edit("store.json", change);
  const archive = (change: (text: string) => string) => () => edit("audit-archive.jsonl", change);
  const changes: [string, () => Promise<void>, RegExp][] = [
    ["a changed amount", json((text) => text.replace("[1,7]", "[1,8]")), /store\.json line 8 .*checksum.*backup/],
    ["a changed body", json((text) => text.replace('{"id":"r2"}', '{"id":"r9"}')), /store\.json line 5 /],
    ["a removed row", json((text) => text.replace(/^,.*"r2".*\n/m, "")), /store\.json is not whole/],
    ["a cut end", json((text) => text.slice(0, -60)), /store\.json line 10 .*middle of a line/],
    ["an empty file", json(() => ""), /store\.json is not whole/],
    ["another format", json(() => '{"deals":[]}\n'), /store\.json line 1 /],
    ["a missing snapshot", () => rm(pathOf("store.json")), /store\.json is missing/],
    ["a missing archive", () => rm(pathOf("audit-archive.jsonl")), /audit-archive\.jsonl ends with audit record 0/],
    ["a shortened archive", archive((text) => text.replace(/.*\n$/, "")), /ends with audit record 2/],
    ["a torn archive", archive((text) => text.slice(0, -5)), /ends with audit record 2/],
  ];

  it.each(changes)("%s", async (_, change, message) => {
    await closedFolder();
    await change();
    const before = await contents();
    await expect(openHere()).rejects.toThrow(message);
    await expect(openHere()).rejects.toMatchObject({ code: "store_damaged" });
    expect(await contents()).toEqual(before);
  });

  it("a journal segment that is gone, and a record that is gone from its middle", async () => {
    const store = await openHere();
    for (const id of ["r1", "r2", "r3"]) await withAudit(store, id);
    const [dead, cut] = [await folder.copyOf(folder.dir), await folder.copyOf(folder.dir)];
    await store.close();
    const journal = "journal-0000000000000001.jsonl";
    const lines = (await readFile(join(cut, journal), "utf8")).split("\n");
    await writeFile(join(cut, journal), [lines[0], lines[2], ""].join("\n"));
    await expect(openLowdbStore({ dir: cut })).rejects.toThrow(/line 2 .*record 3 follows record 1/);
    await rm(join(dead, "store.json"));
    await expect(openLowdbStore({ dir: dead })).rejects.toThrow(/store\.json is missing beside its journal/);
  });
});

describe("embedded store: a journal segment that is not there", () => {
  const segmentsOf = async (dir: string): Promise<string[]> =>
    (await readdir(dir)).filter((name) => name.startsWith("journal-")).sort();

  /** After its first life, and after the next start before its first commit. */
  const deadFolders = async (): Promise<readonly [string, string]> => {
    const store = await openHere();
    for (const id of ["r1", "r2"]) await withAudit(store, id);
    const first = await folder.copyOf(folder.dir);
    await store.close();
    const next = await folder.copyOf(first);
    const again = await openLowdbStore({ dir: next });
    const second = await folder.copyOf(next);
    await again.close();
    return [first, second];
  };

  const expectDamaged = async (dir: string, message: RegExp): Promise<void> => {
    const before = await readdir(dir);
    await expect(openLowdbStore({ dir })).rejects.toThrow(message);
    await expect(openLowdbStore({ dir })).rejects.toMatchObject({ code: "store_damaged" });
    expect(await readdir(dir)).toEqual(before);
  };

  it("stops the start instead of beginning an empty store, whatever other segments there are", async () => {
    const [alone, followed] = await deadFolders();
    expect(await segmentsOf(alone)).toEqual(["journal-0000000000000001.jsonl"]);
    expect(await segmentsOf(followed)).toEqual(["journal-0000000000000001.jsonl", "journal-0000000000000003.jsonl"]);
    for (const dir of [alone, followed]) {
      await rm(join(dir, "journal-0000000000000001.jsonl"));
      await expectDamaged(dir, /journal-0000000000000001\.jsonl is missing beside the snapshot.*backup/);
    }
  });

  it("stops the start after a clean stop, where the segment was empty", async () => {
    await closedFolder();
    for (const name of await segmentsOf(folder.dir)) await rm(pathOf(name));
    await expectDamaged(folder.dir, /is missing beside the snapshot/);
  });

  it("stops the start where it lay between two others", async () => {
    const [, dir] = await deadFolders();
    const store = await openLowdbStore({ dir });
    await withAudit(store, "r3");
    const dead = await folder.copyOf(dir);
    await store.close();
    const last = await openLowdbStore({ dir: dead });
    const four = await folder.copyOf(dead);
    await last.close();
    expect(await segmentsOf(four)).toHaveLength(3);
    await rm(join(four, "journal-0000000000000003.jsonl"));
    await expectDamaged(four, /0004\.jsonl: the journal before it ends with record 2, so one of its files is missing/);
  });

  it("does not stop a first start that was cut short, before its snapshot or behind it", async () => {
    await mkdir(folder.dir, { recursive: true });
    await writeFile(pathOf("journal-0000000000000001.jsonl"), "");
    for (const id of ["r1", "r2"]) {
      const store = await openHere();
      await withAudit(store, id);
      await store.close();
    }
    expect(await segmentsOf(folder.dir)).toEqual(["journal-0000000000000003.jsonl"]);
  });

  it("an empty segment that the journal goes on in is never removed, so that a kill cannot leave none", async () => {
    await closedFolder();
    const removed: string[] = [];
    const files = gatedFiles(async (step, go) => {
      if (step.op === "remove") removed.push(step.path);
      await go();
    });
    await withStore({ dir: folder.dir, files }, async () => undefined);
    expect(removed.filter((path) => path.includes("journal-"))).toEqual([]);
  });

  it("is missed by whoever reads the audit trail while the store is open", async () => {
    const store = await openHere();
    await withAudit(store, "r1");
    await rm(pathOf("journal-0000000000000001.jsonl"));
    await expect(collect(store.auditTrail())).rejects.toMatchObject({ code: "store_damaged" });
    await store.close();
  });
});

describe("embedded store: the audit trail over archive and journal", () => {
  it("goes from archive to journal without a gap, while snapshots move it", async () => {
    const store = await openHere(2_000);
    const reading: Promise<AuditRecord[]>[] = [];
    for (let i = 0; i < 120; i += 1) {
      await withAudit(store, `r${i}`);
      if (i % 10 === 0) reading.push(collect(store.auditTrail()));
    }
    const trails = await Promise.all(reading);
    expect(trails.map((trail) => trail.length >= 1)).not.toContain(false);
    for (const trail of trails) expect(await verifyAuditTrail(trail)).toMatchObject({ ok: true });
    const heads = await store.auditHeads();
    const whole = await collect(store.auditTrail());
    expect(whole.map((record) => record.request_id)).toEqual(Array.from({ length: 120 }, (_, i) => `r${i}`));
    expect(await verifyAuditTrail(whole, heads)).toMatchObject({ ok: true, records: 120 });
    expect((await collect(store.auditTrailBack(null))).reverse()).toEqual(whole);
    await store.close();
  });

  it("lines longer than the pieces that a file is read in come back from the journal, the snapshot and the archive", async () => {
    const store = await openHere();
    const ids = Array.from({ length: 40 }, (_, i) => `r${i}`);
    for (const [i, id] of ids.entries()) {
      const note = "é".repeat(i === 20 ? 3 << 20 : 30_000 + i);
      await store.commit({ changes: [put(id, 0, { note })], audit: auditEntry(id) });
    }
    const dead = await folder.copyOf(folder.dir);
    await store.close();
    for (const dir of [dead, folder.dir]) {
      await withStore({ dir }, async (again) => {
        expect(await again.get("deal", "r20")).toMatchObject({ body: { note: "é".repeat(3 << 20) } });
        const trail = await collect(again.auditTrail());
        expect(trail.map((record) => record.request_id)).toEqual(ids);
        expect(await verifyAuditTrail(trail, await again.auditHeads())).toMatchObject({ ok: true, records: 40 });
        const below = new Map([[trail[0]?.chain ?? "", 11]]);
        expect(await collect(again.auditTrailBack(below))).toEqual(trail.slice(0, 10).reverse());
        expect((await collect(again.auditTrailBack(null))).reverse()).toEqual(trail);
      });
    }
  });

  it("a segment that has lost an audit record is not archived and stays, and a warning says so", async () => {
    const warnings: string[] = [];
    const store = await openLowdbStore({ dir: folder.dir, warn: (message) => warnings.push(message) });
    for (const id of ["r1", "r2", "r3"]) await withAudit(store, id);
    const segment = "journal-0000000000000001.jsonl";
    await edit(segment, (text) => text.replace(/^.*"r2".*\n/m, ""));
    const left = await readFile(pathOf(segment), "utf8");
    await store.close();
    expect(warnings).toEqual([expect.stringMatching(/no snapshot.*does not hold those up to 3/)]);
    expect(await readFile(pathOf(segment), "utf8")).toBe(left);
  });

  it.each(["not JSON", "null", "{}"])(
    "a line of the archive that became %j is named by a check, and left out of a list",
    async (line) => {
      await closedFolder();
      await edit("audit-archive.jsonl", (text) => text.replace(/.*"request_id":"r2".*/, line));
      const store = await openHere();
      const verdict = await verifyAuditTrail(store.auditTrail(), await store.auditHeads());
      expect(verdict).toMatchObject({ ok: false, seq: 2 });
      expect(verdict).toHaveProperty("reason", expect.stringMatching(/audit-archive\.jsonl line 2 \(byte \d+\)/));
      expect((await collect(store.auditTrailBack(null))).map(({ seq }) => seq)).toEqual([3, 1]);
      await store.close();
    },
  );

  it("whole lines cut from the end of the journal are found by a hash that was kept", async () => {
    const store = await openHere();
    for (const id of ["r1", "r2", "r3"]) await withAudit(store, id);
    const [head] = await store.auditHeads();
    const left = await folder.copyOf(folder.dir);
    await store.close();
    const journal = join(left, "journal-0000000000000001.jsonl");
    await writeFile(journal, (await readFile(journal, "utf8")).replace(/[^\n]*\n$/, ""));
    await withStore({ dir: left }, async (again) => {
      expect(await verifyAuditTrail(again.auditTrail(), await again.auditHeads())).toMatchObject({
        ok: true,
        records: 2,
      });
      const kept = await verifyAuditTrail(again.auditTrail(), await again.auditHeads(), head?.hash);
      expect(kept).toMatchObject({ ok: false, seq: 3 });
      expect(kept).toHaveProperty("reason", expect.stringContaining("the trail was cut behind record 2"));
    });
  });

  it("a record that was changed in the archive is named", async () => {
    await closedFolder();
    await edit("audit-archive.jsonl", (text) => text.replace('"request_id":"r2"', '"request_id":"rX"'));
    const store = await openHere();
    expect(await verifyAuditTrail(store.auditTrail(), await store.auditHeads())).toMatchObject({ ok: false, seq: 2 });
    await store.close();
  });

  it("bodies of all sizes and alphabets come back, before and after a start", async () => {
    const bodies = ["", "ö", "日本語", "😀", "\u2028\ud800", "x".repeat(70_000), "ñ".repeat(2 << 20), "a", "b"];
    const options = { dir: folder.dir };
    await withStore(options, async (store) => {
      await commitOk(
        store,
        ...bodies.map((body, i) => put(`é${i}`, 0, { body }, { terms: [`t=${body.slice(0, 3)}`] })),
      );
      for (const [i, body] of bodies.entries()) expect((await store.get("deal", `é${i}`))?.body).toEqual({ body });
    });
    await withStore(options, async (store) => {
      for (const [i, body] of bodies.entries()) {
        expect((await store.get("deal", `é${i}`))?.body).toEqual({ body });
        const query = { kind: "deal", terms: [`t=${body.slice(0, 3)}`], order: "oldest", limit: 1 } as const;
        expect(await store.list(query)).toMatchObject([{ id: `é${i}`, body: { body } }]);
      }
    });
  });

  it("a row that was read keeps its body whatever is written before it is looked into", async () => {
    const store = await openLowdbStore({ dir: folder.dir });
    await commitOk(store, put("d1", 0, { status: "first" }));
    const first = await store.get("deal", "d1");
    await commitOk(store, put("d1", 1, { status: "second" }));
    expect(first).toMatchObject({ version: 1, body: { status: "first" } });
    expect((await store.get("deal", "d1"))?.body).toEqual({ status: "second" });
    await store.close();
  });
});
