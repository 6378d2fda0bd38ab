import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Commit, PutChange, Store } from "../../storage/store.ts";

export interface CrowdedPlace {
  openStore(): Promise<Store>;
  /** Each under its own id, up to so many per kind. */
  crowd(copies: number): Promise<void>;
}

interface CrowdedStore {
  readonly store: Store;
  readonly crowd: CrowdedPlace["crowd"];
}

const openCrowdedStore = (): CrowdedStore => {
  const store = openMemoryStore();
  const puts = new Map<string, Map<string, PutChange>>();
  const made = new Map<string, number>();
  const commit = async (wanted: Commit): ReturnType<Store["commit"]> => {
    const outcome = await store.commit(wanted);
    if (!outcome.ok) return outcome;
    for (const change of wanted.changes) {
      if (change.op === "remove") puts.get(change.kind)?.delete(change.id);
      if (change.op !== "put") continue;
      const ofKind = puts.get(change.kind) ?? new Map<string, PutChange>();
      puts.set(change.kind, ofKind.set(change.id, change));
    }
    return outcome;
  };
  const crowd = async (copies: number): Promise<void> => {
    for (const [kind, ofKind] of puts) {
      const originals = [...ofKind.values()];
      const changes: PutChange[] = [];
      for (let place = made.get(kind) ?? 0; place < copies && originals.length > 0; place += 1) {
        const original = originals[place % originals.length] as PutChange;
        changes.push({ ...original, id: `${original.id}~${place}`, expect: 0 });
      }
      await store.commit({ changes, audit: null });
      made.set(kind, copies);
    }
  };
  return { store: { ...store, commit }, crowd };
};

/** Copies keep the terms, so that queries find them. */
export const crowdedPlace = (): CrowdedPlace => {
  let opened: CrowdedStore | null = null;
  return {
    openStore: async () => {
      opened = openCrowdedStore();
      return opened.store;
    },
    crowd: async (copies) => {
      if (opened === null) throw new Error("no store was opened here");
      await opened.crowd(copies);
    },
  };
};
