import { resolve } from "node:path";
import type { Log } from "../../protocol/seam/ports.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { holdsStore } from "../../storage/lowdb/driver.ts";
import { holdsPostgresStore, openPostgresStore } from "../../storage/postgres/driver.ts";
import type { Store } from "../../storage/store.ts";
import { StartFailure } from "../settings.ts";

export type AgentName = "seller" | "buyer";

/** Where an agent keeps its records: a folder of the embedded store, or a schema of a PostgreSQL database. */
export type Place =
  | { readonly driver: "lowdb"; readonly dir: string }
  | { readonly driver: "postgres"; readonly url: string; readonly schema: string };

/** The folder of an agent when nobody names one, below the folder the command runs in. */
const defaultDir = (agent: AgentName): string => resolve(".parley", agent);

/**
 * Where an agent's records are: `--data DIR` first, then `DATABASE_URL` (`lowdb:DIR` or `postgres://…`, as its setting
 * was checked), then the default folder.
 */
export const placeOf = (agent: AgentName, data: string | undefined, databaseUrl: string | null): Place => {
  if (data !== undefined) return { driver: "lowdb", dir: resolve(data) };
  if (databaseUrl === null) return { driver: "lowdb", dir: defaultDir(agent) };
  if (databaseUrl.startsWith("lowdb:")) return { driver: "lowdb", dir: resolve(databaseUrl.slice("lowdb:".length)) };
  return { driver: "postgres", url: databaseUrl, schema: `parley_${agent}` };
};

/** Opens the store of a place. Its own errors name the folder or database and the cure. */
export const openStore = (place: Place, log: Log): Promise<Store> =>
  place.driver === "lowdb"
    ? openLowdbStore({ dir: place.dir, warn: (message) => log.warn({}, message) })
    : openPostgresStore({ url: place.url, schema: place.schema, log: (message) => log.warn({}, message) });

/** Throws `StartFailure` where a place has no store, so that who only looks makes none at a path that was mistyped. */
export const expectStore = async (place: Place): Promise<void> => {
  const isThere = await (place.driver === "lowdb" ? holdsStore(place.dir) : holdsPostgresStore(place));
  if (isThere) return;
  const where = place.driver === "lowdb" ? `the folder ${place.dir}` : `the schema ${place.schema} of the database`;
  throw new StartFailure(
    `There is no store in ${where}, and a command that only reads makes none. Check --data and DATABASE_URL.`,
  );
};
