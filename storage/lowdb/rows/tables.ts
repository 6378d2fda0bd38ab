import { indexedTerm } from "../../text.ts";
import type { Row } from "./record.ts";
import { byDeadline, SortedRows } from "./sorted-rows.ts";

/** An update changes the row, so that the indexes it stays in need no change. */
type TableRow = { -readonly [Member in keyof Row]: Row[Member] };

/** Most terms name one row, which then stands in the index itself. */
interface Table {
  readonly byId: Map<string, TableRow>;
  readonly byTerm: Map<string, Row | SortedRows>;
  readonly all: SortedRows;
}

export interface Tables {
  readonly kinds: Map<string, Table>;
  /** Rows that have a deadline. */
  readonly due: SortedRows;
}

export const emptyTables = (): Tables => ({ kinds: new Map(), due: new SortedRows(byDeadline) });

const tableOf = ({ kinds }: Tables, kind: string): Table => {
  const table = kinds.get(kind) ?? { byId: new Map(), byTerm: new Map(), all: new SortedRows() };
  if (table.byId.size === 0) kinds.set(kind, table);
  return table;
};

export const findRow = ({ kinds }: Tables, kind: string, id: string): Row | undefined => kinds.get(kind)?.byId.get(id);

/** Rows of the kind that carry the term (null: all), in creation order. Not to be changed. */
export const rowsWith = ({ kinds }: Tables, kind: string, term: string | null): SortedRows => {
  const table = kinds.get(kind);
  const found = term === null ? table?.all : table?.byTerm.get(indexedTerm(term));
  if (found instanceof SortedRows) return found;
  const rows = new SortedRows();
  if (found !== undefined) rows.insert(found);
  return rows;
};

export const kindsOf = ({ kinds }: Tables): readonly string[] =>
  [...kinds].filter(([, { byId }]) => byId.size > 0).map(([kind]) => kind);

export const rowsByKind = (tables: Tables): ReadonlyMap<string, number> =>
  new Map(kindsOf(tables).map((kind) => [kind, rowsWith(tables, kind, null).size]));

/** Rows of all kinds. Rows may come and go during the walk; one that is created again meanwhile may come twice. */
export function* everyRow({ kinds }: Tables): Generator<Row> {
  for (const { byId } of kinds.values()) yield* byId.values();
}

/** A row that came from PostgreSQL has a digest in the place of a long term. */
const addTerm = ({ byTerm }: Table, whole: string, row: Row): void => {
  const term = indexedTerm(whole);
  const known = byTerm.get(term);
  if (known instanceof SortedRows) known.insert(row);
  else if (known === undefined) byTerm.set(term, row);
  else {
    const rows = new SortedRows();
    rows.insert(known);
    rows.insert(row);
    byTerm.set(term, rows);
  }
};

const dropTerm = ({ byTerm }: Table, whole: string, row: Row): void => {
  const term = indexedTerm(whole);
  const known = byTerm.get(term);
  if (known instanceof SortedRows) known.delete(row);
  if (known === row || (known instanceof SortedRows && known.size === 0)) byTerm.delete(term);
};

const changeTerms = (table: Table, row: TableRow, terms: readonly string[]): void => {
  for (const term of row.terms) if (!terms.includes(term)) dropTerm(table, term, row);
  for (const term of terms) if (!row.terms.includes(term)) addTerm(table, term, row);
  row.terms = terms;
};

const changeDue = ({ due }: Tables, row: TableRow, dueAtMs: number | null): void => {
  if (row.dueAtMs === dueAtMs) return;
  if (row.dueAtMs !== null) due.delete(row);
  row.dueAtMs = dueAtMs;
  if (dueAtMs !== null) due.insert(row);
};

export const removeRow = (tables: Tables, kind: string, id: string): void => {
  const table = tables.kinds.get(kind);
  const row = table?.byId.get(id);
  if (table === undefined || row === undefined) return;
  changeTerms(table, row, []);
  changeDue(tables, row, null);
  table.all.delete(row);
  table.byId.delete(id);
};

const insertRow = (tables: Tables, row: Row): void => {
  const table = tableOf(tables, row.kind);
  table.byId.set(row.id, row);
  table.all.insert(row);
  for (const term of row.terms) addTerm(table, term, row);
  if (row.dueAtMs !== null) tables.due.insert(row);
};

/**
 * Writes a row as a commit left it; a new one is kept itself. Another position in creation order is a new row under an
 * old id.
 */
export const writeRow = (tables: Tables, written: Row): void => {
  const { kind, id, n, version, terms, dueAtMs, json } = written;
  const table = tables.kinds.get(kind);
  const row = table?.byId.get(id);
  if (table === undefined || row?.n !== n) {
    if (row !== undefined) removeRow(tables, kind, id);
    return insertRow(tables, written);
  }
  row.version = version;
  row.json = json;
  changeTerms(table, row, terms);
  changeDue(tables, row, dueAtMs);
};
