import type { DoorRoute } from "../../protocol/door/door.ts";
import { eventKind } from "../../protocol/seam/events.ts";
import type { CallerDirectory, Clock } from "../../protocol/seam/ports.ts";
import type { Store } from "../../storage/store.ts";
import { type ConsoleAgent, type ConsoleRouteParts, consoleRoutes } from "./routes.ts";
import { createConsoleSessions, type KeyDirectory } from "./sessions.ts";

export interface ConsoleParts {
  readonly name: ConsoleAgent;
  readonly agentUrl: string;
  readonly store: Pick<Store, "get" | "list" | "commit">;
  readonly clock: Clock;
  readonly directory: KeyDirectory;
}

export interface Console {
  readonly callers: CallerDirectory;
  readonly routes: (runner: ConsoleRouteParts["runner"]) => readonly DoorRoute[];
}

/** Each agent has a cookie of its own name: a host's ports share their cookies. */
export const openConsole = ({ name, agentUrl, store, clock, directory }: ConsoleParts): Console => {
  const isSecure = agentUrl.startsWith("https:");
  const cookieName = `${isSecure ? "__Host-" : ""}parley-${name}`;
  const sessions = createConsoleSessions({ store, clock, cookieName, directory });
  const newestEventId = async (): Promise<string | null> => {
    const [newest] = await store.list({ kind: eventKind.name, terms: [], order: "newest", limit: 1 });
    return newest?.id ?? null;
  };
  return {
    callers: { find: directory.find, inSession: sessions.find },
    routes: (runner) => consoleRoutes({ name, isSecure, runner, sessions, newestEventId }),
  };
};
