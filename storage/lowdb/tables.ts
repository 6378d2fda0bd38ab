import {
  byCreation,
  byDeadline,
  type Columns,
  emptyColumns,
  field,
  fieldOf,
  giveNumber,
  setField,
  takeNumber,
} from "./columns.ts";
import { HashIndex, hashOf, newSeed } from "./hash-index.ts";
import { type Ground, hasId, hasSameTerms, hasTerm, idAtOf, membersIn, type WrittenRow } from "./record.ts";
import { dropImage, type Image, leaveSparse, openSlabs, type Slab } from "./slabs.ts";
import { deleteRow, insertRow, type SortedRows, sortedRows } from "./sorted-rows.ts";

/** The number that is no table's. */
const noTable = 0;

/** All rows of one kind. */
export interface Table {
  readonly kind: string;
  readonly number: number;
  /** What hashes of its terms begin with. */
  readonly seed: number;
  /** Where the id begins in an image. */
  readonly idAt: number;
  readonly all: SortedRows;
}

/** What an id or a term is looked up by. */
interface Key {
  readonly table: Table;
  readonly text: string;
}

/** The rows of a store with their indexes. Only what is durable gets in here. */
export interface Tables extends Ground {
  readonly columns: Columns;
  readonly kinds: Map<string, Table>;
  /** By number; the first number is no table's. */
  readonly numbered: (Table | null)[];
  readonly ids: HashIndex<Key>;
  /** Rows by terms that few carry; values are those of `ofRow`. */
  readonly terms: HashIndex<Key>;
  /** Numbers of lists by the other terms. */
  readonly listed: HashIndex<Key>;
  readonly lists: (SortedRows | null)[];
  readonly freeLists: number[];
  readonly due: SortedRows;
}

/**
 * A term that few rows carry has a value for each of them: the row and the term's place among its terms, where the
 * text is. So most terms have nothing on the heap. One that more rows carry, or that stands far behind in a row, has a
 * list until no row carries it.
 */
const fewRows = 8;
const placeBits = 4;
const mostPlaces = 1 << placeBits;
const ofRow = (row: number, place: number): number => (row << placeBits) | place;
const rowIn = (value: number): number => value >>> placeBits;
const placeIn = (value: number): number => value & (mostPlaces - 1);

const slabOf = ({ slabs, columns }: Tables, row: number): Slab => slabs.all[fieldOf(columns, row, field.slab)] as Slab;

/** Where a row lies now. */
export const imageOf = (tables: Tables, row: number): Image => ({
  slab: slabOf(tables, row),
  start: fieldOf(tables.columns, row, field.start),
  end: fieldOf(tables.columns, row, field.end),
});

/** The kind of a row. */
export const kindOf = ({ columns, numbered }: Tables, row: number): string =>
  (numbered[fieldOf(columns, row, field.table)] as Table).kind;

const isIn = ({ columns }: Tables, row: number, table: Table): boolean =>
  fieldOf(columns, row, field.table) === table.number;

const isId = (tables: Tables, row: number, { table, text }: Key): boolean =>
  isIn(tables, row, table) && hasId(imageOf(tables, row), table.idAt, text);

const isTerm = (tables: Tables, value: number, { table, text }: Key): boolean => {
  const row = rowIn(value);
  return isIn(tables, row, table) && hasTerm(imageOf(tables, row), placeIn(value), text);
};

const isListOf = ({ lists }: Tables, list: number, { table, text }: Key): boolean => {
  const rows = lists[list] as SortedRows;
  return rows.term === text && rows.table === table.number;
};

export const emptyTables = (): Tables => {
  const tables: Tables = {
    columns: emptyColumns(),
    slabs: openSlabs(),
    idSeed: newSeed(),
    kinds: new Map(),
    numbered: [null],
    ids: new HashIndex((row, key) => isId(tables, row, key)),
    terms: new HashIndex((value, key) => isTerm(tables, value, key)),
    listed: new HashIndex((list, key) => isListOf(tables, list, key)),
    lists: [],
    freeLists: [],
    due: sortedRows(noTable),
  };
  return tables;
};

export const nothing = sortedRows(noTable);

/** The number of a row; -1: there is none. Who knows the hash of its id gives it. */
export const findRow = (tables: Tables, kind: string, id: string, hash = hashOf(id, tables.idSeed)): number => {
  const table = tables.kinds.get(kind);
  return table === undefined ? -1 : tables.ids.find(hash, { table, text: id });
};

/** The rows of a term's values, in creation order. */
const rowsOf = ({ columns }: Tables, key: Key, values: readonly number[]): SortedRows => {
  const rows = sortedRows(key.table.number, key.text);
  for (const value of values) insertRow(columns, rows, rowIn(value), byCreation);
  return rows;
};

/** The rows of a kind that carry the term (null: all), in creation order. Not to be changed. */
export const rowsWith = (tables: Tables, kind: string, term: string | null): SortedRows => {
  const table = tables.kinds.get(kind);
  if (table === undefined) return nothing;
  if (term === null) return table.all;
  const key = { table, text: term };
  const hash = hashOf(term, table.seed);
  const list = tables.listed.find(hash, key);
  if (list !== -1) return tables.lists[list] as SortedRows;
  return rowsOf(tables, key, tables.terms.findAll(hash, key));
};

/** Gives a term a list of the rows that carry it; returns its number. */
const addList = (tables: Tables, hash: number, key: Key): number => {
  const { listed, lists, freeLists, terms } = tables;
  const list = freeLists.pop() ?? lists.length;
  const values = terms.findAll(hash, key);
  lists[list] = rowsOf(tables, key, values);
  listed.add(hash, list);
  for (const value of values) terms.remove(hash, value);
  return list;
};

const dropList = ({ listed, lists, freeLists }: Tables, hash: number, list: number): void => {
  listed.remove(hash, list);
  lists[list] = null;
  freeLists.push(list);
};

const addTerm = (tables: Tables, table: Table, term: string, row: number, place: number): void => {
  const { columns, listed, lists, terms } = tables;
  const key = { table, text: term };
  const hash = hashOf(term, table.seed);
  let list = listed.find(hash, key);
  if (list === -1 && place < mostPlaces && terms.count(hash) < fewRows) {
    terms.add(hash, ofRow(row, place));
    return;
  }
  if (list === -1) list = addList(tables, hash, key);
  insertRow(columns, lists[list] as SortedRows, row, byCreation);
};

const addTerms = (tables: Tables, table: Table, row: number, terms: readonly string[]): void => {
  for (let place = 0; place < terms.length; place += 1) addTerm(tables, table, terms[place] as string, row, place);
};

const dropTerm = (tables: Tables, table: Table, term: string, row: number, place: number): void => {
  const { columns, listed, lists, terms } = tables;
  const hash = hashOf(term, table.seed);
  const list = listed.find(hash, { table, text: term });
  if (list === -1) {
    terms.remove(hash, ofRow(row, place));
    return;
  }
  const rows = lists[list] as SortedRows;
  deleteRow(columns, rows, row, byCreation);
  if (rows.size === 0) dropList(tables, hash, list);
};

const dropTerms = (tables: Tables, table: Table, row: number, terms: readonly string[]): void => {
  for (let place = 0; place < terms.length; place += 1) dropTerm(tables, table, terms[place] as string, row, place);
};

const tableOf = ({ kinds, numbered }: Tables, kind: string): Table => {
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const number = numbered.length;
  const table = { kind, number, seed: newSeed(), idAt: idAtOf(kind), all: sortedRows(number) };
  kinds.set(kind, table);
  numbered.push(table);
  return table;
};

const setImage = ({ columns }: Tables, row: number, { slab, start, end }: Image): void => {
  setField(columns, row, field.slab, slab.number);
  setField(columns, row, field.start, start);
  setField(columns, row, field.end, end);
  setField(columns, row, field.sum, Number.NaN);
};

const setDue = ({ columns, due }: Tables, row: number, dueAtMs: number | null): void => {
  const before = fieldOf(columns, row, field.dueAtMs);
  const after = dueAtMs ?? Number.NaN;
  if (Object.is(before, after)) return;
  if (!Number.isNaN(before)) deleteRow(columns, due, row, byDeadline);
  setField(columns, row, field.dueAtMs, after);
  if (!Number.isNaN(after)) insertRow(columns, due, row, byDeadline);
};

const createRow = (tables: Tables, written: WrittenRow): void => {
  const { columns, ids } = tables;
  const table = tableOf(tables, written.kind);
  const row = takeNumber(columns);
  setField(columns, row, field.n, written.n);
  setField(columns, row, field.dueAtMs, Number.NaN);
  setField(columns, row, field.version, written.version);
  setField(columns, row, field.table, table.number);
  setImage(tables, row, written);
  ids.add(written.hash, row);
  insertRow(columns, table.all, row, byCreation);
  addTerms(tables, table, row, written.terms);
  setDue(tables, row, written.dueAtMs);
};

/** Takes a row and every trace of it out. */
export const dropRow = (tables: Tables, row: number): void => {
  const { columns, ids, idSeed, numbered, slabs } = tables;
  const table = numbered[fieldOf(columns, row, field.table)] as Table;
  const { id, terms } = membersIn(imageOf(tables, row));
  ids.remove(hashOf(id, idSeed), row);
  deleteRow(columns, table.all, row, byCreation);
  dropTerms(tables, table, row, terms);
  setDue(tables, row, null);
  dropImage(slabs, imageOf(tables, row));
  giveNumber(columns, row);
};

/** The terms of a row are looked up in its image, so they leave before it changes and come when it has. */
const updateRow = (tables: Tables, row: number, written: WrittenRow): void => {
  const table = tableOf(tables, written.kind);
  const before = imageOf(tables, row);
  const keepsTerms = hasSameTerms(before, written);
  if (!keepsTerms) dropTerms(tables, table, row, membersIn(before).terms);
  dropImage(tables.slabs, before);
  setImage(tables, row, written);
  setField(tables.columns, row, field.version, written.version);
  if (!keepsTerms) addTerms(tables, table, row, written.terms);
  setDue(tables, row, written.dueAtMs);
};

/**
 * Takes a row as it was written, its image kept; the place in creation order tells an update from a new row under an
 * old id. Where it follows from what the tables hold, its first version is a new row, and nothing need be looked for.
 */
export const writeRow = (tables: Tables, written: WrittenRow, follows: boolean): void => {
  const row = follows && written.version === 1 ? -1 : findRow(tables, written.kind, written.id, written.hash);
  if (row !== -1 && fieldOf(tables.columns, row, field.n) === written.n) updateRow(tables, row, written);
  else {
    if (row !== -1) dropRow(tables, row);
    createRow(tables, written);
  }
};

/** Whether a number is a row's. */
export const isRow = ({ columns }: Tables, row: number): boolean => fieldOf(columns, row, field.table) !== noTable;

/** Where a row lies, after it has left a slab that is mostly dead. */
export const settledImage = (tables: Tables, row: number): Image => {
  const image = imageOf(tables, row);
  if (leaveSparse(tables.slabs, image)) setImage(tables, row, image);
  return image;
};
