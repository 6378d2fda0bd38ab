import type pg from "pg";
import {
  ownKinds,
  pageRows,
  type StoreContent,
  type WholeLedger,
  type WholeRow,
  type WholeSum,
} from "../../content.ts";
import type { AuditRecord, ChainHead } from "../../store.ts";
import { decodeText, encodeText } from "../../text.ts";
import { decodeTerm } from "../commit/flatten.ts";
import type { StoreSchema } from "../connection.ts";

export type Query = <R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<R[]>;

export const queryOn =
  (client: pg.Client, { quoted }: StoreSchema): Query =>
  async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await client.query<R>(text.replaceAll("{schema}", quoted), [...values])).rows;

interface RawWhole {
  readonly id: string;
  readonly n: number;
  readonly version: number;
  readonly body: string;
  readonly terms: readonly string[];
  readonly due_at_ms: number | null;
}

async function* rowsAfter(query: Query, kind: string, after: number): AsyncGenerator<readonly WholeRow[]> {
  const text = `SELECT id, n, version, body, terms, due_at_ms FROM {schema}.rows
    WHERE kind = $1 AND n > $2 ORDER BY n LIMIT ${pageRows}`;
  for (let last = after; ;) {
    const page = await query<RawWhole>(text, [encodeText(kind), last]);
    if (page.length === 0) return;
    yield page.map(({ id, n, version, body, terms, due_at_ms }) => ({
      kind,
      id: decodeText(id),
      n,
      version,
      terms: terms.map(decodeTerm),
      dueAtMs: due_at_ms,
      json: body,
    }));
    last = page.at(-1)?.n ?? last;
  }
}

/** The values of each name, whose rows come in its order. */
const grouped = <T>(rows: readonly { readonly name: string }[], value: (row: never) => T): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.name) ?? [];
    group.push(value(row as never));
    groups.set(row.name, group);
  }
  return groups;
};

async function* named<T>(query: Query, names: string, values: string, value: (row: never) => T) {
  for (let after: string | null = null; ;) {
    const page: { name: string }[] = await query<{ name: string }>(names, [after]);
    const last = page.at(-1);
    if (last === undefined) return;
    const rows = await query<{ name: string }>(values, [page.map(({ name }) => name)]);
    yield [...grouped(rows, value)].map(([name, group]) => [decodeText(name), group] as const);
    after = last.name;
  }
}

async function* ledgersOf(query: Query): AsyncGenerator<readonly WholeLedger[]> {
  const names = `SELECT DISTINCT ledger AS name FROM {schema}.ledgers
    WHERE $1::text IS NULL OR ledger > $1 ORDER BY 1 LIMIT ${pageRows}`;
  const values = `SELECT ledger AS name, slot, amount FROM {schema}.ledgers
    WHERE ledger = ANY ($1::text[]) AND amount > 0 ORDER BY ledger, slot`;
  const slot = (row: { slot: number; amount: number }) => [row.slot, row.amount] as const;
  for await (const page of named(query, names, values, slot)) yield page.map(([ledger, slots]) => ({ ledger, slots }));
}

async function* sumsOf(query: Query): AsyncGenerator<readonly WholeSum[]> {
  const names = `SELECT DISTINCT sum AS name FROM {schema}.sums
    WHERE $1::text IS NULL OR sum > $1 ORDER BY 1 LIMIT ${pageRows}`;
  const values = `SELECT t.sum AS name, t.slot, array_agg(t.amount::text ORDER BY t.place) AS amounts FROM (
      SELECT s.sum, s.slot, a.place, sum(a.amount) AS amount
      FROM {schema}.sums s, unnest(s.amounts) WITH ORDINALITY a(amount, place)
      WHERE s.sum = ANY ($1::text[]) GROUP BY s.sum, s.slot, a.place) t
    GROUP BY t.sum, t.slot HAVING bool_or(t.amount <> 0) ORDER BY t.sum, t.slot`;
  const slot = (row: { slot: number; amounts: string[] }) => [row.slot, row.amounts] as const;
  for await (const page of named(query, names, values, slot)) yield page.map(([sum, slots]) => ({ sum, slots }));
}

async function* trailOf(query: Query, heads: readonly ChainHead[]): AsyncGenerator<AuditRecord> {
  const text = `SELECT seq, record FROM {schema}.audit
    WHERE chain = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT ${pageRows}`;
  for (const { chain, seq: end } of heads) {
    for (let last = 0; last < end;) {
      const page = await query<{ seq: number; record: string }>(text, [chain, last, end]);
      if (page.length === 0) break;
      for (const { record } of page) yield JSON.parse(record) as AuditRecord;
      last = page.at(-1)?.seq ?? end;
    }
  }
}

/** Each counts what one table says and another does not. */
const doubts: readonly (readonly [text: string, sentence: string])[] = [
  [
    `SELECT count(*) AS found FROM {schema}.rows r, unnest(r.terms) t(term) WHERE NOT EXISTS (
      SELECT 1 FROM {schema}.row_terms x WHERE x.kind = r.kind AND x.term = t.term AND x.n = r.n)`,
    "filters of rows are not in the index of filters",
  ],
  [
    `SELECT count(*) AS found FROM {schema}.row_terms x WHERE NOT EXISTS (
      SELECT 1 FROM {schema}.rows r WHERE r.kind = x.kind AND r.n = x.n AND x.term = ANY (r.terms))`,
    "entries of the index of filters belong to no row",
  ],
  [
    `SELECT count(*) AS found FROM (
        SELECT kind, term, sum(amount) AS amount FROM {schema}.term_counts
        GROUP BY kind, term HAVING sum(amount) <> 0) c
      FULL JOIN (
        SELECT kind, '' AS term, count(*) AS amount FROM {schema}.rows GROUP BY kind
        UNION ALL SELECT kind, term, count(*) FROM {schema}.row_terms GROUP BY kind, term) r USING (kind, term)
      WHERE c.amount IS DISTINCT FROM r.amount`,
    "counters of rows are not what the rows add up to",
  ],
];

const faultsOf = async (query: Query): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const [text, sentence] of doubts) {
    const [{ found } = { found: 0 }] = await query<{ found: number }>(text);
    if (found > 0) faults.push(`${found} ${sentence}`);
  }
  return faults;
};

/** Reads one moment, in the transaction that the client is in. */
export const contentOf = async (query: Query, close: () => Promise<void>): Promise<StoreContent> => {
  const [stamps] = await query<{ last: number }>("SELECT last_value AS last FROM {schema}.stamps");
  const kinds = await query<{ kind: string }>(
    "SELECT kind FROM {schema}.term_counts WHERE term = '' GROUP BY kind HAVING sum(amount) > 0 ORDER BY kind",
  );
  const heads = await query<ChainHead>(
    "SELECT chain, seq, hash FROM {schema}.audit_heads WHERE seq > 0 ORDER BY chain",
  );
  const lastPlace = stamps?.last ?? 0;
  return {
    mark: `stamp:${lastPlace}`,
    lastPlace,
    kinds: kinds.map(({ kind }) => decodeText(kind)).filter((kind) => !ownKinds.includes(kind)),
    heads,
    trail: () => trailOf(query, heads),
    rows: (kind, after) => rowsAfter(query, kind, after),
    ledgers: () => ledgersOf(query),
    sums: () => sumsOf(query),
    faults: () => faultsOf(query),
    close,
  };
};
