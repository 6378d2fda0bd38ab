import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import type { JsonSchema } from "../../protocol/seam/json-schema.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** `bodies` maps a media type to the pointer of its schema. */
export interface DeclaredAnswer {
  readonly headers: ReadonlyMap<string, { readonly required: boolean; readonly pointer: string }>;
  readonly bodies: ReadonlyMap<string, string>;
}

export interface DeclaredOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
  /** Of the schema of a JSON body. */
  readonly bodyPointer: string;
  readonly examples: readonly unknown[];
  readonly answers: ReadonlyMap<number, DeclaredAnswer>;
}

export interface ReadDocument {
  readonly operations: readonly DeclaredOperation[];
  readonly words: readonly (readonly [name: string, word: string])[];
  resolve(schema: JsonSchema): JsonSchema;
  defects(pointer: string, value: unknown): readonly string[];
}

type Node = Readonly<Record<string, unknown>>;

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");
const plain = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** With the pointer after references. */
const follow = (document: unknown, pointer: string): { readonly node: Node; readonly pointer: string } => {
  const parts = pointer.slice(2).split("/").map(plain);
  const node = parts.reduce<unknown>((at, part) => (at as Node)[part], document) as Node;
  const next = node["$ref"];
  return typeof next === "string" ? follow(document, next) : { node, pointer };
};

const members = (node: Node, name: string): Node => (node[name] ?? {}) as Node;

const readAnswer = (document: unknown, at: string): DeclaredAnswer => {
  const { node, pointer } = follow(document, at);
  const headers = Object.keys(members(node, "headers")).map((name) => {
    const header = follow(document, `${pointer}/headers/${escaped(name)}`);
    const required = header.node["required"] === true;
    return [name.toLowerCase(), { required, pointer: `${header.pointer}/schema` }] as const;
  });
  const bodies = Object.keys(members(node, "content")).map(
    (type) => [type, `${pointer}/content/${escaped(type)}/schema`] as const,
  );
  return { headers: new Map(headers), bodies: new Map(bodies) };
};

const readOperation = (document: OpenApiDocument, path: string, method: string): DeclaredOperation => {
  const at = `#/paths/${escaped(path)}/${method}`;
  const { node } = follow(document, at);
  const parameters = ((node["parameters"] ?? []) as readonly unknown[]).map(
    (_, index) => follow(document, `${at}/parameters/${index}`).node as unknown as Parameter,
  );
  const json = members(members(members(node, "requestBody"), "content"), "application/json");
  const answers = Object.keys(members(node, "responses")).map(
    (status) => [Number(status), readAnswer(document, `${at}/responses/${status}`)] as const,
  );
  return {
    id: String(node["operationId"]),
    method: method.toUpperCase(),
    path,
    parameters,
    bodyPointer: `${at}/requestBody/content/application~1json/schema`,
    body: (json["schema"] as JsonSchema | undefined) ?? null,
    examples: [
      ...("example" in json ? [json["example"]] : []),
      ...Object.values(members(json, "examples")).map((one) => (one as Node)["value"]),
    ],
    answers: new Map(answers),
  };
};

const wordsIn = (value: unknown, name: string): readonly (readonly [string, string])[] => {
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, name));
  if (typeof value !== "object" || value === null) return [];
  const node = value as Node;
  const listed = Array.isArray(node["enum"]) ? (node["enum"] as readonly unknown[]) : [];
  const properties = Object.entries(members(node, "properties")).flatMap(([key, member]) => wordsIn(member, key));
  const inner = ["anyOf", "oneOf", "allOf", "items"].flatMap((key) => wordsIn(node[key], name));
  return [...listed.map((word) => [name, String(word)] as const), ...properties, ...inner];
};

/** Schemas are compiled on first use. */
export const readDocument = (document: OpenApiDocument): ReadDocument => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (on: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: "https://document.example/", ...document });
  const compiled = new Map<string, ReturnType<Ajv2020["compile"]>>();
  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => readOperation(document, path, method)),
    ),
    words: Object.values(document.components.schemas).flatMap((schema) => wordsIn(schema, "")),
    resolve: (schema) => {
      const reference = schema["$ref"];
      return typeof reference === "string" ? follow(document, reference).node : schema;
    },
    defects: (pointer, value) => {
      const check = compiled.get(pointer) ?? ajv.compile({ $ref: `https://document.example/${pointer}` });
      compiled.set(pointer, check);
      if (check(value) === true) return [];
      return (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    },
  };
};
