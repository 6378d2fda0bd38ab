import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { holdsStore } from "../../storage/lowdb/driver.ts";

/** What a backup is unpacked into, in the folder that it is restored to: there until everything is in its place. */
const restorePart = (dir: string): string => join(dir, ".restoring");

const snapshotName = "store.json";

/** The snapshot comes last: without it no agent takes the folder for a store. */
const moveUp = async (from: string, to: string): Promise<void> => {
  const isSnapshot = (name: string): number => Number(name === snapshotName);
  const names = (await readdir(from)).sort((one, other) => isSnapshot(one) - isSnapshot(other));
  for (const name of names) await rename(join(from, name), join(to, name));
  await rmdir(from);
};

const leftOfRestore = (dir: string): Promise<readonly string[] | null> =>
  readdir(restorePart(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });

/** Throws `StartFailure` where a restore into the folder was ended before all was in its place. */
export const expectRestored = async (dir: string): Promise<void> => {
  const left = await leftOfRestore(dir);
  if (left === null) return;
  // Ended behind its last step.
  if (left.length === 0 && (await holdsStore(dir))) return rmdir(restorePart(dir));
  throw new StartFailure(
    `A restore into ${dir} was cut short, and what is there is no whole store. ` +
      "Remove that folder and restore it again.",
  );
};

const expectEmpty = async (dir: string): Promise<void> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await readdir(dir)).length === 0) return;
  await expectRestored(dir);
  throw new StartFailure(`The folder ${dir} is not empty. Nothing was restored. Name an empty or a new folder.`);
};

/** `unpack` fills a folder and throws where it is not whole; then nothing of it is left. */
export const restoreInto = async <T>(dir: string, unpack: (part: string) => Promise<T>): Promise<T> => {
  await expectEmpty(dir);
  const part = restorePart(dir);
  try {
    const unpacked = await unpack(part);
    await moveUp(part, dir);
    return unpacked;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
};
