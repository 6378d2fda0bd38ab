import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { storeError, systemCodeOf } from "../errors.ts";

/** `inode`: device and number of the directory. */
interface Folder {
  readonly path: string;
  readonly inode: string;
}

/**
 * `started` tells a process from a later one with the same number; null where it is not known. `folder`: what it
 * locked; null in locks of older programs.
 */
interface Holder {
  readonly pid: number;
  readonly started: string | null;
  readonly token: string;
  readonly folder: Folder | null;
}

export interface FolderLock {
  release(): Promise<void>;
}

const attempts = 100;

const ownTokens = new Set<string>();

/** A killed process takes the system a moment to remove. */
const graceMs = 400;

/** Fields of proc(5) `stat` from field 3 on; null on systems without `/proc`. */
const statOf = (pid: number): readonly string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold blanks and parentheses itself: the fields are counted from behind it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
};

/** Boot and start time of a process (field 22 of `stat`). */
const startOf = (pid: number): string | null => {
  const ticks = statOf(pid)?.[19];
  if (ticks === undefined) return null;
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${ticks}`;
};

/** A zombie has a number but writes nothing. */
const isGhost = (pid: number): boolean => ["Z", "X"].includes(statOf(pid)?.[0] ?? "");

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCodeOf(thrown) === "EPERM";
  }
};

/** No age makes a lock stale: its process is alive or it is not. */
const isAlive = (holder: Holder): boolean => {
  if (ownTokens.has(holder.token)) return true;
  if (!exists(holder.pid) || isGhost(holder.pid)) return false;
  const started = startOf(holder.pid);
  if (holder.pid === process.pid && started === null) return false;
  return started === null || holder.started === null || started === holder.started;
};

/**
 * A lock that was copied with its directory. Both must differ: a directory that was moved keeps its inode, one that was
 * put in the place of another has its path, and a process that still runs may write to either.
 */
const isCopied = ({ folder }: Holder, mine: Holder): boolean =>
  folder !== null && mine.folder !== null && folder.path !== mine.folder.path && folder.inode !== mine.folder.inode;

const placeOf = async (dir: string): Promise<Folder> => {
  const { dev, ino } = await stat(dir, { bigint: true });
  return { path: await realpath(dir), inode: `${dev}:${ino}` };
};

const isPlace = (value: unknown): value is Folder =>
  typeof value === "object" &&
  value !== null &&
  ["path", "inode"].every((name) => typeof Reflect.get(value, name) === "string");

const readHolder = async (path: string): Promise<Holder | null> => {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (thrown) {
    if (systemCodeOf(thrown) === "ENOENT") return null;
    throw thrown;
  }
  try {
    const { pid, started, token, folder } = JSON.parse(text) as Partial<Holder>;
    if (Number.isSafeInteger(pid) && typeof token === "string" && /^[0-9a-f]+$/.test(token)) {
      return { pid: Number(pid), started: started ?? null, token, folder: isPlace(folder) ? folder : null };
    }
  } catch {}
  return { pid: 0, started: null, token: "0", folder: null };
};

const place = async (path: string, holder: Holder): Promise<boolean> => {
  const whole = `${path}.new-${holder.token}`;
  await writeFile(whole, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  try {
    await link(whole, path);
    return true;
  } catch (thrown) {
    // ENOENT: another process took the lock meanwhile and swept the unfinished ones away.
    if (["EEXIST", "ENOENT"].includes(systemCodeOf(thrown))) return false;
    throw thrown;
  } finally {
    await rm(whole, { force: true });
  }
};

/**
 * Takes the lock or returns its holder. A dead holder's file is removed under a second lock that is named after that
 * file, so that of several processes that start at once none removes the lock another has just taken.
 */
const acquire = async (path: string, mine: Holder): Promise<Holder | null> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await place(path, mine)) return null;
    const holder = await readHolder(path);
    if (holder === null) continue;
    if (holder.pid > 0 && isAlive(holder) && !isCopied(holder, mine)) return holder;
    const turn = `${path}.after-${holder.token}`;
    const busy = await acquire(turn, mine);
    if (busy !== null) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    if ((await readHolder(path))?.token === holder.token) await rm(path, { force: true });
    await rm(turn, { force: true });
  }
  throw storeError("folder_in_use", `${path}: other processes keep taking the lock; start again when they are done`);
};

const acquireSoon = async (path: string, mine: Holder): Promise<Holder | null> => {
  const until = Date.now() + graceMs;
  for (;;) {
    const holder = await acquire(path, mine);
    if (holder === null || ownTokens.has(holder.token) || Date.now() >= until) return holder;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const sweep = async (dir: string): Promise<void> => {
  for (const name of await readdir(dir)) {
    if (/^lock\.(new|after)-/.test(name)) await rm(join(dir, name), { force: true });
  }
};

/**
 * Takes `DIR/lock` for this process; processes on other machines do not see it. Throws `folder_in_use` when another
 * process, or another store of this one, holds it.
 */
export const lockFolder = async (dir: string): Promise<FolderLock> => {
  const path = join(dir, "lock");
  const token = randomBytes(16).toString("hex");
  const mine: Holder = { pid: process.pid, started: startOf(process.pid), token, folder: await placeOf(dir) };
  ownTokens.add(mine.token);
  const other = await acquireSoon(path, mine);
  if (other !== null) {
    ownTokens.delete(mine.token);
    throw storeError(
      "folder_in_use",
      `the data folder ${dir} is in use by process ${other.pid}: ` +
        "stop that process, or choose another folder with --data DIR",
    );
  }
  await sweep(dir);
  const release = async (): Promise<void> => {
    if ((await readHolder(path))?.token === mine.token) await rm(path, { force: true });
    ownTokens.delete(mine.token);
  };
  return { release };
};
