import type { ByteStream, EdgeResponse } from "../platform.ts";
import { PulledBytes } from "./byte-stream.ts";
import { headersOf } from "./light-headers.ts";

/**
 * Refusals of the edge as one closed table: code, status, and what the client reads.
 * `text` `null` shows the message given to `refuse`; every other row keeps the cause to itself.
 */
const generic = "An internal error occurred";

export const edgeRefusals = {
  bad_request: { status: 400, text: null },
  gdpr_consent: { status: 400, text: "GDPR consent error" },
  invalid_header_value: { status: 400, text: "Invalid header value" },
  forbidden: { status: 403, text: generic },
  allowlist_violation: { status: 403, text: generic },
  partner_not_found: { status: 404, text: generic },
  conflict: { status: 409, text: generic },
  request_too_large: { status: 413, text: generic },
  configuration: { status: 500, text: generic },
  internal: { status: 500, text: generic },
  upstream_failed: { status: 502, text: generic },
  upstream_timeout: { status: 504, text: generic },
  store_unavailable: { status: 503, text: generic },
} as const;

export type EdgeRefusalCode = keyof typeof edgeRefusals;

const refusalText = (code: EdgeRefusalCode, message: string): string => {
  const row = edgeRefusals[code];
  return row.text ?? `Bad request: ${message}`;
};

export const plainText = (status: number, text: string, headers: Record<string, string> = {}): Response =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });

const retryAfterS = "5";

export const refuse = (code: EdgeRefusalCode, message = ""): Response => {
  const { status } = edgeRefusals[code];
  return plainText(status, refusalText(code, message), status === 503 ? { "retry-after": retryAfterS } : {});
};

/** An answer whose whole text is at hand. A class, and none of the platform's: those cost more than a small answer. */
class TextAnswer implements EdgeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly wholeText: string;

  constructor(status: number, headers: Headers, wholeText: string) {
    this.status = status;
    this.headers = headers;
    this.wholeText = wholeText;
  }

  get body(): ByteStream {
    let left: Uint8Array | null = new TextEncoder().encode(this.wholeText);
    return new PulledBytes(
      async () => {
        const bytes = left;
        left = null;
        return bytes;
      },
      () => undefined,
    );
  }
}

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): EdgeResponse =>
  new TextAnswer(status, headersOf({ "content-type": "application/json", ...headers }), JSON.stringify(body));

const routerErrors = {
  bad_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  header_fields_too_large: 431,
  internal: 500,
  not_implemented: 501,
} as const;

export const routerError = (
  kind: keyof typeof routerErrors,
  message: string,
  headers: Record<string, string> = {},
): Response => {
  const status = routerErrors[kind];
  const text = JSON.stringify({ error: { status, kind, message } });
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
};
