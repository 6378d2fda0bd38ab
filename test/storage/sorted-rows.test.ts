import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byCreation,
  byDeadline,
  emptyColumns,
  field,
  fieldOf,
  setField,
  takeNumber,
} from "../../storage/lowdb/columns.ts";
import {
  deleteRow,
  hasRow,
  insertRow,
  sortedRows,
  walkRows,
  type SortedRows,
} from "../../storage/lowdb/sorted-rows.ts";

const columns = emptyColumns();

const rowAt = (n: number, dueAtMs = Number.NaN): number => {
  const row = takeNumber(columns);
  setField(columns, row, field.n, n);
  setField(columns, row, field.dueAtMs, dueAtMs);
  return row;
};

const nOf = (row: number): number => fieldOf(columns, row, field.n);

const all = (rows: SortedRows): number[] => {
  expect(rows.sizes.reduce((sum, size) => sum + size, 0)).toBe(rows.size);
  return rows.chunks.flatMap((chunk, at) => [...chunk.subarray(0, rows.sizes[at])]);
};

/** Shuffled numbers from 0 to `size` - 1, by a fixed step that has no divisor in common with the size. */
const shuffled = (size: number): number[] => Array.from({ length: size }, (_, i) => (i * 7_919) % size);

describe("sorted rows", () => {
  it("keep 5,000 rows in order whatever order they come and go in, in chunks of at most 512", () => {
    const rows = sortedRows(1);
    const made = shuffled(5_000).map((n) => rowAt(n));
    for (const row of made) insertRow(columns, rows, row, byCreation);
    expect(all(rows).map(nOf)).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    expect(Math.max(...rows.chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(512);
    for (const row of made) if (nOf(row) % 3 !== 0) deleteRow(columns, rows, row, byCreation);
    expect(all(rows).map(nOf)).toEqual(Array.from({ length: 1_667 }, (_, i) => i * 3));
    expect(rows.size).toBe(1_667);
    for (const row of made) if (nOf(row) % 3 === 0) deleteRow(columns, rows, row, byCreation);
    expect(rows).toEqual({ term: null, table: 1, size: 0, chunks: [], sizes: [] });
  });

  it("walk from any place in both directions like a sorted array", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { maxLength: 1_500 });
    const after = fc.option(fc.integer({ min: 0, max: 3_001 }), { nil: undefined });
    const order = fc.constantFrom("newest" as const, "oldest" as const);
    const query = fc.record({ order, after, offset: fc.nat(700) });
    fc.assert(
      fc.property(numbers, query, (ns, { order: direction, after: from, offset }) => {
        const rows = sortedRows(1);
        for (const n of ns) insertRow(columns, rows, rowAt(n), byCreation);
        const up = ns.toSorted((a, b) => a - b);
        const inOrder = direction === "oldest" ? up : up.toReversed();
        const rest = inOrder.filter((n) => from === undefined || (direction === "oldest" ? n > from : n < from));
        const walked = [...walkRows(columns, rows, { order: direction, after: from, offset })];
        expect(walked.map(nOf)).toEqual(rest.slice(offset));
        expect(walked.every((row) => hasRow(columns, rows, row, byCreation))).toBe(true);
        expect(hasRow(columns, rows, rowAt(3_001), byCreation)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("order by deadline, and by creation among equal deadlines", () => {
    const rows = sortedRows(1);
    const made = shuffled(2_000).map((n) => rowAt(n, n % 10));
    for (const row of made) insertRow(columns, rows, row, byDeadline);
    const order = all(rows).map((row) => fieldOf(columns, row, field.dueAtMs) * 10_000 + nOf(row));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("taking out a row that is not there changes nothing", () => {
    const rows = sortedRows(1);
    insertRow(columns, rows, rowAt(1), byCreation);
    deleteRow(columns, rows, rowAt(1), byCreation);
    deleteRow(columns, rows, rowAt(2), byCreation);
    expect(rows.size).toBe(1);
  });
});
