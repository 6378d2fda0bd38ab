import type { Image } from "./slabs.ts";

/** A row in memory. Its body is read from its image, so the heap holds little of it and no caller can reach into it. */
export interface Row extends Image {
  kind: string;
  readonly id: string;
  readonly n: number;
  version: number;
  terms: readonly string[];
  dueAtMs: number | null;
}

/** True when `a` stands before `b`. */
type Before = (a: Row, b: Row) => boolean;

/** Creation order. */
export const byCreation: Before = (a, b) => a.n < b.n;

/** Deadline order, creation order among equals; every row has a deadline. */
export const byDeadline: Before = (a, b) => {
  const [left, right] = [a.dueAtMs ?? 0, b.dueAtMs ?? 0];
  return left < right || (left === right && a.n < b.n);
};

/**
 * Rows in order, kept in chunks so that a row enters or leaves among a million by moving a few hundred pointers.
 * No chunk is empty. `sizes` has the length of each chunk, so that a late page is reached without touching the chunks
 * before it. Plain fields instead of methods: there are as many of these as there are terms.
 */
export interface SortedRows {
  /** The term that the rows carry; null for rows in another order or without one. */
  readonly term: string | null;
  size: number;
  readonly chunks: Row[][];
  readonly sizes: number[];
}

const chunkRows = 512;

export const sortedRows = (term: string | null = null): SortedRows => ({ term, size: 0, chunks: [], sizes: [] });

/** The first index of a sorted array whose item does not satisfy `isBefore`. */
const lowerBound = <T>(items: readonly T[], isBefore: (item: T) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
};

const lastOf = (chunk: readonly Row[]): Row => chunk[chunk.length - 1] as Row;

/** Puts a row behind all others. */
const appendRow = ({ chunks, sizes }: SortedRows, row: Row): void => {
  const last = chunks.at(-1);
  if (last === undefined || last.length === chunkRows) {
    chunks.push([row]);
    sizes.push(1);
  } else sizes[sizes.length - 1] = last.push(row);
};

/** Puts a row in its place; it must not be there yet. */
export const insertRow = (rows: SortedRows, row: Row, before: Before): void => {
  rows.size += 1;
  const { chunks, sizes } = rows;
  const last = chunks.at(-1);
  if (last === undefined || before(lastOf(last), row)) {
    appendRow(rows, row);
    return;
  }
  const at = lowerBound(chunks, (chunk) => before(lastOf(chunk), row));
  const chunk = chunks[at] as Row[];
  chunk.splice(
    lowerBound(chunk, (other) => before(other, row)),
    0,
    row,
  );
  if (chunk.length > chunkRows) {
    const upper = chunk.splice(chunkRows >>> 1);
    chunks.splice(at + 1, 0, upper);
    sizes.splice(at + 1, 0, upper.length);
  }
  sizes[at] = chunk.length;
};

/** Takes a row out; its ordering fields must still be those it was put in with. */
export const deleteRow = (rows: SortedRows, row: Row, before: Before): void => {
  const at = lowerBound(rows.chunks, (chunk) => before(lastOf(chunk), row));
  const chunk = rows.chunks[at];
  const index = chunk === undefined ? -1 : lowerBound(chunk, (other) => before(other, row));
  if (chunk === undefined || chunk[index] !== row) return;
  rows.size -= 1;
  if (chunk.length === 1) {
    rows.chunks.splice(at, 1);
    rows.sizes.splice(at, 1);
  } else {
    chunk.splice(index, 1);
    rows.sizes[at] = chunk.length;
  }
};

/** Where a walk stands: the row it gives next. */
interface Place {
  chunk: number;
  index: number;
}

const place = (rows: SortedRows, order: "newest" | "oldest", after: number | undefined): Place => {
  const { chunks } = rows;
  if (order === "oldest") {
    const from = after ?? -Infinity;
    const chunk = lowerBound(chunks, (items) => lastOf(items).n <= from);
    return { chunk, index: lowerBound(chunks[chunk] ?? [], (row) => row.n <= from) };
  }
  const until = after ?? Infinity;
  const chunk = lowerBound(chunks, (items) => (items[0] as Row).n < until) - 1;
  return { chunk, index: lowerBound(chunks[chunk] ?? [], (row) => row.n < until) - 1 };
};

/** Moves a place over so many rows, by the sizes of their chunks. */
const jump = ({ sizes }: SortedRows, at: Place, step: 1 | -1, offset: number): void => {
  let skip = offset;
  let left = step === 1 ? (sizes[at.chunk] ?? 0) - at.index : at.index + 1;
  while (skip >= left && left > 0) {
    skip -= left;
    at.chunk += step;
    left = sizes[at.chunk] ?? 0;
    at.index = step === 1 ? 0 : left - 1;
  }
  at.index += skip * step;
};

/**
 * Walks rows in creation order, or backwards, from the row after `after`, without the first `offset` of them. The rows
 * must not change while one step of the walk runs.
 */
export function* walkRows(
  rows: SortedRows,
  order: "newest" | "oldest",
  after: number | undefined,
  offset: number,
): Generator<Row> {
  const step = order === "oldest" ? 1 : -1;
  const at = place(rows, order, after);
  jump(rows, at, step, offset);
  for (let chunk = rows.chunks[at.chunk]; chunk !== undefined; chunk = rows.chunks[at.chunk]) {
    for (; at.index >= 0 && at.index < chunk.length; at.index += step) yield chunk[at.index] as Row;
    at.chunk += step;
    at.index = step === 1 ? 0 : (rows.chunks[at.chunk]?.length ?? 0) - 1;
  }
}
