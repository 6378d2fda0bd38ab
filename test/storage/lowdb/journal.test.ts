import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { commit, commitOk, conflict, ok, overLimit, put, reserve } from "../contract/kit.ts";
import { gatedFiles } from "../crash/files.ts";
import { tempFolder, type TempFolder } from "../crash/folders.ts";

let folder: TempFolder;
let store: Store;
let flushes: number;
let hold: Promise<void> | null;
let steps: string[];

beforeEach(async () => {
  folder = await tempFolder();
  flushes = 0;
  hold = null;
  steps = [];
  const files = gatedFiles(async (step, go) => {
    if (step.path.includes("journal-")) steps.push(step.op);
    await go();
    if (step.op !== "sync" || !step.path.includes("journal-")) return;
    flushes += 1;
    if (hold !== null) await hold;
  });
  store = await openLowdbStore({ dir: folder.dir, files });
});
afterEach(async () => {
  await store.close();
  await folder.remove();
});

const holdDisk = (): (() => void) => {
  let release = (): void => undefined;
  hold = new Promise((resolve) => {
    release = () => {
      hold = null;
      resolve();
    };
  });
  return release;
};

const settledYet = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  void promise.finally(() => (isSettled = true));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

const journalLines = async (): Promise<string[]> => {
  const names = await readdir(folder.dir);
  const [name] = names.filter((entry) => entry.startsWith("journal-"));
  return (await readFile(join(folder.dir, name ?? ""), "utf8")).trimEnd().split("\n");
};

describe("embedded store: the journal", () => {
  it("64 commits of one moment share a flush, and a row that is not durable is seen by nobody", async () => {
    const release = holdDisk();
    const terms = ["s=a"];
    const all = Promise.all(Array.from({ length: 64 }, (_, i) => commit(store, put(`d${i}`, 0, i, { terms }))));
    await expect.poll(() => flushes).toBe(1);
    expect(await settledYet(all)).toBe(false);
    expect(await store.get("deal", "d0")).toBeNull();
    expect(await store.count("deal", "s=a")).toBe(0);
    release();
    expect(await all).toEqual(Array.from({ length: 64 }, () => ok));
    expect(await store.count("deal", "s=a")).toBe(64);
    expect(flushes).toBe(1);
  });

  it("a rival is refused by what is not durable yet, and hears of it only when it is", async () => {
    const release = holdDisk();
    const winner = commit(store, put("d1", 0, "winner"), reserve("inv", [1, 1], 10, 10));
    await expect.poll(() => flushes).toBe(1);
    const rival = commit(store, put("d1", 0, "rival"));
    const late = commit(store, reserve("inv", [1, 1], 1, 10));
    expect(await settledYet(rival)).toBe(false);
    expect(await settledYet(late)).toBe(false);
    release();
    expect(await winner).toEqual(ok);
    expect(await rival).toEqual(conflict("d1"));
    expect(await late).toEqual(overLimit("inv"));
    expect((await store.get("deal", "d1"))?.body).toBe("winner");
    expect(flushes).toBe(1);
  });

  it("commits that build on one another before either is durable are applied in order", async () => {
    const release = holdDisk();
    const steps = [put("d1", 0, 1), put("d1", 1, 2), put("d1", 2, 3)].map((change) => commit(store, change));
    await expect.poll(() => flushes).toBe(1);
    steps.push(commit(store, put("d1", 3, 4)));
    release();
    expect(await Promise.all(steps)).toEqual([ok, ok, ok, ok]);
    expect(await store.get("deal", "d1")).toMatchObject({ version: 4, body: 4 });
  });

  it("the disk has the next commits to write while those of the last write are told", async () => {
    const release = holdDisk();
    steps = [];
    const first = commit(store, put("d1", 0, 1)).then(() => steps.push("first told"));
    await expect.poll(() => steps).toEqual(["write", "sync"]);
    const second = commit(store, put("d2", 0, 1)).then(() => steps.push("second told"));
    expect(await settledYet(second)).toBe(false);
    release();
    await Promise.all([first, second]);
    expect(steps).toEqual(["write", "sync", "write", "first told", "sync", "second told"]);
  });

  it("callers who are refused again and again leave the event loop its turns", async () => {
    const release = holdDisk();
    const first = commit(store, put("d1", 0, 1));
    await expect.poll(() => flushes).toBe(1);
    let isOver = false;
    let sinceTurn = 0;
    const turn = (): void => {
      sinceTurn = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const insist = async (): Promise<number> => {
      let most = 0;
      for (let refusals = 0; refusals < 500; refusals += 1) {
        await store.commit({ changes: [put("absent", 3, 1)], audit: null });
        sinceTurn += 1;
        most = Math.max(most, sinceTurn);
      }
      return most;
    };
    const insisting = insist();
    release();
    expect(await insisting).toBeLessThan(10);
    isOver = true;
    expect(await first).toEqual(ok);
  });

  it("a refusal without any commit under way is answered without a flush", async () => {
    expect(await commit(store, put("absent", 3, 1))).toEqual(conflict("absent"));
    expect(flushes).toBe(0);
  });

  it("a commit that meets a limit leaves nothing in the write that it waits for", async () => {
    const outcomes = [
      commit(store, reserve("inv", [1, 1], 10, 10)),
      commit(store, put("late", 0, 1), reserve("inv", [1, 1], 1, 10)),
      commit(store, put("d1", 0, 1)),
    ];
    expect(await Promise.all(outcomes)).toEqual([ok, overLimit("inv"), ok]);
    const lines = await journalLines();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq: 1, changes: [{ op: "reserve" }] },
      { seq: 2, changes: [{ id: "d1" }] },
    ]);
  });

  it("a body that is no JSON is refused by its row's name, whatever rows stand beside it", async () => {
    const broken = put("d2", 0, undefined as never);
    const whole = (id: string) => put(id, 0, { changes: [{ op: "put", body: 1 }] });
    for (const changes of [[broken], [whole("d1"), broken, whole("d3")], [whole("d1"), broken]]) {
      await expect(store.commit({ changes, audit: null })).rejects.toThrow("row deal/d2: the body is no JSON");
    }
    expect(await store.count("deal", null)).toBe(0);
    await commitOk(store, whole("d1"));
    expect((await journalLines()).length).toBe(1);
  });

  it("every commit is one line of JSON with its checksum in front", async () => {
    await commitOk(store, put("d1", 0, { a: "\né" }, { terms: ["s=a"], dueAtMs: 7 }), reserve("inv", [1, 2], 3));
    await commitOk(store, put("d1", 1, 2));
    const lines = await journalLines();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        c: expect.stringMatching(/^[0-9a-f]{8}$/),
        seq: 1,
        audit: null,
        changes: [
          { op: "put", kind: "deal", id: "d1", n: 1, version: 1, terms: ["s=a"], dueAtMs: 7, body: { a: "\né" } },
          { op: "reserve", ledger: "inv", fromSlot: 1, toSlot: 2, amount: 3 },
        ],
      },
      {
        c: expect.any(String),
        seq: 2,
        audit: null,
        changes: [{ op: "put", kind: "deal", id: "d1", n: 1, version: 2, terms: [], dueAtMs: null, body: 2 }],
      },
    ]);
  });
});
