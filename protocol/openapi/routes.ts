import type { RouteDescription } from "../door/door.ts";
import type { OpenApiOperation } from "./document.ts";
import { headersNamed, refusalResponse, securityOf, type SecuritySchemes } from "./components.ts";
import type { JsonSchema } from "../seam/json-schema.ts";
import { componentName, type SchemaBook } from "./schemas.ts";
import { type RefusalCode, refusalTable } from "../neutral/refusals.ts";

const refusalsOf = (codes: readonly RefusalCode[]): readonly (readonly [string, JsonSchema])[] => {
  const statuses = new Set(codes.map((code) => refusalTable[code].status));
  return [...statuses].map((status) => {
    const same = codes.filter((code) => refusalTable[code].status === status);
    return [String(status), refusalResponse(status, same)] as const;
  });
};

const answersOf = (book: SchemaBook, description: RouteDescription): readonly (readonly [string, JsonSchema])[] =>
  Object.entries(description.answers).map(([status, { meaning, body, headers = [] }]) => {
    const name = `${componentName(description.name)}Answer${status}`;
    const content = body === undefined ? {} : { content: { [body.type]: { schema: book.add(name, body.schema) } } };
    return [status, { description: meaning, headers: headersNamed(...headers), ...content }] as const;
  });

const jsonSchema = (response: JsonSchema): unknown =>
  (response["content"] as Readonly<Record<string, JsonSchema>> | undefined)?.["application/json"]?.["schema"];

/** Two forms under one status become alternatives. */
const byStatus = (answers: readonly (readonly [string, JsonSchema])[]): Readonly<Record<string, JsonSchema>> => {
  const responses: Record<string, JsonSchema> = {};
  for (const [status, response] of answers) {
    const other = responses[status];
    const schema = other === undefined ? null : { anyOf: [jsonSchema(other), jsonSchema(response)] };
    const content = { ...(response["content"] as object), "application/json": { schema } };
    responses[status] = schema === null ? response : { ...response, content };
  }
  return responses;
};

export const describedRoute = (
  book: SchemaBook,
  description: RouteDescription,
  schemes: SecuritySchemes,
): OpenApiOperation => {
  const { name, group, summary, access, headers = {}, input, refusals = [] } = description;
  const body = input === undefined ? null : book.add(`${componentName(name)}Input`, input);
  return {
    operationId: name,
    summary: summary.split(/(?<=\.)\s/)[0] ?? summary,
    description: summary,
    tags: [group],
    parameters: Object.entries(headers).map(([header, meaning]) => {
      return { name: header, in: "header", description: meaning, schema: { type: "string" } };
    }),
    ...(body === null ? {} : { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: {
      ...byStatus([...answersOf(book, description), ...refusalsOf(["malformed_url", ...refusals])]),
      "431": { $ref: "#/components/responses/HeadersTooLarge" },
      "500": { $ref: "#/components/responses/Bug" },
    },
    security: securityOf(access, schemes),
  };
};
