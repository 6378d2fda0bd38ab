import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row } from "../../storage/lowdb/rows/index.ts";
import { byDeadline, SortedRows } from "../../storage/lowdb/rows/sorted-rows.ts";

const rowAt = (n: number, dueAtMs: number | null = null): Row => ({
  kind: "deal",
  id: `d${n}`,
  n,
  version: 1,
  terms: [],
  dueAtMs,
  json: "1",
});

const nOf = ({ n }: Row): number => n;

const all = (rows: SortedRows): Row[] => {
  const walked = [...rows.walk({ order: "oldest", after: undefined, offset: 0 })];
  expect(walked).toHaveLength(rows.size);
  return walked;
};

const shuffled = (size: number): number[] => Array.from({ length: size }, (_, i) => (i * 7_919) % size);

describe("sorted rows", () => {
  it("keep 5,000 rows in order whatever order they come and go in", () => {
    const rows = new SortedRows();
    const made = shuffled(5_000).map((n) => rowAt(n));
    for (const row of made) rows.insert(row);
    expect(all(rows).map(nOf)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    for (const row of made) if (nOf(row) % 3 !== 0) rows.delete(row);
    expect(all(rows).map(nOf)).toEqual(Array.from({ length: 1_667 }, (_, i) => i * 3));
    expect(rows.size).toBe(1_667);
    for (const row of made) if (nOf(row) % 3 === 0) rows.delete(row);
    expect(all(rows)).toEqual([]);
  });

  it("walk from any place in both directions like a sorted array", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { maxLength: 1_500 });
    const after = fc.option(fc.integer({ min: 0, max: 3_001 }), { nil: undefined });
    const order = fc.constantFrom("newest" as const, "oldest" as const);
    const query = fc.record({ order, after, offset: fc.nat(700) });
    fc.assert(
      fc.property(numbers, query, (ns, { order: direction, after: from, offset }) => {
        const rows = new SortedRows();
        for (const n of ns) rows.insert(rowAt(n));
        const up = ns.toSorted((a, b) => a - b);
        const inOrder = direction === "oldest" ? up : up.toReversed();
        const rest = inOrder.filter((n) => from === undefined || (direction === "oldest" ? n > from : n < from));
        const walked = [...rows.walk({ order: direction, after: from, offset })];
        expect(walked.map(nOf)).toEqual(rest.slice(offset));
        expect(walked.every((row) => rows.has(row))).toBe(true);
        expect(rows.has(rowAt(3_001))).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("order by deadline, and by creation among equal deadlines", () => {
    const rows = new SortedRows(byDeadline);
    const made = shuffled(2_000).map((n) => rowAt(n, n % 10));
    for (const row of made) rows.insert(row);
    const order = all(rows).map((row) => (row.dueAtMs ?? 0) * 10_000 + nOf(row));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("taking out a row that is not there changes nothing", () => {
    const rows = new SortedRows();
    rows.insert(rowAt(1));
    rows.delete(rowAt(1));
    rows.delete(rowAt(2));
    expect(rows.size).toBe(1);
  });
});
