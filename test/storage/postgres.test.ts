import { afterAll, describe, it } from "vitest";
import { openPostgresStore } from "../../storage/postgres/driver.ts";
import type { Store } from "../../storage/store.ts";
import { describeStore } from "./contract.ts";
import { createDatabase } from "./postgres-database.ts";

const database = await createDatabase();

if ("reason" in database) {
  describe(`store postgres: skipped, ${database.reason}`, () => {
    it.skipIf(true)("the contract of the storage port", () => undefined);
  });
} else {
  let schemas = 0;
  afterAll(() => database.drop());
  describeStore("postgres", async () => {
    schemas += 1;
    const options = { url: database.url, schema: `contract_${schemas}`, log: () => undefined, catchUpMs: 100 };
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
}
