import type { z } from "zod";
import { type JsonSchema, jsonSchemaOf } from "../seam/json-schema.ts";

const rewritten = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, name));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([key, member]): (readonly [string, unknown])[] => {
    if (key === "$schema" || key === "$defs" || key === "~standard") return [];
    if (key !== "$ref" || typeof member !== "string") return [[key, rewritten(member, name)]];
    const inner = member.startsWith("#/$defs/") ? `${name}.${member.slice("#/$defs/".length)}` : name;
    return [[key, `#/components/schemas/${inner}`]];
  });
  return Object.fromEntries(members);
};

/** Definitions become components, because references start at the document's root. */
export const createSchemaBook = () => {
  const book = new Map<string, JsonSchema>();
  return {
    /** In the form before parsing. */
    add: (name: string, schema: z.ZodType): JsonSchema => {
      const made = jsonSchemaOf(schema, "input");
      const defined = (made["$defs"] ?? {}) as Readonly<Record<string, unknown>>;
      for (const [inner, value] of Object.entries(defined)) {
        book.set(`${name}.${inner}`, rewritten(value, name) as JsonSchema);
      }
      book.set(name, rewritten(made, name) as JsonSchema);
      return { $ref: `#/components/schemas/${name}` };
    },
    get: (name: string): JsonSchema | undefined => book.get(name),
    put: (name: string, schema: JsonSchema): void => void book.set(name, schema),
    all: (): Readonly<Record<string, JsonSchema>> =>
      Object.fromEntries([...book].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
};

export type SchemaBook = ReturnType<typeof createSchemaBook>;

export const componentName = (operation: string): string =>
  operation.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Also of a union or an intersection. */
export const membersOf = (book: SchemaBook, schema: JsonSchema, depth = 0): ReadonlyMap<string, JsonSchema> => {
  const reference = schema["$ref"];
  const named = typeof reference === "string" ? book.get(reference.slice("#/components/schemas/".length)) : schema;
  const own = named ?? {};
  const found = new Map(Object.entries((own["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>));
  if (depth >= 8) return found;
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    for (const branch of (own[key] ?? []) as readonly JsonSchema[]) {
      for (const [name, member] of membersOf(book, branch, depth + 1)) if (!found.has(name)) found.set(name, member);
    }
  }
  return found;
};

/** For a body whose other members are in the path. */
export const withoutMembers = (schema: JsonSchema, names: readonly string[]): JsonSchema => {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, unknown>>;
  const required = ((schema["required"] ?? []) as readonly string[]).filter((name) => !names.includes(name));
  const { required: _, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
  return { ...rest, properties: kept, ...(required.length === 0 ? {} : { required }) };
};
