/**
 * Refusals of the edge as one closed table: code, status, and what the client reads.
 * `text` `null` shows the message given to `refuse`; every other row keeps the cause to itself.
 */
const GENERIC = "An internal error occurred";

export const EDGE_REFUSALS = {
  bad_request: { status: 400, text: null },
  gdpr_consent: { status: 400, text: "GDPR consent error" },
  invalid_header_value: { status: 400, text: "Invalid header value" },
  forbidden: { status: 403, text: GENERIC },
  allowlist_violation: { status: 403, text: GENERIC },
  partner_not_found: { status: 404, text: GENERIC },
  conflict: { status: 409, text: GENERIC },
  request_too_large: { status: 413, text: GENERIC },
  configuration: { status: 500, text: GENERIC },
  internal: { status: 500, text: GENERIC },
  upstream_failed: { status: 502, text: GENERIC },
  upstream_timeout: { status: 504, text: GENERIC },
  store_unavailable: { status: 503, text: GENERIC },
} as const;

export type EdgeRefusalCode = keyof typeof EDGE_REFUSALS;

const refusalText = (code: EdgeRefusalCode, message: string): string => {
  const row = EDGE_REFUSALS[code];
  return row.text ?? `Bad request: ${message}`;
};

export const plainText = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });

const RETRY_AFTER_S = "5";

export const refuse = (code: EdgeRefusalCode, message = ""): Response => {
  const { status } = EDGE_REFUSALS[code];
  return plainText(status, refusalText(code, message), status === 503 ? { "retry-after": RETRY_AFTER_S } : {});
};

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

const ROUTER_ERRORS = {
  bad_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  header_fields_too_large: 431,
  internal: 500,
  not_implemented: 501,
} as const;

export const routerError = (
  kind: keyof typeof ROUTER_ERRORS,
  message: string,
  headers: Record<string, string> = {},
): Response => {
  const status = ROUTER_ERRORS[kind];
  return jsonAnswer(status, { error: { status, kind, message } }, headers);
};
