import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Commit, Store } from "../../storage/store.ts";

export const createMemoryStore = (): Store & { readonly commits: Commit[] } => {
  const store = openMemoryStore();
  const commits: Commit[] = [];
  const commit: Store["commit"] = async (wanted) => {
    const outcome = await store.commit(wanted);
    if (outcome.ok) commits.push(wanted);
    return outcome;
  };
  return { ...store, commits, commit };
};
