const blockBits = 12;
const blockRows = 1 << blockBits;

/** Fields of a row; with eight of them it fills a line of the processor's cache. */
const rowFields = 8;

/**
 * What is known of a row without its image: its place in creation order, its deadline (NaN: none), its version, the
 * number of its table (0: the number is no row's), the number of the slab in which its image lies, and where, and the
 * checksum of its line in a snapshot (NaN: not counted yet).
 */
export const field = { n: 0, dueAtMs: 1, version: 2, table: 3, slab: 4, start: 5, end: 6, sum: 7 } as const;

type Field = (typeof field)[keyof typeof field];

/**
 * Rows as numbers outside the heap: an object for each of a million rows would be moved and looked through by the
 * collector time and again. A row is known by its own number, which it keeps as long as it is there.
 */
export interface Columns {
  readonly blocks: Float64Array[];
  /** Numbers of rows that are gone. */
  readonly free: number[];
  /** All numbers are smaller. */
  end: number;
}

export const emptyColumns = (): Columns => ({ blocks: [], free: [], end: 0 });

export const fieldOf = ({ blocks }: Columns, row: number, of: Field): number =>
  (blocks[row >>> blockBits] as Float64Array)[(row & (blockRows - 1)) * rowFields + of] as number;

export const setField = ({ blocks }: Columns, row: number, of: Field, value: number): void => {
  (blocks[row >>> blockBits] as Float64Array)[(row & (blockRows - 1)) * rowFields + of] = value;
};

/** A number for a new row, whose fields are to be set. */
export const takeNumber = (columns: Columns): number => {
  const known = columns.free.pop();
  if (known !== undefined) return known;
  const row = columns.end;
  columns.end += 1;
  if ((row & (blockRows - 1)) === 0) columns.blocks.push(new Float64Array(blockRows * rowFields));
  return row;
};

/** Gives a row's number back. */
export const giveNumber = (columns: Columns, row: number): void => {
  setField(columns, row, field.table, 0);
  columns.free.push(row);
};

/** Creation order: true when row `a` stands before row `b`. */
export const byCreation = (columns: Columns, a: number, b: number): boolean =>
  fieldOf(columns, a, field.n) < fieldOf(columns, b, field.n);

/** Deadline order, creation order among equals; both rows have a deadline. */
export const byDeadline = (columns: Columns, a: number, b: number): boolean => {
  const left = fieldOf(columns, a, field.dueAtMs);
  const right = fieldOf(columns, b, field.dueAtMs);
  return left < right || (left === right && byCreation(columns, a, b));
};
