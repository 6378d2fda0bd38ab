import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/server";
import type { Caller } from "../../protocol/seam/caller.ts";
import type { SessionTransport } from "./session-transport.ts";

/** Holds no secret. */
type Opener = Pick<Caller, "owner" | "principal" | "limitKey" | "verified">;

/** Answers only the owner that opened it. */
export interface McpSession {
  readonly transport: SessionTransport;
  readonly server: Server;
  readonly opener: Opener;
  readonly running: Set<Promise<unknown>>;
  usedAtMs: number;
}

export interface SessionLimits {
  readonly most: number;
  readonly idleMs: number;
}

/** In order of last use, so the first entry is the idlest. */
export interface SessionTable {
  find(id: string, caller: Opener, nowMs: number): McpSession | null;
  add(id: string, session: McpSession): Promise<void>;
  forget(id: string): void;
  /** After its calls are answered, or after ten seconds. */
  closeAll(): Promise<void>;
  readonly size: number;
}

/** A session closed under a call swallows its answer. */
const longestDrainMs = 10_000;

type Entry = readonly [id: string, session: McpSession];

/** Also the same key before it was verified. */
const isHolder = ({ opener }: McpSession, { owner, principal }: Opener): boolean =>
  opener.owner === owner || opener.principal === principal;

const ofLargestHolder = (entries: readonly Entry[], holderOf: (opener: Opener) => string): readonly Entry[] => {
  const held = new Map<string, Entry[]>();
  let largest: readonly Entry[] = [];
  for (const entry of entries) {
    const holder = holderOf(entry[1].opener);
    const own = held.get(holder) ?? [];
    own.push(entry);
    held.set(holder, own);
    if (own.length > largest.length) largest = own;
  }
  return largest;
};

/**
 * The idlest of the owner that has most, so that whoever opens many evicts its own. Anonymous callers are one owner per
 * address.
 */
const surplusOf = (sessions: ReadonlyMap<string, McpSession>, added: Entry): Entry | null => {
  const ofOwner = ofLargestHolder([...sessions, added], ({ verified, owner }) => (verified ? owner : "unproven"));
  return ofLargestHolder(ofOwner, ({ limitKey }) => limitKey)[0] ?? null;
};

/** Idle sessions expire; a full table evicts one. */
export const createSessionTable = (limits: SessionLimits): SessionTable => {
  const sessions = new Map<string, McpSession>();

  const close = async (id: string, session: McpSession): Promise<void> => {
    sessions.delete(id);
    await session.server.close();
  };

  const idlest = (): Entry | null => sessions.entries().next().value ?? null;

  const isIdle = ({ transport, usedAtMs }: McpSession, nowMs: number): boolean =>
    !transport.isListening && nowMs - usedAtMs > limits.idleMs;

  const makeRoom = async (added: Entry): Promise<void> => {
    const nowMs = added[1].usedAtMs;
    for (let first = idlest(); first !== null && isIdle(first[1], nowMs); first = idlest()) await close(...first);
    while (sessions.size >= limits.most) await close(...(surplusOf(sessions, added) as Entry));
  };

  return {
    find: (id, caller, nowMs) => {
      const session = sessions.get(id);
      if (session === undefined || !isHolder(session, caller)) return null;
      if (isIdle(session, nowMs)) {
        void close(id, session);
        return null;
      }
      session.usedAtMs = nowMs;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    add: async (id, session) => {
      await makeRoom([id, session]);
      sessions.set(id, session);
    },
    forget: (id) => {
      sessions.delete(id);
    },
    closeAll: async () => {
      const running = [...sessions.values()].flatMap((session) => [...session.running]);
      await Promise.race([Promise.allSettled(running), sleep(longestDrainMs, undefined, { ref: false })]);
      for (const [id, session] of [...sessions]) await close(id, session);
    },
    get size() {
      return sessions.size;
    },
  };
};
