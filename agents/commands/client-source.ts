import type { Contract } from "../../protocol/seam/operation.ts";
import { type JsonSchema, jsonSchemaOf } from "../../protocol/seam/json-schema.ts";

const deepest = 12;

const schemasOf = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? (value as JsonSchema[]) : []);

const union = (types: readonly string[]): string => {
  const one = [...new Set(types)];
  return one.includes("unknown") ? "unknown" : one.join(" | ");
};

const memberName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** What a person reads when the cursor is on the member. */
const docOf = ({ description }: JsonSchema, indent: string): string =>
  typeof description === "string" ? `${indent}/** ${description.replaceAll("*/", "* /")} */\n` : "";

/** Prints JSON Schema as TypeScript. */
interface Printer {
  /** Of the whole document, for its `$defs`. */
  readonly root: JsonSchema;
  readonly describes: boolean;
}

const objectType = (printer: Printer, schema: JsonSchema, depth: number): string => {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const extra = schema["additionalProperties"];
  if (properties.length === 0) {
    const values =
      typeof extra === "object" && extra !== null ? typeOf(printer, extra as JsonSchema, depth + 1) : "unknown";
    return `Readonly<Record<string, ${values}>>`;
  }
  const required = (schema["required"] ?? []) as readonly string[];
  const indent = "  ".repeat(depth + 1);
  const lines = properties.map(([name, member]) => {
    const mark = required.includes(name) ? "" : "?";
    const type = typeOf(printer, member, depth + 1);
    const given = mark === "" || type === "unknown" ? type : `${type} | undefined`;
    const doc = printer.describes ? docOf(member, indent) : "";
    return `${doc}${indent}readonly ${memberName(name)}${mark}: ${given};\n`;
  });
  return `{\n${lines.join("")}${"  ".repeat(depth)}}`;
};

const arrayType = (printer: Printer, { items, prefixItems }: JsonSchema, depth: number): string => {
  const fixed = schemasOf(prefixItems);
  if (fixed.length > 0) return `readonly [${fixed.map((one) => typeOf(printer, one, depth)).join(", ")}]`;
  return `readonly (${typeOf(printer, (items ?? {}) as JsonSchema, depth)})[]`;
};

const plainTypes: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

const typeOf = (printer: Printer, schema: JsonSchema, depth: number): string => {
  if (depth > deepest) return "unknown";
  const { $ref: ref, const: only, enum: choices, type } = schema;
  if (typeof ref === "string") {
    const path = ref
      .replace(/^#\/?/, "")
      .split("/")
      .filter((name) => name !== "");
    const target = path.reduce<unknown>(
      (found, name) => (found as Readonly<Record<string, unknown>>)[name],
      printer.root,
    );
    return typeOf(printer, target as JsonSchema, depth + 1);
  }
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return union(choices.map((one) => JSON.stringify(one)));
  const options = [...schemasOf(schema["anyOf"]), ...schemasOf(schema["oneOf"])];
  if (options.length > 0) return union(options.map((one) => typeOf(printer, one, depth)));
  const parts = schemasOf(schema["allOf"]);
  if (parts.length > 0) return parts.map((one) => typeOf(printer, one, depth)).join(" & ");
  const types = [type].flat().map((name) => {
    if (name === "object") return objectType(printer, schema, depth);
    if (name === "array") return arrayType(printer, schema, depth);
    return plainTypes[String(name)] ?? "unknown";
  });
  return union(types);
};

const typeName = (operation: string): string =>
  operation.replace(/(^|_)(\w)/g, (_whole, _mark: string, letter: string) => letter.toUpperCase());

const printed = ({ input, output }: Contract, io: "input" | "output"): string => {
  const root = jsonSchemaOf(io === "input" ? input : output, io);
  return typeOf({ root, describes: io === "input" }, root, 0);
};

/** The one list of a page that goes on. */
const pageRows = ({ input, output }: Contract): string | null => {
  const { properties: given = {} } = jsonSchemaOf(input, "input") as { properties?: Record<string, JsonSchema> };
  const { properties: shown = {} } = jsonSchemaOf(output, "output") as { properties?: Record<string, JsonSchema> };
  if (!("limit" in given) || !("cursor" in given || "offset" in given)) return null;
  return Object.entries(shown).find(([, { type }]) => type === "array")?.[0] ?? null;
};

const routeLine = (contract: Contract): string => {
  const { name, effect, rest } = contract;
  const rows = pageRows(contract);
  const page = rows === null ? "" : `, rows: ${JSON.stringify(rows)}`;
  const place = `method: ${JSON.stringify(rest?.method)}, path: ${JSON.stringify(rest?.path)}`;
  return `  ${name}: { ${place}, writes: ${effect !== "read"}${page} },\n`;
};

const isObject = (type: string): boolean => type.startsWith("{");

const declared = (name: string, type: string): string =>
  isObject(type) ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;

const operationTypes = (contract: Contract): string => {
  const name = typeName(contract.name);
  const input = declared(`${name}Input`, printed(contract, "input"));
  const output = declared(`${name}Output`, printed(contract, "output"));
  return `/** ${contract.summary} */\n${input}\n${output}\n`;
};

/** Types and routes of the operations that have a REST route, as `parley/client` compiles them in. */
export const clientSource = (agent: "seller" | "buyer", contracts: readonly Contract[]): string => {
  const open = contracts.filter(({ rest }) => rest !== undefined);
  const entries = open.map(({ name }) => {
    const type = typeName(name);
    return `  readonly ${name}: { readonly input: ${type}Input; readonly output: ${type}Output };\n`;
  });
  return `// Made by \`npm run gen\` from the contracts of the ${agent}'s operations.

${open.map(operationTypes).join("")}export type ${typeName(agent)}OperationTypes = {
${entries.join("")}};

export const ${agent}Routes = {
${open.map(routeLine).join("")}} as const;
`;
};
