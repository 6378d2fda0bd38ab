import { expect, it } from "vitest";
import type { Bench } from "./kit.ts";
import { commit, commitOk, ok, overLimit, put, reserve } from "./kit.ts";

export const ledgerTests = (bench: Bench): void => {
  it("an amount is added to each slot of the span, both ends included", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [10, 12], 5));
    await commitOk(store, reserve("inv", [12, 14], 7));
    const slots = await Promise.all([9, 10, 11, 12, 13, 14, 15].map((slot) => store.reserved("inv", slot, slot)));
    expect(slots).toEqual([0, 5, 5, 12, 7, 7, 0]);
    expect(await store.reserved("inv", 0, 11)).toBe(5);
    expect(await store.reserved("inv", 0, 100)).toBe(12);
    expect(await store.reserved("other", 0, 100)).toBe(0);
  });

  it("a reservation up to the limit is taken, one past it in any slot is refused whole", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [3, 3], 6));
    expect(await commit(store, reserve("inv", [1, 5], 4, 10))).toEqual(ok);
    expect(await commit(store, reserve("inv", [1, 5], 1, 10))).toEqual(overLimit("inv"));
    expect(await store.reserved("inv", 1, 2)).toBe(4);
    expect(await commit(store, reserve("inv", [4, 5], 6, 10))).toEqual(ok);
    expect(await store.reserved("inv", 3, 5)).toBe(10);
  });

  it("the slots of a span come with their amounts, both ends included, those without left out", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [10, 12], 5));
    await commitOk(store, reserve("inv", [12, 14], 7));
    await commitOk(store, reserve("inv", [11, 11], -5));
    const found = await store.reservedSlots("inv", 10, 13);
    expect([...found].sort(([one], [other]) => one - other)).toEqual([
      [10, 5],
      [12, 12],
      [13, 7],
    ]);
    expect([...(await store.reservedSlots("inv", 14, 3_000_000))]).toEqual([[14, 7]]);
    expect([...(await store.reservedSlots("other", 0, 100))]).toEqual([]);
  });

  it("what is given back can be reserved again", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [1, 2], 10, 10));
    expect(await commit(store, reserve("inv", [2, 3], 1, 10))).toEqual(overLimit("inv"));
    await commitOk(store, reserve("inv", [1, 2], -4));
    expect(await commit(store, reserve("inv", [2, 3], 4, 10))).toEqual(ok);
    expect(await store.reserved("inv", 2, 2)).toBe(10);
  });

  it("no slot goes below zero", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [1, 1], 3));
    await commitOk(store, reserve("inv", [0, 2], -5));
    expect(await store.reserved("inv", 0, 2)).toBe(0);
    expect(await commit(store, reserve("inv", [0, 2], 10, 10))).toEqual(ok);
    expect(await commit(store, reserve("inv", [1, 1], 1, 10))).toEqual(overLimit("inv"));
  });

  it("giving back is never refused, however low the limit has become", async () => {
    await commitOk(bench.store, reserve("inv", [1, 1], 100));
    expect(await commit(bench.store, reserve("inv", [1, 1], -10, 5))).toEqual(ok);
    expect(await bench.store.reserved("inv", 1, 1)).toBe(90);
  });

  it("several reservations of one commit add up, on one ledger too", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [1, 2], 3, 10), reserve("inv", [2, 3], 4, 10), reserve("budget", [0, 0], 9));
    expect(await store.reserved("inv", 2, 2)).toBe(7);
    expect(await commit(store, reserve("inv", [1, 1], 4, 10), reserve("inv", [1, 1], 4, 10))).toEqual(overLimit("inv"));
    expect(await store.reserved("inv", 1, 1)).toBe(3);
  });

  it("reservations of one commit count in the order given, each on top of the one before", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [1, 1], -5), reserve("inv", [1, 1], 3));
    expect(await store.reserved("inv", 1, 1)).toBe(3);
    await commitOk(store, reserve("inv", [2, 2], 3), reserve("inv", [2, 2], -5));
    expect(await store.reserved("inv", 2, 2)).toBe(0);
    await commitOk(store, reserve("full", [1, 1], 10));
    expect(await commit(store, reserve("full", [1, 1], -5), reserve("full", [1, 1], 5, 10))).toEqual(ok);
    const over = await commit(store, reserve("full", [1, 1], 5, 10), reserve("full", [1, 1], -5));
    expect(over).toEqual(overLimit("full"));
    expect(await store.reserved("full", 1, 1)).toBe(10);
  });

  it("a commit that meets a limit writes none of its rows", async () => {
    const { store } = bench;
    const outcome = await commit(store, put("d1", 0, 1, { terms: ["s=a"] }), reserve("inv", [1, 1], 11, 10));
    expect(outcome).toEqual(overLimit("inv"));
    expect(await store.get("deal", "d1")).toBeNull();
    expect(await store.count("deal", "s=a")).toBe(0);
  });

  it("amounts in micros of large budgets stay exact", async () => {
    const { store } = bench;
    await commitOk(store, reserve("budget", [0, 0], 9_007_199_254_740_000, 9_007_199_254_740_991));
    await commitOk(store, reserve("budget", [0, 0], 991, 9_007_199_254_740_991));
    expect(await store.reserved("budget", 0, 0)).toBe(9_007_199_254_740_991);
    await commitOk(store, reserve("budget", [0, 0], -9_007_199_254_740_990));
    expect(await store.reserved("budget", 0, 0)).toBe(1);
  });

  it("without a limit a slot holds what can be counted exactly, and one more is refused", async () => {
    const { store } = bench;
    await commitOk(store, reserve("inv", [1, 1], Number.MAX_SAFE_INTEGER - 1));
    expect(await commit(store, reserve("inv", [0, 1], 2))).toEqual(overLimit("inv"));
    await commitOk(store, reserve("inv", [0, 1], 1));
    expect(await commit(store, reserve("inv", [1, 1], 1))).toEqual(overLimit("inv"));
    expect(await store.reserved("inv", 0, 1)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("amounts, slots and spans that are no sound integers are an error and change nothing", async () => {
    const broken = [
      reserve("inv", [1, 1], 0.5),
      reserve("inv", [1, 1], Number.NaN),
      reserve("inv", [1, 1], 2 ** 60),
      reserve("inv", [1.5, 2], 1),
      reserve("inv", [3, 2], 1),
      reserve("inv", [0, 1_000_000], 1),
      reserve("inv", [1, 1], 1, Number.NaN),
    ];
    for (const change of broken) await expect(commit(bench.store, put("d1", 0, 1), change)).rejects.toThrow(/ledger/);
    expect(await bench.store.get("deal", "d1")).toBeNull();
    expect(await bench.store.reserved("inv", 0, 10)).toBe(0);
  });

  it("ledgers survive a reopening", async () => {
    await commitOk(bench.store, reserve("inv", [1, 3], 5));
    await commitOk(bench.store, reserve("inv", [2, 2], 2));
    const store = await bench.reopen();
    expect(await Promise.all([1, 2, 3, 4].map((slot) => store.reserved("inv", slot, slot)))).toEqual([5, 7, 5, 0]);
    expect(await commit(store, reserve("inv", [1, 3], 4, 10))).toEqual(overLimit("inv"));
  });
};
