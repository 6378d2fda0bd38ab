import type { z } from "zod";
import { isMembers } from "../protocol/neutral/json-input.ts";
import { leftOut } from "./calls/shown.ts";
import { type JsonSchema, jsonSchemaOf } from "../protocol/seam/json-schema.ts";
import type { Contract } from "../protocol/seam/operation.ts";
import { matchesRevision } from "../protocol/seam/revision.ts";

export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly outputSchema?: JsonSchema & { readonly type: "object" };
  readonly annotations: {
    readonly title?: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export interface ToolCatalog {
  readonly entries: readonly ToolEntry[];
  readonly byName: ReadonlyMap<string, Contract>;
}

const mutationArguments: Readonly<Record<string, JsonSchema>> = {
  idempotency_key: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    pattern: "^[\\x20-\\x7e]+$",
    description: "Send the same key with a retry: the first answer is given again and nothing happens twice.",
  },
  dry_run: {
    type: "boolean",
    description: "True: check everything and show the answer, but store, reserve and send nothing.",
  },
};

const revisionArgument: Readonly<Record<string, JsonSchema>> = {
  if_match: {
    type: "string",
    description: "The revision that the record must still have; another one is refused and the current one named.",
  },
};

const readArguments: Readonly<Record<string, JsonSchema>> = {
  fields: {
    type: "array",
    items: { type: "string" },
    description: 'Only these members, as paths ("products.name"); ["*"] is everything, uncut and with nulls.',
  },
};

const objectSchema = (schema: z.ZodType, io: "input" | "output"): (JsonSchema & { type: "object" }) | null => {
  const { $schema: _dialect, ...json } = jsonSchemaOf(schema, io);
  return json["type"] === "object" ? { ...json, type: "object" } : null;
};

const inputOf = (contract: Contract): JsonSchema & { type: "object" } => {
  const json = objectSchema(contract.input, "input");
  if (json === null) throw new Error(`the input of ${contract.name} must be an object schema`);
  const ofWrites = { ...mutationArguments, ...(matchesRevision(contract) ? revisionArgument : {}) };
  const more = contract.effect === "read" ? readArguments : ofWrites;
  return { ...json, properties: { ...(json["properties"] as Record<string, JsonSchema> | undefined), ...more } };
};

const isNullable = (schema: unknown): boolean => {
  if (!isMembers(schema)) return false;
  const { type, anyOf } = schema as { type?: unknown; anyOf?: unknown };
  if (Array.isArray(type)) return type.includes("null");
  return type === "null" || (Array.isArray(anyOf) && anyOf.some(isNullable));
};

/** What results leave out is not required: nulls, and parts of records within records. */
const nullsOptional = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(nullsOptional);
  if (!isMembers(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, nullsOptional(value)]));
  const { properties, required } = schema;
  if (!isMembers(properties) || !Array.isArray(required)) return inner;
  return {
    ...inner,
    required: required.filter((name: string) => !leftOut.includes(name) && !isNullable(properties[name])),
  };
};

/** A row holds some members of its record alone. */
const requiresNone = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(requiresNone);
  if (!isMembers(schema)) return schema;
  const inner = Object.entries(schema).map(([name, value]) => [name, requiresNone(value)] as const);
  return Object.fromEntries(inner.filter(([name, value]) => name !== "required" || !Array.isArray(value)));
};

const withRows = (json: JsonSchema, { tool }: Contract): JsonSchema => {
  const { properties } = json;
  if (tool?.rows === undefined || !isMembers(properties)) return json;
  const rows = Object.keys(tool.rows).map((list) => [list, requiresNone(properties[list])]);
  return { ...json, properties: { ...properties, ...Object.fromEntries(rows) } };
};

/** A dry run returns null for ids, so it is a second allowed form. */
const outputOf = (contract: Contract): { outputSchema?: JsonSchema & { type: "object" } } => {
  const strict = objectSchema(contract.output, "output");
  if (strict === null) return {};
  const json = withRows(nullsOptional(strict) as JsonSchema, contract) as JsonSchema & { type: "object" };
  if (contract.effect === "read" && contract.secretOutput === undefined) return { outputSchema: json };
  const lenient = { type: "object", properties: { dry_run: { const: true } }, required: ["dry_run"] };
  const nulled = (contract.secretOutput ?? []).map((member) => ({
    type: "object",
    properties: { [member]: { type: "null" } },
    required: [member],
  }));
  return { outputSchema: { type: "object", anyOf: [json, lenient, ...nulled] } };
};

export const hintsOf = ({ tool, effect }: Contract) => ({
  readOnlyHint: tool?.readOnly ?? effect === "read",
  destructiveHint: tool?.destructive ?? false,
  idempotentHint: tool?.idempotent ?? effect === "read",
  openWorldHint: tool?.openWorld ?? false,
});

const made = new WeakMap<Contract, ToolEntry>();

/** Made once for all catalogs of a process, when it is asked for: the schemas of all would be a fifth of a start. */
export const entryOf = (contract: Contract): ToolEntry => {
  const known = made.get(contract);
  if (known !== undefined) return known;
  const title = contract.tool?.title ?? contract.name.replaceAll("_", " ");
  const entry = {
    name: contract.name,
    title,
    description: contract.summary,
    inputSchema: inputOf(contract),
    ...outputOf(contract),
    annotations: { title, ...hintsOf(contract) },
  };
  made.set(contract, entry);
  return entry;
};

/** A contract that closes the MCP door has no tool. */
export const toolCatalog = (contracts: readonly Contract[]): ToolCatalog => {
  const open = contracts.filter((contract) => contract.closedDoors?.mcp === undefined);
  const byName = new Map<string, Contract>();
  for (const contract of open) {
    for (const name of [contract.name, ...(contract.tool?.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`two operations want the tool name ${name}`);
      byName.set(name, contract);
    }
  }
  return {
    get entries() {
      return open.map(entryOf);
    },
    byName,
  };
};
