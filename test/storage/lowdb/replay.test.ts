import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { Json } from "../../../storage/store.ts";
import { auditEntry, commitOk, put, remove, reserve } from "../contract/kit.ts";
import { allRows } from "../crash/bookings.ts";
import { tempFolder, withStore, type TempFolder } from "../crash/folders.ts";

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

const change = '{"op":"put","kind":"deal","id":"d9","n":9,"version":1,"terms":[],"dueAtMs":null,"body":1}';
const likeChanges = {
  text: `},${change}`,
  changes: [JSON.parse(change) as Json, JSON.parse(change) as Json],
  é: "€",
};

const asciiLike = { changes: likeChanges.changes };

const deadFolder = async (): Promise<string> => {
  const store = await openLowdbStore({ dir: folder.dir });
  await commitOk(store, put("d1", 0, likeChanges, { terms: ["s=a"], dueAtMs: 7 }), reserve("inv", [1, 2], 3));
  await commitOk(store, put("d2", 0, 2), put("d3", 0, likeChanges), reserve("inv", [2, 2], 1), put("d4", 0, asciiLike));
  await commitOk(store, put("d5", 0, asciiLike), put("d6", 0, 6));
  await commitOk(store, remove("d2", 1), put("d1", 1, { ...likeChanges, note: "é" }, { terms: ["s=b"] }));
  await store.commit({ changes: [], audit: auditEntry("r1") });
  const dead = await folder.copyOf(folder.dir);
  await store.close();
  return dead;
};

const journal = "journal-0000000000000001.jsonl";

const sealed = (members: string): string => `{"c":"${crc32(members).toString(16).padStart(8, "0")}",${members}`;

/** And makes the checksums fit. */
const rewrite = async (dir: string, to: (members: string) => string): Promise<void> => {
  const lines = (await readFile(join(dir, journal), "utf8")).trimEnd().split("\n");
  const changed = lines.map((line) => `${sealed(to(line.slice('{"c":"00000000",'.length)))}\n`);
  await writeFile(join(dir, journal), changed.join(""));
};

const expectAll = async (dir: string): Promise<void> =>
  await withStore({ dir }, async (store) => {
    expect(await allRows(store, "deal")).toMatchObject([
      { id: "d1", n: 1, version: 2, body: { ...likeChanges, note: "é" } },
      { id: "d3", n: 3, version: 1, body: likeChanges },
      { id: "d4", n: 4, version: 1, body: asciiLike },
      { id: "d5", n: 5, version: 1, body: asciiLike },
      { id: "d6", n: 6, version: 1, body: 6 },
    ]);
    expect([await store.count("deal", "s=a"), await store.count("deal", "s=b")]).toEqual([0, 1]);
    expect(await store.due(7, 10)).toEqual([]);
    expect([await store.reserved("inv", 1, 1), await store.reserved("inv", 2, 2)]).toEqual([3, 4]);
    expect((await store.auditHeads())[0]).toMatchObject({ seq: 1 });
  });

describe("embedded store: the replay of a journal", () => {
  it("takes every change, whatever the bodies hold", async () => {
    await expectAll(await deadFolder());
  });

  it("takes records of the version before, which also say where each change ends", async () => {
    const dir = await deadFolder();
    await rewrite(dir, (members) => members.replace(/^"seq":\d+,/, (seq) => `${seq}"ends":[1,2,3],`));
    await expectAll(dir);
  });
});
