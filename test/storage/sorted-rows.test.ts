import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byCreation,
  byDeadline,
  deleteRow,
  insertRow,
  sortedRows,
  walkRows,
  type Row,
  type SortedRows,
} from "../../storage/lowdb/sorted-rows.ts";

const slab = { bytes: Buffer.alloc(0), length: 0, live: 0 };

const rowAt = (n: number, dueAtMs: number | null = null): Row => ({
  kind: "deal",
  id: `d${n}`,
  n,
  version: 1,
  terms: [],
  dueAtMs,
  slab,
  start: 0,
  end: 0,
});

const all = (rows: SortedRows): Row[] => {
  expect(rows.sizes).toEqual(rows.chunks.map((chunk) => chunk.length));
  return rows.chunks.flat();
};

/** Shuffled numbers from 0 to `size` - 1, by a fixed step that has no divisor in common with the size. */
const shuffled = (size: number): number[] => Array.from({ length: size }, (_, i) => (i * 7_919) % size);

describe("sorted rows", () => {
  it("keep 5,000 rows in order whatever order they come and go in, in chunks of at most 512", () => {
    const rows = sortedRows();
    const made = shuffled(5_000).map((n) => rowAt(n));
    for (const row of made) insertRow(rows, row, byCreation);
    expect(all(rows).map((row) => row.n)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect(Math.max(...rows.chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(512);
    for (const row of made) if (row.n % 3 !== 0) deleteRow(rows, row, byCreation);
    expect(all(rows).map((row) => row.n)).toEqual(Array.from({ length: 1_667 }, (_, i) => i * 3));
    expect(rows.size).toBe(1_667);
    for (const row of made) if (row.n % 3 === 0) deleteRow(rows, row, byCreation);
    expect(rows).toEqual({ term: null, size: 0, chunks: [], sizes: [] });
  });

  it("walk from any place in both directions like a sorted array", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { maxLength: 1_500 });
    const after = fc.option(fc.integer({ min: 0, max: 3_001 }), { nil: undefined });
    const order = fc.constantFrom("newest" as const, "oldest" as const);
    const query = fc.record({ order, after, offset: fc.nat(700) });
    fc.assert(
      fc.property(numbers, query, (ns, { order: direction, after: from, offset }) => {
        const rows = sortedRows();
        for (const n of ns) insertRow(rows, rowAt(n), byCreation);
        const up = ns.toSorted((a, b) => a - b);
        const inOrder = direction === "oldest" ? up : up.toReversed();
        const rest = inOrder.filter((n) => from === undefined || (direction === "oldest" ? n > from : n < from));
        expect([...walkRows(rows, direction, from, offset)].map((row) => row.n)).toEqual(rest.slice(offset));
      }),
      { numRuns: 200 },
    );
  });

  it("order by deadline, and by creation among equal deadlines", () => {
    const rows = sortedRows();
    const made = shuffled(2_000).map((n) => rowAt(n, n % 10));
    for (const row of made) insertRow(rows, row, byDeadline);
    const order = all(rows).map((row) => (row.dueAtMs ?? 0) * 10_000 + row.n);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("taking out a row that is not there changes nothing", () => {
    const rows = sortedRows();
    insertRow(rows, rowAt(1), byCreation);
    deleteRow(rows, rowAt(1), byCreation);
    deleteRow(rows, rowAt(2), byCreation);
    expect(rows.size).toBe(1);
  });
});
