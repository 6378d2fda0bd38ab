import { jsonSchemaOf } from "../seam/json-schema.ts";
import type { Contract } from "../seam/operation.ts";

export interface MemberReader {
  readonly list: boolean;
  read(text: string): unknown;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const branchesOf = (schema: Schema): readonly Schema[] => [
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
];

const resolved = (schema: Schema, root: Schema): Schema => {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (root.$defs?.[name] ?? schema);
};

const typesOf = (schema: Schema, root: Schema, depth = 0): Set<string> => {
  const own = resolved(schema, root);
  const named = typeof own.type === "string" ? [own.type] : (own.type ?? []);
  const literals = own.const === undefined ? (own.enum ?? []) : [own.const];
  const types = new Set<string>(named.length > 0 ? named : literals.map((value) => typeof value));
  const inner = depth < 8 ? branchesOf(own).flatMap((branch) => [...typesOf(branch, root, depth + 1)]) : [];
  for (const type of inner) types.add(type);
  return types;
};

const itemsOf = (schema: Schema, root: Schema): Schema => {
  const own = resolved(schema, root);
  return (
    own.items ??
    branchesOf(own)
      .map((branch) => resolved(branch, root).items)
      .find((items) => items) ??
    {}
  );
};

const numberForm = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** Converted only where the schema takes no text; other text is left for the schema. */
const scalarReader = (types: ReadonlySet<string>): ((text: string) => unknown) => {
  if (types.has("string") || types.size === 0) return (text) => text;
  const wantsNumber = types.has("number") || types.has("integer");
  const wantsBoolean = types.has("boolean");
  return (text) => {
    if (wantsNumber && numberForm.test(text)) return Number(text);
    if (wantsBoolean && (text === "true" || text === "1")) return true;
    if (wantsBoolean && (text === "false" || text === "0")) return false;
    return text;
  };
};

const readerOf = (schema: Schema, root: Schema): MemberReader => {
  const types = typesOf(schema, root);
  const list = types.has("array");
  return { list, read: scalarReader(list ? typesOf(itemsOf(schema, root), root) : types) };
};

const propertiesOf = (schema: Schema, root: Schema, into: Map<string, Schema>, depth = 0): Map<string, Schema> => {
  const own = resolved(schema, root);
  for (const [name, member] of Object.entries(own.properties ?? {})) if (!into.has(name)) into.set(name, member);
  if (depth < 8) for (const branch of branchesOf(own)) propertiesOf(branch, root, into, depth + 1);
  return into;
};

const made = new WeakMap<Contract["input"], ReadonlyMap<string, MemberReader>>();

/** Unlisted names are no members. Made once for all routes of a process. */
export const memberReaders = (input: Contract["input"]): ReadonlyMap<string, MemberReader> => {
  const known = made.get(input);
  if (known !== undefined) return known;
  const root = jsonSchemaOf(input, "input") as Schema;
  const members = propertiesOf(root, root, new Map());
  const readers = new Map([...members].map(([name, schema]) => [name, readerOf(schema, root)]));
  made.set(input, readers);
  return readers;
};
