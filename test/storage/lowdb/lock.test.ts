import { cp, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import { lockFolder } from "../../../storage/lowdb/log/lock.ts";
import { commitOk, put } from "../contract/kit.ts";
import { buildChild, type ChildProgram } from "../crash/children.ts";
import { tempFolder, type TempFolder } from "../crash/folders.ts";

let program: ChildProgram;
let folder: TempFolder;
beforeAll(async () => {
  program = await buildChild();
});
afterAll(() => program.remove());
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder.remove());

interface LockFile {
  readonly pid: number;
  readonly started: string | null;
  readonly token: string;
}

const plantLock = async (lock: LockFile | string): Promise<void> => {
  await mkdir(folder.dir, { recursive: true });
  await writeFile(join(folder.dir, "lock"), typeof lock === "string" ? lock : JSON.stringify(lock));
};

const openAndClose = async (): Promise<void> => (await openLowdbStore({ dir: folder.dir })).close();

describe("embedded store: the folder lock", () => {
  it("a folder in use is refused with folder, process and cure, also to the process that has it open", async () => {
    const store = await openLowdbStore({ dir: folder.dir });
    const second = openLowdbStore({ dir: folder.dir });
    await expect(second).rejects.toMatchObject({ code: "folder_in_use" });
    await expect(second).rejects.toThrow(`${folder.dir} is in use by process ${process.pid}`);
    await expect(second).rejects.toThrow(/--data DIR/);
    await commitOk(store, put("d1", 0, 1));
    await store.close();
    await openAndClose();
  });

  it("a folder that another process holds is refused, and free the moment that process was killed", async () => {
    const child = program.start({ task: "hold", dir: folder.dir });
    await child.spoke;
    await expect(openAndClose()).rejects.toThrow(`process ${child.pid}`);
    child.kill();
    await child.ended;
    expect(await readdir(folder.dir)).toContain("lock");
    await openAndClose();
    expect(await readdir(folder.dir)).not.toContain("lock");
  });

  // Start times tell a reused process number apart; only Linux shows them (proc(5)).
  it.runIf(process.platform === "linux")("a process number that another process got holds nothing", async () => {
    const child = program.start({ task: "hold", dir: folder.dir });
    await child.spoke;
    const lock = JSON.parse(await readFile(join(folder.dir, "lock"), "utf8")) as LockFile;
    child.kill();
    await child.ended;
    expect(lock.started).toMatch(/^[0-9a-f-]{36}:\d+$/);
    await plantLock({ ...lock, pid: process.ppid });
    await openAndClose();
    await plantLock({ ...lock, pid: process.pid });
    await openAndClose();
  });

  it("a copy of a folder in use opens, the folder itself stays in use, also when it was moved", async () => {
    const child = program.start({ task: "hold", dir: folder.dir });
    await child.spoke;
    const copy = `${folder.dir}-copy`;
    await cp(folder.dir, copy, { recursive: true });
    expect(await readdir(copy)).toContain("lock");
    await (await openLowdbStore({ dir: copy })).close();
    await expect(openAndClose()).rejects.toThrow(`process ${child.pid}`);
    const moved = `${folder.dir}-moved`;
    await rename(folder.dir, moved);
    await expect(openLowdbStore({ dir: moved })).rejects.toThrow(`process ${child.pid}`);
    await cp(moved, folder.dir, { recursive: true });
    await expect(openAndClose()).rejects.toThrow(`process ${child.pid}`);
    child.kill();
    await child.ended;
    await openAndClose();
  });

  it.each(["", "garbage", "{}", '{"pid":"1","token":"x"}', '{"pid":-1,"token":"00"}'])(
    "a lock file that no store wrote (%j) holds nothing",
    async (text) => {
      await plantLock(text);
      await openAndClose();
    },
  );

  it("of 16 that find a dead process's lock at once one gets the folder, and nothing is left lying", async () => {
    await plantLock({ pid: 2_000_000_000, started: null, token: "00ff" });
    const locks = await Promise.allSettled(Array.from({ length: 16 }, () => lockFolder(folder.dir)));
    const won = locks.filter((lock) => lock.status === "fulfilled");
    expect(won).toHaveLength(1);
    await won[0]?.value.release();
    expect(await readdir(folder.dir)).toEqual([]);
  });

  it("a store that could not start gives the folder free", async () => {
    await mkdir(folder.dir);
    await writeFile(join(folder.dir, "store.json"), "");
    await expect(openAndClose()).rejects.toMatchObject({ code: "store_damaged" });
    expect(await readdir(folder.dir)).toEqual(["store.json"]);
  });

  it("a folder that cannot be made is an error that names it and the cure", async () => {
    await mkdir(folder.dir);
    await writeFile(join(folder.dir, "file"), "");
    const opening = openLowdbStore({ dir: join(folder.dir, "file", "store") });
    await expect(opening).rejects.toMatchObject({ code: "store_failed" });
    await expect(opening).rejects.toThrow(/file\/store cannot be used \(ENOTDIR.*--data DIR/);
  });

  // Only Linux's /proc answers a new folder with ENOENT although its parent is there (proc(5)).
  it.runIf(process.platform === "linux")("a folder that takes no folder is an error, not an endless try", async () => {
    await expect(openLowdbStore({ dir: "/proc/parley/store" })).rejects.toMatchObject({ code: "store_failed" });
  });

  it("the folder is its owner's alone, and so is every file in it", async () => {
    const store = await openLowdbStore({ dir: join(folder.dir, "deep", "seller") });
    const dir = join(folder.dir, "deep", "seller");
    await commitOk(store, put("d1", 0, 1));
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(dir)) {
      const { mode } = await stat(join(dir, name));
      expect({ name, mode: mode & 0o777 }).toEqual({ name, mode: 0o600 });
    }
    await store.close();
  });
});
