import { resolve } from "node:path";
import type { Log } from "../../protocol/seam/ports.ts";
import { holdsStore, openLowdbStore } from "../../storage/lowdb/driver.ts";
import type { Store } from "../../storage/store.ts";
import { expectWhole } from "../../storage/transfer/unfinished.ts";
import { expectRestored } from "./restoring.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";

export type AgentName = "seller" | "buyer";

export type StoreLocation =
  | { readonly driver: "lowdb"; readonly dir: string }
  | { readonly driver: "postgres"; readonly url: string; readonly schema: string; readonly answerMs?: number };

export interface StoreSettings {
  readonly databaseUrl: string | null;
  readonly storeTimeoutSeconds: number;
}

const defaultDir = (agent: AgentName): string => resolve(".parley", agent);

/** `--data DIR` first, then `DATABASE_URL` (`lowdb:DIR` or `postgres://…`), then the default directory. */
export const locationOf = (agent: AgentName, data: string | undefined, settings: StoreSettings): StoreLocation => {
  const { databaseUrl, storeTimeoutSeconds } = settings;
  if (data !== undefined) return { driver: "lowdb", dir: resolve(data) };
  if (databaseUrl === null) return { driver: "lowdb", dir: defaultDir(agent) };
  if (databaseUrl.startsWith("lowdb:")) return { driver: "lowdb", dir: resolve(databaseUrl.slice("lowdb:".length)) };
  return { driver: "postgres", url: databaseUrl, schema: `parley_${agent}`, answerMs: storeTimeoutSeconds * 1000 };
};

export const shownPlace = (place: StoreLocation): string =>
  place.driver === "lowdb" ? `the folder ${place.dir}` : `the schema ${place.schema} of the database`;

/** Its client is loaded by who has such a store: the others start without it. */
export const postgresDriver = () => import("../../storage/postgres/driver.ts");

const openDriver = async (place: StoreLocation, log: Log): Promise<Store> => {
  const warn = (message: string): void => log.warn({}, message);
  if (place.driver === "lowdb") {
    await expectRestored(place.dir);
    return openLowdbStore({ dir: place.dir, warn });
  }
  const { driver: _, ...postgres } = place;
  const { openPostgresStore } = await postgresDriver();
  return openPostgresStore({ ...postgres, log: warn });
};

/** Throws where the place holds a copy that did not end. */
export const openStore = async (place: StoreLocation, log: Log): Promise<Store> => {
  const store = await openDriver(place, log);
  try {
    await expectWhole(store, shownPlace(place));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** Throws `StartFailure` without a store: a read-only command must not create one at a mistyped path. */
export const expectStore = async (place: StoreLocation): Promise<void> => {
  if (place.driver === "lowdb") await expectRestored(place.dir);
  const isThere =
    place.driver === "lowdb" ? await holdsStore(place.dir) : await (await postgresDriver()).holdsPostgresStore(place);
  if (isThere) return;
  const cure = "and a command that only reads makes none. Check --data and DATABASE_URL.";
  throw new StartFailure(`There is no store in ${shownPlace(place)}, ${cure}`);
};
