import { dropImage, openSlabs, type Slabs } from "./slabs.ts";
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
  readonly slabs: Slabs;
}

export const emptyTables = (): Tables => ({ kinds: new Map(), due: sortedRows(), slabs: openSlabs() });

const nothing = sortedRows();

const isRow = (entry: SortedRows | Row): entry is Row => "version" in entry;

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

const createRow = (tables: Tables, row: Row): void => {
  const table = tableOf(tables, row.kind);
  row.kind = table.name;
  table.rows.set(row.id, row);
  insertRow(table.all, row, byCreation);
  row.terms = row.terms.map((term) => addTerm(table, term, row));
  if (row.dueAtMs !== null) insertRow(tables.due, row, byDeadline);
};

/** Takes a row and every trace of it out. */
export const dropRow = (tables: Tables, row: Row): void => {
  const table = tableOf(tables, row.kind);
  dropImage(row);
  table.rows.delete(row.id);
  deleteRow(table.all, row, byCreation);
  for (const term of row.terms) dropTerm(table, term, row);
  if (row.dueAtMs !== null) deleteRow(tables.due, row, byDeadline);
  if (table.rows.size === 0) tables.kinds.delete(row.kind);
};

const updateRow = (tables: Tables, row: Row, written: Row): void => {
  const table = tableOf(tables, row.kind);
  const before = row.terms;
  dropImage(row);
  row.slab = written.slab;
  row.start = written.start;
  row.end = written.end;
  row.version = written.version;
  row.terms = written.terms.map((term) => before.find((known) => known === term) ?? addTerm(table, term, row));
  for (const term of before) if (!row.terms.includes(term)) dropTerm(table, term, row);
  setDue(tables, row, written.dueAtMs);
};

/**
 * Takes a row as it was written, its image kept; the place in creation order tells an update from a new row under an
 * old id. Where it follows from what the tables hold, its first version is a new row, and nothing need be looked for.
 */
export const writeRow = (tables: Tables, written: Row, follows: boolean): void => {
  const row = follows && written.version === 1 ? undefined : rowOf(tables, written.kind, written.id);
  if (row?.n === written.n) updateRow(tables, row, written);
  else {
    if (row !== undefined) dropRow(tables, row);
    createRow(tables, written);
  }
};
