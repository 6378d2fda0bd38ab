import { maxPage, type ListQuery, type StoredRow } from "../../store.ts";
import { storeError } from "../errors.ts";
import type { Row } from "./record.ts";
import { findRow, rowsWith, type Tables } from "./tables.ts";

/** Rows that one turn of the event loop looks at. */
const turnRows = 4_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const unread = Symbol("unread");

class ReadRow implements StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly #json: string;
  #body: unknown = unread;

  constructor({ kind, id, n, version, json }: Row) {
    this.kind = kind;
    this.id = id;
    this.n = n;
    this.version = version;
    this.#json = json;
  }

  get body(): unknown {
    if (this.#body === unread) this.#body = JSON.parse(this.#json);
    return this.#body;
  }
}

export const getRow = (tables: Tables, kind: string, id: string): StoredRow | null => {
  const row = findRow(tables, kind, id);
  return row === undefined ? null : new ReadRow(row);
};

const checkNumber = (name: string, value: number, largest: number): void => {
  if (Number.isSafeInteger(value) && value >= 0 && value <= largest) return;
  throw storeError("query_invalid", `${name} must be an integer from 0 to ${largest}, not ${value}`);
};

/** The rarest term's rows are walked, in turns of the event loop. */
const intersect = async (tables: Tables, query: ListQuery): Promise<StoredRow[]> => {
  const { kind, terms, order, limit } = query;
  const found: StoredRow[] = [];
  let skip = query.offset ?? 0;
  let { after } = query;
  for (let seen = turnRows; seen === turnRows;) {
    if (after !== query.after) await nextTurn();
    seen = 0;
    const [rarest, ...more] = terms
      .map((term) => rowsWith(tables, kind, term))
      .sort((some, others) => some.size - others.size);
    for (const row of rarest?.walk({ order, after, offset: 0 }) ?? []) {
      if (seen === turnRows) break;
      seen += 1;
      after = row.n;
      if (!more.every((rows) => rows.has(row))) continue;
      if (skip > 0) skip -= 1;
      else if (found.push(new ReadRow(row)) === limit) return found;
    }
  }
  return found;
};

const firstOf = (rows: Iterable<Row>, limit: number): StoredRow[] => {
  const found: StoredRow[] = [];
  for (const row of rows) if (found.push(new ReadRow(row)) === limit) break;
  return found;
};

export const listRows = async (tables: Tables, query: ListQuery): Promise<StoredRow[]> => {
  const { kind, terms, order, limit, after, offset = 0 } = query;
  checkNumber("limit", limit, maxPage);
  checkNumber("offset", offset, Number.MAX_SAFE_INTEGER);
  if (limit === 0) return [];
  if (terms.length > 1) return await intersect(tables, query);
  return firstOf(rowsWith(tables, kind, terms[0] ?? null).walk({ order, after, offset }), limit);
};

export const dueRows = (tables: Tables, nowMs: number, limit: number): StoredRow[] => {
  checkNumber("limit", limit, Number.MAX_SAFE_INTEGER);
  const found: StoredRow[] = [];
  for (const row of tables.due.walk({ order: "oldest", after: undefined, offset: 0 })) {
    if (found.length === limit || (row.dueAtMs ?? 0) > nowMs) break;
    found.push(new ReadRow(row));
  }
  return found;
};
