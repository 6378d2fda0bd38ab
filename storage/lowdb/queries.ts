import type { ListQuery, StoredRow } from "../store.ts";
import { storeError } from "./errors.ts";
import { parseBody } from "./record.ts";
import type { Image } from "./slabs.ts";
import { walkRows, type Row, type SortedRows } from "./sorted-rows.ts";
import { rowsWith, type Tables } from "./tables.ts";

const maxPage = 500;

/** Rows that one turn of the event loop looks at. */
const turnRows = 4_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A row as callers get it: their own copy, which is made when they look into it. */
class ReadRow implements StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly version: number;
  #image: Image | null;
  #body: unknown = null;

  constructor({ kind, id, n, version, slab, start, end }: Row) {
    this.kind = kind;
    this.id = id;
    this.n = n;
    this.version = version;
    this.#image = { slab, start, end };
  }

  get body(): unknown {
    if (this.#image !== null) {
      this.#body = parseBody(this.#image);
      this.#image = null;
    }
    return this.#body;
  }
}

export const storedRow = (row: Row): StoredRow => new ReadRow(row);

const checkNumber = (name: string, value: number, largest: number): void => {
  if (Number.isSafeInteger(value) && value >= 0 && value <= largest) return;
  throw storeError("query_invalid", `${name} must be an integer from 0 to ${largest}, not ${value}`);
};

const smallest = (tables: Tables, { kind, terms }: ListQuery): SortedRows => {
  let least = rowsWith(tables, kind, terms[0] ?? null);
  for (const term of terms) {
    const rows = rowsWith(tables, kind, term);
    if (rows.size < least.size) least = rows;
  }
  return least;
};

/** Rows that carry every term: the rarest term's rows, looked through in turns that go on where the last ended. */
const intersect = async (tables: Tables, query: ListQuery): Promise<StoredRow[]> => {
  const found: StoredRow[] = [];
  let skip = query.offset ?? 0;
  let after = query.after;
  for (let seen = turnRows; seen === turnRows;) {
    if (after !== query.after) await nextTurn();
    seen = 0;
    for (const row of walkRows(smallest(tables, query), query.order, after, 0)) {
      if (seen === turnRows) break;
      seen += 1;
      after = row.n;
      if (!query.terms.every((term) => row.terms.includes(term))) continue;
      if (skip > 0) skip -= 1;
      else if (found.push(storedRow(row)) === query.limit) return found;
    }
  }
  return found;
};

/** A page of a list, see `ListQuery`. */
export const listRows = (tables: Tables, query: ListQuery): StoredRow[] | Promise<StoredRow[]> => {
  const { kind, terms, order, limit, after, offset = 0 } = query;
  checkNumber("limit", limit, maxPage);
  checkNumber("offset", offset, Number.MAX_SAFE_INTEGER);
  if (limit === 0) return [];
  if (terms.length > 1) return intersect(tables, query);
  const found: StoredRow[] = [];
  for (const row of walkRows(rowsWith(tables, kind, terms[0] ?? null), order, after, offset)) {
    if (found.push(storedRow(row)) === limit) break;
  }
  return found;
};

/** Rows whose deadline is not after `nowMs`, oldest deadline first. */
export const dueRows = (tables: Tables, nowMs: number, limit: number): StoredRow[] => {
  checkNumber("limit", limit, Number.MAX_SAFE_INTEGER);
  const found: StoredRow[] = [];
  for (const chunk of tables.due.chunks) {
    for (const row of chunk) {
      if (found.length === limit || (row.dueAtMs ?? Infinity) > nowMs) return found;
      found.push(storedRow(row));
    }
  }
  return found;
};
