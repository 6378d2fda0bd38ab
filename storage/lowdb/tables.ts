import { byCreation, byDeadline, deleteRow, insertRow, sortedRows, type Row, type SortedRows } from "./sorted-rows.ts";

/** All rows of one kind. A term that one row alone carries maps to that row: most ids in terms are such. */
interface Table {
  readonly name: string;
  readonly rows: Map<string, Row>;
  readonly all: SortedRows;
  readonly terms: Map<string, SortedRows | Row>;
}

/** The rows of a store with their indexes. Only what is durable gets in here. */
export interface Tables {
  readonly kinds: Map<string, Table>;
  readonly due: SortedRows;
}

/** A row as a journal or a snapshot names it; `body` is JSON text. */
export type RowImage = Readonly<Row>;

export const emptyTables = (): Tables => ({ kinds: new Map(), due: sortedRows() });

const nothing = sortedRows();

const isRow = (entry: SortedRows | Row): entry is Row => "body" in entry;

export const rowOf = (tables: Tables, kind: string, id: string): Row | undefined =>
  tables.kinds.get(kind)?.rows.get(id);

/** The rows of a kind that carry the term (null: all), in creation order. Not to be changed. */
export const rowsWith = (tables: Tables, kind: string, term: string | null): SortedRows => {
  const table = tables.kinds.get(kind);
  if (table === undefined) return nothing;
  if (term === null) return table.all;
  const entry = table.terms.get(term);
  if (entry === undefined) return nothing;
  return isRow(entry) ? { term, size: 1, chunks: [[entry]], sizes: [1] } : entry;
};

/** Puts a row under a term; returns the term as the other rows have it, so that all share one string. */
const addTerm = (table: Table, term: string, row: Row): string => {
  const entry = table.terms.get(term);
  if (entry === undefined) {
    table.terms.set(term, row);
    return term;
  }
  if (!isRow(entry)) {
    insertRow(entry, row, byCreation);
    return entry.term ?? term;
  }
  const shared = entry.terms.find((known) => known === term) ?? term;
  const both = sortedRows(shared);
  insertRow(both, entry, byCreation);
  insertRow(both, row, byCreation);
  table.terms.set(term, both);
  return shared;
};

const dropTerm = (table: Table, term: string, row: Row): void => {
  const entry = table.terms.get(term);
  if (entry === undefined) return;
  if (isRow(entry)) {
    if (entry === row) table.terms.delete(term);
    return;
  }
  deleteRow(entry, row, byCreation);
  if (entry.size === 0) table.terms.delete(term);
};

const tableOf = (tables: Tables, kind: string): Table => {
  const known = tables.kinds.get(kind);
  if (known !== undefined) return known;
  const table: Table = { name: kind, rows: new Map(), all: sortedRows(), terms: new Map() };
  tables.kinds.set(kind, table);
  return table;
};

const setDue = (tables: Tables, row: Row, dueAtMs: number | null): void => {
  if (row.dueAtMs === dueAtMs) return;
  if (row.dueAtMs !== null) deleteRow(tables.due, row, byDeadline);
  row.dueAtMs = dueAtMs;
  if (dueAtMs !== null) insertRow(tables.due, row, byDeadline);
};

const createRow = (tables: Tables, image: RowImage): void => {
  const table = tableOf(tables, image.kind);
  const { id, n, version, body, terms, dueAtMs } = image;
  const row: Row = { kind: table.name, id, n, version, body, terms, dueAtMs };
  table.rows.set(id, row);
  insertRow(table.all, row, byCreation);
  row.terms = terms.map((term) => addTerm(table, term, row));
  if (dueAtMs !== null) insertRow(tables.due, row, byDeadline);
};

/** Takes a row and every trace of it out. */
export const dropRow = (tables: Tables, row: Row): void => {
  const table = tableOf(tables, row.kind);
  table.rows.delete(row.id);
  deleteRow(table.all, row, byCreation);
  for (const term of row.terms) dropTerm(table, term, row);
  if (row.dueAtMs !== null) deleteRow(tables.due, row, byDeadline);
  if (table.rows.size === 0) tables.kinds.delete(row.kind);
};

const updateRow = (tables: Tables, row: Row, image: RowImage): void => {
  const table = tableOf(tables, row.kind);
  const before = row.terms;
  row.version = image.version;
  row.body = image.body;
  row.terms = image.terms.map((term) => before.find((known) => known === term) ?? addTerm(table, term, row));
  for (const term of before) if (!row.terms.includes(term)) dropTerm(table, term, row);
  setDue(tables, row, image.dueAtMs);
};

/**
 * Writes a row as the image says; the place in creation order tells an update from a new row under an old id. Where the
 * image follows from what the tables hold, its first version is a new row, and nothing need be looked for.
 */
export const writeRow = (tables: Tables, image: RowImage, follows: boolean): void => {
  const row = follows && image.version === 1 ? undefined : rowOf(tables, image.kind, image.id);
  if (row?.n === image.n) updateRow(tables, row, image);
  else {
    if (row !== undefined) dropRow(tables, row);
    createRow(tables, image);
  }
};
