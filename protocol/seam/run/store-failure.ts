import { type Refusal, refuse } from "../../neutral/refusals.ts";

const refusals: Readonly<Record<string, "unavailable" | "outcome_unknown">> = {
  store_unreachable: "unavailable",
  store_failed: "unavailable",
  store_closed: "unavailable",
  store_unusable: "unavailable",
  commit_outcome_unknown: "outcome_unknown",
};

const retryAfterSeconds = 5;

export const storeRefusal = (error: unknown): Refusal | null => {
  const code = refusals[String((error as { code?: unknown } | null)?.code)];
  return code === undefined ? null : refuse(code, { retryAfterSeconds });
};

export const causeOf = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof Error ? { error: error.name, message: error.message, stack: error.stack } : {};
