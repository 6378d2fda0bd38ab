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
import { type Ground, hasId, hasTerm, idAtOf, membersIn, type WrittenRow } from "./record.ts";
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
  /** Values are those of `ofRow` and `ofList`. */
  readonly terms: HashIndex<Key>;
  readonly lists: (SortedRows | null)[];
  readonly freeLists: number[];
  readonly due: SortedRows;
}

/**
 * A term that one row alone carries has that row and the term's place among its terms as its value: most ids in terms
 * are such. A term that more rows carry, or that stands far behind, has a list.
 */
const placeBits = 4;
const mostPlaces = 1 << placeBits;
const ofRow = (row: number, place: number): number => ((row << placeBits) | place) << 1;
const ofList = (list: number): number => (list << 1) | 1;
const isList = (value: number): boolean => (value & 1) === 1;
const listIn = (value: number): number => value >>> 1;
const rowIn = (value: number): number => value >>> (placeBits + 1);
const placeIn = (value: number): number => (value >>> 1) & (mostPlaces - 1);

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

const listOf = ({ lists }: Tables, value: number): SortedRows => lists[listIn(value)] as SortedRows;

const isTerm = (tables: Tables, value: number, { table, text }: Key): boolean => {
  if (isList(value)) {
    const list = listOf(tables, value);
    return list.term === text && list.table === table.number;
  }
  const row = rowIn(value);
  return isIn(tables, row, table) && hasTerm(imageOf(tables, row), placeIn(value), text);
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

/** The rows of a kind that carry the term (null: all), in creation order. Not to be changed. */
export const rowsWith = (tables: Tables, kind: string, term: string | null): SortedRows => {
  const table = tables.kinds.get(kind);
  if (table === undefined) return nothing;
  if (term === null) return table.all;
  const value = tables.terms.find(hashOf(term, table.seed), { table, text: term });
  if (value === -1) return nothing;
  if (isList(value)) return listOf(tables, value);
  return { ...sortedRows(table.number, term), size: 1, chunks: [[rowIn(value)]], sizes: [1] };
};

/** An empty list for a term; returns its value. */
const addList = ({ lists, freeLists }: Tables, table: Table, term: string): number => {
  const list = freeLists.pop() ?? lists.length;
  lists[list] = sortedRows(table.number, term);
  return ofList(list);
};

const addTerm = (tables: Tables, table: Table, term: string, row: number, place: number): void => {
  const { terms, columns } = tables;
  const hash = hashOf(term, table.seed);
  let value = terms.find(hash, { table, text: term });
  if (value === -1 && place < mostPlaces) {
    terms.add(hash, ofRow(row, place));
    return;
  }
  if (value === -1 || !isList(value)) {
    const list = addList(tables, table, term);
    if (value === -1) terms.add(hash, list);
    else {
      insertRow(columns, listOf(tables, list), rowIn(value), byCreation);
      terms.replace(hash, value, list);
    }
    value = list;
  }
  insertRow(columns, listOf(tables, value), row, byCreation);
};

const addTerms = (tables: Tables, table: Table, row: number, terms: readonly string[]): void => {
  for (let place = 0; place < terms.length; place += 1) addTerm(tables, table, terms[place] as string, row, place);
};

const dropTerm = (tables: Tables, table: Table, term: string, row: number): void => {
  const { terms, columns, lists, freeLists } = tables;
  const hash = hashOf(term, table.seed);
  const value = terms.find(hash, { table, text: term });
  if (isList(value)) {
    const list = listOf(tables, value);
    deleteRow(columns, list, row, byCreation);
    if (list.size > 0) return;
    lists[listIn(value)] = null;
    freeLists.push(listIn(value));
  }
  terms.remove(hash, value);
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
  for (const term of terms) dropTerm(tables, table, term, row);
  setDue(tables, row, null);
  dropImage(slabs, imageOf(tables, row));
  giveNumber(columns, row);
};

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, place) => text === others[place]);

/** The terms of a row are looked up in its image, so they leave before it changes and come when it has. */
const updateRow = (tables: Tables, row: number, written: WrittenRow): void => {
  const table = tableOf(tables, written.kind);
  const before = imageOf(tables, row);
  const { terms } = membersIn(before);
  const keepsTerms = isSame(terms, written.terms);
  if (!keepsTerms) for (const term of terms) dropTerm(tables, table, term, row);
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
