import type pg from "pg";

import { digestText } from "../audit.ts";
import { connectAlone, type ConnectionOptions, type StoreSchema, unreachable } from "./connection.ts";
import { cureOf, isStoreError, messageOf, sqlStateOf, storeError } from "./errors.ts";
import { type Migration, migrations } from "./migrations/list.ts";

// Lanes count up from 0, -2 guards the stamps.
const MIGRATION_LOCK = -1;
const LOCK_WAIT_MS = 60_000;
const OLDEST_SERVER = 140_000;

const checkServer = async (client: pg.Client, place: StoreSchema): Promise<void> => {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  );
  const server = rows[0];
  if (server === undefined || server.version < OLDEST_SERVER) {
    throw storeError("store_unusable", `${place.label}: the server is too old. Use PostgreSQL 14 or newer.`);
  }
  if (server.encoding !== "UTF8") {
    const cure = "Create the database with ENCODING 'UTF8' TEMPLATE template0.";
    throw storeError("store_unusable", `${place.label}: the database is encoded in ${server.encoding}. ${cure}`);
  }
};

/** `digest` is null in schemas of programs that stored none. */
interface Applied {
  readonly version: number;
  readonly name: string;
  readonly digest: string | null;
}

const digestOf = ({ sql }: Migration): string => digestText(sql);

const readApplied = async (client: pg.Client, place: StoreSchema): Promise<readonly Applied[]> => {
  const exists = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [place.schema]);
  if (exists.rowCount === 0) await client.query(`CREATE SCHEMA ${place.quoted}`);
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${place.quoted}.schema_version (
       version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
     ALTER TABLE ${place.quoted}.schema_version ADD COLUMN IF NOT EXISTS digest text`,
  );
  const { rows } = await client.query<Applied>(
    `SELECT version, name, digest FROM ${place.quoted}.schema_version ORDER BY version`,
  );
  return rows;
};

const checkApplied = (place: StoreSchema, applied: readonly Applied[], known: readonly Migration[]): void => {
  const present = applied.at(-1)?.version ?? 0;
  const newest = known.at(-1)?.version ?? 0;
  if (present > newest) {
    const cure = "Start a program of that version or newer, or point DATABASE_URL at another database.";
    const found = `has version ${present}, this program knows versions up to ${newest}`;
    throw storeError("store_unusable", `${place.label}: the schema ${found}. ${cure}`);
  }
  for (const { version, name, digest } of applied) {
    const own = known.find((one) => one.version === version);
    if (own === undefined || digest === null || digest === digestOf(own)) continue;
    const cure = "Start the program that made this schema, or point DATABASE_URL at another database.";
    const found = `was applied with the digest ${digest}, in this program it has ${digestOf(own)}`;
    throw storeError("store_unusable", `${place.label}: migration ${version} (${name}) ${found}. ${cure}`);
  }
};

/** Null where a migration has yet to make the table, or give it its digests. Reads alone: no rights are needed. */
const readMarks = async (client: pg.Client, place: StoreSchema): Promise<readonly Applied[] | null> => {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'digest') AS found`,
    [`${place.quoted}.schema_version`],
  );
  if (rows[0]?.found !== true) return null;
  const marks = `SELECT version, name, digest FROM ${place.quoted}.schema_version ORDER BY version`;
  return (await client.query<Applied>(marks)).rows;
};

const isCurrent = (applied: readonly Applied[], known: readonly Migration[]): boolean =>
  applied.at(-1)?.version === known.at(-1)?.version && applied.every(({ digest }) => digest !== null);

const applyAll = async (client: pg.Client, place: StoreSchema, known: readonly Migration[]): Promise<void> => {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
  await client.query("SELECT pg_advisory_xact_lock($1, $2)", [place.lockClass, MIGRATION_LOCK]);
  const applied = await readApplied(client, place);
  checkApplied(place, applied, known);
  for (const migration of known.filter(({ version }) => version > (applied.at(-1)?.version ?? 0))) {
    await client.query(migration.sql.replaceAll("{schema}", place.quoted));
    await client.query(`INSERT INTO ${place.quoted}.schema_version (version, name) VALUES ($1, $2)`, [
      migration.version,
      migration.name,
    ]);
  }
  const digests = `UPDATE ${place.quoted}.schema_version SET digest = $2 WHERE version = $1 AND digest IS NULL`;
  for (const migration of known) await client.query(digests, [migration.version, digestOf(migration)]);
};

/** A migration may take long, and a start may come before its database. */
const patient = { connectionTimeoutMillis: 10_000, statement_timeout: 0, query_timeout: 0 } as const;

export const isMigrated = async (place: StoreSchema, options: ConnectionOptions): Promise<boolean> => {
  const client = await connectAlone(place, options, patient);
  try {
    const { rows } = await client.query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [
      `${place.quoted}.schema_version`,
    ]);
    return rows[0]?.found === true;
  } catch (error) {
    throw unreachable(place, error);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** The last migration that was applied, 0 without any. */
export const migratedTo = async (place: StoreSchema, options: ConnectionOptions): Promise<number> => {
  const client = await connectAlone(place, options, patient);
  try {
    return (await readMarks(client, place))?.at(-1)?.version ?? 0;
  } catch (error) {
    throw unreachable(place, error);
  } finally {
    await client.end().catch(() => undefined);
  }
};

/**
 * One transaction under one lock: a second process waits and finds the work done. A failure leaves the schema
 * unchanged. Where nothing is to be done, a user who may only read and write rows is enough.
 */
export const migrate = async (place: StoreSchema, options: ConnectionOptions, known = migrations): Promise<void> => {
  const client = await connectAlone(place, options, patient);
  try {
    await checkServer(client, place);
    const marks = await readMarks(client, place);
    if (marks !== null) checkApplied(place, marks, known);
    if (marks !== null && isCurrent(marks, known)) return;
    await client.query("BEGIN");
    await applyAll(client, place, known);
    await client.query("COMMIT");
  } catch (error) {
    if (isStoreError(error)) throw error;
    if (sqlStateOf(error) === "") throw unreachable(place, error);
    throw storeError("store_unusable", `${place.label}: ${messageOf(error)}. ${cureOf(error)}`, error);
  } finally {
    await client.end().catch(() => undefined);
  }
};
