import type { JsonSchema } from "../seam/json-schema.ts";
import type { Contract, RestRoute } from "../seam/operation.ts";
import { matchesRevision } from "../seam/revision.ts";
import type { DoorRoute } from "../door/door.ts";
import {
  components,
  createRefusalBook,
  headersNamed,
  type RefusalBook,
  securityOf,
  type SecuritySchemes,
  securitySchemes,
  sharedSchemas,
} from "./components.ts";
import type { OpenApiDocument, OpenApiOperation } from "./document.ts";
import { type Books, describedRoute } from "./routes.ts";
import { componentName, createSchemaBook, membersOf, type SchemaBook, withoutMembers } from "./schemas.ts";
import { gateRefusals, passedOnStatuses, type RefusalCode, refusalTable } from "../neutral/refusals.ts";
import type { Dialects, OperationDialect } from "../rest/dialects/dialect.ts";
import type { ErrorShape } from "../rest/errors.ts";
import { pathNames } from "../rest/routing/route-plan.ts";

interface Example {
  readonly request: unknown;
  readonly response: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

export interface Described {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly contracts: readonly Contract[];
  readonly errorShape: ErrorShape;
  readonly dialects: Dialects;
  readonly examples?: () => Examples;
  readonly routes?: readonly DoorRoute[];
  /** OAUTH_ISSUER, where it is set. */
  readonly tokenIssuer?: string;
}

/** Impossible here: a read has no body, idempotency key or `If-Match`. */
const bodyCodes: readonly RefusalCode[] = [
  "body_too_large",
  "body_too_deep",
  "unsupported_media_type",
  "malformed_body",
];
const writeCodes: readonly RefusalCode[] = ["idempotency_in_flight", "idempotency_conflict", "concurrent_update"];
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
    ...(contract.effect !== "read" ? [] : writeCodes),
  ]);
  return gateRefusals.filter((code) => !absent.has(code));
};

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
    const own = contract.refusals[code] ?? refusalTable[code].status;
    const statuses = code === "seller_refused" ? passedOnStatuses : [own];
    for (const status of statuses) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([left], [right]) => left - right));
};

type RouteKey = Pick<RestRoute, "method" | "path">;

interface Entry {
  readonly contract: Contract;
  readonly dialect: OperationDialect | null;
  readonly input: JsonSchema;
  readonly members: ReadonlyMap<string, JsonSchema>;
  readonly answers: JsonSchema;
  readonly dialectInput: JsonSchema | null;
  readonly example: Example | null;
  readonly schemes: SecuritySchemes;
  readonly refusals: RefusalBook;
}

const isRequired = (book: SchemaBook, name: string, member: string): boolean =>
  ((book.get(`${name}Input`)?.["required"] ?? []) as readonly string[]).includes(member);

const entryOf = (books: Books, described: Described, examples: Examples, contract: Contract): Entry => {
  const { book, schemes, refusals } = books;
  const name = componentName(contract.name);
  const dialect = described.dialects.get(contract.name) ?? null;
  const input = book.add(`${name}Input`, contract.input);
  const flat = book.add(`${name}Output`, contract.output);
  const also = [
    ...(dialect === null ? [] : [book.add(`${name}${componentName(dialect.name)}Output`, dialect.output)]),
    ...(contract.effect !== "read" ? [{ $ref: "#/components/schemas/DryRun" }] : []),
  ];
  const members = membersOf(book, input);
  return {
    contract,
    dialect,
    input,
    members,
    answers: also.length === 0 ? flat : { anyOf: [flat, ...also] },
    dialectInput:
      dialect === null || !hasBody(contract.rest?.method ?? "GET")
        ? null
        : (members.get(dialect.member ?? "") ?? book.add(`${name}${componentName(dialect.name)}Input`, dialect.input)),
    example: examples[contract.name] ?? null,
    schemes,
    refusals,
  };
};

const parametersOf = (book: SchemaBook, entry: Entry, route: RouteKey): readonly JsonSchema[] => {
  const { contract, members } = entry;
  const inPath = pathNames(route.path);
  const schemaOf = (name: string): JsonSchema => members.get(name) ?? { type: "string" };
  const shown = (entry.example?.request ?? {}) as Readonly<Record<string, unknown>>;
  const exampleOf = (name: string) => (shown[name] == null ? {} : { example: shown[name] });
  const path = inPath.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: schemaOf(name),
    ...exampleOf(name),
  }));
  const asksQuery = route.method === "GET" || route.method === "DELETE";
  const query = [...members]
    .filter(([name]) => asksQuery && !inPath.includes(name))
    .map(([name, schema]) => {
      const required = isRequired(book, componentName(contract.name), name);
      return { name, in: "query", schema, ...(required ? { required } : {}), ...exampleOf(name) };
    });
  const ofReads = route.method === "GET" ? ["IfNoneMatch"] : [];
  const shared =
    contract.effect !== "read"
      ? ["DryRun", "IdempotencyKey", ...(matchesRevision(contract) ? ["IfMatch"] : [])]
      : ofReads;
  return [...path, ...query, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
};

/** It selects the envelope form. */
const exampleKey = { idempotency_key: "example-key-1" };

const formsOf = (flat: unknown, dialect: OperationDialect | null, inDialect: () => unknown): JsonSchema =>
  dialect === null
    ? { example: flat }
    : { examples: { flat: { value: flat }, [dialect.name]: { value: inDialect() } } };

const requestExamples = ({ example, dialect }: Entry, inPath: readonly string[]): JsonSchema => {
  if (example === null) return {};
  const members = Object.entries(example.request as object).filter(([name]) => !inPath.includes(name));
  const body = Object.fromEntries(members) as Readonly<Record<string, unknown>>;
  return formsOf(body, dialect, () => dialect?.writeRequest({ ...exampleKey, ...body }));
};

const responseExamples = ({ example, dialect }: Entry): JsonSchema =>
  example === null ? {} : formsOf(example.response, dialect, () => dialect?.writeAnswer(example.response));

const contentOf = (contract: Contract, form: JsonSchema): JsonSchema => ({
  "application/json": form,
  ...Object.fromEntries((contract.rest?.mediaTypes ?? []).map((type) => [type, { schema: form["schema"] }])),
});

/** Members may be optional one by one and yet not all at once. */
const refusesEmpty = ({ input }: Contract, inPath: readonly string[]): boolean => {
  const { error } = input.safeParse(Object.fromEntries(inPath.map((name) => [name, "x"])));
  return error?.issues.some(({ path }) => !inPath.includes(String(path[0]))) === true;
};

const requestBodyOf = (book: SchemaBook, entry: Entry, route: RouteKey): JsonSchema | null => {
  if (!hasBody(route.method)) return null;
  const inPath = pathNames(route.path).filter((name) => entry.members.has(name));
  const whole = book.get(`${componentName(entry.contract.name)}Input`) ?? {};
  const flat = inPath.length === 0 ? entry.input : withoutMembers(whole, inPath);
  const schema = entry.dialectInput === null ? flat : { anyOf: [flat, entry.dialectInput] };
  const required = refusesEmpty(entry.contract, inPath);
  return { required, content: contentOf(entry.contract, { schema, ...requestExamples(entry, inPath) }) };
};

const descriptionOf = (contract: Contract): string => {
  const who: Readonly<Record<Contract["access"], string>> = {
    public: "Needs no key.",
    key: "Needs a key.",
    operator: "Needs an operator key.",
    senior: "Needs the key of a senior operator.",
  };
  return `${contract.summary}\n\n${who[contract.access]}`;
};

const operationOf = (book: SchemaBook, entry: Entry, route: RouteKey, place: number): OpenApiOperation => {
  const { contract } = entry;
  const status = String(contract.rest?.status ?? 200);
  const writeHeaders = contract.effect !== "read" ? ["Idempotency-Replayed"] : [];
  const done = {
    description: "Done.",
    headers: headersNamed("ETag", ...writeHeaders),
    content: contentOf(contract, { schema: entry.answers, ...responseExamples(entry) }),
  };
  const refusals = [...refusalsByStatus(entry, route.method)].map(
    ([code, codes]) => [String(code), entry.refusals.add(code, codes)] as const,
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
      ...(route.method === "GET" ? { "304": { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(refusals),
      "431": { $ref: "#/components/responses/HeadersTooLarge" },
      "500": { $ref: "#/components/responses/Bug" },
    },
    security: securityOf(contract.access, entry.schemes),
  };
};

const templateOf = (path: string): string => path.replace(/[:*]([A-Za-z_]\w*)/g, "{$1}");

/** Call it once: it converts every schema. */
export const openApi = (described: Described): OpenApiDocument => {
  const examples = described.examples?.() ?? {};
  const schemes = securitySchemes(described.tokenIssuer);
  const book = createSchemaBook();
  const refusals = createRefusalBook();
  for (const [name, schema] of Object.entries(sharedSchemas(described.errorShape))) book.put(name, schema);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const groups = new Set<string>();
  for (const contract of described.contracts) {
    const { rest } = contract;
    if (rest === undefined || contract.closedDoors?.rest !== undefined) continue;
    groups.add(contract.group);
    const entry = entryOf({ book, schemes, refusals }, described, examples, contract);
    [rest, ...(rest.aliases ?? [])].forEach((route, place) => {
      const template = templateOf(route.path);
      paths[template] = { ...paths[template], [route.method.toLowerCase()]: operationOf(book, entry, route, place) };
    });
  }
  for (const { method, path, description } of described.routes ?? []) {
    if (description === undefined) continue;
    groups.add(description.group);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describedRoute({ book, schemes, refusals }, description) };
  }
  return {
    openapi: "3.1.0",
    info: { title: described.title, version: described.version, description: described.description },
    servers: [{ url: "/" }],
    tags: [...groups].map((name) => ({ name })),
    paths,
    components: components(book.all(), refusals.all(), schemes),
  };
};
