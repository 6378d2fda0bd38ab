import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { SessionTransport } from "./session-transport.ts";

/** One client's session: it answers only to the credential that opened it. */
export interface McpSession {
  readonly transport: SessionTransport;
  readonly server: Server;
  readonly credential: Buffer;
  /** The calls that are being answered. */
  readonly running: Set<Promise<unknown>>;
  usedAtMs: number;
}

/** Bounds of the session table: how many at most, and how long one may be idle. */
export interface SessionLimits {
  readonly most: number;
  readonly idleMs: number;
}

/** Sessions by id. Map order is order of last use, so the idlest is always the first entry. */
export interface SessionTable {
  find(id: string, credential: Buffer, nowMs: number): McpSession | null;
  add(id: string, session: McpSession): Promise<void>;
  forget(id: string): void;
  /** Closes every session once its calls are answered, or after ten seconds. */
  closeAll(): Promise<void>;
  readonly size: number;
}

/** What a session is bound to: a digest, so that no secret is kept in memory longer than its request. */
export const credentialDigest = (apiKey: string | null, authorization: string | null): Buffer =>
  createHash("sha256")
    .update(JSON.stringify([apiKey, authorization]))
    .digest();

/** A session that is closed under a call swallows its answer; a stop waits so long for calls, as plain requests are. */
const longestDrainMs = 10_000;

type Entry = readonly [id: string, session: McpSession];

/** The idlest session of the credential that has most of them, so that who opens many closes its own. */
const surplusOf = (sessions: ReadonlyMap<string, McpSession>): Entry | null => {
  const counts = new Map<string, { readonly idlest: Entry; count: number }>();
  let most: { readonly idlest: Entry; count: number } | null = null;
  for (const entry of sessions) {
    const holder = entry[1].credential.toString("base64");
    const known = counts.get(holder) ?? { idlest: entry, count: 0 };
    known.count += 1;
    counts.set(holder, known);
    if (most === null || known.count > most.count) most = known;
  }
  return most?.idlest ?? null;
};

/** Builds the table. A session that is idle too long is closed, and where the table is full one that is too many. */
export const createSessionTable = (limits: SessionLimits): SessionTable => {
  const sessions = new Map<string, McpSession>();

  const close = async (id: string, session: McpSession): Promise<void> => {
    sessions.delete(id);
    await session.server.close();
  };

  const idlest = (): Entry | null => sessions.entries().next().value ?? null;

  const isIdle = (session: McpSession, nowMs: number): boolean => nowMs - session.usedAtMs > limits.idleMs;

  const makeRoom = async (nowMs: number): Promise<void> => {
    for (let first = idlest(); first !== null && isIdle(first[1], nowMs); first = idlest()) await close(...first);
    while (sessions.size >= limits.most) await close(...(surplusOf(sessions) as Entry));
  };

  return {
    find: (id, credential, nowMs) => {
      const session = sessions.get(id);
      if (session === undefined || !timingSafeEqual(session.credential, credential)) return null;
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
      await makeRoom(session.usedAtMs);
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
