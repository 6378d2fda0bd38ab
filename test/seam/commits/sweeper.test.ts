import { afterEach, beforeEach, expect, test } from "vitest";
import { createSeller } from "../../../agents/seller/app.ts";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { canaryProducts } from "../../secrecy/canaries.ts";
import { type DueWorker, startSweeper } from "../../../agents/server/sweeper.ts";
import { create, remove } from "../../../protocol/seam/changes.ts";
import { sellerDueWork } from "../../../skills/seller/due-work.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import type { Commit, Kind, Store } from "../../../storage/store.ts";
import { plainSettings, sendToRunner, startMs } from "../../skills/world.ts";

let store: Store;
const logged: string[] = [];
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (_fields: unknown, message: string) => void logged.push(message),
};
beforeEach(() => {
  store = openMemoryStore();
  logged.length = 0;
});
afterEach(() => store.close());

const day = 86_400_000;

/** No timer. */
const sweeperOver = (over: Store, nowMs: number, due: DueWorker) => {
  const sweeper = startSweeper({ store: over, clock: { nowMs: () => nowMs }, log, due }, 3_600_000);
  return { sweep: () => sweeper.sweep(), stop: () => sweeper.stop() };
};

/** Something else happens before the first commit to a row of the kind. */
const interrupted = (kind: string, between: () => Promise<unknown>): Store => {
  let isDone = false;
  const commit = async (of: Commit) => {
    const touches = of.changes.some((change) => change.op === "put" && change.kind === kind && change.expect > 0);
    if (touches && !isDone) {
      isDone = true;
      await between();
    }
    return store.commit(of);
  };
  return { ...store, commit };
};

const sellerOver = (over: Store) => {
  const catalog = createCatalog(canaryProducts);
  const clock = { nowMs: () => startMs };
  const { runner } = createSeller({ store: over, settings: plainSettings, catalog, clock, log });
  const send = sendToRunner(runner);
  return (operation: string, input: unknown) => send({ caller: "anonymous", operation, input }, null);
};

const wish = { product_id: "prod-91ddc363", deal_type: "PD" };

test("sweeper: a quote that is booked between its look and its commit stays booked", async () => {
  const send = sellerOver(store);
  const quoteId = (await send("request_quote", wish)).body["quote_id"];
  const racing = interrupted("quote", () => send("book_deal", { quote_id: quoteId }));
  const sweeper = sweeperOver(racing, startMs + day + 1, sellerDueWork(plainSettings));
  expect(await sweeper.sweep()).toBe(0);
  expect((await send("get_quote", { quote_id: quoteId })).body["status"]).toBe("booked");
  expect([await store.count("deal", null), await store.count("event", "type=quote.expired")]).toEqual([1, 0]);
  expect(logged).toEqual([]);
  await sweeper.stop();
});

test("sweeper: a quote that expires between the look and the commit of its booking is not booked", async () => {
  const quoteId = (await sellerOver(store)("request_quote", wish)).body["quote_id"];
  const sweeper = sweeperOver(store, startMs + day + 1, sellerDueWork(plainSettings));
  const send = sellerOver(interrupted("quote", () => sweeper.sweep()));
  expect((await send("book_deal", { quote_id: quoteId })).code).toBe("quote_expired");
  expect([await store.count("deal", null), await store.count("event", "type=quote.expired")]).toEqual([0, 1]);
  await sweeper.stop();
});

const timerKind: Kind<{ readonly dueAtMs: number }> = {
  name: "timer",
  terms: () => [],
  dueAtMs: (row) => row.dueAtMs,
  owner: () => null,
};

const addTimers = async (names: readonly string[], dueAtMs: number): Promise<void> => {
  const changes = names.map((name) => create(timerKind, name, { dueAtMs }));
  await store.commit({ changes, audit: null });
};

test.each(["throws", "has no work"])("sweeper: 250 rows whose worker %s stop no later one", async (how) => {
  const bad = Array.from({ length: 250 }, (_, index) => `bad-${index}`);
  await addTimers(bad, 1);
  await addTimers(["good"], 2);
  const sweeper = sweeperOver(store, 10, (row) => {
    if (row.id === "good") return { changes: [remove(timerKind, row as never)], events: [] };
    if (how === "throws") throw new Error("this row is bad");
    return null;
  });
  const passes = [await sweeper.sweep(), await sweeper.sweep(), await sweeper.sweep()];
  expect(passes).toEqual([0, 0, 1]);
  expect(logged).toHaveLength(250);
  expect(await store.get("timer", "good")).toBeNull();
  await sweeper.stop();
});

test("sweeper: ten due rows are on their way to the disk at once, never more", async () => {
  const names = Array.from({ length: 95 }, (_, index) => `timer-${index}`);
  await addTimers(names, 1);
  let underWay = 0;
  let most = 0;
  const commit: Store["commit"] = async (of) => {
    most = Math.max(most, (underWay += 1));
    const outcome = await store.commit(of);
    underWay -= 1;
    return outcome;
  };
  const sweeper = sweeperOver({ ...store, commit }, 10, (row) => ({
    changes: [remove(timerKind, row as never)],
    events: [],
  }));
  expect([await sweeper.sweep(), most, await store.count("timer", null)]).toEqual([95, 10, 0]);
  await sweeper.stop();
});
