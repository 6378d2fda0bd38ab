import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

export type Schema = Readonly<Record<string, unknown>>;

/** Array items stand under `0`. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly required: boolean;
}

export interface BadValue {
  readonly wrong: string;
  readonly value: unknown;
}

export const schemaOf = (input: z.ZodType): Schema =>
  z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;

const resolved = (schema: Schema, root: Schema): Schema => {
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  const name = reference.split("/").at(-1) ?? "";
  return ((root["$defs"] ?? {}) as Readonly<Record<string, Schema>>)[name] ?? schema;
};

const branches = (schema: Schema): readonly Schema[] =>
  ["anyOf", "oneOf", "allOf"].flatMap((key) => (schema[key] ?? []) as readonly Schema[]);

export const choices = (given: Schema, root: Schema): readonly Schema[] => {
  const schema = resolved(given, root);
  const inner = branches(schema);
  return inner.length === 0 ? [schema] : inner.flatMap((branch) => choices(branch, root));
};

export const fieldsOf = (given: Schema, root: Schema = given, at: readonly string[] = []): readonly Field[] => {
  if (at.length > 8) return [];
  return choices(given, root).flatMap((schema) => {
    const required = new Set((schema["required"] ?? []) as readonly string[]);
    const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>);
    const items = schema["items"] as Schema | undefined;
    return [
      ...properties.flatMap(([name, member]) => [
        { path: [...at, name], schema: member, required: required.has(name) },
        ...fieldsOf(member, root, [...at, name]),
      ]),
      ...(items === undefined ? [] : fieldsOf(items, root, [...at, "0"])),
    ];
  });
};

/** With every member, so that each nested field can be reached. */
const filled = (given: Schema, root: Schema, depth = 0): unknown => {
  const schema = choices(given, root).find((one) => one["type"] !== "null") ?? {};
  if ("const" in schema) return schema["const"];
  const listed = schema["enum"] as readonly unknown[] | undefined;
  if (listed !== undefined) return listed[0];
  const type = schema["type"];
  if (type === "integer" || type === "number") return Math.max(1, Number(schema["minimum"] ?? 1));
  if (type === "boolean") return false;
  if (type === "array") {
    const places = (schema["prefixItems"] ?? [schema["items"] ?? {}]) as readonly Schema[];
    return depth > 8 ? [] : places.map((item) => filled(item, root, depth + 1));
  }
  if (type !== "object") return sampleOf(schema["pattern"]);
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>);
  return Object.fromEntries(properties.map(([name, member]) => [name, filled(member, root, depth + 1)]));
};

const samples = ["x", "USD", "1", "2027-03-01", "sha256:0"];

const sampleOf = (pattern: unknown): string =>
  samples.find((sample) => typeof pattern !== "string" || new RegExp(pattern, "u").test(sample)) ?? "x";

const replacedAt = (value: unknown, path: readonly string[], by: unknown): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? replacedAt(item, rest, by) : item));
  const members = { ...(value as Readonly<Record<string, unknown>>) };
  members[name] = replacedAt(members[name], rest, by);
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
};

/** The field's own schema decides which are wrong. */
const candidates: readonly BadValue[] = [
  { wrong: "missing", value: undefined },
  { wrong: "null", value: null },
  { wrong: "a text", value: "no such value" },
  { wrong: "a boolean", value: true },
  { wrong: "a list", value: [{}] },
  { wrong: "an object", value: { a: 1 } },
  { wrong: "empty", value: "" },
  { wrong: "an empty list", value: [] },
  { wrong: "too long", value: "x".repeat(30_000) },
  { wrong: "too many", value: Array.from({ length: 5000 }, () => "x") },
  { wrong: "negative", value: -1 },
  { wrong: "zero", value: 0 },
  { wrong: "fractional", value: 1.5 },
  { wrong: "huge", value: 1e300 },
];

/** Wrong in exactly one field, which the refusal must name. */
export const badInputs = (root: Schema): readonly (Field & BadValue & { readonly input: unknown })[] => {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (on: Ajv2020) => void)(ajv);
  const base = filled(root, root);
  return fieldsOf(root).flatMap((field) => {
    const fits = ajv.compile({ ...field.schema, $defs: root["$defs"] });
    const isWrong = ({ value }: BadValue): boolean => (value === undefined ? field.required : !fits(value));
    return candidates
      .filter(isWrong)
      .map((bad) => ({ ...field, ...bad, input: replacedAt(base, field.path, bad.value) }));
  });
};
