import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { commitOk, idsOf, put } from "../contract/kit.ts";
import { tempFolder, type TempFolder } from "../crash/folders.ts";

let folder: TempFolder;
let store: Store;

/** Every second row is even, every third a third; three carry `rare`. */
beforeAll(async () => {
  folder = await tempFolder();
  store = await openLowdbStore({ dir: folder.dir });
  for (let from = 0; from < 9_000; from += 500) {
    const rows = Array.from({ length: 500 }, (_, i) => {
      const number = from + i;
      const terms = ["all", number % 2 === 0 ? "even" : "odd", ...(number % 3 === 0 ? ["third"] : [])];
      if (number % 4_001 === 0) terms.push("rare");
      return put(`d${number}`, 0, number, { terms });
    });
    await commitOk(store, ...rows);
  }
});
afterAll(async () => {
  await store.close();
  await folder.remove();
});

type Order = "newest" | "oldest";

const ids = async (terms: readonly string[], order: Order, offset: number, limit = 3): Promise<string[]> =>
  idsOf(await store.list({ kind: "deal", terms, order, offset, limit }));

describe("embedded store: lists among thousands of rows", () => {
  it("a page far down several large terms is found over many turns of the event loop", async () => {
    expect(await ids(["all", "even", "third"], "oldest", 1_497)).toEqual(["d8982", "d8988", "d8994"]);
    expect(await ids(["third", "all"], "newest", 2_997)).toEqual(["d6", "d3", "d0"]);
    expect(await ids(["even", "odd"], "oldest", 0)).toEqual([]);
    expect(await ids(["all", "rare"], "oldest", 0)).toEqual(["d0", "d4001", "d8002"]);
    expect(await ids(["odd", "rare"], "newest", 0)).toEqual(["d4001"]);
  });

  it("a page far down one term is found by offset", async () => {
    expect(await ids(["odd"], "oldest", 4_000)).toEqual(["d8001", "d8003", "d8005"]);
    expect(await ids(["odd"], "newest", 4_498)).toEqual(["d3", "d1"]);
    expect(await ids([], "newest", 8_999)).toEqual(["d0"]);
    expect(await ids([], "oldest", 9_000)).toEqual([]);
  });

  it("a list that takes several turns survives changes made meanwhile", async () => {
    const listing = ids(["all", "odd"], "oldest", 4_496, 10);
    await commitOk(store, put("d1", 1, 0, { terms: ["all"] }), put("late", 0, 0, { terms: ["all", "odd"] }));
    const found = await listing;
    expect(found.filter((id) => id !== "late")).toEqual(["d8993", "d8995", "d8997", "d8999"]);
  });
});
