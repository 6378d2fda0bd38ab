import { copyFile, rename, rm, stat, truncate } from "node:fs/promises";
import { diskFiles, type Files, type OpenFile } from "../../../storage/lowdb/log/files.ts";
import type { Random } from "./random.ts";

export interface Step {
  readonly op: "append" | "create" | "write" | "sync" | "truncate" | "close" | "rename" | "remove" | "syncFolder";
  readonly path: string;
  readonly bytes?: Uint8Array;
  readonly from?: string;
}

/** May pass other bytes to `go`, throw, or never return. */
type Gate = (step: Step, go: (bytes?: Uint8Array) => Promise<void>) => Promise<void>;

/** `abandon` closes open files past the gate. */
export const gatedFiles = (gate: Gate): Files & { abandon(): Promise<void> } => {
  const left = new Set<OpenFile>();
  const gated = (file: OpenFile, path: string): OpenFile => ({
    write: (bytes) => gate({ op: "write", path, bytes }, (other) => file.write(other ?? bytes)),
    sync: () => gate({ op: "sync", path }, () => file.sync()),
    truncate: (length) => gate({ op: "truncate", path }, () => file.truncate(length)),
    close: () =>
      gate({ op: "close", path }, () => {
        left.delete(file);
        return file.close();
      }),
  });
  const opening = async (op: "append" | "create", path: string): Promise<OpenFile> => {
    const opened: OpenFile[] = [];
    await gate({ op, path }, async () => {
      const file = await diskFiles[op](path);
      opened.push(file);
      left.add(file);
    });
    const [file] = opened;
    if (file === undefined) throw new Error(`the gate did not open ${path}`);
    return gated(file, path);
  };
  return {
    append: (path) => opening("append", path),
    create: (path) => opening("create", path),
    rename: (from, to) => gate({ op: "rename", path: to, from }, () => diskFiles.rename(from, to)),
    remove: (path) => gate({ op: "remove", path }, () => diskFiles.remove(path)),
    syncFolder: (path) => gate({ op: "syncFolder", path }, () => diskFiles.syncFolder(path)),
    abandon: async () => {
      await Promise.all([...left].map((file) => file.close()));
    },
  };
};

const never = (): Promise<never> => new Promise(() => undefined);

/** From 1; a write may be cut in half. */
export interface CrashPlan {
  readonly at: number;
  readonly half: boolean;
}

interface CrashingFiles extends Files {
  readonly taken: readonly Step["op"][];
  /** Running steps end, later ones wait for ever. */
  freeze(): Promise<void>;
  abandon(): Promise<void>;
}

/** `die` runs at the planned step, after those before it; nothing reaches the disk afterwards. */
export const crashingFiles = (
  plan: CrashPlan,
  die: () => Promise<void> | void,
  behind: Gate = (_, go) => go(),
): CrashingFiles => {
  const taken: Step["op"][] = [];
  const running = new Set<Promise<void>>();
  let frozen = false;
  const run = async (step: Step, go: (bytes?: Uint8Array) => Promise<void>): Promise<void> => {
    const ended = behind(step, go);
    running.add(ended);
    await ended.finally(() => running.delete(ended));
  };
  const files = gatedFiles(async (step, go) => {
    if (frozen) return await never();
    taken.push(step.op);
    if (taken.length < plan.at) return await run(step, go);
    if (taken.length > plan.at) return await never();
    if (plan.half && step.bytes !== undefined) await go(step.bytes.subarray(0, step.bytes.length >>> 1));
    await Promise.allSettled(running);
    await die();
    return await never();
  });
  const freeze = async (): Promise<void> => {
    frozen = true;
    await Promise.allSettled(running);
  };
  return { ...files, taken, freeze };
};

/** A power cut undoes names without a folder sync, and bytes after a file's last sync. */
export interface VolatileDisk {
  readonly gate: Gate;
  /** Some of what no sync secured is gone, newest first. */
  cut(random: Random): Promise<void>;
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Backups have names that the driver does not know. */
export const volatileDisk = (): VolatileDisk => {
  const synced = new Map<string, number>();
  let undo: (() => Promise<void>)[] = [];
  let backups = 0;

  const keep = async (path: string): Promise<() => Promise<void>> => {
    const backup = `${path}.backup-${(backups += 1)}`;
    const existed = await copyFile(path, backup).then(
      () => true,
      () => false,
    );
    return () => (existed ? rename(backup, path) : rm(path, { force: true }));
  };

  const before = async (step: Step): Promise<void> => {
    if (step.op === "create" || step.op === "append") {
      const size = await sizeOf(step.path);
      if (step.op === "append" && size > 0) synced.set(step.path, synced.get(step.path) ?? size);
      else undo.push(await keep(step.path));
    } else if (step.op === "remove" || step.op === "rename") undo.push(await keep(step.path));
  };

  const after = async (step: Step): Promise<void> => {
    if (step.op === "sync") synced.set(step.path, await sizeOf(step.path));
    else if (step.op === "create") synced.set(step.path, 0);
    else if (step.op === "append") synced.set(step.path, synced.get(step.path) ?? 0);
    else if (step.op === "syncFolder") undo = [];
    else if (step.op === "rename") {
      synced.set(step.path, synced.get(step.from ?? "") ?? 0);
      synced.delete(step.from ?? "");
    }
  };

  const cut = async (random: Random): Promise<void> => {
    for (const [path, length] of synced) {
      const size = await sizeOf(path);
      if (size > length) await truncate(path, length + random.below(size - length + 1));
    }
    for (let left = random.below(undo.length + 1); left > 0; left -= 1) await undo.pop()?.();
  };

  const gate: Gate = async (step, go) => {
    await before(step);
    await go();
    await after(step);
  };
  return { gate, cut };
};
