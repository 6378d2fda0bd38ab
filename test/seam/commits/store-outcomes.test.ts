import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { logStoreFailure } from "../../../protocol/seam/run/store-failure.ts";
import { update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Store } from "../../../storage/store.ts";
import { type DoorName, openDoors } from "../../doors/doors.ts";
import { type Bench, counterKind, openBench, stored } from "../runner-bench.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const lost = Object.assign(new Error("the connection was lost during a commit"), { code: "commit_outcome_unknown" });
/** Neither a refusal of the request nor a success. */
const unknown = { kind: "refused", status: 503, refusal: { code: "outcome_unknown" } };

/** Before anything was written, or after all of it was. */
const losing =
  (stands: boolean): Store["commit"] =>
  async (of) => {
    if (stands) await bench.store.commit(of);
    throw lost;
  };

const overtaken: Store["commit"] = async (of) => {
  const row = (await bench.store.get("counter", "a")) as Loaded<{ value: number }>;
  await bench.store.commit({ changes: [update(counterKind, row, { value: row.body.value + 10 })], audit: null });
  return bench.store.commit(of);
};

const nothing = { counter: 0, event: 0, idempotency: 0, audit: 0 };
const once = { counter: 1, event: 1, idempotency: 1, audit: 1 };

describe("a store that cannot serve", () => {
  const unreachable = Object.assign(new Error("no connection"), { code: "store_unreachable" });
  const from = { apiKey: "k", authorization: null, address: "203.0.113.1" } as const;

  test.each(["who", "count"] as const)("is refused where a request calls no operation too (%s)", async (asked) => {
    bench.lookUps.push(() => Promise.reject(unreachable));
    expect(await bench.runner.admit(from)[asked]()).toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    expect(bench.logged).toEqual(["unavailable"]);
    expect(await bench.runner.admit(from).who()).toMatchObject({ principal: "anonymous" });
  });

  test("is told to a call whose commit the database had no room for: nothing was changed", async () => {
    bench.commits.push(() => Promise.reject(Object.assign(new Error("disk full"), { code: "store_unusable" })));
    expect(await bench.call("raise", "a", { key: "k" })).toMatchObject({
      status: 503,
      refusal: { code: "unavailable", retryAfterSeconds: 5 },
    });
    expect(await stored(bench.store)).toEqual(nothing);
  });

  test("is logged once a minute, then with how many more calls it failed", () => {
    vi.useFakeTimers();
    try {
      const lines: unknown[] = [];
      const error = (fields: unknown, code: string): void => void lines.push([code, fields]);
      const log = { info: error, warn: error, error };
      for (let call = 0; call < 5; call += 1) logStoreFailure(log, "unavailable", { call });
      logStoreFailure(log, "outcome_unknown", { call: 5 });
      expect(lines).toEqual([
        ["unavailable", { call: 0 }],
        ["outcome_unknown", { call: 5 }],
      ]);
      vi.advanceTimersByTime(60_000);
      expect(lines.slice(2)).toEqual([["unavailable", { more: 4, seconds: 60 }]]);
      logStoreFailure(log, "unavailable", { call: 6 });
      expect(lines.at(-1)).toEqual(["unavailable", { call: 6 }]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("what nobody expected there is left to the door", async () => {
    bench.lookUps.push(() => Promise.reject(new TypeError("a bug")));
    await expect(bench.runner.admit(from).count()).rejects.toThrow("a bug");
  });
});

describe("atomic: rows, event, idempotency record and audit link", () => {
  test("one commit has all of them", async () => {
    expect(await bench.call("raise", "a", { key: "k" })).toMatchObject({ kind: "done", output: { value: 1 } });
    expect(await stored(bench.store)).toEqual(once);
  });

  test("a commit that failed leaves none of them, and the retry with the key does the work once", async () => {
    bench.commits.push(losing(false));
    expect(await bench.call("raise", "a", { key: "k" })).toMatchObject(unknown);
    expect(await stored(bench.store)).toEqual(nothing);
    expect(bench.logged).toEqual(["outcome_unknown"]);
    const again = await bench.call("raise", "a", { key: "k" });
    expect(again).toMatchObject({ kind: "done", output: { value: 1 }, meta: { replayed: false } });
    expect(await stored(bench.store)).toEqual(once);
  });

  test("a refusal that comes of another process's answer to the same key is not told: that answer is", async () => {
    const first: unknown[] = [];
    bench.meanwhile.push(async () => first.push(await bench.call("raise_first", "a", { key: "k", byRival: true })));
    const second = await bench.call("raise_first", "a", { key: "k" });
    expect(first).toMatchObject([{ kind: "done", output: { value: 1 }, meta: { replayed: false } }]);
    expect(second).toMatchObject({ kind: "done", output: { value: 1 }, meta: { replayed: true } });
    expect(await stored(bench.store)).toEqual(once);
    expect(await bench.call("raise_first", "a", { key: "other" })).toMatchObject({ kind: "refused", status: 404 });
  });

  test("a commit that stands though its answer was lost is replayed to the retry with the key", async () => {
    bench.commits.push(losing(true));
    expect(await bench.call("raise", "a", { key: "k" })).toMatchObject(unknown);
    const again = await bench.call("raise", "a", { key: "k" });
    expect(again).toMatchObject({ kind: "done", output: { value: 1 }, meta: { replayed: true } });
    expect(await stored(bench.store)).toEqual(once);
  });

  test("an output that breaks its contract is found before the commit", async () => {
    expect((await bench.call("raise_wrongly", "a", { key: "k" })).kind).toBe("bug");
    expect(bench.seen).toEqual([1]);
    expect(await stored(bench.store)).toEqual(nothing);
  });
});

describe.each(["rest", "mcp", "a2a", "rpc"] as const)("a commit of unknown outcome through %s", (door: DoorName) => {
  test.each([true, false])("is said to be unknown (it stands: %s), a retry learns the truth", async (stands) => {
    const doors = await openDoors(bench.runner, () => 0);
    const request = { caller: "", operation: "raise", input: { id: "a" }, idempotencyKey: randomUUID() };
    bench.commits.push(losing(stands));
    const failed = await doors.send(door, request, null);
    expect({ code: failed.code, status: failed.status }).toEqual({ code: "outcome_unknown", status: 503 });
    expect(JSON.stringify(failed)).not.toMatch(/connection was lost/);
    const again = await doors.send(door, request, null);
    expect([again.code, again.body]).toEqual([null, { value: 1 }]);
    expect(await stored(bench.store)).toEqual(once);
    await doors.close();
  });
});

describe("lost race", () => {
  test("the handler is called again with fresh rows, and logs nothing of the attempt that lost", async () => {
    await bench.call("raise", "a");
    bench.commits.push(overtaken);
    expect(await bench.call("raise", "a", { key: "k" })).toMatchObject({ kind: "done", output: { value: 12 } });
    expect(bench.seen).toEqual([1, 2, 12]);
    expect(bench.logged).toEqual(["raised", "raised"]);
    expect(await stored(bench.store)).toEqual({ counter: 1, event: 2, idempotency: 1, audit: 2 });
  });

  test("after 16 of them the caller is told to come back, and nothing was stored", async () => {
    await bench.call("raise", "a");
    bench.commits.push(...Array.from({ length: 16 }, () => overtaken));
    const outcome = await bench.call("raise", "a", { key: "k" });
    expect(outcome).toMatchObject({ status: 409, refusal: { code: "concurrent_update", retryAfterSeconds: 1 } });
    expect(bench.seen).toHaveLength(17);
    expect(await stored(bench.store)).toEqual({ counter: 1, event: 1, idempotency: 0, audit: 1 });
  });

  test("a rival of the same moment is refused only once the winner can be read", async () => {
    const both = await Promise.all([bench.call("raise", "a"), bench.call("raise", "a")]);
    expect(both.map((outcome) => outcome.kind === "done" && outcome.output)).toEqual([{ value: 1 }, { value: 2 }]);
    expect(bench.seen).toEqual([1, 1, 2]);
  });
});

describe("refusal that stores something", () => {
  test("its rows, event and audit link are one commit; the key stays free", async () => {
    const refused = await bench.call("refuse_and_raise", "a", { key: "k" });
    expect(refused).toMatchObject({ kind: "refused", status: 404 });
    expect(await stored(bench.store)).toEqual({ ...once, idempotency: 0 });
  });

  test("a lost race calls the handler again", async () => {
    await bench.call("raise", "a");
    bench.commits.push(overtaken);
    expect(await bench.call("refuse_and_raise", "a")).toMatchObject({ kind: "refused", status: 404 });
    expect(bench.seen).toEqual([1, 2, 12]);
  });

  test("a failed commit is no refusal, and a dry run stores nothing", async () => {
    bench.commits.push(losing(false));
    expect(await bench.call("refuse_and_raise", "a")).toMatchObject(unknown);
    expect(await bench.call("refuse_and_raise", "a", { dryRun: true })).toMatchObject({ kind: "refused" });
    expect(await stored(bench.store)).toEqual(nothing);
  });
});

describe("calls within a call", () => {
  test("each has the outer key with its place: a retry replays the part that was done and does the rest", async () => {
    bench.commits.push(bench.store.commit, losing(false));
    expect(await bench.call("raise_two", "a", { key: "k" })).toMatchObject(unknown);
    expect(await stored(bench.store)).toEqual(once);
    const again = await bench.call("raise_two", "a", { key: "k" });
    expect(again).toMatchObject({ kind: "done", output: { both: [{ value: 1 }, { value: 1 }] } });
    expect(await stored(bench.store)).toEqual({ counter: 2, event: 2, idempotency: 3, audit: 3 });
    expect(await bench.call("raise", "a-1", { key: "k#1" })).toMatchObject({ meta: { replayed: true } });
  });

  test("a dry run goes through to them", async () => {
    const outcome = await bench.call("raise_two", "a", { dryRun: true });
    expect(outcome).toMatchObject({ kind: "done", output: { dry_run: true } });
    expect(await stored(bench.store)).toEqual(nothing);
  });
});
