import type { Change, Commit, CommitOutcome, ListQuery, Store, StoredRow } from "../../storage/store.ts";

/** A store in memory for the tests of a wire, and for the bound of a bench: rows and versions, no journal, no ledgers. */
export const createMemoryStore = (): Store & { readonly commits: Commit[] } => {
  const rows = new Map<string, StoredRow>();
  const commits: Commit[] = [];
  let created = 0;
  const keyOf = (kind: string, id: string): string => `${kind}/${id}`;
  const apply = (change: Change): void => {
    if (change.op === "remove") rows.delete(keyOf(change.kind, change.id));
    if (change.op !== "put") return;
    const known = rows.get(keyOf(change.kind, change.id));
    created += known === undefined ? 1 : 0;
    const row = {
      kind: change.kind,
      id: change.id,
      n: known?.n ?? created,
      version: change.expect + 1,
      body: change.body,
    };
    rows.set(keyOf(change.kind, change.id), row);
  };
  const conflictOf = (commit: Commit): CommitOutcome | null => {
    for (const change of commit.changes) {
      if (change.op === "reserve") continue;
      const version = rows.get(keyOf(change.kind, change.id))?.version ?? 0;
      if (version !== change.expect) return { ok: false, reason: "conflict", kind: change.kind, id: change.id };
    }
    return null;
  };
  return {
    driver: "lowdb",
    commits,
    get: async (kind, id) => rows.get(keyOf(kind, id)) ?? null,
    list: async (query: ListQuery) => [...rows.values()].filter((row) => row.kind === query.kind).slice(0, query.limit),
    count: async (kind) => [...rows.values()].filter((row) => row.kind === kind).length,
    reserved: async () => 0,
    reservedSum: async () => 0,
    commit: async (commit) => {
      const conflict = conflictOf(commit);
      if (conflict !== null) return conflict;
      commit.changes.forEach(apply);
      commits.push(commit);
      return { ok: true };
    },
    due: async () => [],
    watch: () => () => undefined,
    auditTrail: async function* () {},
    auditHeads: async () => [],
    failure: async () => null,
    close: async () => undefined,
  };
};
