import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Window } from "../../../server/rate-limiter.ts";
import type { EntryStore, RateCounter } from "../../platform.ts";

type Tables = Record<string, Record<string, string | null>>;

const readTables = async (file: string): Promise<Tables> => {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Tables;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
};

/** Written beside, made durable, then moved over, so that a crash leaves the old file or the new one. */
const writeTables = async (folder: string, file: string, tables: Tables): Promise<void> => {
  await mkdir(folder, { recursive: true });
  const draft = `${file}.draft`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(JSON.stringify(tables, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
};

/**
 * Entries written at run time, one JSON file in the data folder, readable by its owner alone. Writes are one after the
 * other and resolve when durable. A removed entry is kept as `null`, so that it hides the one that the start gave.
 */
export const createFileEntries = (folder: string, name: string): EntryStore => {
  const file = join(folder, name);
  let last: Promise<unknown> = Promise.resolve();
  const change = (store: string, key: string, value: string | null): Promise<void> => {
    const next = last.then(async () => {
      const tables = await readTables(file);
      const table = Object.assign(Object.create(null) as Record<string, string | null>, tables[store]);
      table[key] = value;
      await writeTables(folder, file, { ...tables, [store]: table });
    });
    last = next.catch(() => undefined);
    return next;
  };
  return {
    async get(store, key) {
      await last;
      const tables = await readTables(file);
      const table = Object.hasOwn(tables, store) ? tables[store] : undefined;
      return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
    },
    put: (store, key, value) => change(store, key, value),
    remove: (store, key) => change(store, key, null),
  };
};

/** Counts the last 60 seconds. No start waits for its library: the first counted call reads it. */
export const createRateCounter = (): RateCounter => {
  const windows = new Map<number, Window>();
  return {
    async take(key, limit) {
      const { createWindow } = await import("../../../server/rate-limiter.ts");
      const window = windows.get(limit) ?? createWindow(limit, 60);
      windows.set(limit, window);
      return (await window.take(key)).allowed;
    },
  };
};
