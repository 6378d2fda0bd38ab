import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openLowdbStore, type LowdbOptions } from "../../../storage/lowdb/driver.ts";
import type { Store } from "../../../storage/store.ts";

export interface TempFolder {
  readonly dir: string;
  /** Without its lock and a test's backups. */
  copyOf(dir: string): Promise<string>;
  remove(): Promise<void>;
}

export const tempFolder = async (): Promise<TempFolder> => {
  const root = await mkdtemp(join(tmpdir(), "parley-store-"));
  let copies = 0;
  const copyOf = async (dir: string): Promise<string> => {
    const copy = join(root, `copy-${(copies += 1)}`);
    const filter = (path: string): boolean => basename(path) !== "lock" && !path.includes(".backup-");
    await cp(dir, copy, { recursive: true, filter });
    return copy;
  };
  return { dir: join(root, "store"), copyOf, remove: () => rm(root, { recursive: true, force: true }) };
};

export const withStore = async <T>(options: LowdbOptions, use: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openLowdbStore({ warn: () => undefined, ...options });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
};
