import { expect, it } from "vitest";
import type { CommitOutcome } from "../../../storage/store.ts";
import type { Bench } from "./kit.ts";
import { commit, commitOk, conflict, put, reserve } from "./kit.ts";

const writers = Array.from({ length: 64 }, (_, i) => i);
const won = (outcomes: readonly CommitOutcome[]): number => outcomes.filter((outcome) => outcome.ok).length;

export const raceTests = (bench: Bench): void => {
  it("of 64 writers that create one id one wins, and each loser sees the winner at once", async () => {
    const seen = await Promise.all(
      writers.map(async (writer) => {
        const outcome = await commit(bench.store, put("d1", 0, { writer }), put(`own-${writer}`, 0, writer));
        return { outcome, row: await bench.store.get("deal", "d1") };
      }),
    );
    expect(won(seen.map(({ outcome }) => outcome))).toBe(1);
    const losers = seen.filter(({ outcome }) => !outcome.ok);
    for (const { outcome, row } of losers) {
      expect(outcome).toEqual(conflict("d1"));
      expect(row?.version).toBe(1);
    }
    expect(await bench.store.count("deal", null)).toBe(2);
  });

  it("of 64 writers on one row exactly one wins per version", async () => {
    await commitOk(bench.store, put("d1", 0, { version: 1 }));
    for (let version = 1; version <= 10; version += 1) {
      const outcomes = await Promise.all(writers.map((writer) => commit(bench.store, put("d1", version, { writer }))));
      expect(won(outcomes)).toBe(1);
      expect((await bench.store.get("deal", "d1"))?.version).toBe(version + 1);
    }
  });

  it("64 writers that retry from the load lose no update", async () => {
    await commitOk(bench.store, put("counter", 0, 0));
    const increment = async (): Promise<number> => {
      for (let attempt = 1; ; attempt += 1) {
        const row = await bench.store.get("deal", "counter");
        const outcome = await commit(bench.store, put("counter", row?.version ?? -1, (row?.body as number) + 1));
        if (outcome.ok) return attempt;
      }
    };
    const attempts = await Promise.all(writers.map(increment));
    expect(await bench.store.get("deal", "counter")).toMatchObject({ version: 65, body: 64 });
    expect(Math.max(...attempts)).toBeLessThanOrEqual(64);
  });

  it("64 reservations of which 10 fit give 10, and never pass the limit", async () => {
    const outcomes = await Promise.all(
      writers.map((writer) => commit(bench.store, put(`d${writer}`, 0, 1), reserve("inv", [1, 5], 10, 100))),
    );
    expect(won(outcomes)).toBe(10);
    expect(await bench.store.reserved("inv", 1, 5)).toBe(100);
    expect(await bench.store.count("deal", null)).toBe(10);
  });

  it("reservations of different commits never conflict", async () => {
    const outcomes = await Promise.all(writers.map(() => commit(bench.store, reserve("inv", [1, 30], 3))));
    expect(won(outcomes)).toBe(64);
    expect(await bench.store.reserved("inv", 1, 30)).toBe(192);
  });

  it("a commit that leans on a row which a rival moves does not pass beside it", async () => {
    await commitOk(bench.store, put("quote", 0, "open"));
    const outcomes = await Promise.all(
      writers.map((writer) =>
        commit(bench.store, put("quote", 1, "booked"), put(`deal-${writer}`, 0, 1, { kind: "booking" })),
      ),
    );
    expect(won(outcomes)).toBe(1);
    expect(await bench.store.count("booking", null)).toBe(1);
  });
};
