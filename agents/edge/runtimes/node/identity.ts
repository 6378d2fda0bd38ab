import type { IdentityRecord, IdentityStore, IdentityWrite } from "../../platform.ts";
import { type Kind, put, type PutChange, type Store, type StoredRow } from "../../../../storage/store.ts";

/** What a row keeps: the two JSON texts as the core wrote them, and when they vanish (Unix time in ms). */
interface Body {
  readonly body: string;
  readonly metadata: string;
  readonly expiresAtMs: number;
}

const identityKind = "edge_identity";

const clusterTerm = (name: string, prefix: string): string => `cluster=${name}/${prefix}`;

const kindOf = (name: string, id: string): Kind<Body> => ({
  name: identityKind,
  terms: () => [clusterTerm(name, id.split(".", 1)[0] ?? id)],
  dueAtMs: (body) => body.expiresAtMs,
  owner: () => null,
});

const maxLostRaces = 16;

/**
 * The identity store over the storage port. A row's version is the generation, so that compare-and-set is the port's
 * own; an entry past its end reads as absent, and the sweeper removes it later.
 */
export const createStoredIdentity = (store: Store, name: string, now: () => number): IdentityStore => {
  const rowId = (id: string): string => `${name}/${id}`;
  const load = async (id: string): Promise<{ row: StoredRow<Body> | null; live: boolean }> => {
    const row = (await store.get(identityKind, rowId(id))) as StoredRow<Body> | null;
    return { row, live: row !== null && row.body.expiresAtMs > now() };
  };
  const putOf = ({ id, body, metadata, ttlSeconds }: IdentityWrite, expect: number): PutChange =>
    put(kindOf(name, id), rowId(id), expect, { body, metadata, expiresAtMs: now() + ttlSeconds * 1_000 });
  const commit = async (changes: readonly PutChange[]): Promise<boolean> =>
    (await store.commit({ changes, audit: null })).ok;
  return {
    name,
    async get(id): Promise<IdentityRecord | null> {
      const { row, live } = await load(id);
      if (row === null || !live) return null;
      return { body: row.body.body, metadata: row.body.metadata, generation: row.version };
    },
    async add(write) {
      const { row, live } = await load(write.id);
      return live ? false : commit([putOf(write, row?.version ?? 0)]);
    },
    async overwrite(write) {
      for (let race = 0; race < maxLostRaces; race += 1) {
        const { row } = await load(write.id);
        if (await commit([putOf(write, row?.version ?? 0)])) return;
      }
      throw new Error(`identity store ${name}: an entry kept changing while it was overwritten`);
    },
    async ifGeneration(write, generation) {
      const { row, live } = await load(write.id);
      return live && row?.version === generation ? commit([putOf(write, generation)]) : false;
    },
    async ifGenerations(writes) {
      if (writes.length === 0) return true;
      for (const { write, generation } of writes) {
        const { row, live } = await load(write.id);
        if (!live || row?.version !== generation) return false;
      }
      return commit(writes.map(({ write, generation }) => putOf(write, generation)));
    },
    async countPrefix(prefix, most) {
      const terms = [clusterTerm(name, prefix)];
      const found = await store.list({ kind: identityKind, terms, order: "newest", limit: Math.min(most, 500) });
      const rows = found as readonly StoredRow<Body>[];
      return rows.filter((row) => row.body.expiresAtMs > now()).length;
    },
  };
};
