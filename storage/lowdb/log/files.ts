import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Every step with which the driver changes its directory, so that tests can slow, fail or cut short each of them. */
export interface Files {
  /** Opens a file for writing at its end; creates it with mode 0600. */
  append(path: string): Promise<OpenFile>;
  create(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(path: string): Promise<void>;
}

const writeAll = async (handle: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let written = 0; written < bytes.length;) written += (await handle.write(bytes, written)).bytesWritten;
};

const openFile = (handle: FileHandle): OpenFile => ({
  write: (bytes) => writeAll(handle, bytes),
  sync: () => handle.datasync(),
  truncate: (length) => handle.truncate(length),
  close: () => handle.close(),
});

const syncFolder = async (path: string): Promise<void> => {
  // Windows cannot open a folder; its file system journals names by itself.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export const diskFiles: Files = {
  append: async (path) => openFile(await open(path, "a", 0o600)),
  create: async (path) => openFile(await open(path, "w", 0o600)),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

const probeBytes = 1 << 20;

/** Throws unless the folder takes a file of 1 MiB: a flush that fails again at once would help nobody. */
export const probeRoom = async (files: Files, dir: string): Promise<void> => {
  const path = join(dir, "probe.tmp");
  const file = await files.create(path);
  try {
    await file.write(Buffer.alloc(probeBytes));
    await file.sync();
  } finally {
    await file.close();
    await files.remove(path);
  }
};
