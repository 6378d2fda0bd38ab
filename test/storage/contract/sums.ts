import { expect, it } from "vitest";
import type { AddChange } from "../../../storage/store.ts";
import { type Bench, commit, commitOk, ok, put, reserve } from "./kit.ts";

const add = (sums: readonly string[], slot: number, ...amounts: readonly number[]): AddChange => ({
  op: "add",
  sums,
  slot,
  amounts,
});

export const sumTests = (bench: Bench): void => {
  it("numbers are added by position to every sum that is named", async () => {
    const { store } = bench;
    await commitOk(store, add(["all", "a"], 10, 1, 500));
    await commitOk(store, add(["all", "b"], 10, 1, 700, 3));
    await commitOk(store, add(["all", "a"], 12, 1, 11));
    expect(await store.added(["all"], 0, 100)).toEqual([3, 1211, 3]);
    expect(await store.added(["a"], 10, 10)).toEqual([1, 500]);
    expect(await store.added(["a", "b", "a"], 10, 12)).toEqual([3, 1211, 3]);
    expect(await store.added(["a"], 0, 3_000_000)).toEqual([2, 511]);
    expect(await store.added(["all"], 11, 11)).toEqual([]);
    expect(await store.added(["other"], 0, 100)).toEqual([]);
    expect(await store.added([], 0, 100)).toEqual([]);
  });

  it("what is taken off again leaves zero, in one commit too", async () => {
    const { store } = bench;
    await commitOk(store, add(["a"], 1, -2, 4), add(["a", "b"], 1, 5, 6));
    expect(await store.added(["a"], 1, 1)).toEqual([3, 10]);
    await commitOk(store, add(["a"], 1, -3, -10));
    const none = await store.added(["a"], 1, 1);
    expect(none.every((amount) => amount === 0)).toBe(true);
    expect(await store.added(["a", "b"], 0, 9)).toEqual([5, 6]);
  });

  it("no total is refused, and beyond 2^53 nothing is lost on the way back", async () => {
    const { store } = bench;
    for (let made = 0; made < 3; made += 1) await commitOk(store, add(["a"], 1, Number.MAX_SAFE_INTEGER));
    await commitOk(store, add(["a"], 1, 1));
    for (let made = 0; made < 3; made += 1) await commitOk(store, add(["a"], 1, -Number.MAX_SAFE_INTEGER));
    expect(await store.added(["a"], 1, 1)).toEqual([1]);
  });

  it("many writers of one sum all succeed", async () => {
    const { store } = bench;
    const writers = Array.from({ length: 64 }, (_, index) => index);
    const outcomes = await Promise.all(
      writers.map((index) => commit(store, put(`d${index}`, 0, 1), add(["all", `w${index % 2}`], 7, 1, index))),
    );
    expect(outcomes).toEqual(writers.map(() => ok));
    expect(await store.added(["all"], 7, 7)).toEqual([64, 2016]);
    expect(await store.added(["w1"], 7, 7)).toEqual([32, 1024]);
  });

  it("a commit that is refused adds nothing", async () => {
    const { store } = bench;
    await commit(store, add(["a"], 1, 5), reserve("inv", [1, 1], 11, 10));
    await commit(store, add(["a"], 1, 5), put("d1", 3, 1));
    expect(await store.added(["a"], 1, 1)).toEqual([]);
  });

  it("slots and amounts that are no safe integers are an error and change nothing", async () => {
    const broken = [add(["a"], 0.5, 1), add(["a"], 1, 0.5), add(["a"], 1, Number.NaN), add(["a"], 1, 2 ** 60)];
    for (const change of broken)
      await expect(commit(bench.store, put("d1", 0, 1), change)).rejects.toThrow(/sum|slot/i);
    expect(await bench.store.get("deal", "d1")).toBeNull();
    expect(await bench.store.added(["a"], 0, 10)).toEqual([]);
  });

  it("sums survive a reopening", async () => {
    await commitOk(bench.store, add(["a"], 1, 5), add(["b"], 1, 5));
    await commitOk(bench.store, add(["a"], 2, 2, Number.MAX_SAFE_INTEGER), add(["b"], 1, -5));
    const store = await bench.reopen();
    expect(await store.added(["a"], 0, 9)).toEqual([7, Number.MAX_SAFE_INTEGER]);
    await commitOk(store, add(["a"], 2, 1), add(["b"], 1, 4));
    const again = await bench.reopen();
    expect(await again.added(["a"], 2, 2)).toEqual([3, Number.MAX_SAFE_INTEGER]);
    expect(await again.added(["b"], 1, 1)).toEqual([4]);
  });
};
