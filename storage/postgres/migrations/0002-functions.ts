/** In PostgreSQL, functions that differ in their arguments are different functions. Begins behind `CREATE`. */
export const applyCommit = `FUNCTION {schema}.apply_commit(
  lock_class integer, lane integer,
  link_seq bigint, link_prev text, link_hash text, link_record text,
  ops text[], kinds text[], ids text[], expects bigint[], bodies text[], term_lists text[], dues bigint[],
  absent_kinds text[], absent_ids text[],
  new_kinds text[], new_ids text[], new_bodies text[], new_term_lists text[], new_dues bigint[], new_places integer[],
  count_kinds text[], count_terms text[], count_steps integer[],
  ledger_names text[], from_slots bigint[], to_slots bigint[], amounts bigint[], limits bigint[],
  sum_names text[], sum_slots bigint[], sum_amounts text[],
  OUT outcome text, OUT at integer, OUT stamp bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  places bigint[] := '{}';
  wanted text[];
  old_place bigint;
  old_terms text[];
  born integer;
  top bigint;
  moved_kinds text[] := '{}';
  moved_terms text[] := '{}';
  moved_steps integer[] := '{}';
  gone text[];
  come text[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(lock_class, -2);
  stamp := nextval('{schema}.stamps');
  BEGIN
    IF link_record IS NOT NULL THEN
      outcome := 'head';
      WITH moved AS (
        UPDATE {schema}.audit_heads h SET seq = link_seq, hash = link_hash
          WHERE h.chain = 'lane-' || lane AND h.seq = link_seq - 1 AND h.hash = link_prev RETURNING h.chain
      ) INSERT INTO {schema}.audit (chain, seq, record) SELECT m.chain, link_seq, link_record FROM moved m;
      IF NOT FOUND THEN
        RAISE EXCEPTION SQLSTATE 'PA001';
      END IF;
    END IF;

    outcome := 'moved';
    FOR i IN 1 .. cardinality(ops) LOOP
      at := i;
      IF ops[i] = 'check' THEN
        PERFORM 1 FROM {schema}.rows r
          WHERE r.kind = kinds[i] AND r.id = ids[i] AND r.version = expects[i] FOR SHARE;
      ELSIF ops[i] = 'remove' THEN
        wanted := '{}';
        DELETE FROM {schema}.rows r WHERE r.kind = kinds[i] AND r.id = ids[i] AND r.version = expects[i]
          RETURNING r.n, r.terms INTO old_place, old_terms;
      ELSE
        wanted := string_to_array(term_lists[i], E'\\x02');
        WITH held AS (
          SELECT r.n, r.terms FROM {schema}.rows r
            WHERE r.kind = kinds[i] AND r.id = ids[i] AND r.version = expects[i] FOR NO KEY UPDATE
        ) UPDATE {schema}.rows r SET version = expects[i] + 1, written = stamp, body = bodies[i], terms = wanted,
              due_at_ms = dues[i], claimed_by = NULL, claimed_until = NULL
            FROM held h WHERE r.kind = kinds[i] AND r.id = ids[i] RETURNING h.n, h.terms INTO old_place, old_terms;
      END IF;
      IF NOT FOUND THEN
        RAISE EXCEPTION SQLSTATE 'PA001';
      END IF;
      IF ops[i] = 'remove' THEN
        moved_kinds := moved_kinds || kinds[i];
        moved_terms := moved_terms || ''::text;
        moved_steps := moved_steps || -1;
      END IF;
      IF ops[i] <> 'check' AND old_terms <> wanted THEN
        gone := ARRAY(SELECT unnest(old_terms) EXCEPT SELECT unnest(wanted));
        come := ARRAY(SELECT unnest(wanted) EXCEPT SELECT unnest(old_terms));
        DELETE FROM {schema}.row_terms t WHERE t.kind = kinds[i] AND t.term = ANY (gone) AND t.n = old_place;
        INSERT INTO {schema}.row_terms (kind, term, n) SELECT kinds[i], w.term, old_place FROM unnest(come) w(term);
        moved_kinds := moved_kinds || array_fill(kinds[i], ARRAY[cardinality(gone) + cardinality(come)]);
        moved_terms := moved_terms || gone || come;
        moved_steps := moved_steps || array_fill(-1, ARRAY[cardinality(gone)])
          || array_fill(1, ARRAY[cardinality(come)]);
      END IF;
    END LOOP;

    outcome := 'present';
    FOR i IN 1 .. cardinality(absent_ids) LOOP
      at := i;
      INSERT INTO {schema}.rows (kind, id, n, version, written, body, terms)
        VALUES (absent_kinds[i], absent_ids[i], nextval('{schema}.stamps'), 1, stamp, 'null', '{}')
        ON CONFLICT (kind, id) DO NOTHING;
      IF NOT FOUND THEN
        RAISE EXCEPTION SQLSTATE 'PA001';
      END IF;
      DELETE FROM {schema}.rows r WHERE r.kind = absent_kinds[i] AND r.id = absent_ids[i];
    END LOOP;

    IF cardinality(new_ids) > 0 THEN
      outcome := 'taken';
      FOR i IN 1 .. cardinality(new_ids) LOOP
        places[i] := nextval('{schema}.stamps');
      END LOOP;
      WITH born AS (
        INSERT INTO {schema}.rows (kind, id, n, version, written, body, terms, due_at_ms)
          SELECT w.kind, w.id, places[w.place], 1, stamp, w.body, string_to_array(w.terms, E'\\x02'), w.due
          FROM unnest(new_kinds, new_ids, new_bodies, new_term_lists, new_dues, new_places)
            w(kind, id, body, terms, due, place)
          ON CONFLICT (kind, id) DO NOTHING RETURNING kind, n, terms
      ), marked AS (
        INSERT INTO {schema}.row_terms (kind, term, n) SELECT b.kind, t.term, b.n FROM born b, unnest(b.terms) t(term)
      ), counted AS (
        INSERT INTO {schema}.term_counts AS c (kind, term, shard, amount)
          SELECT w.kind, w.term, lane, w.step FROM unnest(count_kinds, count_terms, count_steps) w(kind, term, step)
          ON CONFLICT (kind, term, shard) DO UPDATE SET amount = c.amount + excluded.amount
      ) SELECT count(*) INTO born FROM born;
      IF born < cardinality(new_ids) THEN
        SELECT min(i) INTO at FROM generate_subscripts(new_ids, 1) i WHERE places[new_places[i]] IS DISTINCT FROM
          (SELECT r.n FROM {schema}.rows r WHERE r.kind = new_kinds[i] AND r.id = new_ids[i]);
        RAISE EXCEPTION SQLSTATE 'PA001';
      END IF;
    END IF;

    IF cardinality(ledger_names) > 0 THEN
      outcome := 'limit';
      IF cardinality(ledger_names) > 1 THEN
        INSERT INTO {schema}.ledgers AS l (ledger, slot, amount)
          SELECT DISTINCT w.ledger, s.slot, 0 FROM unnest(ledger_names, from_slots, to_slots) w(ledger, first, last),
            generate_series(w.first, w.last) s(slot) ORDER BY 1, 2
          ON CONFLICT (ledger, slot) DO UPDATE SET amount = l.amount WHERE false;
      END IF;
      FOR i IN 1 .. cardinality(ledger_names) LOOP
        at := i;
        WITH booked AS (
          INSERT INTO {schema}.ledgers AS l (ledger, slot, amount)
            SELECT ledger_names[i], s.slot, greatest(0, amounts[i])
            FROM generate_series(from_slots[i], to_slots[i]) s(slot)
            ON CONFLICT (ledger, slot) DO UPDATE SET amount = greatest(0, l.amount + amounts[i])
            RETURNING l.amount
        ) SELECT max(b.amount) INTO top FROM booked b;
        IF top > coalesce(limits[i], 9007199254740991) AND amounts[i] > 0 THEN
          RAISE EXCEPTION SQLSTATE 'PA001';
        END IF;
      END LOOP;
    END IF;

    IF cardinality(sum_names) > 0 THEN
      INSERT INTO {schema}.sums AS s (sum, slot, shard, amounts)
        SELECT w.sum, w.slot, lane, w.amounts::numeric[] FROM unnest(sum_names, sum_slots, sum_amounts)
          w(sum, slot, amounts)
        ON CONFLICT (sum, slot, shard) DO UPDATE SET amounts = ARRAY(
          SELECT coalesce(w.old, 0) + coalesce(w.more, 0)
          FROM unnest(s.amounts, excluded.amounts) WITH ORDINALITY w(old, more, place) ORDER BY w.place);
    END IF;

    IF cardinality(moved_kinds) > 0 THEN
      INSERT INTO {schema}.term_counts AS c (kind, term, shard, amount)
        SELECT d.kind, d.term, lane, sum(d.step) FROM unnest(moved_kinds, moved_terms, moved_steps) d(kind, term, step)
        GROUP BY d.kind, d.term HAVING sum(d.step) <> 0 ORDER BY d.kind, d.term
        ON CONFLICT (kind, term, shard) DO UPDATE SET amount = c.amount + excluded.amount;
    END IF;
    outcome := 'ok';
  EXCEPTION WHEN SQLSTATE 'PA001' THEN
    stamp := 0;
  END;
END
$body$;
`;

/**
 * A function that changes gets a new name in a new migration, so that processes of the version before keep working
 * during a rolling deployment. `apply_commit` takes rows sorted by key and locks them in that order, so that commits
 * cannot deadlock; reservations lock all their slots first (`WHERE false` in the conflict only locks). What stops a
 * commit is raised inside a block and returned as a value, so that everything is rolled back. Every commit holds lock
 * -2 shared, from before it draws its stamp until it is visible or gone. `settled_stamp` reads the last stamp, then
 * waits only for the present holders: no stamp up to the returned one can still appear. NULL: one took longer than
 * `patience`.
 */
export const functions = `
CREATE FUNCTION {schema}.settled_stamp(lock_class integer, patience interval) RETURNS bigint LANGUAGE plpgsql AS $body$
DECLARE
  latest bigint;
  place oid := (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
  begun timestamptz := clock_timestamp();
  holders text[];
BEGIN
  SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO latest FROM {schema}.stamps s;
  SELECT array_agg(l.virtualtransaction) INTO holders FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.database = place AND l.classid = lock_class::oid AND l.objid = (-2)::oid;
  WHILE holders IS NOT NULL LOOP
    IF clock_timestamp() > begun + patience THEN
      RETURN NULL;
    END IF;
    PERFORM pg_sleep(0.001);
    SELECT array_agg(l.virtualtransaction) INTO holders FROM pg_locks l
      WHERE l.locktype = 'advisory' AND l.database = place AND l.classid = lock_class::oid AND l.objid = (-2)::oid
        AND l.virtualtransaction = ANY (holders);
  END LOOP;
  RETURN latest;
END
$body$;

CREATE FUNCTION {schema}.claim_lane(
  lock_class integer, first_hash text, OUT lane integer, OUT seq bigint, OUT hash text
) LANGUAGE plpgsql AS $body$
BEGIN
  lane := 0;
  WHILE NOT pg_try_advisory_lock(lock_class, lane) LOOP
    lane := lane + 1;
  END LOOP;
  INSERT INTO {schema}.audit_heads AS h (chain, seq, hash) VALUES ('lane-' || lane, 0, first_hash)
    ON CONFLICT (chain) DO NOTHING;
  SELECT h.seq, h.hash INTO seq, hash FROM {schema}.audit_heads h WHERE h.chain = 'lane-' || lane;
END
$body$;

CREATE ${applyCommit}`;
