import { randomUUID } from "node:crypto";
import { update } from "../../protocol/seam/changes.ts";
import type { KeyUse, KeyUses, UsedKey } from "../../protocol/seam/key-use.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { Change, Kind, Store, StoredRow } from "../../storage/store.ts";

export interface KeyUseCounter extends KeyUses {
  note(keyId: string): void;
  write(): Promise<void>;
}

export interface KeyUseParts<Row extends UsedKey> {
  readonly store: Store;
  readonly kind: Kind<Row>;
  readonly clock: Clock;
}

const rowsPerCommit = 100;
const writeEveryMs = 60_000;

const plus = (before: KeyUse | undefined, more: KeyUse): KeyUse => ({
  count: (before?.count ?? 0) + more.count,
  lastAtMs: Math.max(before?.lastAtMs ?? 0, more.lastAtMs),
});

/** Written from time to time: a commit per request would cost as much as the request. */
export const createKeyUses = <Row extends UsedKey>({ store, kind, clock }: KeyUseParts<Row>): KeyUseCounter => {
  const counted = new Map<string, KeyUse>();

  const settle = (keyId: string, written: KeyUse): void => {
    const now = counted.get(keyId);
    if (now === undefined || now.count <= written.count) counted.delete(keyId);
    else counted.set(keyId, { ...now, count: now.count - written.count });
  };

  const changeOf = async (keyId: string, use: KeyUse): Promise<Change | null> => {
    const loaded = (await store.get(kind.name, keyId)) as StoredRow<Row> | null;
    return loaded === null ? null : update(kind, loaded, { ...loaded.body, use: plus(loaded.body.use, use) });
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

/** Once a minute and at the end; a failed write is logged and retried. */
export const startCountWriter = (parts: {
  readonly counts: Pick<KeyUseCounter, "write">;
  readonly log: Log;
}): { readonly stop: () => Promise<void> } => {
  let written: Promise<void> = Promise.resolve();
  const write = (): void => {
    written = written.then(parts.counts.write).catch((error: unknown) => {
      parts.log.error({ error: error instanceof Error ? error.message : String(error) }, "counts are unwritten");
    });
  };
  const timer = setInterval(write, writeEveryMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      write();
      await written;
    },
  };
};
