import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * One HTTP request as a door that is not REST sees it: no framework, header names in lower case, the body unread.
 * `readBody` gives the text, or throws `Refused` with `body_too_large` or `unsupported_media_type`.
 */
export interface DoorRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  readonly requestId: string;
  readonly readBody: () => Promise<string>;
  readonly node: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/** What a door answers: a whole text, bytes, or a stream of text that the HTTP layer writes as it comes. */
export interface DoorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string> | null;
}

/** `taken`: the door has written to `node.response` itself. */
export type DoorAnswer = DoorResponse | "taken";

/** A route of a door; the HTTP layer mounts it beside the REST routes, under the same limits and headers. */
export interface DoorRoute {
  readonly method: "GET" | "POST" | "DELETE" | "OPTIONS" | "ALL";
  readonly path: string;
  readonly handle: (request: DoorRequest) => Promise<DoorAnswer>;
}
