import { type Columns, field, fieldOf } from "./columns.ts";

/** True when row `a` stands before row `b`. */
type Before = (columns: Columns, a: number, b: number) => boolean;

/**
 * Numbers of rows in order, kept in chunks so that a row enters or leaves among a million by moving a few hundred
 * numbers. No chunk is empty. `sizes` has the length of each chunk, so that a late page is reached without touching
 * the chunks before it.
 */
export interface SortedRows {
  /** The term that the rows carry and the number of their table; null: all rows of the table, or of all tables. */
  readonly term: string | null;
  readonly table: number;
  size: number;
  chunks: number[][];
  sizes: number[];
}

const chunkRows = 512;

export const sortedRows = (table: number, term: string | null = null): SortedRows => ({
  term,
  table,
  size: 0,
  chunks: [],
  sizes: [],
});

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

const lastOf = (chunk: readonly number[]): number => chunk[chunk.length - 1] as number;

/** Puts a row behind all others. */
const appendRow = (rows: SortedRows, row: number): void => {
  const { chunks, sizes } = rows;
  const at = chunks.length - 1;
  const last = chunks[at];
  if (last === undefined) {
    rows.chunks = [[row]];
    rows.sizes = [1];
  } else if (last.length === chunkRows) {
    chunks.push([row]);
    sizes.push(1);
  } else {
    sizes[at] = last.push(row);
  }
};

/** Puts a row in its place; it must not be there yet. */
export const insertRow = (columns: Columns, rows: SortedRows, row: number, before: Before): void => {
  rows.size += 1;
  const { chunks, sizes } = rows;
  const last = chunks.at(-1);
  if (last === undefined || before(columns, lastOf(last), row)) {
    appendRow(rows, row);
    return;
  }
  const at = lowerBound(chunks, (chunk) => before(columns, lastOf(chunk), row));
  const chunk = chunks[at] as number[];
  chunk.splice(
    lowerBound(chunk, (other) => before(columns, other, row)),
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

/** Whether a row is among the rows, which are in the order given. */
export const hasRow = (columns: Columns, { chunks }: SortedRows, row: number, before: Before): boolean => {
  const chunk = chunks[lowerBound(chunks, (items) => before(columns, lastOf(items), row))];
  return chunk?.[lowerBound(chunk, (other) => before(columns, other, row))] === row;
};

/** Takes a row out; its ordering fields must still be those it was put in with. */
export const deleteRow = (columns: Columns, rows: SortedRows, row: number, before: Before): void => {
  const at = lowerBound(rows.chunks, (chunk) => before(columns, lastOf(chunk), row));
  const chunk = rows.chunks[at];
  const index = chunk === undefined ? -1 : lowerBound(chunk, (other) => before(columns, other, row));
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

/** A walk in creation order, or backwards, which begins after a place (exclusive) and leaves out so many rows. */
export interface Walk {
  readonly order: "newest" | "oldest";
  readonly after: number | undefined;
  readonly offset: number;
}

const placeOf = (columns: Columns, { chunks }: SortedRows, { order, after }: Walk): Place => {
  const nOf = (row: number): number => fieldOf(columns, row, field.n);
  if (order === "oldest") {
    const from = after ?? -Infinity;
    const chunk = lowerBound(chunks, (items) => nOf(lastOf(items)) <= from);
    return { chunk, index: lowerBound(chunks[chunk] ?? [], (row) => nOf(row) <= from) };
  }
  const until = after ?? Infinity;
  const chunk = lowerBound(chunks, (items) => nOf(items[0] as number) < until) - 1;
  return { chunk, index: lowerBound(chunks[chunk] ?? [], (row) => nOf(row) < until) - 1 };
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

/** Walks rows that are in creation order. They must not change while one step of the walk runs. */
export function* walkRows(columns: Columns, rows: SortedRows, walk: Walk): Generator<number> {
  const step = walk.order === "oldest" ? 1 : -1;
  const at = placeOf(columns, rows, walk);
  jump(rows, at, step, walk.offset);
  for (let chunk = rows.chunks[at.chunk]; chunk !== undefined; chunk = rows.chunks[at.chunk]) {
    for (; at.index >= 0 && at.index < chunk.length; at.index += step) yield chunk[at.index] as number;
    at.chunk += step;
    at.index = step === 1 ? 0 : (rows.chunks[at.chunk]?.length ?? 0) - 1;
  }
}
