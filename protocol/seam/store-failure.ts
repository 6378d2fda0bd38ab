import { type Refusal, refuse } from "../neutral/refusals.ts";

/** The codes of a store that cannot serve, and the refusal that the caller gets for each. */
const refusals: Readonly<Record<string, "unavailable" | "outcome_unknown">> = {
  store_unreachable: "unavailable",
  store_failed: "unavailable",
  store_closed: "unavailable",
  store_unusable: "unavailable",
  commit_outcome_unknown: "outcome_unknown",
};

const retryAfterSeconds = 5;

/** The refusal for an error of a store that cannot serve; null for any other error. */
export const storeRefusal = (error: unknown): Refusal | null => {
  const code = refusals[String((error as { code?: unknown } | null)?.code)];
  return code === undefined ? null : refuse(code, { retryAfterSeconds });
};

export const causeOf = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof Error ? { error: error.name, message: error.message, stack: error.stack } : {};
