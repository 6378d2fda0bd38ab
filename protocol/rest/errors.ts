import { bugBody } from "../neutral/refusal-body.ts";
import type { Refusal } from "../neutral/refusals.ts";
import { refusalTable } from "../neutral/refusals.ts";

/**
 * How an agent's errors look. `wrapped`: `{"detail": {error, message, …extras}, error, message, …extras}`, with the
 * list of issues under `detail` for a schema refusal (decision 2). `plain`: `{error, detail, …extras}`; there `detail`
 * is the sentence, or the list of issues (buyer spec, Errors).
 */
export type ErrorShape = "wrapped" | "plain";

/** What an error body says. `extras` are further members of the body; `issues` the defects of an input. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly extras: Readonly<Record<string, unknown>>;
  readonly issues?: Refusal["issues"];
}

const plainBody = (error: WireError): Record<string, unknown> => ({
  ...error.extras,
  error: error.code,
  detail: error.issues ?? error.message,
});

const wrappedBody = (error: WireError): Record<string, unknown> => {
  const named = { error: error.code, message: error.message };
  return { detail: error.issues ?? { ...named, ...error.extras }, ...named, ...error.extras };
};

export const errorBody = (shape: ErrorShape, error: WireError): Record<string, unknown> =>
  shape === "plain" ? plainBody(error) : wrappedBody(error);

const titles: Readonly<Record<string, { readonly message: string } | undefined>> = refusalTable;

/** The same error as problem details (RFC 9457), for callers that ask for `application/problem+json`. */
export const problemBody = (status: number, error: WireError, requestId: string): Record<string, unknown> => ({
  ...error.extras,
  type: `urn:parley:error:${error.code}`,
  title: titles[error.code]?.message ?? error.message,
  status,
  detail: error.message,
  instance: `urn:parley:request:${requestId}`,
  error: error.code,
  ...(error.issues === undefined ? {} : { errors: error.issues }),
});

/** All that a caller learns of a bug of ours: that it happened, and the id under which it was logged. */
export const internalError = (requestId: string): WireError => {
  const { error, message, ...extras } = bugBody(requestId);
  return { code: String(error), message: String(message), extras };
};
