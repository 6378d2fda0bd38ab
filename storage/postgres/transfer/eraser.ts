import { pageRows, type StoreEraser } from "../../content.ts";
import type { AuditRecord } from "../../store.ts";
import type { StoreSchema } from "../connection.ts";
import { storeError } from "../errors.ts";
import type { Query } from "./content.ts";

const isOwner = `SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = '{schema}.audit'::regclass`;

const putRecords = `UPDATE {schema}.audit a SET record = w.record
  FROM unnest($1::text[], $2::bigint[], $3::text[]) w(chain, seq, record) WHERE a.chain = w.chain AND a.seq = w.seq`;

/** Nobody but an erasure changes a record: outside its transaction the trigger is never off. */
const guard = (state: "DISABLE" | "ENABLE"): string =>
  `ALTER TABLE {schema}.audit ${state} TRIGGER audit_is_append_only`;

const replace = async (query: Query, replaced: readonly AuditRecord[]): Promise<void> => {
  await query("BEGIN");
  try {
    await query(guard("DISABLE"));
    for (let at = 0; at < replaced.length; at += pageRows) {
      const page = replaced.slice(at, at + pageRows);
      const texts = page.map((record) => JSON.stringify(record));
      await query(putRecords, [page.map(({ chain }) => chain), page.map(({ seq }) => seq), texts]);
    }
    await query(guard("ENABLE"));
    await query("COMMIT");
  } catch (error) {
    await query("ROLLBACK").catch(() => undefined);
    throw error;
  }
};

const leftovers = [
  `DELETE FROM {schema}.sums WHERE sum NOT IN (
    SELECT s.sum FROM {schema}.sums s, unnest(s.amounts) WITH ORDINALITY a(amount, place)
    GROUP BY s.sum, s.slot, a.place HAVING sum(a.amount) <> 0)`,
  `DELETE FROM {schema}.term_counts WHERE (kind, term) IN (
    SELECT kind, term FROM {schema}.term_counts GROUP BY kind, term HAVING sum(amount) = 0)`,
  // Without it the old versions stay in the tables' files until the server looks after them by itself.
  "VACUUM {schema}.rows, {schema}.row_terms, {schema}.term_counts, {schema}.sums, {schema}.audit",
];

export const eraserOf = (query: Query, { label, schema }: StoreSchema): StoreEraser => ({
  expectPermitted: async () => {
    const [row] = await query<{ owns: boolean }>(isOwner);
    if (row?.owns === true) return;
    const text = `${label}: this user may not change the tables of the schema ${schema}. Nothing was changed.`;
    throw storeError("store_unusable", `${text} Run the command as the owner of the schema, as parley migrate.`);
  },
  records: (replaced) => (replaced.length === 0 ? Promise.resolve() : replace(query, replaced)),
  purge: async () => {
    for (const text of leftovers) await query(text);
  },
});
