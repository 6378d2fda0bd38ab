import { join } from "node:path";
import type { StoredParts } from "../../protocol/a2a/routes.ts";
import type { DoorRoute } from "../../protocol/door/door.ts";
import { sandboxRunner } from "../../protocol/door/sandbox.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { Store } from "../../storage/store.ts";
import { openStore, type StoreLocation } from "../host/store-location.ts";
import type { Agent } from "./agent.ts";
import { withExpiry } from "./expiry.ts";
import type { Composed } from "./composed.ts";
import { startSweeper } from "./sweeper.ts";

/** Beside the agent's own store, so that no row of a sandbox can be taken for one of the business. */
const placeBeside = (place: StoreLocation): StoreLocation =>
  place.driver === "lowdb"
    ? { driver: "lowdb", dir: join(place.dir, "sandbox") }
    : { ...place, schema: `${place.schema}_sandbox` };

/** Its answers and refusals say what they are. */
export const asSandbox = (composed: Composed): Composed => {
  const { agent, face } = composed;
  const instructions = `This is a sandbox: nothing is bought, delivered or charged. ${face.instructions}`;
  const adcp = face.adcp === undefined ? {} : { adcp: { ...face.adcp, isSandbox: true } };
  return {
    ...composed,
    agent: { ...agent, runner: sandboxRunner(agent.runner) },
    face: { ...face, ...adcp, instructions, cardExtra: () => ({ ...face.cardExtra(), sandbox: true }) },
  };
};

export interface SandboxParts {
  readonly place: StoreLocation;
  readonly log: Log;
  readonly clock: Clock;
  readonly sweepEveryMs: number;
  readonly compose: (store: Store) => Promise<Composed>;
  readonly doorsOf: (composed: Composed, stored: StoredParts) => OpenDoors;
}

interface OpenDoors {
  readonly routes: readonly DoorRoute[];
  close(): Promise<void>;
}

export interface OpenSandbox {
  readonly agent: Agent;
  readonly store: Store;
  readonly doors: readonly DoorRoute[];
  readonly start: () => void;
  close(): Promise<void>;
}

/** A second agent over a store of its own, in the process of the first. */
export const openSandbox = async (parts: SandboxParts): Promise<OpenSandbox> => {
  const { log, clock } = parts;
  const store = await openStore(placeBeside(parts.place), log);
  try {
    const composed = asSandbox(await parts.compose(store));
    const { agent, due, a2a } = composed;
    const doors = parts.doorsOf(composed, { store, log, ...a2a });
    let sweeper: ReturnType<typeof startSweeper> | null = null;
    return {
      agent,
      store,
      doors: doors.routes,
      start: () => {
        composed.start?.();
        sweeper = startSweeper({ store, clock, log, due: withExpiry(due) }, parts.sweepEveryMs);
      },
      close: async () => {
        await agent.stop();
        await doors.close();
        await sweeper?.stop();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
};
