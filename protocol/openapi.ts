import type { Contract, RestRoute } from "./operation.ts";
import { components, headersNamed, sharedSchemas } from "./openapi-components.ts";
import {
  componentName,
  createSchemaBook,
  type JsonSchema,
  membersOf,
  type SchemaBook,
  withoutMembers,
} from "./openapi-schemas.ts";
import { gateRefusals, type RefusalCode, refusalTable } from "./refusals.ts";
import type { Dialects, OperationDialect } from "./rest/dialects/dialect.ts";
import type { ErrorShape } from "./rest/errors.ts";
import { pathNames } from "./rest/route-plan.ts";

/** Recorded bodies of an operation, shown in the document: request and answer by operation name. */
type Examples = ReadonlyMap<string, { readonly request?: unknown; readonly response?: unknown }>;

/** What the document tells of an agent. */
export interface Described {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly contracts: readonly Contract[];
  readonly errorShape: ErrorShape;
  readonly dialects: Dialects;
  readonly examples?: Examples;
}

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & Readonly<Record<string, unknown>>;
};

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: readonly JsonSchema[];
}

/** Codes of the gates that cannot meet an operation: no body on a read, no idempotency key and no `If-Match` either. */
const bodyCodes: readonly RefusalCode[] = [
  "body_too_large",
  "body_too_deep",
  "unsupported_media_type",
  "malformed_body",
];
const writeCodes: readonly RefusalCode[] = [
  "idempotency_in_flight",
  "idempotency_conflict",
  "concurrent_update",
  "revision_mismatch",
];
const accessCodes: Readonly<Record<string, readonly RefusalCode[]>> = {
  public: ["authentication_required", "operator_required", "senior_review_required"],
  key: ["operator_required", "senior_review_required"],
  operator: ["senior_review_required"],
  senior: [],
};

const hasBody = (method: RestRoute["method"]): boolean => method === "POST" || method === "PUT";

const gatesOf = (contract: Contract, method: RestRoute["method"]): readonly RefusalCode[] => {
  const readsBody = hasBody(method);
  const absent = new Set<RefusalCode>([
    ...(accessCodes[contract.access] ?? []),
    ...(readsBody ? [] : bodyCodes),
    ...(contract.effect === "write" ? [] : writeCodes),
  ]);
  return gateRefusals.filter((code) => !absent.has(code));
};

/** Every status that the route can refuse with, and the codes that go with it. */
const refusalsByStatus = (
  { contract, dialect }: Entry,
  method: RestRoute["method"],
): ReadonlyMap<number, readonly RefusalCode[]> => {
  const codes = new Set<RefusalCode>([
    ...gatesOf(contract, method),
    "malformed_url",
    ...(Object.keys(contract.refusals) as RefusalCode[]),
    ...(hasBody(method) ? (dialect?.refusals ?? []) : []),
  ]);
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of codes) {
    const status = contract.refusals[code] ?? refusalTable[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([left], [right]) => left - right));
};

const refusalResponse = (status: number, codes: readonly RefusalCode[]): JsonSchema => ({
  description: codes.map((code) => `\`${code}\`: ${refusalTable[code].message}`).join(" "),
  headers: headersNamed("Request-Id", ...(status === 429 ? ["Retry-After", "RateLimit", "RateLimit-Policy"] : [])),
  content: {
    "application/json": {
      schema: { allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { error: { enum: codes } } }] },
    },
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  },
});

type Place = Pick<RestRoute, "method" | "path">;

interface Entry {
  readonly contract: Contract;
  readonly dialect: OperationDialect | null;
  readonly input: JsonSchema;
  readonly members: ReadonlyMap<string, JsonSchema>;
  readonly answers: JsonSchema;
  readonly dialectInput: JsonSchema | null;
  readonly examples: { readonly request?: unknown; readonly response?: unknown };
}

const isRequired = (book: SchemaBook, name: string, member: string): boolean =>
  ((book.get(`${name}Input`)?.["required"] ?? []) as readonly string[]).includes(member);

const entryOf = (book: SchemaBook, described: Described, contract: Contract): Entry => {
  const name = componentName(contract.name);
  const dialect = described.dialects.get(contract.name) ?? null;
  const input = book.add(`${name}Input`, contract.input);
  const flat = book.add(`${name}Output`, contract.output);
  const also = [
    ...(dialect === null ? [] : [book.add(`${name}${componentName(dialect.name)}Output`, dialect.output)]),
    ...(contract.effect === "write" ? [{ $ref: "#/components/schemas/DryRun" }] : []),
  ];
  return {
    contract,
    dialect,
    input,
    members: membersOf(book, input),
    answers: also.length === 0 ? flat : { anyOf: [flat, ...also] },
    dialectInput:
      dialect === null || !hasBody(contract.rest?.method ?? "GET")
        ? null
        : book.add(`${name}${componentName(dialect.name)}Input`, dialect.input),
    examples: described.examples?.get(contract.name) ?? {},
  };
};

const parametersOf = (book: SchemaBook, entry: Entry, route: Place): readonly JsonSchema[] => {
  const { contract, members } = entry;
  const inPath = pathNames(route.path);
  const schemaOf = (name: string): JsonSchema => members.get(name) ?? { type: "string" };
  const path = inPath.map((name) => ({ name, in: "path", required: true, schema: schemaOf(name) }));
  const asksQuery = route.method === "GET" || route.method === "DELETE";
  const query = [...members]
    .filter(([name]) => asksQuery && !inPath.includes(name))
    .map(([name, schema]) => {
      const required = isRequired(book, componentName(contract.name), name);
      return { name, in: "query", schema, ...(required ? { required } : {}) };
    });
  const shared = contract.effect === "write" ? ["DryRun", "IdempotencyKey", "IfMatch"] : [];
  return [...path, ...query, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
};

const requestBodyOf = (book: SchemaBook, entry: Entry, route: Place): JsonSchema | null => {
  if (!hasBody(route.method)) return null;
  const inPath = pathNames(route.path).filter((name) => entry.members.has(name));
  const whole = book.get(`${componentName(entry.contract.name)}Input`) ?? {};
  const flat = inPath.length === 0 ? entry.input : withoutMembers(whole, inPath);
  const schema = entry.dialectInput === null ? flat : { anyOf: [flat, entry.dialectInput] };
  const example = entry.examples.request === undefined ? {} : { example: entry.examples.request };
  const names = [...entry.members.keys()].filter((name) => !inPath.includes(name));
  const required = names.some((name) => isRequired(book, componentName(entry.contract.name), name));
  return { required, content: { "application/json": { schema, ...example } } };
};

const securityOf = (contract: Contract): readonly JsonSchema[] => [
  ...(contract.access === "public" ? [{}] : []),
  { apiKey: [] },
  { bearer: [] },
];

const descriptionOf = (contract: Contract): string => {
  const who: Readonly<Record<Contract["access"], string>> = {
    public: "Needs no key.",
    key: "Needs a key.",
    operator: "Needs an operator key.",
    senior: "Needs the key of a senior operator.",
  };
  return `${contract.summary}\n\n${who[contract.access]}`;
};

const operationOf = (book: SchemaBook, entry: Entry, route: Place, place: number): OpenApiOperation => {
  const { contract } = entry;
  const status = String(contract.rest?.status ?? 200);
  const example = entry.examples.response === undefined ? {} : { example: entry.examples.response };
  const writeHeaders = contract.effect === "write" ? ["Idempotency-Replayed"] : [];
  const done = {
    description: "Done.",
    headers: headersNamed("Request-Id", "RateLimit", "RateLimit-Policy", "ETag", ...writeHeaders),
    content: { "application/json": { schema: entry.answers, ...example } },
  };
  const refusals = [...refusalsByStatus(entry, route.method)].map(
    ([code, codes]) => [String(code), refusalResponse(code, codes)] as const,
  );
  const requestBody = requestBodyOf(book, entry, route);
  return {
    operationId: place === 0 ? contract.name : `${contract.name}_${place + 1}`,
    summary: contract.summary.split(/(?<=\.)\s/)[0] ?? contract.summary,
    description: descriptionOf(contract),
    tags: [contract.group],
    parameters: parametersOf(book, entry, route),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [status]: done,
      ...Object.fromEntries(refusals),
      "500": { $ref: "#/components/responses/Bug" },
    },
    security: securityOf(contract),
  };
};

/** A path of the router's grammar as a path template. */
const templateOf = (path: string): string => path.replace(/[:*]([A-Za-z_]\w*)/g, "{$1}");

/** The OpenAPI 3.1 document of an agent, read from its contracts alone. Call it once: it converts every schema. */
export const openApi = (described: Described): OpenApiDocument => {
  const book = createSchemaBook();
  for (const [name, schema] of Object.entries(sharedSchemas(described.errorShape))) book.put(name, schema);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const groups = new Set<string>();
  for (const contract of described.contracts) {
    const { rest } = contract;
    if (rest === undefined || contract.closedDoors?.rest !== undefined) continue;
    groups.add(contract.group);
    const entry = entryOf(book, described, contract);
    [rest, ...(rest.aliases ?? [])].forEach((route, place) => {
      const template = templateOf(route.path);
      paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(book, entry, route, place) };
    });
  }
  return {
    openapi: "3.1.0",
    info: { title: described.title, version: described.version, description: described.description },
    servers: [{ url: "/" }],
    tags: [...groups].map((name) => ({ name })),
    paths,
    components: components(book.all()),
  };
};
