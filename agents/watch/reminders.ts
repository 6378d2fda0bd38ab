import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { Store, StoredRow } from "../../storage/store.ts";
import type { ReadGauges, Readings } from "./metrics.ts";

/** What a reminder needs of a key's row; both agents' rows have it. */
interface AgingKeyRow {
  readonly role: string;
  readonly created_at_ms: number;
  readonly life: { readonly value: string; readonly context: { readonly expiresAtMs: number | null } };
}

export interface ReminderParts {
  readonly store: Pick<Store, "list" | "auditHeads">;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Of the rows of keys. */
  readonly kind: string;
  /** 0: none is too old. */
  readonly rotationDays: number;
}

export interface Reminders {
  readonly read: ReadGauges;
  stop(): Promise<void>;
}

const oneDayMs = 86_400_000;
const remindEveryMs = 3_600_000;
const hoursBetweenLines = 24;
const soonMs = 14 * oneDayMs;
const keysPerPage = 500;
const mostKeysTold = 20;

const operatorRoles: readonly string[] = ["viewer", "operator", "senior", "edge"];

interface FoundKey {
  readonly key_id: string;
  readonly role: string;
  readonly since: string;
}

interface AgingKeys {
  readonly expiring: readonly FoundKey[];
  readonly old: readonly FoundKey[];
}

async function* keyRows({ store, kind }: ReminderParts): AsyncGenerator<StoredRow<AgingKeyRow>> {
  for (let after = 0; ;) {
    const rows = await store.list({ kind, terms: [], order: "oldest", limit: keysPerPage, after });
    yield* rows as readonly StoredRow<AgingKeyRow>[];
    const last = rows.at(-1);
    if (last === undefined || rows.length < keysPerPage) return;
    after = last.n;
  }
}

const findKeys = async (parts: ReminderParts): Promise<AgingKeys> => {
  const nowMs = parts.clock.nowMs();
  const expiring: FoundKey[] = [];
  const old: FoundKey[] = [];
  for await (const { id, body } of keyRows(parts)) {
    const { expiresAtMs } = body.life.context;
    if (body.life.value !== "active" || (expiresAtMs !== null && expiresAtMs <= nowMs)) continue;
    const keyAt = (atMs: number): FoundKey => ({ key_id: id, role: body.role, since: new Date(atMs).toISOString() });
    if (expiresAtMs !== null && expiresAtMs - nowMs <= soonMs) expiring.push(keyAt(expiresAtMs));
    const isTooOld = parts.rotationDays > 0 && nowMs - body.created_at_ms > parts.rotationDays * oneDayMs;
    if (isTooOld && operatorRoles.includes(body.role)) old.push(keyAt(body.created_at_ms));
  }
  return { expiring, old };
};

const remind = ({ log }: ReminderParts, { expiring, old }: AgingKeys): void => {
  if (expiring.length > 0) {
    const keys = expiring
      .slice(0, mostKeysTold)
      .map(({ key_id, role, since }) => ({ key_id, role, expires_at: since }));
    log.warn({ count: expiring.length, keys }, "keys expire within 14 days: mint new ones and hand them out");
  }
  if (old.length > 0) {
    const keys = old.slice(0, mostKeysTold).map(({ key_id, role, since }) => ({ key_id, role, created_at: since }));
    log.warn({ count: old.length, keys }, "keys are older than KEY_ROTATION_DAYS: mint new ones and revoke these");
  }
};

const readingsOf = ({ expiring, old }: AgingKeys): Readings => {
  const roles = new Map<string, number>();
  for (const { role } of expiring) roles.set(role, (roles.get(role) ?? 0) + 1);
  return {
    parley_keys_expiring: [...roles].map(([role, value]) => ({ labels: { role }, value })),
    parley_keys_old: [{ labels: {}, value: old.length }],
  };
};

/**
 * Reminds of keys that expire or are old, once a day, and writes the end of each audit chain into the log every hour:
 * whoever collects the log keeps it away from the store, where a cut can be held against it.
 */
export const startReminders = (parts: ReminderParts): Reminders => {
  let found: AgingKeys = { expiring: [], old: [] };
  let hours = 0;
  const look = async (): Promise<void> => {
    found = await findKeys(parts);
    if (hours % hoursBetweenLines === 0) remind(parts, found);
    hours += 1;
    for (const { chain, seq, hash } of await parts.store.auditHeads()) {
      if (seq > 0) parts.log.info({ chain, records: seq, hash }, "end of the audit chain");
    }
  };
  const lookFailed = (error: unknown): void =>
    parts.log.error({ error: error instanceof Error ? error.message : String(error) }, "looking for old keys failed");
  let running = look().catch(lookFailed);
  const timer = setInterval(() => {
    running = running.then(look).catch(lookFailed);
  }, remindEveryMs);
  timer.unref();
  return {
    read: async () => {
      await running;
      return readingsOf(found);
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
