import { join } from "node:path";
import { holdsStore } from "../../storage/lowdb/driver.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import type { Store } from "../../storage/store.ts";
import type { Agent } from "../server/agent.ts";
import { isServed } from "./control-socket.ts";
import { type AgentHost, hostOver, hostThroughSocket, serveHostRequest } from "./host.ts";
import { type AgentName, expectStore, openStore, type StoreLocation } from "./store-location.ts";

export interface HostParts {
  readonly agent: AgentName;
  readonly place: StoreLocation;
  readonly log: Log;
  /** When false the command only reads, and a missing store is an error. */
  readonly writes: boolean;
  readonly contracts: readonly Contract[];
  readonly compose: (store: Store) => Agent | Promise<Agent>;
}

const hostOverStore = async (store: Store, { compose, place }: HostParts): Promise<AgentHost> => {
  const agent = await compose(store);
  return hostOver(
    (request) => serveHostRequest(agent.runner, store, request),
    agent.runner.contracts,
    async () => {
      await agent.stop();
      await store.close();
    },
    { isAlone: place.driver === "lowdb" },
  );
};

/** `parley all` keeps its agents in folders below the one that it is given: that one names them too. */
const ownPlace = async (agent: AgentName, place: StoreLocation): Promise<StoreLocation> => {
  if (place.driver !== "lowdb" || (await holdsStore(place.dir))) return place;
  const below = join(place.dir, agent);
  return (await holdsStore(below)) ? { driver: "lowdb", dir: below } : place;
};

/**
 * Through the process that serves the data directory, else by opening its store. Throws `StartFailure` with the cure,
 * and what the store throws.
 */
export const openHost = async (parts: HostParts): Promise<AgentHost> => {
  const place = await ownPlace(parts.agent, parts.place);
  if (place.driver === "lowdb" && (await isServed(place.dir)))
    return hostThroughSocket(place.dir, parts.agent, parts.contracts);
  if (!parts.writes) await expectStore(place);
  const store = await openStore(place, parts.log);
  try {
    return await hostOverStore(store, parts);
  } catch (error) {
    await store.close();
    throw error;
  }
};
