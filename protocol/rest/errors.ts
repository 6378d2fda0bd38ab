import { bugBody, helpPage } from "../neutral/refusal-body.ts";
import type { Refusal } from "../neutral/refusals.ts";
import { refusalTable } from "../neutral/refusals.ts";

/**
 * `wrapped`: `{"detail": {error, message, …extras}, error, message, help, …extras}`, with issues as `detail` for a
 * schema refusal. `plain`: `{error, detail, help, …extras}`, `detail` being the sentence or the issues (buyer spec,
 * Errors).
 */
export type ErrorShape = "wrapped" | "plain";

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
  help: helpPage(error.code),
});

const wrappedBody = (error: WireError): Record<string, unknown> => {
  const named = { error: error.code, message: error.message };
  return {
    detail: error.issues ?? { ...named, ...error.extras },
    ...named,
    ...error.extras,
    help: helpPage(error.code),
  };
};

export const errorBody = (shape: ErrorShape, error: WireError): Record<string, unknown> =>
  shape === "plain" ? plainBody(error) : wrappedBody(error);

const titles: Readonly<Record<string, { readonly message: string } | undefined>> = refusalTable;

/** RFC 9457. */
export const problemBody = (status: number, error: WireError, requestId: string): Record<string, unknown> => ({
  ...error.extras,
  type: `urn:parley:error:${error.code}`,
  title: titles[error.code]?.message ?? error.message,
  status,
  detail: error.message,
  instance: `urn:parley:request:${requestId}`,
  error: error.code,
  help: helpPage(error.code),
  ...(error.issues === undefined ? {} : { errors: error.issues }),
});

/** No detail of the bug, only the id in the log. */
export const internalError = (requestId: string): WireError => {
  const { error, message, help: _, ...extras } = bugBody(requestId);
  return { code: String(error), message: String(message), extras };
};
