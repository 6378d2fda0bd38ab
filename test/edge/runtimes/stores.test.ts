import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { EntryStore, IdentityStore, IdentityWrite, RateCounter } from "../../../agents/edge/platform.ts";
import { createStoredIdentity } from "../../../agents/edge/runtimes/node/identity.ts";
import { createFileEntries, createRateCounter } from "../../../agents/edge/runtimes/node/stores.ts";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";

const HASH = "a".repeat(64);
const OTHER = "b".repeat(64);

const write = (id: string, body = "{}", ttlSeconds = 100): IdentityWrite => ({ id, body, metadata: "{}", ttlSeconds });

type Opened = {
  readonly store: IdentityStore;
  readonly at: (nowMs: number) => void;
  readonly close: () => Promise<void>;
};

const describeIdentityStore = (name: string, open: (folder: string) => Promise<Opened>): void => {
  describe(`identity store contract: ${name}`, () => {
    const cleanups: (() => Promise<void>)[] = [];
    const start = async () => {
      const folder = await mkdtemp(join(tmpdir(), "parley-identity-"));
      const opened = await open(folder);
      cleanups.push(opened.close, () => rm(folder, { recursive: true, force: true }));
      return { ...opened, folder };
    };
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0)) await cleanup();
    });

    test("an unknown id is absent", async () => {
      const { store } = await start();
      expect(await store.get(`${HASH}.aaaaaa`)).toBeNull();
      expect(await store.countPrefix(HASH, 100)).toBe(0);
    });

    test("an added entry reads back, and cannot be added again", async () => {
      const { store } = await start();
      expect(await store.add(write(`${HASH}.aaaaaa`, '{"v":1}'))).toBe(true);
      expect(await store.add(write(`${HASH}.aaaaaa`, '{"v":2}'))).toBe(false);
      expect((await store.get(`${HASH}.aaaaaa`))?.body).toBe('{"v":1}');
    });

    test("of many concurrent adds one wins", async () => {
      const { store } = await start();
      const adds = Array.from({ length: 20 }, (_, index) => store.add(write(`${HASH}.aaaaaa`, String(index))));
      expect((await Promise.all(adds)).filter(Boolean)).toHaveLength(1);
    });

    test("compare-and-set needs the generation that was read", async () => {
      const { store } = await start();
      await store.add(write(`${HASH}.aaaaaa`, "1"));
      const generation = (await store.get(`${HASH}.aaaaaa`))?.generation ?? -1;
      const writes = Array.from({ length: 20 }, () => store.ifGeneration(write(`${HASH}.aaaaaa`, "2"), generation));
      expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(1);
      expect(await store.ifGeneration(write(`${HASH}.aaaaaa`, "3"), generation)).toBe(false);
      expect((await store.get(`${HASH}.aaaaaa`))?.body).toBe("2");
      expect((await store.get(`${HASH}.aaaaaa`))?.generation).not.toBe(generation);
      expect(await store.ifGeneration(write(`${OTHER}.aaaaaa`, "x"), 1)).toBe(false);
    });

    test("several compare-and-set writes are all done, or none", async () => {
      const { store } = await start();
      const ids = ["aaaaaa", "bbbbbb", "cccccc"].map((suffix) => `${HASH}.${suffix}`);
      for (const id of ids) await store.add(write(id, "old"));
      const read = async () => Promise.all(ids.map(async (id) => (await store.get(id))?.body));
      const generations = await Promise.all(ids.map(async (id) => (await store.get(id))?.generation ?? -1));
      const writes = ids.map((id, index) => ({ write: write(id, "new"), generation: generations[index] ?? -1 }));
      await store.overwrite(write(`${HASH}.cccccc`, "meanwhile"));
      expect(await store.ifGenerations(writes)).toBe(false);
      expect(await read()).toEqual(["old", "old", "meanwhile"]);
      expect(await store.ifGenerations(writes.slice(0, 2))).toBe(true);
      expect(await read()).toEqual(["new", "new", "meanwhile"]);
      expect(await store.ifGenerations([])).toBe(true);
    });

    test("an entry past its end is absent, is not counted, and makes room for a new one", async () => {
      const { store, at } = await start();
      at(1_000_000);
      await store.add(write(`${HASH}.aaaaaa`, "old", 10));
      at(1_000_000 + 9_999);
      expect((await store.get(`${HASH}.aaaaaa`))?.body).toBe("old");
      at(1_000_000 + 10_000);
      expect(await store.get(`${HASH}.aaaaaa`)).toBeNull();
      expect(await store.countPrefix(HASH, 100)).toBe(0);
      expect(await store.add(write(`${HASH}.aaaaaa`, "new", 10))).toBe(true);
      expect((await store.get(`${HASH}.aaaaaa`))?.body).toBe("new");
    });

    test("the cluster is counted up to the cap, other clusters are not", async () => {
      const { store } = await start();
      for (let index = 0; index < 7; index += 1) await store.add(write(`${HASH}.aaaaa${index}`));
      await store.add(write(`${OTHER}.aaaaaa`));
      expect(await store.countPrefix(HASH, 100)).toBe(7);
      expect(await store.countPrefix(HASH, 5)).toBe(5);
    });

    test("what was written survives a restart", async () => {
      const { store, close, folder } = await start();
      await store.add(write(`${HASH}.aaaaaa`, "kept"));
      await close();
      cleanups.splice(cleanups.indexOf(close), 1);
      const again = await open(folder);
      cleanups.unshift(again.close);
      expect((await again.store.get(`${HASH}.aaaaaa`))?.body).toBe("kept");
    });
  });
};

describeIdentityStore("over the storage port, embedded driver", async (folder) => {
  const store = await openLowdbStore({ dir: folder });
  let nowMs = 1_000;
  return {
    store: createStoredIdentity(store, "ec-store", () => nowMs),
    at: (next) => {
      nowMs = next;
    },
    close: () => store.close(),
  };
});

test("identity store: two names in one folder do not share entries", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-identity-"));
  const store = await openLowdbStore({ dir: folder });
  const [one, two] = ["one", "two"].map((name) => createStoredIdentity(store, name, Date.now));
  await one?.add(write(`${HASH}.aaaaaa`, "1"));
  expect(await two?.get(`${HASH}.aaaaaa`)).toBeNull();
  expect(await two?.countPrefix(HASH, 10)).toBe(0);
  await store.close();
  await rm(folder, { recursive: true });
});

describe("entry store contract: files in the data folder", () => {
  const withEntries = async (work: (entries: EntryStore, folder: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), "parley-entries-"));
    await work(createFileEntries(folder, "entries.json"), folder);
    await rm(folder, { recursive: true });
  };

  test("absent, written and removed entries are told apart, also after a restart", async () => {
    await withEntries(async (entries, folder) => {
      expect(await entries.get("s", "k")).toBeUndefined();
      await entries.put("s", "k", "v");
      await entries.put("s", "gone", "x");
      await entries.remove("s", "gone");
      const again = createFileEntries(folder, "entries.json");
      expect([await again.get("s", "k"), await again.get("s", "gone"), await again.get("s", "other")]).toEqual([
        "v",
        null,
        undefined,
      ]);
    });
  });

  test("concurrent writes are all kept", async () => {
    await withEntries(async (entries) => {
      await Promise.all(Array.from({ length: 20 }, (_, index) => entries.put("s", `k${index}`, String(index))));
      for (let index = 0; index < 20; index += 1) expect(await entries.get("s", `k${index}`)).toBe(String(index));
    });
  });

  test("names of prototypes are names like any other", async () => {
    await withEntries(async (entries) => {
      expect(await entries.get("__proto__", "toString")).toBeUndefined();
      await entries.put("s", "__proto__", "v");
      expect(await entries.get("s", "__proto__")).toBe("v");
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });

  test("only the owner may read the file", async () => {
    await withEntries(async (entries, folder) => {
      await entries.put("s", "k", "v");
      expect((await stat(join(folder, "entries.json"))).mode & 0o777).toBe(0o600);
    });
  });
});

describe("rate counter contract: memory of the process", () => {
  const start = (): { counter: RateCounter; at: (ms: number) => void } => {
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    return { counter: createRateCounter(), at: (next) => void vi.setSystemTime(next) };
  };

  test("as many calls as the limit are admitted in 60 seconds, keys apart", async () => {
    const { counter, at } = start();
    const calls = await Promise.all(Array.from({ length: 5 }, () => counter.take("a", 3)));
    expect(calls).toEqual([true, true, true, false, false]);
    expect(await counter.take("b", 3)).toBe(true);
    at(59_999);
    expect(await counter.take("a", 3)).toBe(false);
    at(60_000);
    expect(await counter.take("a", 3)).toBe(true);
  });

  test("a limit of zero admits nobody", async () => {
    expect(await start().counter.take("a", 0)).toBe(false);
  });
});
