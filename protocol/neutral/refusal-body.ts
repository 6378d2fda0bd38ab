import type { Refusal } from "./refusals.ts";

/** A page of the guide, which each agent serves at its own address. */
export const helpPage = (code: string): string => `/guide/refusals/${code}`;

/**
 * Unwrapped: `{error, message, help, …extras}`, with `detail` for schema defects and `retry_after_seconds`. MCP, A2A
 * and the command line send it as is.
 */
export const refusalBody = (refusal: Refusal): Readonly<Record<string, unknown>> => ({
  ...refusal.extras,
  ...(refusal.issues === undefined ? {} : { detail: refusal.issues }),
  ...(refusal.retryAfterSeconds === undefined ? {} : { retry_after_seconds: Math.ceil(refusal.retryAfterSeconds) }),
  error: refusal.code,
  message: refusal.message,
  help: helpPage(refusal.code),
});

/** No detail of a bug leaves the process. */
export const bugBody = (requestId: string): Readonly<Record<string, unknown>> => ({
  error: "internal_error",
  message: "Internal error. Report the request id to the operator.",
  request_id: requestId,
  help: helpPage("internal_error"),
});
