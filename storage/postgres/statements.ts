import type { StoreSchema } from "./connection.ts";

export interface Statement {
  readonly name: string;
  readonly text: string;
}

const COLUMNS = "r.kind, r.id, r.n, r.version, r.body";

// Bounds on `n`: exclusive below, inclusive above.
const BOUNDS = "t.kind = $1 AND t.n > $2 AND t.n <= $3";
const PAGE = "ORDER BY t.n {order} LIMIT $4 OFFSET $5";
// OFFSET 0 keeps the planner from a join over all rows of the kind, which it prefers while statistics say the tables
// are empty.
const rowsOf = (places: string, condition: string): string => `${places} t
  CROSS JOIN LATERAL (SELECT r.* FROM {schema}.rows r WHERE r.kind = $1 AND r.n = t.n ${condition} OFFSET 0) r`;
// Skipped rows are counted in the index alone.
const pageOf = (table: string, condition: string): string =>
  `SELECT ${COLUMNS} FROM ${rowsOf(
    `(SELECT t.n FROM {schema}.${table} t WHERE ${BOUNDS} ${condition} ${PAGE})`,
    "",
  )} ORDER BY t.n {order}`;
const PLAIN_LIST = pageOf("rows", "");
const TERM_LIST = pageOf("row_terms", "AND t.term = $6");
// The rarest term, by the counters, is walked and filtered by the others.
const TERMS_LIST = `SELECT ${COLUMNS} FROM ${rowsOf("{schema}.row_terms", "AND r.terms @> $6::text[]")}
  WHERE ${BOUNDS} AND t.term = (
    SELECT w.term FROM unnest($6::text[]) w(term) ORDER BY (
      SELECT coalesce(sum(c.amount), 0) FROM {schema}.term_counts c WHERE c.kind = $1 AND c.term = w.term) LIMIT 1)
  ${PAGE}`;

const both = (name: string, text: string): { readonly newest: Statement; readonly oldest: Statement } => ({
  newest: { name: `${name}_newest`, text: text.replaceAll("{order}", "DESC") },
  oldest: { name: `${name}_oldest`, text: text.replaceAll("{order}", "ASC") },
});

const parameters = (count: number): string => Array.from({ length: count }, (_, index) => `$${index + 1}`).join(", ");

const STATEMENTS = {
  // Index plans whatever the statistics say after a bulk load. A server that acknowledges before its log is on disk
  // would break the promise of `commit`.
  openSession: {
    name: "open_session",
    text: `SELECT set_config('default_transaction_isolation', 'read committed', false),
      set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false),
      set_config('enable_seqscan', 'off', false), set_config('enable_bitmapscan', 'off', false),
      set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
      set_config('enable_sort', 'off', false), set_config('jit', 'off', false)`,
  },
  claimLane: { name: "claim_lane", text: "SELECT lane, seq, hash FROM {schema}.claim_lane({lock}, $1)" },
  commit: {
    name: "commit",
    text: `SELECT outcome, at, stamp FROM {schema}.apply_commit({lock}, ${parameters(31)})`,
  },
  settle: { name: "settle", text: "SELECT {schema}.settled_stamp({lock}, interval '1 second') AS stamp" },
  get: { name: "get", text: `SELECT ${COLUMNS} FROM {schema}.rows r WHERE r.kind = $1 AND r.id = $2` },
  plainList: both("list", PLAIN_LIST),
  termList: both("list_term", TERM_LIST),
  termsList: both("list_terms", TERMS_LIST),
  count: {
    name: "count",
    text: `SELECT coalesce(sum(c.amount), 0)::bigint AS amount FROM {schema}.term_counts c
      WHERE c.kind = $1 AND c.term = $2`,
  },
  reserved: {
    name: "reserved",
    text: `SELECT coalesce(max(l.amount), 0) AS amount FROM {schema}.ledgers l
      WHERE l.ledger = $1 AND l.slot BETWEEN $2 AND $3`,
  },
  added: {
    name: "added",
    text: `SELECT sum(a.amount)::float8 AS amount FROM {schema}.sums s,
        unnest(s.amounts) WITH ORDINALITY a(amount, place)
      WHERE s.sum = ANY ($1::text[]) AND s.slot BETWEEN $2 AND $3 GROUP BY a.place ORDER BY a.place`,
  },
  reservedSlots: {
    name: "reserved_slots",
    text: `SELECT l.slot, l.amount FROM {schema}.ledgers l
      WHERE l.ledger = $1 AND l.slot BETWEEN $2 AND $3 AND l.amount > 0`,
  },
  // The server's clock, so that processes agree when a claim expires.
  due: {
    name: "due",
    text: `WITH picked AS MATERIALIZED (
        SELECT r.kind, r.id FROM {schema}.rows r
        WHERE r.due_at_ms <= $1
          AND (r.claimed_until IS NULL OR r.claimed_by = $3 OR r.claimed_until < statement_timestamp())
        ORDER BY r.due_at_ms, r.n LIMIT $2 FOR UPDATE SKIP LOCKED)
      UPDATE {schema}.rows r SET claimed_by = $3, claimed_until = statement_timestamp() + $4 * interval '1 millisecond'
      FROM picked p WHERE r.kind = p.kind AND r.id = p.id RETURNING ${COLUMNS}, r.due_at_ms`,
  },
  // By the deadlines that this process has asked for: what it claimed is among them.
  release: {
    name: "release",
    text: `UPDATE {schema}.rows r SET claimed_by = NULL, claimed_until = NULL
      WHERE r.due_at_ms <= $2 AND r.claimed_by = $1`,
  },
  writtenSince: {
    name: "written_since",
    text: `SELECT r.id, r.written, r.n FROM {schema}.rows r
      WHERE r.kind = $1 AND r.written >= $2 AND (r.written > $2 OR r.n > $3) AND r.written <= $4
      ORDER BY r.written, r.n LIMIT $5`,
  },
  notify: { name: "notify", text: "SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload" },
  // With the indexes of each table.
  size: {
    name: "size",
    text: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
  },
  rowsByKind: {
    name: "rows_by_kind",
    text: `SELECT c.kind, sum(c.amount)::bigint AS amount FROM {schema}.term_counts c
      WHERE c.term = '' GROUP BY c.kind HAVING sum(c.amount) > 0`,
  },
  auditHeads: {
    name: "audit_heads",
    text: "SELECT h.chain, h.seq, h.hash FROM {schema}.audit_heads h WHERE h.seq > 0 ORDER BY h.chain",
  },
  auditPage: {
    name: "audit_page",
    text: `SELECT a.seq, a.record FROM {schema}.audit a
      WHERE a.chain = $1 AND a.seq > $2 AND a.seq <= $3 ORDER BY a.seq LIMIT 1000`,
  },
  auditPageBack: {
    name: "audit_page_back",
    text: `SELECT a.seq, a.record FROM {schema}.audit a
      WHERE a.chain = $1 AND a.seq < $2 ORDER BY a.seq DESC LIMIT 100`,
  },
} as const;

export type Statements = typeof STATEMENTS;

const bind = (value: unknown, place: StoreSchema): unknown => {
  if (typeof value === "string") {
    return value.replaceAll("{schema}", place.quoted).replaceAll("{lock}", String(place.lockClass));
  }
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, bind(inner, place)]));
};

export const statementsFor = (place: StoreSchema): Statements => bind(STATEMENTS, place) as Statements;
