import type pg from "pg";

import { type ListQuery, maxPage, type StoredRow, type StoreReader } from "../store.ts";
import { type StoreSchema, unreachable } from "./connection.ts";
import { isAnswered, isRetryable, refusedBy } from "./errors.ts";
import { encodeKey, encodeTerm } from "./commit/flatten.ts";
import type { Statement, Statements } from "./statements.ts";
import { decodeText, encodeText } from "../text.ts";

const READ_ATTEMPTS = 3;

export interface RawRow {
  readonly kind: string;
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly body: string;
}

export type Ask = <R extends pg.QueryResultRow>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<readonly R[]>;

/** Nothing below it is still committing. */
export interface Settled {
  stamp: number;
  refresh(): Promise<number>;
}

/** Reads are retried on a new connection, as long as somebody waits. */
export const asker = (pool: pg.Pool, place: StoreSchema, answerMs: number): Ask => {
  const ask = async <R extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    left: number,
    untilMs: number,
  ): Promise<R[]> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw unreachable(place, error);
    });
    try {
      const { rows } = await client.query<R>({ ...statement, values: [...values] });
      client.release();
      return rows;
    } catch (error) {
      client.release(!isAnswered(error));
      const isAgain = left > 1 && performance.now() < untilMs && (isRetryable(error) || !isAnswered(error));
      if (isAgain) return ask<R>(statement, values, left - 1, untilMs);
      if (!isAnswered(error)) throw unreachable(place, error);
      throw refusedBy(place.label, statement.name, error);
    }
  };
  return (statement, values) => ask(statement, values, READ_ATTEMPTS, performance.now() + answerMs);
};

export const toStoredRow = (raw: RawRow): StoredRow => ({
  kind: decodeText(raw.kind),
  id: decodeText(raw.id),
  n: raw.n,
  version: raw.version,
  body: JSON.parse(raw.body),
});

/** An older stamp could miss the caller's own write. */
export const openSettled = (ask: Ask, statements: Statements): Settled => {
  const settled: Settled = {
    stamp: 0,
    refresh: async () => {
      const [row] = await ask<{ stamp: number | null }>(statements.settle, []);
      settled.stamp = Math.max(settled.stamp, row?.stamp ?? 0);
      return settled.stamp;
    },
  };
  return settled;
};

const listStatement = (statements: Statements, terms: readonly string[]) => {
  if (terms.length === 0) return { statement: statements.plainList, extra: [] };
  if (terms.length === 1) return { statement: statements.termList, extra: terms };
  return { statement: statements.termsList, extra: [terms] };
};

const checkQuery = (query: ListQuery): void => {
  const { limit, offset = 0, after = 0 } = query;
  if (!Number.isSafeInteger(limit) || limit < 0 || limit > maxPage) {
    throw new RangeError(`limit must be an integer from 0 to ${maxPage}, not ${limit}.`);
  }
  if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError(`offset must be 0 or more, not ${offset}.`);
  if (!Number.isSafeInteger(after)) throw new RangeError(`after must be the n of a row, not ${after}.`);
};

const lister = (ask: Ask, statements: Statements, settled: Settled) => async (query: ListQuery) => {
  checkQuery(query);
  const { order, limit, after, offset = 0 } = query;
  const { statement, extra } = listStatement(statements, query.terms.map(encodeTerm));
  const page = (above: number, upTo: number) =>
    ask<RawRow>(statement[order], [encodeText(query.kind), above, upTo, limit, offset, ...extra]);
  if (order === "newest") {
    const upTo = after === undefined ? Number.MAX_SAFE_INTEGER : after - 1;
    return (await page(-1, upTo)).map(toStoredRow);
  }
  const rows = await page(after ?? -1, Number.MAX_SAFE_INTEGER);
  const last = rows.at(-1);
  if (last === undefined || last.n <= settled.stamp) return rows.map(toStoredRow);
  // A row with a smaller `n` may still be committing, and a reader that walks upwards would miss it, so the page ends
  // at the settled stamp.
  return (await page(after ?? -1, await settled.refresh())).map(toStoredRow);
};

export const openReader = (ask: Ask, statements: Statements, settled: Settled): StoreReader => ({
  get: async (kind, id) => {
    const keys = [encodeKey(kind), encodeKey(id)];
    if (keys.includes(null)) return null;
    const [raw] = await ask<RawRow>(statements.get, keys);
    return raw === undefined ? null : toStoredRow(raw);
  },
  list: lister(ask, statements, settled),
  count: async (kind, term) => {
    const values = [encodeText(kind), term === null ? "" : encodeTerm(term)];
    return (await ask<{ amount: number }>(statements.count, values))[0]?.amount ?? 0;
  },
  reserved: async (ledger, fromSlot, toSlot) => {
    const rows = await ask<{ amount: number }>(statements.reserved, [encodeText(ledger), fromSlot, toSlot]);
    return rows[0]?.amount ?? 0;
  },
  added: async (sums, fromSlot, toSlot) => {
    const rows = await ask<{ amount: number }>(statements.added, [sums.map(encodeText), fromSlot, toSlot]);
    return rows.map(({ amount }) => amount);
  },
  reservedSlots: async (ledger, fromSlot, toSlot) => {
    const values = [encodeText(ledger), fromSlot, toSlot];
    const rows = await ask<{ slot: number; amount: number }>(statements.reservedSlots, values);
    return new Map(rows.map(({ slot, amount }) => [slot, amount]));
  },
});
