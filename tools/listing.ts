import { type Caller, isOperator } from "../protocol/seam/caller.ts";
import { accessRefusal } from "../protocol/seam/gates.ts";
import type { Contract } from "../protocol/seam/operation.ts";
import type { ToolCatalog, ToolEntry } from "./catalog.ts";

/** The tools listed by default, to everyone and to operators besides: an assistant reads the list in each session. */
export interface ToolLists {
  readonly everyone: readonly string[];
  readonly operators: readonly string[];
}

/** What a client asks for: tool sets (operation groups, or `all`) in place of the default list, and reads alone. */
export interface ToolSelection {
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

const namesIn = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

export const toolSelection = (toolset: string | null, readOnly: boolean): ToolSelection => ({
  toolsets: namesIn(toolset ?? ""),
  readOnly,
});

/** The selection in the query of an MCP address: `?toolset=deals,orders&read_only=true`. */
export const queriedSelection = (query: URLSearchParams | null): ToolSelection =>
  toolSelection(query?.get("toolset") ?? null, query?.get("read_only") === "true");

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNull = (schema: unknown): boolean => isSchema(schema) && schema["type"] === "null";

/** Members that cost tokens and tell an assistant nothing that type, format and description do not. */
const silent = ["$schema", "propertyNames", "default", "minLength", "maxLength", "maxItems"];

/** Objects below this depth are shown by type and description; `GET /mcp/tools` shows them whole. */
const shownDepth = 2;

const compactMembers = (properties: Schema, depth: number): Schema =>
  Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, compactSchema(member, depth)]));

const compactPart = (name: string, value: unknown, schema: Schema, depth: number): unknown => {
  if (silent.includes(name)) return undefined;
  if (name === "pattern" && schema["format"] !== undefined) return undefined;
  if (name === "additionalProperties" && (value === true || !isSchema(value) || Object.keys(value).length === 0))
    return undefined;
  if ((name === "minimum" || name === "maximum") && Math.abs(Number(value)) >= Number.MAX_SAFE_INTEGER)
    return undefined;
  if (name === "properties" && isSchema(value))
    return depth >= shownDepth ? undefined : compactMembers(value, depth + 1);
  if (name === "required" && depth >= shownDepth) return undefined;
  if (Array.isArray(value) && (name === "anyOf" || name === "oneOf" || name === "allOf"))
    return value.map((part) => compactSchema(part, depth));
  return isSchema(value) ? compactSchema(value, depth) : value;
};

/** The schema without what repeats itself; what it refuses is refused by the call, in the same words as ever. */
export const compactSchema = (schema: unknown, depth = 0): unknown => {
  if (!isSchema(schema)) return schema;
  const choices = schema["anyOf"];
  const [only, ...others] = Array.isArray(choices) ? choices.filter((choice) => !isNull(choice)) : [];
  if (isSchema(only) && others.length === 0) {
    const { anyOf: _choices, ...rest } = schema;
    return compactSchema({ ...only, ...rest }, depth);
  }
  const parts = Object.entries(schema).map(([name, value]) => [name, compactPart(name, value, schema, depth)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
};

/** What every mutation takes, in few words; `if_match` is taken too, and is for programs. */
const shortArguments: Schema = {
  idempotency_key: { type: "string", description: "The same key on a retry gives the same answer, nothing twice." },
  dry_run: { type: "boolean", description: "True: check and show, change nothing." },
};

const compactInput = (inputSchema: ToolEntry["inputSchema"]): ToolEntry["inputSchema"] => {
  const compact = compactSchema(inputSchema) as ToolEntry["inputSchema"];
  const { if_match: _program, ...properties } = (compact["properties"] ?? {}) as Schema;
  const short = Object.entries(shortArguments).filter(([name]) => properties[name] !== undefined);
  return { ...compact, properties: { ...properties, ...Object.fromEntries(short) } };
};

/**
 * An entry without its output schema, which is longer than everything else together and says what the answer's own
 * text shows.
 */
const compactEntry = ({ name, title, description, inputSchema, annotations }: ToolEntry): ToolEntry => {
  const { title: _title, ...hints } = annotations;
  return { name, title, description, inputSchema: compactInput(inputSchema), annotations: hints };
};

export const unknownToolsets = (catalog: ToolCatalog, { toolsets }: ToolSelection): readonly string[] => {
  const groups = new Set([...catalog.byName.values()].map(({ group }) => group));
  return toolsets.filter((name) => name !== "all" && !groups.has(name));
};

/** The names of the tool sets of an agent. */
export const toolsetsOf = (catalog: ToolCatalog): readonly string[] =>
  [...new Set([...catalog.byName.values()].map(({ group }) => group))].sort();

const isWanted = (contract: Contract, names: readonly string[] | null, { toolsets }: ToolSelection): boolean => {
  if (toolsets.length > 0) return toolsets.includes("all") || toolsets.includes(contract.group);
  return names === null || names.includes(contract.name);
};

const namesFor = (lists: ToolLists | null, caller: Caller): readonly string[] | null =>
  lists === null ? null : [...lists.everyone, ...(isOperator(caller) ? lists.operators : [])];

/** The tools that a caller is shown: those it may call, of what it asked for. What is not shown may still be called. */
export const listedTools = (
  catalog: ToolCatalog,
  lists: ToolLists | null,
  caller: Caller,
  selection: ToolSelection,
): readonly ToolEntry[] => {
  const names = namesFor(lists, caller);
  return catalog.entries
    .filter(({ name, annotations }) => {
      const contract = catalog.byName.get(name);
      if (contract === undefined || (selection.readOnly && !annotations.readOnlyHint)) return false;
      return accessRefusal(contract, caller) === null && isWanted(contract, names, selection);
    })
    .map(compactEntry);
};
