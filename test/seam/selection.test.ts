import { describe, expect, it } from "vitest";
import { selectedTerms, selectionTerms } from "../../protocol/seam/selection.ts";

describe("selection: rows are found by any combination of filters", () => {
  const values = ['a "quoted" one', "null", "back\\slash, zoë\u2028"];

  it("each filter, pair and triple asks for a term that the row carries", () => {
    const carried = selectionTerms(values);
    const asked = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) =>
      values.map((value, at) => ((mask & (1 << at)) === 0 ? null : [value])),
    );
    expect(asked.flatMap(selectedTerms).filter((term) => term !== null)).toHaveLength(7);
    for (const selected of asked.slice(1))
      expect(carried).toEqual(expect.arrayContaining([...selectedTerms(selected)]));
    expect(selectedTerms([null, null, null])).toEqual([null]);
  });

  it("a value that reads null is no open filter", () => {
    const carried = selectionTerms(["null", "x"]);
    expect(carried).not.toContain(selectedTerms([null, null])[0]);
    expect(new Set(carried).size).toBe(3);
  });
});
