/**
 * Migration 2: the functions that make a commit one round trip. A function that changes later gets a new name in a new
 * migration, so that processes of the version before keep working while a deployment rolls.
 *
 * `apply_commit` takes the rows sorted by key and the reservations sorted by ledger, and locks in that order, so that
 * two commits cannot wait for one another in a circle. What stops a commit is raised inside a block and caught at its
 * end: everything is rolled back, and the reason is returned as a value.
 *
 * Lock -2 of the class is held, shared, by every commit from before it draws its stamp until it is visible or gone.
 * `settled_stamp` takes it exclusively for a moment: no stamp up to the one it returns is still on its way.
 */
export const functions = `
CREATE FUNCTION {schema}.settled_stamp(lock_class integer) RETURNS bigint LANGUAGE plpgsql AS $body$
DECLARE
  latest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(lock_class, -2);
  SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO latest FROM {schema}.stamps s;
  RETURN latest;
END
$body$;

CREATE FUNCTION {schema}.claim_lane(lock_class integer, first_hash text, OUT lane integer, OUT seq bigint, OUT hash text)
LANGUAGE plpgsql AS $body$
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

CREATE FUNCTION {schema}.apply_commit(
  lock_class integer, lane integer,
  link_seq bigint, link_prev text, link_hash text, link_record text,
  ops text[], kinds text[], ids text[], expects bigint[], bodies text[], term_lists text[], dues bigint[],
  places integer[], new_places integer,
  ledger_names text[], from_slots bigint[], to_slots bigint[], amounts bigint[], limits bigint[],
  OUT outcome text, OUT at integer, OUT stamp bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  fresh bigint[];
  wanted text[];
  before record;
  place bigint;
  top bigint;
  count_kinds text[] := '{}';
  count_terms text[] := '{}';
  count_steps integer[] := '{}';
  gone text[];
  come text[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(lock_class, -2);
  stamp := nextval('{schema}.stamps');
  outcome := 'ok';
  at := 0;
  BEGIN
    IF link_record IS NOT NULL THEN
      UPDATE {schema}.audit_heads h SET seq = link_seq, hash = link_hash
        WHERE h.chain = 'lane-' || lane AND h.seq = link_seq - 1 AND h.hash = link_prev;
      IF NOT FOUND THEN
        outcome := 'head';
        RAISE EXCEPTION SQLSTATE 'PA001';
      END IF;
      INSERT INTO {schema}.audit (chain, seq, record) VALUES ('lane-' || lane, link_seq, link_record);
    END IF;

    IF new_places > 0 THEN
      SELECT array_agg(nextval('{schema}.stamps')) INTO fresh FROM generate_series(1, new_places);
    END IF;

    FOR i IN 1 .. cardinality(ops) LOOP
      at := i;
      outcome := 'conflict';
      IF expects[i] = 0 THEN
        wanted := string_to_array(term_lists[i], E'\\x02');
        place := fresh[places[i]];
        INSERT INTO {schema}.rows (kind, id, n, version, written, body, terms, due_at_ms)
          VALUES (kinds[i], ids[i], place, 1, stamp, bodies[i], wanted, dues[i])
          ON CONFLICT (kind, id) DO NOTHING;
        IF NOT FOUND THEN
          RAISE EXCEPTION SQLSTATE 'PA001';
        END IF;
        IF ops[i] = 'check' THEN
          DELETE FROM {schema}.rows r WHERE r.kind = kinds[i] AND r.id = ids[i];
        ELSE
          INSERT INTO {schema}.row_terms (kind, term, n) SELECT kinds[i], w.term, place FROM unnest(wanted) w(term);
          count_kinds := count_kinds || array_fill(kinds[i], ARRAY[cardinality(wanted) + 1]);
          count_terms := count_terms || ''::text || wanted;
          count_steps := count_steps || array_fill(1, ARRAY[cardinality(wanted) + 1]);
        END IF;
      ELSIF ops[i] = 'check' THEN
        PERFORM 1 FROM {schema}.rows r
          WHERE r.kind = kinds[i] AND r.id = ids[i] AND r.version = expects[i] FOR SHARE;
        IF NOT FOUND THEN
          RAISE EXCEPTION SQLSTATE 'PA001';
        END IF;
      ELSE
        SELECT r.n, r.terms INTO before FROM {schema}.rows r
          WHERE r.kind = kinds[i] AND r.id = ids[i] AND r.version = expects[i] FOR UPDATE;
        IF NOT FOUND THEN
          RAISE EXCEPTION SQLSTATE 'PA001';
        END IF;
        IF ops[i] = 'remove' THEN
          DELETE FROM {schema}.rows r WHERE r.kind = kinds[i] AND r.id = ids[i];
          gone := before.terms;
          come := '{}';
          count_kinds := count_kinds || kinds[i];
          count_terms := count_terms || ''::text;
          count_steps := count_steps || -1;
        ELSE
          wanted := string_to_array(term_lists[i], E'\\x02');
          UPDATE {schema}.rows r SET version = expects[i] + 1, written = stamp, body = bodies[i], terms = wanted,
              due_at_ms = dues[i], claimed_by = NULL, claimed_until = NULL
            WHERE r.kind = kinds[i] AND r.id = ids[i];
          gone := ARRAY(SELECT unnest(before.terms) EXCEPT SELECT unnest(wanted));
          come := ARRAY(SELECT unnest(wanted) EXCEPT SELECT unnest(before.terms));
        END IF;
        IF cardinality(gone) > 0 THEN
          DELETE FROM {schema}.row_terms t WHERE t.kind = kinds[i] AND t.term = ANY (gone) AND t.n = before.n;
          count_kinds := count_kinds || array_fill(kinds[i], ARRAY[cardinality(gone)]);
          count_terms := count_terms || gone;
          count_steps := count_steps || array_fill(-1, ARRAY[cardinality(gone)]);
        END IF;
        IF cardinality(come) > 0 THEN
          INSERT INTO {schema}.row_terms (kind, term, n) SELECT kinds[i], w.term, before.n FROM unnest(come) w(term);
          count_kinds := count_kinds || array_fill(kinds[i], ARRAY[cardinality(come)]);
          count_terms := count_terms || come;
          count_steps := count_steps || array_fill(1, ARRAY[cardinality(come)]);
        END IF;
      END IF;
    END LOOP;

    IF cardinality(ledger_names) > 1 THEN
      PERFORM 1 FROM {schema}.ledgers l
        WHERE (l.ledger, l.slot) IN (SELECT w.ledger, s.slot
          FROM unnest(ledger_names, from_slots, to_slots) w(ledger, from_slot, to_slot),
            generate_series(w.from_slot, w.to_slot) s(slot))
        ORDER BY l.ledger, l.slot FOR UPDATE;
    END IF;
    FOR i IN 1 .. cardinality(ledger_names) LOOP
      at := i;
      outcome := 'limit';
      WITH booked AS (
        INSERT INTO {schema}.ledgers AS l (ledger, slot, amount)
          SELECT ledger_names[i], s.slot, greatest(0, amounts[i])
          FROM generate_series(from_slots[i], to_slots[i]) s(slot)
          ON CONFLICT (ledger, slot) DO UPDATE SET amount = greatest(0, l.amount + amounts[i])
          RETURNING l.amount
      ) SELECT max(b.amount) INTO top FROM booked b;
      IF top > limits[i] AND amounts[i] > 0 THEN
        RAISE EXCEPTION SQLSTATE 'PA001';
      END IF;
    END LOOP;

    IF cardinality(count_kinds) > 0 THEN
      INSERT INTO {schema}.term_counts AS c (kind, term, shard, amount)
        SELECT d.kind, d.term, lane, sum(d.step) FROM unnest(count_kinds, count_terms, count_steps) d(kind, term, step)
        GROUP BY d.kind, d.term HAVING sum(d.step) <> 0 ORDER BY d.kind, d.term
        ON CONFLICT (kind, term, shard) DO UPDATE SET amount = c.amount + excluded.amount;
    END IF;
    outcome := 'ok';
    at := 0;
  EXCEPTION WHEN SQLSTATE 'PA001' THEN
    stamp := 0;
  END;
END
$body$;
`;
