import { randomUUID } from "node:crypto";
import { remove } from "../../../protocol/seam/changes.ts";
import { eventKind, type EventRow } from "../../../protocol/seam/events.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";
import { trustVerificationKind, type TrustVerificationRow } from "../../../skills/seller/registry/record.ts";
import type { Change, Store, StoredRow } from "../../../storage/store.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

export interface PruningParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Pick<SellerSettings, "eventRetentionDays">;
}

const rowsPerCommit = 100;

const oldest = (store: Store, kind: string): Promise<readonly StoredRow[]> =>
  store.list({ kind, terms: [], order: "oldest", limit: rowsPerCommit });

/** Rows are in order of time, so reading the oldest is enough. */
const removals = async (store: Store, beforeMs: number): Promise<Change[]> => {
  const events = (await oldest(store, eventKind.name)) as readonly StoredRow<EventRow>[];
  const verified = (await oldest(store, trustVerificationKind.name)) as readonly StoredRow<TrustVerificationRow>[];
  return [
    ...events.filter(({ body }) => Date.parse(body.timestamp) < beforeMs).map((row) => remove(eventKind, row)),
    ...verified.filter(({ body }) => body.recorded_at_ms < beforeMs).map((row) => remove(trustVerificationKind, row)),
  ];
};

/**
 * Removes expired events and trust verifications, oldest first; the audit trail stays. A lost race ends the pass:
 * another process removes the same.
 */
export const pruneEvents = async (parts: PruningParts, isStopped: () => boolean): Promise<void> => {
  const { store, clock, settings } = parts;
  while (!isStopped()) {
    const nowMs = clock.nowMs();
    const changes = await removals(store, nowMs - settings.eventRetentionDays * dayMs);
    if (changes.length === 0) return;
    const at = new Date(nowMs).toISOString();
    const audit = { at, request_id: randomUUID(), operation: "prune_events", door: "timer", principal: "system" };
    if (!(await store.commit({ changes, audit })).ok) return;
  }
};
