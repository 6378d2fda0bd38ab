import type { EdgeConfig } from "./config.ts";
import type { TextStore } from "./context.ts";
import type { EdgeEnv, EntryStore, IdentityStore } from "./platform.ts";

type Fault = EdgeConfig["debug"]["store_faults"][number];
type Access = "read" | "write";

type Rehearsal = (store: string, access: Access, key: string) => void;

const createRehearsal =
  (faults: readonly Fault[]): Rehearsal =>
  (store, access, key) => {
    const hit = faults.some(
      (fault) =>
        fault.store === store &&
        (fault.operation === "any" || fault.operation === access) &&
        key.startsWith(fault.key_prefix),
    );
    if (hit) throw new Error(`rehearsed ${access} outage of store ${store}`);
  };

const rehearsedIdentity = (inner: IdentityStore, rehearse: Rehearsal): IdentityStore => {
  const { name } = inner;
  return {
    name,
    async get(id) {
      rehearse(name, "read", id);
      return inner.get(id);
    },
    async add(write) {
      rehearse(name, "write", write.id);
      return inner.add(write);
    },
    async overwrite(write) {
      rehearse(name, "write", write.id);
      return inner.overwrite(write);
    },
    async ifGeneration(write, generation) {
      rehearse(name, "write", write.id);
      return inner.ifGeneration(write, generation);
    },
    async ifGenerations(writes) {
      for (const { write } of writes) rehearse(name, "write", write.id);
      return inner.ifGenerations(writes);
    },
    async countPrefix(prefix, most) {
      rehearse(name, "read", prefix);
      return inner.countPrefix(prefix, most);
    },
  };
};

const layered = (
  written: EntryStore | undefined,
  start: (store: string, key: string) => string | undefined,
  rehearse: Rehearsal,
): TextStore => ({
  async get(store, key) {
    rehearse(store, "read", key);
    const value = await written?.get(store, key);
    return value === undefined ? (start(store, key) ?? null) : value;
  },
  ...(written === undefined
    ? {}
    : {
        writer: {
          async put(store: string, key: string, value: string) {
            rehearse(store, "write", key);
            await written.put(store, key, value);
          },
          async remove(store: string, key: string) {
            rehearse(store, "write", key);
            await written.remove(store, key);
          },
        },
      }),
});

export const openStores = (
  env: EdgeEnv,
  config: EdgeConfig,
  secrets: ReadonlyMap<string, string>,
): { configStore: TextStore; secretStore: TextStore; identity: IdentityStore | null } => {
  const rehearse = createRehearsal(config.debug.store_faults);
  const entries = config.config_stores;
  const startEntry = (store: string, key: string): string | undefined => {
    const table = Object.hasOwn(entries, store) ? entries[store] : undefined;
    return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
  };
  const name = config.ec.ec_store;
  const opened = name === undefined ? undefined : env.openIdentity?.(name);
  return {
    configStore: layered(env.configEntries, startEntry, rehearse),
    secretStore: layered(env.secretEntries, (_, key) => secrets.get(key), rehearse),
    identity: opened === undefined ? null : rehearsedIdentity(opened, rehearse),
  };
};
