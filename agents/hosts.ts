import type { Contract } from "../protocol/operation.ts";
import type { Log } from "../protocol/ports.ts";
import type { Store } from "../storage/store.ts";
import type { Agent } from "./agent.ts";
import { isServed } from "./control-socket.ts";
import { type AgentHost, hostOver, hostThroughSocket, serveHostRequest } from "./host.ts";
import { openStore, type Place } from "./place.ts";

export interface HostParts {
  readonly place: Place;
  readonly log: Log;
  readonly contracts: readonly Contract[];
  readonly compose: (store: Store) => Agent;
}

/** Reaches an agent from a command: through the process that serves its folder, else by opening its store. */
export const openHost = async (parts: HostParts): Promise<AgentHost> => {
  const { place } = parts;
  if (place.driver === "lowdb" && (await isServed(place.dir))) return hostThroughSocket(place.dir, parts.contracts);
  const store = await openStore(place, parts.log);
  const agent = parts.compose(store);
  return hostOver(
    (request) => serveHostRequest(agent.runner, store, request),
    agent.runner.contracts,
    async () => {
      await agent.stop();
      await store.close();
    },
  );
};
