import { isRefusal } from "../../protocol/neutral/refusals.ts";
import type { Store, StoreReader } from "../../storage/store.ts";
import type { KeyDirectory } from "../console/sessions.ts";

/** What a sandbox sees of the agent that it stands beside: rows to read, and nothing that could write one. */
export type RowsBeside = Pick<StoreReader, "get" | "list" | "count">;

export const besideOf = (store: StoreReader): RowsBeside => ({
  get: (kind, id) => store.get(kind, id),
  list: (query) => store.list(query),
  count: (kind, term) => store.count(kind, term),
});

/** Sessions of people are noted as seen where they were opened, never from here. */
export const unwritable = (beside: RowsBeside): Pick<Store, "get" | "list" | "commit"> => ({
  ...beside,
  commit: () => Promise.resolve({ ok: false, reason: "conflict", kind: "", id: "" }),
});

/** The sandbox's own keys first, then those of the agent beside it. */
export const withKeysBeside = (own: KeyDirectory, beside: KeyDirectory): KeyDirectory => ({
  find: async (secret, address) => {
    const found = await own.find(secret, address);
    return isRefusal(found) && found.code === "invalid_api_key" ? beside.find(secret, address) : found;
  },
  ofKey: async (keyId, address) => {
    const found = await own.ofKey(keyId, address);
    return isRefusal(found) && found.code === "invalid_api_key" ? beside.ofKey(keyId, address) : found;
  },
});
