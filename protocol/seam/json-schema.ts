import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

const made = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** Three doors read the schema of each operation; making it again for each took most of a start. Do not change it. */
export const jsonSchemaOf = (schema: z.ZodType, io: "input" | "output"): JsonSchema => {
  const known = made[io].get(schema);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(schema, { io }) as JsonSchema;
  made[io].set(schema, json);
  return json;
};
