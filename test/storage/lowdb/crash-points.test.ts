import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acknowledged, expectWhole } from "../crash/bookings.ts";
import { buildChild, type ChildProgram } from "../crash/children.ts";
import type { CrashPlan } from "../crash/files.ts";
import { tempFolder, withStore } from "../crash/folders.ts";
import { powerCuts } from "../crash/power-cuts.ts";
import { runSeed } from "../crash/random.ts";

const slowMs = 240_000;

let program: ChildProgram;
beforeAll(async () => {
  program = await buildChild();
});
afterAll(() => program.remove());

interface Ends {
  readonly lines: readonly string[];
  readonly deaths: number;
}

/** Twice, so that starts are cut short as well. */
const dieTwiceAt = async (plan: CrashPlan): Promise<Ends> => {
  const folder = await tempFolder();
  const lines: string[] = [];
  for (const prefix of ["a", "b"]) {
    const child = program.start({ task: "script", dir: folder.dir, prefix, plan });
    expect(await child.ended).toBe("");
    lines.push(...child.lines);
  }
  await withStore({ dir: folder.dir }, (store) => expectWhole(store, acknowledged(lines)));
  await folder.remove();
  return { lines, deaths: 2 - lines.filter((line) => line.startsWith("steps ")).length };
};

const names = ["append", "create", "write", "sync", "close", "rename", "remove", "syncFolder"];

describe("embedded store: a process that ends between any two steps towards the disk", () => {
  it(
    "start, bookings, snapshots and close lose nothing acknowledged and leave no part of a commit",
    async () => {
      const { lines, deaths } = await dieTwiceAt({ at: 1_000_000, half: false });
      expect(deaths).toBe(0);
      const steps =
        lines
          .find((line) => line.startsWith("steps "))
          ?.split(" ")
          .slice(1) ?? [];
      expect([...new Set(steps)].sort()).toEqual(names.sort());
      const plans = steps.flatMap((op, index) => {
        const at = index + 1;
        return op === "write"
          ? [
              { at, half: false },
              { at, half: true },
            ]
          : [{ at, half: false }];
      });
      let died = 0;
      for (let from = 0; from < plans.length; from += 4) {
        const ends = await Promise.all(plans.slice(from, from + 4).map(dieTwiceAt));
        died += ends.reduce((sum, end) => sum + end.deaths, 0);
      }
      // Snapshots begin a moment earlier or later, so the last steps may be missed.
      expect(died).toBeGreaterThan(plans.length * 1.5);
    },
    slowMs,
  );

  it(
    "60 power cuts, each on the folder that the one before left, lose nothing acknowledged",
    async () => {
      expect(await powerCuts(runSeed("power cuts"), 12, 5)).toBe(60);
    },
    slowMs,
  );
});
