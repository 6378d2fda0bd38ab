const CODES = [
  "store_unreachable",
  "statement_refused",
  "commit_outcome_unknown",
  "store_closed",
  "store_unusable",
] as const;
const STORE_CODES: ReadonlySet<string> = new Set(CODES);

/**
 * What a store error says about the work that met it. `store_unreachable`: nothing was written, because the database
 * could not be asked. `statement_refused`: the database answered with an error, and nothing changed.
 * `commit_outcome_unknown`: the connection was lost between question and answer, so the commit may stand or not; the
 * caller repeats the call with its idempotency key and meets whatever is true. `store_closed`: the store was closed
 * before. `store_unusable`: it cannot start, or the database has no room, time or permission for the work now; nothing
 * changed.
 */
export type StoreErrorCode = (typeof CODES)[number];

type StoreError = Error & { readonly code: StoreErrorCode };

/** An error of the PostgreSQL driver; `code` is one of `StoreErrorCode`, `cause` what the client library said. */
export const storeError = (code: StoreErrorCode, message: string, cause?: unknown): StoreError =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });

/** True for an error that this driver made: its message is ready for a person. */
export const isStoreError = (error: unknown): boolean =>
  error instanceof Error && STORE_CODES.has(field(error, "code"));

// Connection trouble, a server that shuts down, system and internal errors: the server may not have rolled back.
const LOST_STATES = ["08", "57P", "58", "XX"];
const LOST_SEVERITIES = ["FATAL", "PANIC"];
const RETRY_STATES = ["40001", "40P01"];
// Read only, rolled back, out of disk or memory, a lock or the time limit: the statement is sound and may work later.
const UNABLE_STATES = ["25", "40", "53", "55", "57"];

const field = (error: unknown, name: "code" | "severity"): string => {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
};

/** The SQLSTATE of an error that the server itself sent, else an empty string. */
export const sqlStateOf = (error: unknown): string => (field(error, "severity") === "" ? "" : field(error, "code"));

const startsWithAny = (state: string, starts: readonly string[]): boolean =>
  starts.some((start) => state.startsWith(start));

/** True when the server answered and rolled the statement back; false when its answer is missing. */
export const isAnswered = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  // The severity is written in the server's language, so the state has to tell what an unknown word may hide.
  if (state === "" || LOST_SEVERITIES.includes(field(error, "severity"))) return false;
  return !startsWithAny(state, LOST_STATES);
};

/** True for a deadlock or serialization failure: rolled back, and worth doing again at once. */
export const isRetryable = (error: unknown): boolean => RETRY_STATES.includes(sqlStateOf(error));

/** What is told of a statement that the server answered with an error: it cannot do it now, or never will. */
export const refusedBy = (label: string, what: string, error: unknown): Error => {
  const code = startsWithAny(sqlStateOf(error), UNABLE_STATES) ? "store_unusable" : "statement_refused";
  return storeError(code, `${label} refused ${what}: ${messageOf(error)}`, error);
};

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
};

const CURES: readonly (readonly [code: string, cure: string])[] = [
  ["ECONNREFUSED", "Start PostgreSQL there, or correct DATABASE_URL."],
  ["ENOENT", "Start PostgreSQL there, or correct DATABASE_URL."],
  ["ENOTFOUND", "Correct the host name in DATABASE_URL."],
  ["3D000", "Create the database, or correct its name in DATABASE_URL."],
  ["28P01", "Correct the user or password in DATABASE_URL."],
  ["28000", "Correct the user in DATABASE_URL, or let it in through pg_hba.conf."],
  ["42501", "Grant the user CREATE on the database, or create the schema and grant it there."],
  ["53300", "Raise max_connections on the server, or lower the pool size."],
  ["25006", "Point DATABASE_URL at the primary: this server is read-only."],
  ["55P03", "Another process is migrating the schema: try again when it is done."],
  ["57P03", "The server is still starting or stopping: try again when it is ready."],
];

// What the pool says when no connection became free in time.
const ALL_BUSY = "timeout exceeded when trying to connect";

/** What a person can do about a connection error; a general hint where the cause is not in the table. */
export const cureOf = (error: unknown): string => {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = field(inner, "code");
  if (messageOf(error) === ALL_BUSY) return "All connections were busy: raise the pool size, or lower the load.";
  return CURES.find(([known]) => known === code)?.[1] ?? "Check DATABASE_URL and that the server accepts connections.";
};
