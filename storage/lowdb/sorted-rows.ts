import { type Columns, field, fieldOf } from "./columns.ts";

/** True when a row stands before a place, which another row's number tells, or in a walk a place in creation order. */
type Before = (columns: Columns, row: number, place: number) => boolean;

/**
 * Numbers of rows in order, kept in chunks so that a row enters or leaves among a million by moving a few hundred
 * numbers. No chunk is empty. `sizes` tells how many rows each chunk has, so that a late page is reached without
 * touching the chunks before it. A chunk is an array outside the heap, with room for more: numbers by the million on
 * the heap would be copied and looked through by the collector.
 */
export interface SortedRows {
  /** The term that the rows carry and the number of their table; null: all rows of the table, or of all tables. */
  readonly term: string | null;
  readonly table: number;
  size: number;
  readonly chunks: Int32Array[];
  readonly sizes: number[];
}

const chunkRows = 512;
const firstRows = 16;

export const sortedRows = (table: number, term: string | null = null): SortedRows => ({
  term,
  table,
  size: 0,
  chunks: [],
  sizes: [],
});

const sizeOf = ({ sizes }: SortedRows, at: number): number => sizes[at] ?? 0;

const rowAt = ({ chunks }: SortedRows, at: number, index: number): number =>
  (chunks[at] as Int32Array)[index] as number;

const lastOf = (rows: SortedRows, at: number): number => rowAt(rows, at, sizeOf(rows, at) - 1);

/** The chunk in which a place is. */
const chunkFor = (columns: Columns, rows: SortedRows, place: number, before: Before): number => {
  let [low, high] = [0, rows.chunks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(columns, lastOf(rows, middle), place)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Where in a chunk a place is: the index of the first row that does not stand before it. */
const indexFor = (columns: Columns, rows: SortedRows, at: number, place: number, before: Before): number => {
  let [low, high] = [0, sizeOf(rows, at)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(columns, rowAt(rows, at, middle), place)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Puts a row in its place in a chunk that is not full. */
const putRow = ({ chunks, sizes }: SortedRows, at: number, index: number, row: number): void => {
  let chunk = chunks[at] as Int32Array;
  const size = sizes[at] as number;
  if (size === chunk.length) {
    const larger = new Int32Array(chunk.length * 2);
    larger.set(chunk);
    chunks[at] = larger;
    chunk = larger;
  }
  if (index < size) chunk.copyWithin(index + 1, index, size);
  chunk[index] = row;
  sizes[at] = size + 1;
};

/** Puts a row behind all others. */
const appendRow = (rows: SortedRows, row: number): void => {
  const { chunks, sizes } = rows;
  if (chunks.length === 0 || sizes.at(-1) === chunkRows) {
    chunks.push(new Int32Array(chunks.length === 0 ? firstRows : chunkRows));
    sizes.push(0);
  }
  const at = chunks.length - 1;
  putRow(rows, at, sizeOf(rows, at), row);
};

/** Makes two chunks of a full one. */
const splitChunk = ({ chunks, sizes }: SortedRows, at: number): void => {
  const half = chunkRows >>> 1;
  const upper = new Int32Array(chunkRows);
  upper.set((chunks[at] as Int32Array).subarray(half));
  chunks.splice(at + 1, 0, upper);
  sizes.splice(at, 1, half, half);
};

/** Puts a row in its place; it must not be there yet. */
export const insertRow = (columns: Columns, rows: SortedRows, row: number, before: Before): void => {
  const last = rows.chunks.length - 1;
  rows.size += 1;
  if (last === -1 || before(columns, lastOf(rows, last), row)) {
    appendRow(rows, row);
    return;
  }
  let at = chunkFor(columns, rows, row, before);
  if (sizeOf(rows, at) === chunkRows) {
    splitChunk(rows, at);
    at = chunkFor(columns, rows, row, before);
  }
  putRow(rows, at, indexFor(columns, rows, at, row, before), row);
};

/** Where a row stands in a chunk; -1: it does not. */
const indexOf = (columns: Columns, rows: SortedRows, at: number, row: number, before: Before): number => {
  const index = indexFor(columns, rows, at, row, before);
  return index < sizeOf(rows, at) && rowAt(rows, at, index) === row ? index : -1;
};

/** Whether a row is among the rows, which are in the order given. */
export const hasRow = (columns: Columns, rows: SortedRows, row: number, before: Before): boolean =>
  indexOf(columns, rows, chunkFor(columns, rows, row, before), row, before) !== -1;

/** Takes a row out; its ordering fields must still be those it was put in with. */
export const deleteRow = (columns: Columns, rows: SortedRows, row: number, before: Before): void => {
  const { chunks, sizes } = rows;
  const at = chunkFor(columns, rows, row, before);
  const index = indexOf(columns, rows, at, row, before);
  if (index === -1) return;
  rows.size -= 1;
  const size = sizeOf(rows, at) - 1;
  if (size === 0) {
    chunks.splice(at, 1);
    sizes.splice(at, 1);
  } else {
    chunks[at]?.copyWithin(index, index + 1, size + 1);
    sizes[at] = size;
  }
};

/** Where a walk stands: the row it gives next. */
interface Place {
  chunk: number;
  index: number;
}

/** A walk in creation order, or backwards, which begins after a place (exclusive) and leaves out so many rows. */
export interface Walk {
  readonly order: "newest" | "oldest";
  readonly after: number | undefined;
  readonly offset: number;
}

const isUpTo: Before = (columns, row, n) => fieldOf(columns, row, field.n) <= n;

const isUnder: Before = (columns, row, n) => fieldOf(columns, row, field.n) < n;

const placeOf = (columns: Columns, rows: SortedRows, { order, after }: Walk): Place => {
  if (order === "oldest") {
    const from = after ?? -Infinity;
    const chunk = chunkFor(columns, rows, from, isUpTo);
    return { chunk, index: indexFor(columns, rows, chunk, from, isUpTo) };
  }
  const until = after ?? Infinity;
  const chunk = chunkFor(columns, rows, until, isUnder);
  const index = indexFor(columns, rows, chunk, until, isUnder) - 1;
  return index === -1 ? { chunk: chunk - 1, index: sizeOf(rows, chunk - 1) - 1 } : { chunk, index };
};

/** Moves a place over so many rows, by the sizes of their chunks. */
const jump = (rows: SortedRows, at: Place, step: 1 | -1, offset: number): void => {
  let skip = offset;
  let left = step === 1 ? sizeOf(rows, at.chunk) - at.index : at.index + 1;
  while (skip >= left && left > 0) {
    skip -= left;
    at.chunk += step;
    left = sizeOf(rows, at.chunk);
    at.index = step === 1 ? 0 : left - 1;
  }
  at.index += skip * step;
};

/**
 * Walks rows, which are in creation order where the walk does not begin at an end. They must not change while one step
 * of the walk runs.
 */
export function* walkRows(columns: Columns, rows: SortedRows, walk: Walk): Generator<number> {
  const step = walk.order === "oldest" ? 1 : -1;
  const at = placeOf(columns, rows, walk);
  jump(rows, at, step, walk.offset);
  while (at.chunk >= 0 && at.chunk < rows.chunks.length) {
    for (; at.index >= 0 && at.index < sizeOf(rows, at.chunk); at.index += step) yield rowAt(rows, at.chunk, at.index);
    at.chunk += step;
    at.index = step === 1 ? 0 : sizeOf(rows, at.chunk) - 1;
  }
}
