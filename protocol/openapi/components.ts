import { accessTokenScheme } from "../door/protected-resource.ts";
import type { Contract } from "../seam/operation.ts";
import { type OpenApiDocument, responsePrefix } from "./document.ts";
import type { JsonSchema } from "../seam/json-schema.ts";
import { type RefusalCode, refusalTable } from "../neutral/refusals.ts";
import type { ErrorShape } from "../rest/errors.ts";

const word: JsonSchema = { type: "string" };

const help: JsonSchema = { type: "string", description: "Path of the page of the guide about this code." };

const issueSchema: JsonSchema = {
  type: "object",
  required: ["type", "loc", "msg"],
  properties: {
    type: word,
    loc: { type: "array", items: { type: ["string", "integer"] } },
    msg: word,
  },
};

const issueList: JsonSchema = { type: "array", items: issueSchema };

const errorSchemas: Readonly<Record<ErrorShape, JsonSchema>> = {
  wrapped: {
    type: "object",
    required: ["detail", "error", "message", "help"],
    properties: {
      detail: {
        anyOf: [
          { type: "object", required: ["error", "message"], properties: { error: word, message: word } },
          issueList,
          word,
        ],
      },
      error: word,
      message: word,
      help,
    },
  },
  plain: {
    type: "object",
    required: ["error", "detail", "help"],
    properties: { error: word, detail: { anyOf: [word, issueList] }, help },
  },
};

const problemSchema: JsonSchema = {
  type: "object",
  required: ["type", "title", "status", "detail", "instance", "error", "help"],
  properties: {
    type: word,
    title: word,
    status: { type: "integer" },
    detail: word,
    instance: word,
    error: word,
    help,
    errors: issueList,
  },
};

const header = (description: string, schema: JsonSchema = word): JsonSchema => ({ description, schema });

const headerComponents: Readonly<Record<string, JsonSchema>> = {
  "Request-Id": {
    ...header("The caller's request id if it was 1 to 128 safe characters, else ours."),
    required: true,
  },
  traceparent: header("The caller's W3C trace context, where it sent a valid one."),
  "WWW-Authenticate": header("Bearer: how to authenticate."),
  RateLimit: header("What is left of the quota: r requests, anew in t seconds (IETF draft ratelimit-headers-10)."),
  "RateLimit-Policy": header("The quota: q requests in w seconds."),
  "Retry-After": header("Whole seconds to wait; with every 429 and 503.", { type: "string", pattern: "^[0-9]+$" }),
  "Idempotency-Replayed": header("`true` where the answer is the stored one of an earlier request with the same key."),
  ETag: header("The revision of the record, in quotes."),
};

export const headersNamed = (...names: readonly string[]): JsonSchema =>
  Object.fromEntries(
    ["Request-Id", "traceparent", "RateLimit", "RateLimit-Policy", ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

const refusalHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  409: ["Retry-After"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

export const refusalResponse = (status: number, codes: readonly RefusalCode[]): JsonSchema => ({
  description: codes.map((code) => `\`${code}\`: ${refusalTable[code].message}`).join(" "),
  headers: headersNamed(...(refusalHeaders[status] ?? [])),
  content: {
    "application/json": {
      schema: { allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { error: { enum: codes } } }] },
    },
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  },
});

/** Each set of refusals once: most operations share the sets of their gates. */
export const createRefusalBook = () => {
  const names = new Map<string, string>();
  const responses: Record<string, JsonSchema> = {};
  return {
    add: (status: number, codes: readonly RefusalCode[]): JsonSchema => {
      const key = `${status} ${codes.join()}`;
      const name = names.get(key) ?? `Refusals${status}.${names.size + 1}`;
      names.set(key, name);
      responses[name] ??= refusalResponse(status, codes);
      return { $ref: `${responsePrefix}${name}` };
    },
    all: (): Readonly<Record<string, JsonSchema>> => responses,
  };
};

export type RefusalBook = ReturnType<typeof createRefusalBook>;

const dryRunSchema: JsonSchema = {
  type: "object",
  description: "The answer of a dry run: the same members, null for every id that the call would have made.",
  required: ["dry_run"],
  properties: {
    dry_run: { const: true },
    next_step: { type: "string", description: "That nothing was done, and which call does it." },
  },
};

export const sharedSchemas = (shape: ErrorShape): Readonly<Record<string, JsonSchema>> => ({
  Error: errorSchemas[shape],
  Problem: problemSchema,
  DryRun: dryRunSchema,
});

export type SecuritySchemes = Readonly<Record<string, JsonSchema>>;

export const securitySchemes = (tokenIssuer?: string): SecuritySchemes => ({
  apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
  bearer: { type: "http", scheme: "bearer" },
  ...(tokenIssuer === undefined ? {} : { oauth: accessTokenScheme(tokenIssuer) }),
});

/** Any one of the schemes; none where the call is public. */
export const securityOf = (access: Contract["access"], schemes: SecuritySchemes): readonly JsonSchema[] => [
  ...(access === "public" ? [{}] : []),
  ...Object.keys(schemes).map((name) => ({ [name]: [] })),
];

export const components = (
  schemas: Readonly<Record<string, JsonSchema>>,
  refusals: Readonly<Record<string, JsonSchema>>,
  schemes: SecuritySchemes,
): OpenApiDocument["components"] => ({
  schemas,
  headers: headerComponents,
  parameters: {
    DryRun: {
      name: "dry_run",
      in: "query",
      description: "Checks everything and does nothing: no record, no reservation, no event.",
      schema: { type: "boolean", default: false },
    },
    IdempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      description: "A retry with the same key and body gets the first answer again, for 24 hours.",
      // Printable ASCII; blanks around a value are no part of it (RFC 9110, 5.5).
      schema: { type: "string", pattern: "^[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$" },
    },
    IfMatch: {
      name: "If-Match",
      in: "header",
      description: "The `ETag` that was read: a record that has moved since is left alone and answered with 412.",
      schema: { type: "string", pattern: '^(\\*|(W/)?"?[0-9]{1,15}"?)$' },
    },
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header",
      description: "An `ETag` that was read: where the record still has it, the answer is 304 without a body.",
      schema: word,
    },
  },
  responses: {
    ...refusals,
    NotModified: {
      description: "The record still has the `ETag` that `If-None-Match` names.",
      headers: headersNamed("ETag"),
    },
    HeadersTooLarge: {
      description: "The header fields or the URL are too large to be read.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
    Bug: {
      description: "A fault of this server. It is logged under the request id.",
      headers: headersNamed(),
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/Error" } },
        "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
      },
    },
  },
  securitySchemes: schemes,
});
