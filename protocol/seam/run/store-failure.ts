import { type Refusal, refuse } from "../../neutral/refusals.ts";
import type { Log } from "../ports.ts";

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

const quietMs = 60_000;

/** Of each log the codes that were written within the last minute, with how many more there were since. */
const repeated = new WeakMap<Log, Map<string, number>>();

/** While a store fails every call fails, and a full disk takes no lines: one a minute, then how many more failed. */
export const logStoreFailure = (log: Log, code: string, fields: Readonly<Record<string, unknown>>): void => {
  const counts = repeated.get(log) ?? new Map<string, number>();
  repeated.set(log, counts);
  const count = counts.get(code);
  if (count !== undefined) return void counts.set(code, count + 1);
  counts.set(code, 0);
  log.error(fields, code);
  setTimeout(() => {
    const more = counts.get(code) ?? 0;
    counts.delete(code);
    if (more > 0) log.error({ more, seconds: quietMs / 1000 }, code);
  }, quietMs).unref();
};
