import type { JsonSchema } from "../seam/json-schema.ts";

export type OpenApiDocument = Readonly<Record<string, unknown>> & {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, JsonSchema>>;
  } & Readonly<Record<string, unknown>>;
};

export const responsePrefix = "#/components/responses/";

/** A response of an operation, or the component that it refers to. */
export const declaredResponse = ({ components }: OpenApiDocument, response: JsonSchema): JsonSchema => {
  const reference = response["$ref"];
  if (typeof reference !== "string") return response;
  return components.responses[reference.slice(responsePrefix.length)] ?? {};
};

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: readonly JsonSchema[];
}
