import { createHash } from "node:crypto";
import pg from "pg";

import { cureOf, messageOf, storeError } from "./errors.ts";
import { quoteName } from "../text.ts";

export interface ConnectionOptions {
  readonly url: string;
  readonly schema: string;
  readonly poolSize: number;
  /** What a call waits for at most: a connection, and its answer. */
  readonly answerMs: number;
}

/** `lockClass` is the first half of its advisory lock keys. */
export interface StoreSchema {
  readonly schema: string;
  readonly quoted: string;
  readonly lockClass: number;
  readonly label: string;
}

const SCHEMA_NAME = /^[a-z][a-z0-9_]{0,47}$/;
const INT8_OID = 20;

// Shorter than the wait for an answer, so that the server's clear error wins.
const STATEMENT_SHARE = 0.9;

const ADDRESS = /^postgres(ql)?:\/\//;

/** The URL may hold a password, so neither label nor error repeats it. */
const labelOf = (url: string): string => {
  try {
    if (!ADDRESS.test(url)) throw new TypeError("another scheme");
    const { host, port, database } = new pg.Client({ connectionString: url });
    const where = host.startsWith("/") ? host : `${host}:${port}`;
    return `PostgreSQL at ${where}, database ${database ?? "named as the user"}`;
  } catch {
    const form = "postgres://user:password@host:port/database; special characters are %-encoded";
    throw storeError("store_unusable", `DATABASE_URL is not an address of the form ${form}.`);
  }
};

export const schemaOf = (url: string, schema: string): StoreSchema => {
  if (!SCHEMA_NAME.test(schema) || schema.startsWith("pg_") || schema === "information_schema") {
    const rule = "use 1 to 48 lower-case letters, digits and _, beginning with a letter, and not pg_";
    throw storeError("store_unusable", `${JSON.stringify(schema)} cannot be the name of a schema: ${rule}.`);
  }
  const lockClass = createHash("sha256").update(`parley:${schema}`).digest().readInt32BE(0);
  return { schema, quoted: quoteName(schema), lockClass, label: `${labelOf(url)}, schema ${schema}` };
};

// bigint arrives as text; a number beyond JavaScript's range is an error.
const readBigint = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The number ${text} from the database is not a safe integer.`);
  return value;
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === INT8_OID && format !== "binary" ? readBigint : pg.types.getTypeParser(oid, format),
};

export const clientConfig = (options: ConnectionOptions): pg.ClientConfig => ({
  connectionString: options.url,
  application_name: `parley ${options.schema}`,
  connectionTimeoutMillis: options.answerMs,
  statement_timeout: Math.ceil(options.answerMs * STATEMENT_SHARE),
  idle_in_transaction_session_timeout: options.answerMs,
  query_timeout: options.answerMs,
  keepAlive: true,
  types,
});

export const unreachable = (place: StoreSchema, error: unknown): Error =>
  storeError("store_unreachable", `Cannot reach ${place.label}: ${messageOf(error)}. ${cureOf(error)}`, error);

/** A connection of its own, with limits of its own, for work that may take long. */
export const connectAlone = async (
  place: StoreSchema,
  options: ConnectionOptions,
  limits: pg.ClientConfig,
): Promise<pg.Client> => {
  const client = new pg.Client({ ...clientConfig(options), ...limits });
  // Without a listener a broken connection would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreachable(place, error);
  }
};
