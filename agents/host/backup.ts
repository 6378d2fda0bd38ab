import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import type { HeldFile, Store } from "../../storage/store.ts";
import type { AgentName } from "./store-location.ts";

/**
 * A backup is a gzip of: one line of JSON that says what it is; for each file of the data folder a line with name and
 * length, and its bytes; a last line with the SHA-256 of all before it.
 */
interface BackupHead {
  readonly parley_backup: 1;
  readonly agent: AgentName;
  readonly at: string;
}

interface FileHead {
  readonly file: string;
  readonly bytes: number;
}

interface BackupEnd {
  readonly sha256: string;
}

/** What an agent keeps beside its store and cannot be replaced: keys that it made at its first start. */
const secretName = /^[a-z-]+\.(key|secret)$/;
const plainName = /^[a-z0-9][a-z0-9.-]*$/;

export const folderSecrets = async (dir: string): Promise<readonly string[]> =>
  (await readdir(dir)).filter((name) => secretName.test(name)).map((name) => join(dir, name));

const secretsOf = async (dir: string): Promise<readonly HeldFile[]> =>
  Promise.all((await folderSecrets(dir)).map(async (path) => ({ path, bytes: (await stat(path)).size })));

const lineOf = (value: BackupHead | FileHead | BackupEnd): string => `${JSON.stringify(value)}\n`;

async function* contentOf(head: BackupHead, files: readonly HeldFile[]): AsyncGenerator<Buffer> {
  const digest = createHash("sha256");
  const told = (piece: Buffer): Buffer => {
    digest.update(piece);
    return piece;
  };
  yield told(Buffer.from(lineOf(head)));
  for (const { path, bytes } of files) {
    yield told(Buffer.from(lineOf({ file: basename(path), bytes })));
    if (bytes === 0) continue;
    for await (const piece of createReadStream(path, { end: bytes - 1 })) yield told(piece as Buffer);
  }
  yield Buffer.from(lineOf({ sha256: digest.digest("hex") }));
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? "";

const cures: Readonly<Record<string, string>> = {
  EEXIST: "is there already. Name a new file",
  ENOENT: "is in a folder that does not exist. Make the folder, or name another",
  EACCES: "may not be written by the agent's user. Name a file in a folder that it may write",
  EROFS: "is on a read-only file system. Name a file elsewhere",
  ENOSPC: "has no room on its disk. Free space, or name a file elsewhere",
  EDQUOT: "has no room in the user's quota. Free space, or name a file elsewhere",
  EFBIG: "would be larger than a file may be here. Name a file elsewhere",
};

const unwritten = (file: string, error: unknown): Error => {
  const cure = cures[codeOf(error)] ?? `cannot be written (${(error as Error).message}). Name another`;
  return new StartFailure(`${file} ${cure}. Nothing was left behind, and the store is as it was.`);
};

/** A backup begins with a snapshot in the agent's own folder. */
const unheld = (error: unknown): unknown =>
  Object.hasOwn(cures, codeOf(error))
    ? new StartFailure(
        `The data folder takes no snapshot (${(error as Error).message}), with which a backup begins. ` +
          "Free space on its disk. Nothing was left behind, and the store is as it was.",
      )
    : error;

/** What went wrong on the disk beside the file, as a fault of the file; anything else as it is. */
export const unwrittenBeside = (file: string, error: unknown): unknown => {
  const cause = (error as { readonly cause?: unknown } | null)?.cause ?? error;
  return Object.hasOwn(cures, codeOf(cause)) ? unwritten(file, cause) : error;
};

export const expectFree = async (file: string): Promise<void> => {
  const found = await stat(file).catch(() => null);
  if (found !== null) throw unwritten(file, { code: "EEXIST" });
};

const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Bytes of the file. It appears under its name once it is whole and on the disk. */
const writeWhole = async (file: string, content: AsyncIterable<Buffer>): Promise<number> => {
  const part = `${file}.part`;
  try {
    await expectFree(file);
    await pipeline(
      Readable.from(content),
      createGzip({ level: 1 }),
      createWriteStream(part, { flags: "w", mode: 0o600 }),
    );
    await syncPath(part);
    await rename(part, file);
    await syncPath(dirname(file));
    return (await stat(file)).size;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error instanceof StartFailure ? error : unwritten(file, error);
  }
};

export interface BackupRequest {
  readonly agent: AgentName;
  /** An absolute path that does not exist. */
  readonly file: string;
}

/**
 * Every commit that was acknowledged when it begins is in it, and none in part. The agent goes on meanwhile; only its
 * snapshots wait. Throws `StartFailure`.
 */
export const writeBackup = async (store: Store, { agent, file }: BackupRequest): Promise<number> => {
  if (store.hold === undefined) throw new StartFailure("This store has no files. Run the command with DATABASE_URL.");
  await expectFree(file);
  const held = store.hold(async (files) => {
    const head = { parley_backup: 1, agent, at: new Date().toISOString() } as const;
    const [first] = files;
    const secrets = first === undefined ? [] : await secretsOf(dirname(first.path));
    return writeWhole(file, contentOf(head, [...files, ...secrets]));
  });
  return held.catch((error: unknown) => {
    throw error instanceof StartFailure ? error : unheld(error);
  });
};

const notWhole = (file: string, what: string): Error =>
  new StartFailure(`${file} ${what}. Nothing was restored. Use another backup.`);

const longestLine = 4_096;

/** Reads lines and lengths of bytes from a stream, and keeps the digest of what was read. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>;
  readonly #digest = createHash("sha256");
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }

  digest(): string {
    return this.#digest.copy().digest("hex");
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    this.#digest.update(taken);
    return taken;
  }

  /** Null at the end, and for a line that is none of a backup's. */
  async line(): Promise<unknown> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end > longestLine || (end === -1 && this.#rest.length > longestLine)) return null;
      if (end !== -1) {
        const before = this.#digest.copy().digest("hex");
        const value = JSON.parse(this.#take(end + 1).toString("utf8")) as object;
        return "sha256" in value && value.sha256 !== before ? null : value;
      }
      if (!(await this.#more())) return null;
    }
  }

  async *bytes(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new RangeError("it ends in the middle of a file");
      const piece = this.#take(Math.min(left, this.#rest.length));
      left -= piece.length;
      yield piece;
    }
  }
}

const isFileHead = (value: unknown): value is FileHead => {
  const { file, bytes } = (value ?? {}) as Partial<FileHead>;
  return typeof file === "string" && plainName.test(file) && Number.isSafeInteger(bytes) && Number(bytes) >= 0;
};

const isHead = (value: unknown): value is BackupHead => {
  const { parley_backup, agent } = (value ?? {}) as Partial<BackupHead>;
  return parley_backup === 1 && (agent === "seller" || agent === "buyer");
};

const unpackFiles = async (pieces: Pieces, dir: string): Promise<AgentName | null> => {
  const head = await pieces.line();
  if (!isHead(head)) return null;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (;;) {
    const next = await pieces.line();
    if (!isFileHead(next)) return next !== null && typeof next === "object" && "sha256" in next ? head.agent : null;
    const path = join(dir, next.file);
    await pipeline(Readable.from(pieces.bytes(next.bytes)), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    await syncPath(path);
  }
};

/** Writes the files of a backup into an empty folder; whose it is. Throws `StartFailure`. */
export const unpackBackup = async (file: string, dir: string): Promise<AgentName> => {
  const through = new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) });
  const reading = pipeline(createReadStream(file), createGunzip(), through).catch((error: unknown) => error);
  try {
    const agent = await unpackFiles(new Pieces(through as AsyncIterable<Buffer>), dir);
    if (agent === null) throw notWhole(file, "is no backup of Parley, or not whole");
    return agent;
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    const code = codeOf(error);
    if (code === "ENOENT") throw new StartFailure(`There is no file ${file}. Nothing was restored. Name a backup.`);
    if (Object.hasOwn(cures, code)) throw unwritten(dir, error);
    throw notWhole(file, `is no backup of Parley, or not whole (${(error as Error).message})`);
  } finally {
    through.destroy();
    await reading;
  }
};
