import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { MovableStore, StoreContent, StoreLoader, WholeRow } from "../../content.ts";
import { encodeText, isLongTerm, SEPARATOR } from "../../text.ts";
import { encodeTerm, storedKey } from "../commit/flatten.ts";
import { connectAlone, type ConnectionOptions, schemaOf, type StoreSchema, unreachable } from "../connection.ts";
import { openPostgres, type PostgresStoreOptions } from "../driver.ts";
import { isStoreError, messageOf, sqlStateOf, storeError } from "../errors.ts";
import { contentOf, type Query, queryOn } from "./content.ts";
import { eraserOf } from "./eraser.ts";

/** Long reads and writes of a tool, beside the store's own connections. */
const patient = {
  statement_timeout: 0,
  query_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  application_name: "parley store tool",
} as const;

const failed = (place: StoreSchema, error: unknown): Error => {
  if (isStoreError(error)) return error as Error;
  if (sqlStateOf(error) === "") return unreachable(place, error);
  return storeError("store_unusable", `${place.label}: ${messageOf(error)}. What was copied before stands.`, error);
};

const read = async (place: StoreSchema, settings: ConnectionOptions): Promise<StoreContent> => {
  const client = await connectAlone(place, settings, patient);
  const query: Query = async (text, values) =>
    queryOn(client, place)<never>(text, values).catch((error: unknown) => {
      throw failed(place, error);
    });
  try {
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await contentOf(query, () => client.end());
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
};

const insertRows = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])
      w(kind, id, n, version, body, terms, due)
  ), born AS (
    INSERT INTO {schema}.rows (kind, id, n, version, written, body, terms, due_at_ms)
      SELECT kind, id, n, version, n, body, string_to_array(terms, E'\\x02'), due FROM given
      RETURNING kind, n, terms
  ), marked AS (
    INSERT INTO {schema}.row_terms (kind, term, n) SELECT b.kind, t.term, b.n FROM born b, unnest(b.terms) t(term)
  ), counted AS (
    INSERT INTO {schema}.term_counts AS c (kind, term, shard, amount)
      SELECT b.kind, t.term, 0, count(*) FROM born b, unnest(b.terms || ''::text) t(term) GROUP BY 1, 2
      ON CONFLICT (kind, term, shard) DO UPDATE SET amount = c.amount + excluded.amount
  ) SELECT setval('{schema}.stamps', greatest((SELECT last_value FROM {schema}.stamps), (SELECT max(n) FROM given)))`;

const insertLedgers = `INSERT INTO {schema}.ledgers (ledger, slot, amount)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) ON CONFLICT DO NOTHING`;

const insertSums = `INSERT INTO {schema}.sums (sum, slot, shard, amounts)
  SELECT w.sum, w.slot, 0, w.amounts::numeric[] FROM unnest($1::text[], $2::bigint[], $3::text[]) w(sum, slot, amounts)
  ON CONFLICT DO NOTHING`;

const insertRecords = `WITH added AS (
    INSERT INTO {schema}.audit (chain, seq, record)
      SELECT $1, w.seq, w.record FROM unnest($2::bigint[], $3::text[]) w(seq, record)
  ) INSERT INTO {schema}.audit_heads AS h (chain, seq, hash) VALUES ($1, $4, $5)
    ON CONFLICT (chain) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`;

const termsOf = ({ terms }: WholeRow): string =>
  [...new Set(terms.map((term) => (isLongTerm(term) ? term : encodeTerm(term))))].sort().join(SEPARATOR);

const rowColumns = (page: readonly WholeRow[]): readonly unknown[] => [
  page.map(({ kind }) => storedKey(kind)),
  page.map(({ id }) => storedKey(id)),
  page.map(({ n }) => n),
  page.map(({ version }) => version),
  page.map(({ json }) => json),
  page.map(termsOf),
  page.map(({ dueAtMs }) => dueAtMs),
];

const loaderOf = (query: Query): StoreLoader => ({
  rows: async (page) => {
    await query(insertRows, rowColumns(page));
  },
  ledgers: async (page) => {
    const slots = page.flatMap((one) => one.slots.map(([slot, amount]) => [encodeText(one.ledger), slot, amount]));
    await query(
      insertLedgers,
      [0, 1, 2].map((column) => slots.map((slot) => slot[column])),
    );
  },
  sums: async (page) => {
    const slots = page.flatMap((one) =>
      one.slots.map(([slot, amounts]) => [encodeText(one.sum), slot, `{${amounts.join(",")}}`]),
    );
    await query(
      insertSums,
      [0, 1, 2].map((column) => slots.map((slot) => slot[column])),
    );
  },
  lastRecord: async (chain) => {
    const [head] = await query<{ seq: number }>("SELECT seq FROM {schema}.audit_heads WHERE chain = $1", [chain]);
    return head?.seq ?? 0;
  },
  records: async (chain, page) => {
    const last = page.at(-1);
    if (last === undefined) return;
    const columns = [page.map(({ seq }) => seq), page.map((record) => JSON.stringify(record))];
    await query(insertRecords, [chain, ...columns, last.seq, last.hash]);
  },
});

const usersOf = `SELECT count(*)::int AS found FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = $1`;

/** Asked before the store is opened here: its own connections have the name of an agent's. */
const agentsOn = async (place: StoreSchema, settings: ConnectionOptions): Promise<number> => {
  const client = await connectAlone(place, settings, patient);
  const query = queryOn(client, place);
  try {
    // The server ends a session a moment after its client has closed it.
    for (let attempt = 1; ; attempt += 1) {
      const [row] = await query<{ found: number }>(usersOf, [`parley ${place.schema}`]);
      if (row === undefined || row.found === 0 || attempt === 10) return row?.found ?? 0;
      await sleep(100);
    }
  } catch (error) {
    throw failed(place, error);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const toolAnswerMs = 30_000;

/** Brings the schema to the program's version, as a start does. */
export const openMovablePostgres = async (options: PostgresStoreOptions): Promise<MovableStore> => {
  const patientOptions = { poolSize: 4, answerMs: toolAnswerMs, ...options };
  const asked = schemaOf(options.url, options.schema);
  const agents = await agentsOn(asked, patientOptions);
  const { store, place, settings } = await openPostgres(patientOptions);
  let client: pg.Client;
  try {
    client = await connectAlone(place, settings, patient);
  } catch (error) {
    await store.close();
    throw error;
  }
  const query: Query = async (text, values) =>
    queryOn(client, place)<never>(text, values).catch((error: unknown) => {
      throw failed(place, error);
    });
  const close = async (): Promise<void> => {
    await client.end().catch(() => undefined);
    await store.close();
  };
  return {
    label: place.label,
    store: { ...store, close },
    loader: loaderOf(query),
    eraser: eraserOf(query, place),
    read: () => read(place, settings),
    expectUnused: async () => {
      if (agents === 0) return;
      const text = `${place.label}: ${agents} connections of running agents are open. Stop the agents first.`;
      throw storeError("store_unusable", text);
    },
  };
};
