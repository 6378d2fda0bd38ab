import { createHash, timingSafeEqual } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

/** One client's session: it answers only to the credential that opened it. */
export interface McpSession {
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
  readonly credential: Buffer;
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
  closeAll(): Promise<void>;
  readonly size: number;
}

/** What a session is bound to: a digest, so that no secret is kept in memory longer than its request. */
export const credentialDigest = (apiKey: string | null, authorization: string | null): Buffer =>
  createHash("sha256").update(JSON.stringify([apiKey, authorization])).digest();

/** Builds the table. A session that is idle too long, or the idlest where the table is full, is closed. */
export const createSessionTable = (limits: SessionLimits): SessionTable => {
  const sessions = new Map<string, McpSession>();

  const close = async (id: string, session: McpSession): Promise<void> => {
    sessions.delete(id);
    await session.server.close();
  };

  const idlest = (): [string, McpSession] | null => sessions.entries().next().value ?? null;

  const closeIdle = async (nowMs: number): Promise<void> => {
    for (let first = idlest(); first !== null; first = idlest()) {
      const full = sessions.size >= limits.most;
      if (!full && nowMs - first[1].usedAtMs <= limits.idleMs) return;
      await close(first[0], first[1]);
    }
  };

  return {
    find: (id, credential, nowMs) => {
      const session = sessions.get(id);
      if (session === undefined || !timingSafeEqual(session.credential, credential)) return null;
      session.usedAtMs = nowMs;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    add: async (id, session) => {
      await closeIdle(session.usedAtMs);
      sessions.set(id, session);
    },
    forget: (id) => {
      sessions.delete(id);
    },
    closeAll: async () => {
      for (const [id, session] of [...sessions]) await close(id, session);
    },
    get size() {
      return sessions.size;
    },
  };
};
