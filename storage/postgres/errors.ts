const CODES = [
  "store_unreachable",
  "statement_refused",
  "commit_outcome_unknown",
  "store_closed",
  "store_unusable",
] as const;
const STORE_CODES: ReadonlySet<string> = new Set(CODES);

/**
 * `store_unreachable`: nothing was sent. `statement_refused`, `store_unusable`: nothing changed; the second may pass
 * later. `commit_outcome_unknown`: no answer, so the commit may stand; a retry with its idempotency key finds out.
 */
export type StoreErrorCode = (typeof CODES)[number];

type StoreError = Error & { readonly code: StoreErrorCode };

export const storeError = (code: StoreErrorCode, message: string, cause?: unknown): StoreError =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });

export const isStoreError = (error: unknown): boolean =>
  error instanceof Error && STORE_CODES.has(field(error, "code"));

// Connection, shutdown, system and internal errors: the server may not have rolled back.
const LOST_STATES = ["08", "57P", "58", "XX"];
const LOST_SEVERITIES = ["FATAL", "PANIC"];
const RETRY_STATES = ["40001", "40P01"];
// Read only, rolled back, out of resources, locked or timed out: a retry may succeed.
const UNABLE_STATES = ["25", "40", "53", "55", "57"];

const field = (error: unknown, name: "code" | "severity"): string => {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
};

export const sqlStateOf = (error: unknown): string => (field(error, "severity") === "" ? "" : field(error, "code"));

const startsWithAny = (state: string, starts: readonly string[]): boolean =>
  starts.some((start) => state.startsWith(start));

/** False: the answer is missing, so the outcome is unknown. */
export const isAnswered = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  // The severity is localized, so the state decides.
  if (state === "" || LOST_SEVERITIES.includes(field(error, "severity"))) return false;
  return !startsWithAny(state, LOST_STATES);
};

export const isRetryable = (error: unknown): boolean => RETRY_STATES.includes(sqlStateOf(error));

export const refusedBy = (label: string, what: string, error: unknown): Error => {
  const code = startsWithAny(sqlStateOf(error), UNABLE_STATES) ? "store_unusable" : "statement_refused";
  return storeError(code, `${label} refused ${what}: ${messageOf(error)}`, error);
};

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
  [
    "42501",
    "Grant the user CREATE on the database, or run parley migrate as the owner and grant the rights on its tables.",
  ],
  ["53300", "Raise max_connections on the server, or lower the pool size."],
  ["25006", "Point DATABASE_URL at the primary: this server is read-only."],
  ["55P03", "Another process is migrating the schema: try again when it is done."],
  ["57P03", "The server is still starting or stopping: try again when it is ready."],
];

const ALL_BUSY = "timeout exceeded when trying to connect";

export const cureOf = (error: unknown): string => {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = field(inner, "code");
  if (messageOf(error) === ALL_BUSY) return "All connections were busy: raise the pool size, or lower the load.";
  return CURES.find(([known]) => known === code)?.[1] ?? "Check DATABASE_URL and that the server accepts connections.";
};
