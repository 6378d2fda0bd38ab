import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import type { Refusal, RefusalCode } from "../neutral/refusals.ts";
import type { Admission } from "../seam/admission.ts";

/** The body is unread. `readBody` may throw `Refused`. */
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

export interface DoorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string> | null;
  /** The pieces end by themselves: a stopping server waits for them. */
  readonly ends?: boolean;
}

/** `taken`: the door wrote to `node.response` itself. */
export type DoorAnswer = DoorResponse | "taken";

/** Without media type and form: no body. */
interface DescribedAnswer {
  readonly meaning: string;
  readonly body?: { readonly type: string; readonly schema: z.ZodType };
  readonly headers?: readonly string[];
}

/** `name` becomes the operationId. */
export interface RouteDescription {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly access: "public" | "key";
  readonly headers?: Readonly<Record<string, string>>;
  readonly input?: z.ZodType;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  readonly refusals?: readonly RefusalCode[];
}

export interface DoorRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Formats a refusal of the gates, which run before `handle`. Left out (a page): only the rate limit refuses. */
  readonly refused?: (request: DoorRequest, refusal: Refusal) => Promise<DoorAnswer>;
  /** `key`: anonymous callers are refused. */
  readonly access?: "key";
  /** No rate limit: a probe. */
  readonly uncounted?: true;
  /** Left out: not in the OpenAPI document. */
  readonly description?: RouteDescription;
  readonly handle: (request: DoorRequest) => Promise<DoorAnswer>;
}
