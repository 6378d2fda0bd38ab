import { mkdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Low } from "lowdb";
import { applyRecord, emptyDocument, type Document } from "../../storage/lowdb/document.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { diskFiles } from "../../storage/lowdb/files.ts";
import { parseChanges } from "../../storage/lowdb/record.ts";
import { snapshotAdapter } from "../../storage/lowdb/snapshot.ts";
import { storedRow } from "../../storage/lowdb/queries.ts";
import { findRow, imageOf } from "../../storage/lowdb/tables.ts";
import type { StoredRow } from "../../storage/store.ts";
import { commitOk, put } from "./contract/kit.ts";
import { tempFolder, withStore, type TempFolder } from "./crash/folders.ts";

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

const rowCount = 2_000;
const bodyOf = (number: number, version: number): object => ({ number, version, note: "ñ€😀".repeat(100) });

const recordRows = 50;

/** Applies changes as a replay does. */
const replay = (document: Document, changes: readonly object[]): void => {
  const read = parseChanges(Buffer.from(JSON.stringify(changes)), document.tables);
  applyRecord(document, { seq: document.mark.seq + 1, audit: null, ...read }, false);
};

const removal = (number: number) => ({ op: "remove", kind: "deal", id: `d${number}` });

/** Writes rows in records of 50. */
const write = (document: Document, numbers: readonly number[], version: number): void => {
  for (let from = 0; from < numbers.length; from += recordRows) {
    const changes = numbers.slice(from, from + recordRows).map((number) => {
      const members = { kind: "deal", id: `d${number}`, n: number + 1, version, terms: [], dueAtMs: null };
      return { op: "put", ...members, body: bodyOf(number, version) };
    });
    replay(document, changes);
  }
};

const numbers = Array.from({ length: rowCount }, (_, number) => number);

/** A row as a reader gets it; null where there is none. */
const readOf = ({ tables }: Document, number: number): StoredRow | null => {
  const row = findRow(tables, "deal", `d${number}`);
  return row === -1 ? null : storedRow(tables, row);
};

/** Bytes of all slabs that the rows and the next writes hold, and those of the rows in them. */
const held = (document: Document): { readonly all: number; readonly live: number; readonly counted: number } => {
  const slabs = new Set([document.tables.slabs.current]);
  let live = 0;
  for (const number of numbers) {
    const row = findRow(document.tables, "deal", `d${number}`);
    if (row === -1) continue;
    const { slab, start, end } = imageOf(document.tables, row);
    slabs.add(slab);
    live += end - start;
  }
  const sum = (of: "live" | "all"): number =>
    [...slabs].reduce((total, slab) => total + (of === "live" ? slab.live : slab.bytes.length), 0);
  return { all: sum("all"), live, counted: sum("live") };
};

describe("slabs", () => {
  it("a slab counts the bytes of the rows that lie in it, through updates and removals", () => {
    const document = emptyDocument();
    write(document, numbers, 1);
    write(document, numbers.slice(0, 500), 2);
    replay(document, [removal(7)]);
    const { live, counted } = held(document);
    expect(counted).toBe(live);
    expect(live).toBeGreaterThan(rowCount * 500);
  });

  it("a snapshot leaves the slabs that are mostly dead, and changes no row", async () => {
    const document = emptyDocument();
    write(document, numbers, 1);
    // Every version but the last leaves a tenth of the rows behind in its slabs.
    const lastVersion = (number: number): number => Math.min(1 + (number % 10), 7);
    for (let version = 2; version < 8; version += 1) {
      const written = numbers.filter((number) => lastVersion(number) >= version);
      write(document, written, version);
    }
    const read = readOf(document, 0);
    const before = held(document);
    expect(before.all).toBeGreaterThan(before.live * 2 + (1 << 20));
    await mkdir(folder.dir);
    const adapter = snapshotAdapter(diskFiles, folder.dir);
    await new Low(adapter, document).write();
    const after = held(document);
    expect(after.live).toBe(before.live);
    expect(after.counted).toBe(before.live);
    expect(after.all).toBeLessThanOrEqual(after.live * 2 + (1 << 20));
    expect(read?.body).toEqual(bodyOf(0, 1));
    for (const number of numbers) {
      expect(readOf(document, number)?.body).toEqual(bodyOf(number, lastVersion(number)));
    }
    const again = await adapter.read();
    expect(again?.tables.kinds.get("deal")?.all.size).toBe(rowCount);
  });

  it("a snapshot lets the event loop have its turns while it meets only rows that are gone", async () => {
    const document = emptyDocument();
    write(document, numbers, 1);
    replay(document, numbers.slice(1).map(removal));
    const done = async (): Promise<void> => undefined;
    const file = { write: done, sync: done, truncate: done, close: done };
    const files = { ...diskFiles, create: async () => file, rename: done, syncFolder: done };
    // Each look at the clock is 0.6 ms after the last: a slice of 1 ms has one step.
    let nowMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 0.6));
    let turns = 0;
    let ticking = setImmediate(function tick() {
      turns += 1;
      ticking = setImmediate(tick);
    });
    try {
      await snapshotAdapter(files, folder.dir).write(document);
    } finally {
      clearImmediate(ticking);
      clock.mockRestore();
    }
    expect(turns).toBeGreaterThan(rowCount / 20);
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

  it("memory in which no row lies any more serves again, and rows that were read from it keep their bodies", () => {
    const document = emptyDocument();
    write(document, numbers, 1);
    const read = numbers.map((number) => readOf(document, number));
    const { slabs } = document.tables;
    const memory = new Set(slabs.all.map((slab) => slab?.bytes));
    write(document, numbers, 2);
    const enough = new Set([...memory, ...slabs.all.map((slab) => slab?.bytes)]);
    write(document, numbers, 3);
    expect(slabs.all.some((slab) => slab !== null && memory.has(slab.bytes))).toBe(true);
    expect(slabs.all.every((slab) => enough.has(slab?.bytes) || slab === null)).toBe(true);
    for (const number of numbers) expect(read[number]?.body).toEqual(bodyOf(number, 1));
    for (const number of numbers) expect(readOf(document, number)?.body).toEqual(bodyOf(number, 3));
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
