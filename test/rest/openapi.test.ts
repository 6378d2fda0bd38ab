import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { declaredResponse, type OpenApiDocument, type OpenApiOperation } from "../../protocol/openapi/document.ts";
import { openApi } from "../../protocol/openapi/openapi.ts";
import { type Sample, sampleOperations, serveSample } from "./sample.ts";

const described = (operations: readonly { readonly contract: OpenApiSource }[]): OpenApiDocument =>
  openApi({
    title: "API",
    version: "1.0.0",
    description: "What it does.",
    contracts: operations.map((operation) => operation.contract),
    errorShape: "wrapped",
    dialects: new Map(),
  });

type OpenApiSource = ReturnType<typeof sampleOperations>[number]["contract"];

let sample: Sample;
let document: OpenApiDocument;
beforeAll(async () => {
  sample = await serveSample({ perMinute: 10_000 });
  document = (await (await fetch(`${sample.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => sample.close());

const validatorOf = (spec: OpenApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (on: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: "https://document.example/", ...spec });
  return (pointer: string, value: unknown): unknown => {
    const validate = ajv.compile({ $ref: `https://document.example/#${pointer}` });
    return validate(value) ? [] : validate.errors;
  };
};

const escaped = (text: string): string => text.replaceAll("~", "~0").replaceAll("/", "~1");

interface Recorded {
  readonly template: string;
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

const recorded: readonly Recorded[] = [
  { template: "/api/v1/notes", method: "post", path: "/api/v1/notes", body: { text: "a" }, status: 201 },
  { template: "/api/v1/notes", method: "post", path: "/api/v1/notes?dry_run=1", body: { text: "a" }, status: 201 },
  { template: "/api/v1/notes", method: "post", path: "/api/v1/notes", body: { text: 7 }, status: 422 },
  { template: "/api/v1/notes", method: "post", path: "/api/v1/notes", body: "x".repeat(2_000_000), status: 413 },
  { template: "/api/v1/notes/{note_id}", method: "get", path: "/api/v1/notes/note-1", status: 200 },
  { template: "/api/v1/notes/{note_id}", method: "get", path: "/api/v1/notes/none", status: 404 },
  { template: "/api/v1/notes/{note_id}", method: "get", path: "/api/v1/notes/%", status: 400 },
  {
    template: "/api/v1/notes/{note_id}",
    method: "put",
    path: "/api/v1/notes/note-1",
    body: { text: "b", revision: 9 },
    status: 412,
  },
  { template: "/api/v1/notes/report", method: "get", path: "/api/v1/notes/report?least_stars=x", status: 422 },
  { template: "/api/v1/bug", method: "get", path: "/api/v1/bug", status: 500 },
  { template: "/api/v1/notes", method: "delete", path: "/api/v1/notes", status: 401 },
  {
    template: "/api/v1/notes",
    method: "delete",
    path: "/api/v1/notes",
    headers: { "x-api-key": "sample-buyer-key" },
    status: 403,
  },
];

test.each(recorded)("openapi: the answer $status of $method $path is as declared", async (one) => {
  const answer = await fetch(`${sample.url}${one.path}`, {
    method: one.method.toUpperCase(),
    headers: { ...(one.body === undefined ? {} : { "content-type": "application/json" }), ...one.headers },
    ...(one.body === undefined ? {} : { body: JSON.stringify(one.body) }),
  });
  expect(answer.status).toBe(one.status);
  const response = document.paths[one.template]?.[one.method]?.responses[String(one.status)];
  expect(response).toBeDefined();
  const place =
    typeof response?.["$ref"] === "string"
      ? response["$ref"].slice(1)
      : `/paths/${escaped(one.template)}/${one.method}/responses/${one.status}`;
  const value: unknown = await answer.json();
  expect(validatorOf(document)(`${place}/content/application~1json/schema`, value)).toEqual([]);
});

test("openapi: a body that breaks the declared schema is noticed", () => {
  const place = "/paths/~1api~1v1~1notes/post/responses/201/content/application~1json/schema";
  expect(validatorOf(document)(place, { note_id: 7 })).not.toEqual([]);
});

const operationsOf = (spec: OpenApiDocument): readonly (readonly [string, string, OpenApiOperation])[] =>
  Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
  );

const referencesOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : referencesOf(member),
  );
};

const found = (spec: unknown, reference: string): unknown =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], spec);

const structural = (spec: OpenApiDocument): void => {
  expect(spec).toMatchObject({ openapi: "3.1.0", info: { title: expect.any(String), version: expect.any(String) } });
  const operations = operationsOf(spec);
  const ids = operations.map(([, , operation]) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [path, method, operation] of operations) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = operation.parameters.filter((one) => one["in"] === "path").map((one) => one["name"]);
    expect(declared, `${method} ${path}`).toEqual(names);
    expect(path).not.toMatch(/[:*]/);
    for (const response of Object.values(operation.responses)) {
      expect(response["$ref"] ?? response["description"], `${method} ${path}`).toEqual(expect.any(String));
    }
    expect(Object.keys(operation.responses).every((status) => /^[2-5]\d\d$/.test(status))).toBe(true);
    if (method === "get" || method === "delete") expect(operation).not.toHaveProperty("requestBody");
    for (const named of operation.security.flatMap((choice) => Object.keys(choice))) {
      expect(spec.components["securitySchemes"]).toHaveProperty(named);
    }
  }
  for (const name of Object.keys(spec.components.schemas)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
  expect(referencesOf(spec).filter((reference) => found(spec, reference) === undefined)).toEqual([]);
  expect(JSON.stringify(spec)).not.toContain("$defs");
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (on: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: "https://document.example/", ...spec });
  for (const name of Object.keys(spec.components.schemas)) {
    expect(() => ajv.compile({ $ref: `https://document.example/#/components/schemas/${name}` })).not.toThrow();
  }
};

test("openapi: the sample's document keeps the rules of OpenAPI 3.1", () => structural(document));

test("openapi: the seller's document keeps the rules of OpenAPI 3.1", () => structural(described(sellerOperations)));

test("openapi: every refusal of a contract is declared with its own status", () => {
  const spec = described(sellerOperations);
  for (const { contract } of sellerOperations) {
    const route = contract.rest;
    if (route === undefined) continue;
    const template = route.path.replace(/:(\w+)/g, "{$1}");
    const responses = spec.paths[template]?.[route.method.toLowerCase()]?.responses ?? {};
    const declared = (status: number) => declaredResponse(spec, responses[String(status)] ?? {});
    for (const [code, status] of Object.entries(contract.refusals)) {
      expect(JSON.stringify(declared(status)), `${contract.name} ${code}`).toContain(`\`${code}\``);
    }
  }
});

test("openapi: gates that cannot meet an operation are not declared for it", () => {
  const read = document.paths["/api/v1/notes/report"]?.["get"]?.responses ?? {};
  expect(Object.keys(read)).toEqual(["200", "304", "400", "401", "403", "422", "429", "431", "500", "503"]);
  const write = document.paths["/api/v1/notes"]?.["post"];
  expect(Object.keys(write?.responses ?? {})).toEqual([
    "201",
    "400",
    "401",
    "403",
    "409",
    "413",
    "415",
    "422",
    "429",
    "431",
    "500",
    "503",
  ]);
  // What makes a record compares no revision.
  expect(write?.parameters).toEqual([
    { $ref: "#/components/parameters/DryRun" },
    { $ref: "#/components/parameters/IdempotencyKey" },
  ]);
});

test("openapi: an alias is an operation of its own name", () => {
  expect(document.paths["/notes"]?.["post"]?.operationId).toBe("create_note_2");
});

test("openapi: what the path holds is not asked for in the body again", () => {
  const body = document.paths["/api/v1/notes/{note_id}"]?.["put"]?.requestBody as {
    content: Record<string, { schema: { properties: object; required: string[] } }>;
  };
  const { schema } = body.content["application/json"] ?? { schema: { properties: {}, required: [] } };
  expect(Object.keys(schema.properties)).toEqual(["text", "revision"]);
  expect(schema.required).toEqual(["text", "revision"]);
});

test("openapi: recorded examples are shown", () => {
  const spec = openApi({
    title: "API",
    version: "1",
    description: "d",
    contracts: sampleOperations().map((operation) => operation.contract),
    errorShape: "plain",
    dialects: new Map(),
    examples: () => ({ create_note: { request: { text: "a" }, response: { note_id: "note-1" } } }),
  });
  const operation = spec.paths["/api/v1/notes"]?.["post"];
  expect(operation?.requestBody?.["content"]).toMatchObject({ "application/json": { example: { text: "a" } } });
  expect(operation?.responses["201"]?.["content"]).toMatchObject({
    "application/json": { example: { note_id: "note-1" } },
  });
  expect(spec.components.schemas["Error"]?.["required"]).toEqual(["error", "detail", "help"]);
});
