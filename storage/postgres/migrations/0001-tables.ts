/** Collation "C" orders keys by bytes on any server. Bodies are `text`: `jsonb` reorders keys and rejects `\u0000`. */
export const tables = `
CREATE SEQUENCE {schema}.stamps AS bigint MAXVALUE 9007199254740991 NO CYCLE;

CREATE TABLE {schema}.rows (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  version bigint NOT NULL,
  written bigint NOT NULL,
  body text NOT NULL,
  terms text[] COLLATE "C" NOT NULL,
  due_at_ms bigint,
  claimed_by text,
  claimed_until timestamptz,
  PRIMARY KEY (kind, id)
);
CREATE UNIQUE INDEX rows_by_place ON {schema}.rows (kind, n);
CREATE INDEX rows_by_write ON {schema}.rows (kind, written, n);
CREATE INDEX rows_by_deadline ON {schema}.rows (due_at_ms, n) WHERE due_at_ms IS NOT NULL;

CREATE TABLE {schema}.row_terms (
  kind text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (kind, term, n)
);

CREATE TABLE {schema}.term_counts (
  kind text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  shard integer NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (kind, term, shard)
) WITH (fillfactor = 50);

CREATE TABLE {schema}.ledgers (
  ledger text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (ledger, slot)
) WITH (fillfactor = 50);

CREATE TABLE {schema}.sums (
  sum text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  shard integer NOT NULL,
  amounts numeric[] NOT NULL,
  PRIMARY KEY (sum, slot, shard)
) WITH (fillfactor = 50);

CREATE TABLE {schema}.audit (
  chain text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (chain, seq)
);

CREATE TABLE {schema}.audit_heads (
  chain text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL
) WITH (fillfactor = 50);

CREATE FUNCTION {schema}.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  RAISE EXCEPTION 'the audit trail is append-only';
END
$body$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {schema}.audit
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.refuse_audit_change();
`;
