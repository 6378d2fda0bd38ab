import { hash, randomBytes } from "node:crypto";
import { parseCookie } from "cookie";
import { isRefusal, type Refusal, refuse } from "../../protocol/neutral/refusals.ts";
import type { Caller } from "../../protocol/seam/caller.ts";
import { create, remove, update } from "../../protocol/seam/changes.ts";
import type { CallerDirectory, Clock } from "../../protocol/seam/ports.ts";
import type { Change, Store, StoredRow } from "../../storage/store.ts";
import { auditEntry } from "./audit-entry.ts";
import { codeId } from "./codes.ts";
import {
  consoleCodeKind,
  type ConsoleCodeRow,
  consoleSessionKind,
  type ConsoleSessionRow,
  seenAt,
  sessionKeyTerm,
} from "./session-row.ts";

export interface KeyDirectory extends CallerDirectory {
  /** Refuses an unknown, revoked or expired key. */
  ofKey(keyId: string, address: string): Promise<Caller | Refusal>;
}

export interface SessionParts {
  readonly store: Pick<Store, "get" | "list" | "commit">;
  readonly clock: Clock;
  readonly cookieName: string;
  readonly directory: KeyDirectory;
}

export interface OpenedSession {
  readonly value: string;
  readonly endsAtMs: number;
}

export interface ConsoleSessions {
  readonly cookieName: string;
  /** The answer is null without a cookie of this agent. */
  find(cookies: string, address: string): Promise<Caller | Refusal | null>;
  open(keyId: string, address: string): Promise<OpenedSession>;
  /** The answer is null for a code that is unknown, used or expired. */
  openByCode(code: string, address: string): Promise<(OpenedSession & { readonly keyId: string }) | null>;
  endsAtMs(cookies: string): Promise<number | null>;
  /** `all`: every session of the same key. */
  end(cookies: string, all: boolean): Promise<void>;
  /** Those of the same key, the newest first. */
  list(cookies: string): Promise<readonly ListedSession[]>;
  /** The answer is false where the key has no such session. */
  endOne(cookies: string, id: string): Promise<boolean>;
}

/** `id` is the row's: from the hash of a cookie's value nobody learns the value. */
export interface ListedSession extends ConsoleSessionRow {
  readonly id: string;
  readonly isThis: boolean;
}

const mostPerKey = 20;
/** A commit per request would cost as much as the request. */
const seenEveryMs = 5 * 60_000;

const ended = (): Refusal =>
  refuse("authentication_required", { message: "The console session has ended. Sign in again." });

const sessionId = (value: string): string => hash("sha256", value, "hex");

type StoredSession = StoredRow<ConsoleSessionRow>;

type Rows = Pick<SessionParts, "store" | "clock" | "cookieName">;

/** The rows behind cookies. */
const sessionRows = ({ store, clock, cookieName }: Rows) => {
  const audit = (operation: string, keyId: string) => auditEntry(clock.nowMs(), operation, "rest", `key:${keyId}`);
  const valueIn = (cookies: string): string | null => parseCookie(cookies)[cookieName] ?? null;
  const ofKey = async (keyId: string): Promise<readonly StoredSession[]> =>
    (await store.list({
      kind: consoleSessionKind.name,
      terms: [sessionKeyTerm(keyId)],
      order: "oldest",
      limit: mostPerKey + 1,
    })) as readonly StoredSession[];
  return {
    ofKey,
    commit: (operation: string, keyId: string, changes: readonly Change[]) =>
      store.commit({ changes, audit: audit(operation, keyId) }),
    valueIn,
    /** The answer is null where there is no session, or it has ended. */
    mineIn: async (cookies: string): Promise<StoredSession | null> => {
      const value = valueIn(cookies);
      if (value === null) return null;
      const row = (await store.get(consoleSessionKind.name, sessionId(value))) as StoredSession | null;
      return row !== null && clock.nowMs() < row.body.expires_at_ms ? row : null;
    },
  };
};

/** The answer is null where a change of `more` lost its race. */
const createOpener =
  (rows: ReturnType<typeof sessionRows>, clock: Clock) =>
  async (keyId: string, address: string, more: readonly Change[]): Promise<OpenedSession | null> => {
    const value = randomBytes(32).toString("base64url");
    const nowMs = clock.nowMs();
    const row = seenAt({ key_id: keyId, address, created_at_ms: nowMs }, nowMs);
    const before = await rows.ofKey(keyId);
    const { ok } = await rows.commit("open_console_session", keyId, [
      ...more,
      ...before.slice(0, Math.max(0, before.length + 1 - mostPerKey)).map((old) => remove(consoleSessionKind, old)),
      create(consoleSessionKind, sessionId(value), row),
    ]);
    return ok ? { value, endsAtMs: row.expires_at_ms } : null;
  };

/** A lost race means that another sign-in of the key took the same old session away. */
const openForSure = async (
  openWith: ReturnType<typeof createOpener>,
  keyId: string,
  address: string,
): Promise<OpenedSession> => {
  for (let tries = 0; tries < mostPerKey; tries += 1) {
    const opened = await openWith(keyId, address, []);
    if (opened !== null) return opened;
  }
  throw new Error("sign-ins of one key met too often");
};

export const createConsoleSessions = (parts: SessionParts): ConsoleSessions => {
  const { store, clock, cookieName, directory } = parts;
  const rows = sessionRows(parts);
  const { mineIn, valueIn } = rows;
  const openWith = createOpener(rows, clock);

  const noteSeen = async (row: StoredSession): Promise<void> => {
    const nowMs = clock.nowMs();
    if (nowMs - row.body.seen_at_ms < seenEveryMs) return;
    const change = update(consoleSessionKind, row, seenAt(row.body, nowMs));
    // Reading must go on where the store takes no commits.
    await rows.commit("note_console_session", row.body.key_id, [change]).catch(() => undefined);
  };

  /** Those of the key of this session; none without one. */
  const siblingsOf = async (mine: StoredSession | null): Promise<readonly StoredSession[]> =>
    mine === null ? [] : (await rows.ofKey(mine.body.key_id)).filter(({ body }) => clock.nowMs() < body.expires_at_ms);

  return {
    cookieName,
    find: async (cookies, address) => {
      if (valueIn(cookies) === null) return null;
      const row = await mineIn(cookies);
      if (row === null) return ended();
      const caller = await directory.ofKey(row.body.key_id, address);
      if (!isRefusal(caller)) await noteSeen(row);
      return caller;
    },
    open: (keyId, address) => openForSure(openWith, keyId, address),
    openByCode: async (code, address) => {
      const row = (await store.get(consoleCodeKind.name, codeId(code))) as StoredRow<ConsoleCodeRow> | null;
      if (row === null || clock.nowMs() >= row.body.expires_at_ms) return null;
      const { key_id: keyId } = row.body;
      const opened = await openWith(keyId, address, [remove(consoleCodeKind, row)]);
      return opened === null ? null : { ...opened, keyId };
    },
    endsAtMs: async (cookies) => (await mineIn(cookies))?.body.expires_at_ms ?? null,
    end: async (cookies, all) => {
      const row = await mineIn(cookies);
      if (row === null) return;
      const { key_id: keyId } = row.body;
      const ending = all ? await rows.ofKey(keyId) : [row];
      const changes = ending.map((one) => remove(consoleSessionKind, one));
      await rows.commit("end_console_session", keyId, changes);
    },
    list: async (cookies) => {
      const mine = await mineIn(cookies);
      const open = await siblingsOf(mine);
      return open.map(({ id, body }) => ({ ...body, id, isThis: id === mine?.id })).toReversed();
    },
    endOne: async (cookies, id) => {
      const row = (await siblingsOf(await mineIn(cookies))).find((one) => one.id === id);
      if (row === undefined) return false;
      await rows.commit("end_console_session", row.body.key_id, [remove(consoleSessionKind, row)]);
      return true;
    },
  };
};
