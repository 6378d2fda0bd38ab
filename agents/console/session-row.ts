import type { Kind } from "../../storage/store.ts";

/** The row's id is the SHA-256 of the cookie's value. */
export interface ConsoleSessionRow {
  readonly key_id: string;
  readonly address: string;
  readonly created_at_ms: number;
  readonly seen_at_ms: number;
  readonly expires_at_ms: number;
}

/** The row's id is the SHA-256 of the code. */
export interface ConsoleCodeRow {
  readonly key_id: string;
  readonly expires_at_ms: number;
}

const longestMs = 12 * 3_600_000;
const idleMs = 2 * 3_600_000;

export const seenAt = (
  row: Pick<ConsoleSessionRow, "key_id" | "address" | "created_at_ms">,
  nowMs: number,
): ConsoleSessionRow => ({
  ...row,
  seen_at_ms: nowMs,
  expires_at_ms: Math.min(row.created_at_ms + longestMs, nowMs + idleMs),
});

export const sessionKeyTerm = (keyId: string): string => `key=${keyId}`;

export const consoleSessionKind: Kind<ConsoleSessionRow> = {
  name: "console_session",
  terms: (row) => [sessionKeyTerm(row.key_id)],
  dueAtMs: (row) => row.expires_at_ms,
  owner: () => null,
};

export const consoleCodeKind: Kind<ConsoleCodeRow> = {
  name: "console_code",
  terms: () => [],
  dueAtMs: (row) => row.expires_at_ms,
  owner: () => null,
};
