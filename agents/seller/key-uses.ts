import { randomUUID } from "node:crypto";
import { update } from "../../protocol/changes.ts";
import type { Clock } from "../../protocol/ports.ts";
import type { KeyUses } from "../../skills/seller/ports.ts";
import { apiKeyKind, type ApiKeyRow, type KeyUse } from "../../skills/seller/records.ts";
import type { Change, Store, StoredRow } from "../../storage/store.ts";

/** The uses of keys as they happen. */
export interface KeyUseCounter extends KeyUses {
  note(keyId: string): void;
  /** Writes what has been counted to the keys' rows. */
  write(): Promise<void>;
}

const rowsPerCommit = 100;

const plus = (before: KeyUse | undefined, more: KeyUse): KeyUse => ({
  count: (before?.count ?? 0) + more.count,
  lastAtMs: Math.max(before?.lastAtMs ?? 0, more.lastAtMs),
});

/**
 * Counts in memory and writes from time to time: a commit for each request would cost as much as the request. What a
 * killed process had counted since the last time is lost; a commit that loses its race is made anew the next time.
 */
export const createKeyUses = ({ store, clock }: { readonly store: Store; readonly clock: Clock }): KeyUseCounter => {
  const counted = new Map<string, KeyUse>();

  /** Takes away what was written; what was counted meanwhile stays for the next time. */
  const settle = (keyId: string, written: KeyUse): void => {
    const now = counted.get(keyId);
    if (now === undefined || now.count <= written.count) counted.delete(keyId);
    else counted.set(keyId, { ...now, count: now.count - written.count });
  };

  const changeOf = async (keyId: string, use: KeyUse): Promise<Change | null> => {
    const loaded = (await store.get(apiKeyKind.name, keyId)) as StoredRow<ApiKeyRow> | null;
    return loaded === null ? null : update(apiKeyKind, loaded, { ...loaded.body, use: plus(loaded.body.use, use) });
  };

  const writeSome = async (uses: readonly (readonly [string, KeyUse])[]): Promise<void> => {
    const changes = await Promise.all(uses.map(([keyId, use]) => changeOf(keyId, use)));
    const at = new Date(clock.nowMs()).toISOString();
    const audit = { at, request_id: randomUUID(), operation: "note_key_uses", door: "timer", principal: "system" };
    const { ok } = await store.commit({ changes: changes.filter((change) => change !== null), audit });
    if (ok) for (const [keyId, use] of uses) settle(keyId, use);
  };

  return {
    note: (keyId) => counted.set(keyId, plus(counted.get(keyId), { count: 1, lastAtMs: clock.nowMs() })),
    unwritten: (keyId) => counted.get(keyId) ?? null,
    write: async () => {
      const uses = [...counted];
      for (let from = 0; from < uses.length; from += rowsPerCommit) {
        await writeSome(uses.slice(from, from + rowsPerCommit));
      }
    },
  };
};
