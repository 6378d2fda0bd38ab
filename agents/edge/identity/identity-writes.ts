import type { IdentityStore, IdentityWrite } from "../platform.ts";
import { hashOf } from "./ec.ts";
import { isTombstone, parseEntry, tombstone, withIds, writeOf } from "./entry.ts";
import type { IdentityEntry } from "./entry.ts";

const attempts = 5;
const mostCounted = 100;

/** Every attempt met another writer. Treated like a store that cannot be reached. */
class TooManyConflicts extends Error {}

/** Entry with the generation it was read at; `null` when there is none. Rejects when it cannot be read. */
export const readEntry = async (
  store: IdentityStore,
  id: string,
): Promise<{ entry: IdentityEntry; generation: number } | null> => {
  const record = await store.get(id);
  return record === null ? null : { entry: parseEntry(record), generation: record.generation };
};

export const createOrRevive = async (store: IdentityStore, id: string, entry: IdentityEntry): Promise<void> => {
  const write = writeOf(id, entry);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await store.add(write)) return;
    const found = await readEntry(store, id);
    if (found === null) continue;
    if (!isTombstone(found.entry)) return;
    if (await store.ifGeneration(write, found.generation)) return;
  }
  throw new TooManyConflicts("the identity entry kept changing");
};

export const withdraw = (store: IdentityStore, id: string, now: number): Promise<void> =>
  store.overwrite(writeOf(id, tombstone(now)));

export type UpsertOutcome = "written" | "unchanged" | "ineligible";

/** The write that would put partner ids into an entry, or why there is none. */
export const planUpsert = async (
  store: IdentityStore,
  id: string,
  ids: ReadonlyMap<string, string>,
): Promise<{ write: IdentityWrite; generation: number } | Exclude<UpsertOutcome, "written">> => {
  const found = await readEntry(store, id);
  if (found === null || isTombstone(found.entry)) return "ineligible";
  const next = withIds(found.entry, ids);
  return next === null ? "unchanged" : { write: writeOf(id, next), generation: found.generation };
};

export const upsertIds = async (
  store: IdentityStore,
  id: string,
  ids: ReadonlyMap<string, string>,
): Promise<UpsertOutcome> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const plan = await planUpsert(store, id, ids);
    if (typeof plan === "string") return plan;
    if (await store.ifGeneration(plan.write, plan.generation)) return "written";
  }
  throw new TooManyConflicts("the identity entry kept changing");
};

/**
 * Number of identities that share the hash, up to 100. Counted anew when the stored figure is older than `recheckS`
 * seconds, and then stored; a lost race leaves the other writer's figure. `null`: it could not be counted.
 */
export const clusterSize = async (
  store: IdentityStore,
  id: string,
  found: { entry: IdentityEntry; generation: number },
  time: { now: number; recheckS: number },
): Promise<number | null> => {
  const { cluster_size: known, cluster_checked: checked = 0 } = found.entry.network ?? {};
  if (known !== undefined && time.now - checked < time.recheckS) return known;
  let size: number;
  try {
    size = await store.countPrefix(hashOf(id), mostCounted);
  } catch {
    return null;
  }
  const network = { ...found.entry.network, cluster_size: size, cluster_checked: time.now };
  const write = writeOf(id, { ...found.entry, network });
  // The figure is a cache: when it cannot be stored, the next caller counts again.
  await store.ifGeneration(write, found.generation).catch(() => false);
  return size;
};
