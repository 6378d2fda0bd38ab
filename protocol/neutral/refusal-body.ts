import type { Refusal } from "./refusals.ts";

/**
 * The body of a refusal without any wire's wrapping: `{error, message, …extras}`, for a schema refusal the list of
 * defects under `detail`, and `retry_after_seconds` where trying again helps. MCP, A2A and the command line show it
 * as it is; REST wraps it (decision 2).
 */
export const refusalBody = (refusal: Refusal): Readonly<Record<string, unknown>> => ({
  ...refusal.extras,
  ...(refusal.issues === undefined ? {} : { detail: refusal.issues }),
  ...(refusal.retryAfterSeconds === undefined ? {} : { retry_after_seconds: Math.ceil(refusal.retryAfterSeconds) }),
  error: refusal.code,
  message: refusal.message,
});

/** What a caller is told of a bug of ours: nothing but where to ask. */
export const bugBody = (requestId: string): Readonly<Record<string, unknown>> => ({
  error: "internal_error",
  message: "Internal error. Report the request id to the operator.",
  request_id: requestId,
});
