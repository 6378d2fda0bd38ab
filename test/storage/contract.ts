import { afterEach, beforeEach, describe } from "vitest";
import type { Bench, Opened, OpenStore } from "./contract/kit.ts";
import { ledgerTests } from "./contract/ledgers.ts";
import { auditTests, lifecycleTests, sizeTests, watchTests } from "./contract/lifecycle.ts";
import { countTests, dueTests, listTests } from "./contract/lists.ts";
import { raceTests } from "./contract/races.ts";
import { atomicityTests, bodyTests, nameTests, rowTests } from "./contract/rows.ts";
import { sumTests } from "./contract/sums.ts";
import type { Store } from "../../storage/store.ts";

const groups: Readonly<Record<string, (bench: Bench) => void>> = {
  rows: rowTests,
  atomicity: atomicityTests,
  names: nameTests,
  bodies: bodyTests,
  lists: listTests,
  counts: countTests,
  deadlines: dueTests,
  ledgers: ledgerTests,
  sums: sumTests,
  races: raceTests,
  watch: watchTests,
  size: sizeTests,
  audit: auditTests,
  lifecycle: lifecycleTests,
};

/** Empty storage for each test, destroyed after it. */
export const describeStore = (name: string, open: OpenStore): void => {
  describe(`store ${name}`, () => {
    let opened: Opened;
    let store: Store;
    const bench: Bench = {
      get store() {
        return store;
      },
      reopen: async () => (store = await opened.reopen()),
    };
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.destroy());
    for (const [group, tests] of Object.entries(groups)) describe(group, () => tests(bench));
  });
};
