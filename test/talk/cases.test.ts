import { describe, expect, test } from "vitest";
import { authors, filesOfCases } from "./measure/case.ts";
import { failureBlock, headRow, totalsRow } from "./measure/report.ts";
import { playAll, totalsOf } from "./measure/totals.ts";

test("every file of conversations has its author, and every author a file", () => {
  expect([...authors().keys()].toSorted()).toStrictEqual([...filesOfCases()].toSorted());
});

const minutes = 60_000;

describe("conversations", () => {
  test.each([...authors()])(
    "%s",
    async (author, { floor, unseen, unwanted = 0 }) => {
      const all = await playAll(author);
      const totals = totalsOf(author, all);
      const wrong = all.filter(({ isRight }) => !isRight);
      // Nobody learns from what is unseen, not even from a failure.
      const shown = unseen === true ? "" : wrong.map(failureBlock).join("\n");
      expect(totals.unwanted, shown).toBeLessThanOrEqual(unwanted);
      expect(totals.unasked, shown).toBe(0);
      expect(totals.withPick, `${headRow()}\n${totalsRow(totals)}\n${shown}`).toBeGreaterThanOrEqual(floor);
    },
    5 * minutes,
  );
});
