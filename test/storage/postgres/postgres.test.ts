import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { describeStore } from "../contract.ts";
import { describeOnPostgres } from "./database.ts";

await describeOnPostgres("postgres: the contract of the storage port", (url) => {
  let schemas = 0;
  describeStore("postgres", async () => {
    schemas += 1;
    const options = { url, schema: `contract_${schemas}`, log: () => undefined, catchUpMs: 100 };
    let store: Store = await openPostgresStore(options);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await openPostgresStore(options);
        return store;
      },
      destroy: () => store.close(),
    };
  });
});
