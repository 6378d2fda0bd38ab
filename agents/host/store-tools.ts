import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Log } from "../../protocol/seam/ports.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import type { MovableStore } from "../../storage/content.ts";
import { openMovableLowdb } from "../../storage/lowdb/movable.ts";
import { type Checked, checkStore } from "../../storage/transfer/check.ts";
import { type Copied, copyStore } from "../../storage/transfer/copy.ts";
import { expectFree, folderSecrets, unpackBackup, unwrittenBeside, writeBackup } from "./backup.ts";
import { callThroughSocket, isServed } from "./control-socket.ts";
import { expectRestored, restoreInto } from "./restoring.ts";
import { type AgentName, expectStore, type StoreLocation } from "./store-location.ts";

/** A tool takes its address from the command line, where the driver's cures name the variable. */
const withoutVariable = (error: unknown): never => {
  if (error instanceof Error) error.message = error.message.replaceAll("DATABASE_URL", "the address");
  throw error;
};

/** For a tool: no agent opens it meanwhile, or the tool finds that one has. */
export const openMovable = async (place: StoreLocation, log: Pick<Log, "warn">): Promise<MovableStore> => {
  const warn = (message: string): void => log.warn({}, message);
  if (place.driver === "lowdb") {
    await expectRestored(place.dir);
    return openMovableLowdb({ dir: place.dir, warn });
  }
  const { url, schema } = place;
  const { openMovablePostgres } = await import("../../storage/postgres/transfer/movable.ts");
  return openMovablePostgres({ url, schema, log: warn }).catch(withoutVariable);
};

/** Kinds of rows that only one of the agents keeps. */
const ownKindsOf: Readonly<Record<AgentName, readonly string[]>> = {
  seller: ["catalog_source", "api_key", "quote", "deal"],
  buyer: ["booking", "operator_key", "seller_key", "talk"],
};

/** Null where its rows do not tell. */
export const agentOf = async (store: MovableStore): Promise<AgentName | null> => {
  const { kinds, close } = await store.read();
  await close();
  const told = (["seller", "buyer"] as const).filter((agent) => kinds.some((kind) => ownKindsOf[agent].includes(kind)));
  return told.length === 1 ? (told[0] ?? null) : null;
};

interface CopyRequest {
  readonly from: StoreLocation;
  /** Of the source, where no agent was named. */
  readonly to: (agent: AgentName) => StoreLocation;
  readonly agent: AgentName | null;
  readonly log: Pick<Log, "warn">;
  readonly progress: (sentence: string) => void;
  /** What an interrupted copy is known by; the source's place. */
  readonly label?: string;
}

/** The source is opened first: a mistyped one makes no target. */
export const copyBetween = async (request: CopyRequest): Promise<Copied> => {
  const { from, to, agent: named, log, progress } = request;
  await expectStore(from).catch(withoutVariable);
  const opened = await openMovable(from, log);
  const source = { ...opened, label: request.label ?? opened.label };
  try {
    const agent = named ?? (await agentOf(source));
    if (agent === null) {
      throw new StartFailure("The rows do not tell whose store this is. Name it: --agent seller or --agent buyer.");
    }
    const target = await openMovable(to(agent), log);
    try {
      return await copyStore({ from: source, to: target, progress });
    } finally {
      await target.store.close();
    }
  } finally {
    await source.store.close();
  }
};

/** A folder of its own in another, gone when the work ends. */
const inScratch = async <T>(parent: string, work: (dir: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp(join(parent, "parley-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

const backUpDatabase = async (
  place: StoreLocation,
  agent: AgentName,
  file: string,
  log: Pick<Log, "warn">,
): Promise<number> => {
  await expectFree(file);
  return inScratch(dirname(file), async (dir) => {
    const source = await openMovable(place, log);
    try {
      const target = await openMovableLowdb({ dir });
      try {
        await copyStore({ from: source, to: target, live: true, progress: () => undefined });
        return await writeBackup(target.store, { agent, file });
      } finally {
        await target.store.close();
      }
    } finally {
      await source.store.close();
    }
  }).catch((error: unknown) => {
    throw unwrittenBeside(file, error);
  });
};

const backUpServed = async (dir: string, agent: AgentName, file: string): Promise<number> => {
  const answer = await callThroughSocket(dir, { ask: "backup", agent, file });
  if (answer.answer === "backup") return answer.bytes;
  throw new StartFailure(answer.answer === "failure" ? answer.message : "The agent is of another version. Restart it.");
};

/** Bytes of the file. A running agent goes on meanwhile. Throws `StartFailure` with the cure, and leaves no part. */
export const backUp = async (
  place: StoreLocation,
  agent: AgentName,
  file: string,
  log: Pick<Log, "warn">,
): Promise<number> => {
  if (place.driver === "lowdb" && (await isServed(place.dir))) return backUpServed(place.dir, agent, file);
  await expectStore(place);
  if (place.driver === "postgres") return backUpDatabase(place, agent, file, log);
  const { store } = await openMovable(place, log);
  try {
    return await writeBackup(store, { agent, file });
  } finally {
    await store.close();
  }
};

const checkAt = async (place: StoreLocation, log: Pick<Log, "warn">): Promise<Checked> => {
  const movable = await openMovable(place, log);
  try {
    return await checkStore(movable);
  } finally {
    await movable.store.close();
  }
};

/** Of a folder that an agent serves, a backup is checked: what is on the disk at one moment. */
export const checkPlace = async (place: StoreLocation, agent: AgentName, log: Pick<Log, "warn">): Promise<Checked> => {
  if (place.driver === "postgres" || !(await isServed(place.dir))) {
    await expectStore(place);
    return checkAt(place, log);
  }
  return inScratch(tmpdir(), async (scratch) => {
    const file = join(scratch, "store.backup");
    await backUpServed(place.dir, agent, file);
    const dir = join(scratch, "store");
    await unpackBackup(file, dir);
    return checkAt({ driver: "lowdb", dir }, log);
  });
};

const expectSound = ({ faults, ...checked }: Checked, file: string): Checked => {
  if (faults.length === 0) return { ...checked, faults };
  throw new StartFailure(`${file} holds a store that is not whole: ${faults.join("; ")}. Nothing was restored.`);
};

const restoreFolder = (file: string, dir: string, log: Pick<Log, "warn">): Promise<Checked> =>
  restoreInto(dir, async (part) => {
    await unpackBackup(file, part);
    return expectSound(await checkAt({ driver: "lowdb", dir: part }, log), file);
  });

interface RestoreRequest {
  readonly file: string;
  readonly to: (agent: AgentName) => StoreLocation;
  readonly log: Pick<Log, "warn">;
}

/** Unpacks, checks everything, and only then puts the store in its place. */
export const restore = async ({ file, to, log }: RestoreRequest): Promise<Omit<Checked, "faults">> => {
  const place = to("seller");
  if (place.driver === "lowdb") return restoreFolder(file, place.dir, log);
  return inScratch(dirname(file), async (scratch) => {
    const dir = join(scratch, "store");
    const agent = await unpackBackup(file, dir);
    const from: StoreLocation = { driver: "lowdb", dir };
    return copyBetween({ from, to, agent, log, progress: () => undefined, label: `the backup ${file}` });
  });
};

/** Secrets in the folder of a source: a database has no place for them. */
export const leftBehind = (from: StoreLocation): Promise<readonly string[]> =>
  from.driver === "lowdb" ? folderSecrets(from.dir) : Promise.resolve([]);
