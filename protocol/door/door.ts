import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Refusal, RefusalCode } from "../neutral/refusals.ts";
import type { Admission } from "../seam/admission.ts";

/** An HTTP request without a framework, its body unread. `readBody` may throw `Refused`. */
export interface DoorRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  readonly requestId: string;
  readonly readBody: () => Promise<string>;
  readonly admission: Admission;
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

/** One answer of a route: its media type and the form of its body, or neither where there is no body. */
interface DescribedAnswer {
  readonly meaning: string;
  readonly body?: { readonly type: string; readonly schema: z.ZodType };
  /** Names of the headers that it carries besides those of every answer. */
  readonly headers?: readonly string[];
}

/** What the OpenAPI document says of a route that is no operation. `name` becomes the operationId. */
export interface RouteDescription {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly access: "public" | "key";
  /** Request headers that it reads, each with its meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly input?: z.ZodType;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Codes that it refuses with, in the agent's error shape. */
  readonly refusals?: readonly RefusalCode[];
}

/** A route of a door; the HTTP layer mounts it beside the REST routes, under the same limits and headers. */
export interface DoorRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /**
   * Words a refusal at the gates of credential and rate, which are held before `handle`. Left out (a page): only one
   * request too many is refused.
   */
  readonly refused?: (request: DoorRequest, refusal: Refusal) => Promise<DoorAnswer>;
  /** `key`: the anonymous caller is refused as well. */
  readonly access?: "key";
  /** A probe: it counts against no limit. */
  readonly uncounted?: true;
  /** Left out where the route is no business of a reader of the OpenAPI document. */
  readonly description?: RouteDescription;
  readonly handle: (request: DoorRequest) => Promise<DoorAnswer>;
}
