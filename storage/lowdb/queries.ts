import type { ListQuery, StoredRow } from "../store.ts";
import { storeError } from "./errors.ts";
import { byCreation, field, fieldOf } from "./columns.ts";
import { idIn, parseBody, textOf } from "./record.ts";
import { hasRow, walkRows } from "./sorted-rows.ts";
import { imageOf, kindOf, nothing, rowsWith, type Tables } from "./tables.ts";

const maxPage = 500;

/** Rows that one turn of the event loop looks at. */
const turnRows = 4_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const unread = Symbol("unread");

/** A row as callers get it: their own copy, whose body is parsed when they look into it. */
class ReadRow implements StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly #text: string;
  #body: unknown = unread;

  constructor({ columns }: Tables, row: number, kind: string, id: string, text: string) {
    this.kind = kind;
    this.id = id;
    this.n = fieldOf(columns, row, field.n);
    this.version = fieldOf(columns, row, field.version);
    this.#text = text;
  }

  get body(): unknown {
    if (this.#body === unread) this.#body = parseBody(this.#text);
    return this.#body;
  }
}

/** A row that callers get; who knows its id gives it. Its text is taken now, before others lie in its place. */
export const storedRow = (tables: Tables, row: number, id?: string): StoredRow => {
  const kind = kindOf(tables, row);
  const image = imageOf(tables, row);
  return new ReadRow(tables, row, kind, id ?? idIn(image, kind), textOf(image));
};

const checkNumber = (name: string, value: number, largest: number): void => {
  if (Number.isSafeInteger(value) && value >= 0 && value <= largest) return;
  throw storeError("query_invalid", `${name} must be an integer from 0 to ${largest}, not ${value}`);
};

/** Rows that carry every term: the rarest term's rows, looked through in turns that go on where the last ended. */
const intersect = async (tables: Tables, query: ListQuery): Promise<StoredRow[]> => {
  const { columns } = tables;
  const { kind, terms, order, limit } = query;
  const found: StoredRow[] = [];
  let skip = query.offset ?? 0;
  let after = query.after;
  for (let seen = turnRows; seen === turnRows;) {
    if (after !== query.after) await nextTurn();
    seen = 0;
    const lists = terms.map((term) => rowsWith(tables, kind, term)).sort((some, others) => some.size - others.size);
    const [rarest = nothing, ...more] = lists;
    for (const row of walkRows(columns, rarest, { order, after, offset: 0 })) {
      if (seen === turnRows) break;
      seen += 1;
      after = fieldOf(columns, row, field.n);
      if (!more.every((rows) => hasRow(columns, rows, row, byCreation))) continue;
      if (skip > 0) skip -= 1;
      else if (found.push(storedRow(tables, row)) === limit) return found;
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
  for (const row of walkRows(tables.columns, rowsWith(tables, kind, terms[0] ?? null), { order, after, offset })) {
    if (found.push(storedRow(tables, row)) === limit) break;
  }
  return found;
};

/** Rows whose deadline is not after `nowMs`, oldest deadline first. */
export const dueRows = (tables: Tables, nowMs: number, limit: number): StoredRow[] => {
  checkNumber("limit", limit, Number.MAX_SAFE_INTEGER);
  const found: StoredRow[] = [];
  for (const row of walkRows(tables.columns, tables.due, { order: "oldest", after: undefined, offset: 0 })) {
    if (found.length === limit || fieldOf(tables.columns, row, field.dueAtMs) > nowMs) break;
    found.push(storedRow(tables, row));
  }
  return found;
};
