import type { Log } from "../../protocol/seam/ports.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import type { MovableStore } from "../../storage/content.ts";
import { openMovableLowdb } from "../../storage/lowdb/movable.ts";
import { openMovablePostgres } from "../../storage/postgres/transfer/movable.ts";
import { type Copied, copyStore } from "../../storage/transfer/copy.ts";
import { type AgentName, expectStore, type StoreLocation } from "./store-location.ts";

/** A tool takes its address from the command line, where the driver's cures name the variable. */
const withoutVariable = (error: unknown): never => {
  if (error instanceof Error) error.message = error.message.replaceAll("DATABASE_URL", "the address");
  throw error;
};

/** For a tool: no agent opens it meanwhile, or the tool finds that one has. */
export const openMovable = (place: StoreLocation, log: Pick<Log, "warn">): Promise<MovableStore> => {
  const warn = (message: string): void => log.warn({}, message);
  if (place.driver === "lowdb") return openMovableLowdb({ dir: place.dir, warn });
  const { url, schema } = place;
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
}

/** The source is opened first: a mistyped one makes no target. */
export const copyBetween = async ({ from, to, agent: named, log, progress }: CopyRequest): Promise<Copied> => {
  await expectStore(from).catch(withoutVariable);
  const source = await openMovable(from, log);
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
