import type { RouteDescription } from "../door/door.ts";
import type { OpenApiOperation } from "./document.ts";
import { headersNamed, type RefusalBook, refusalResponse, securityOf, type SecuritySchemes } from "./components.ts";
import type { JsonSchema } from "../seam/json-schema.ts";
import { componentName, type SchemaBook } from "./schemas.ts";
import { type RefusalCode, refusalTable } from "../neutral/refusals.ts";

/** What the operations of a document share. */
export interface Books {
  readonly book: SchemaBook;
  readonly schemes: SecuritySchemes;
  readonly refusals: RefusalBook;
}

/** Written out where the status has an answer as well, which then becomes one with them. */
const refusalsOf = (
  book: RefusalBook,
  codes: readonly RefusalCode[],
  answered: readonly string[],
): readonly (readonly [string, JsonSchema])[] => {
  const statuses = new Set(codes.map((code) => refusalTable[code].status));
  return [...statuses].map((status) => {
    const same = codes.filter((code) => refusalTable[code].status === status);
    const response = answered.includes(String(status)) ? refusalResponse(status, same) : book.add(status, same);
    return [String(status), response] as const;
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

export const describedRoute = (books: Books, description: RouteDescription): OpenApiOperation => {
  const { book, schemes } = books;
  const { name, group, summary, access, headers = {}, input, refusals = [] } = description;
  const codes: readonly RefusalCode[] = ["malformed_url", ...refusals];
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
      ...byStatus([
        ...answersOf(book, description),
        ...refusalsOf(books.refusals, codes, Object.keys(description.answers)),
      ]),
      "431": { $ref: "#/components/responses/HeadersTooLarge" },
      "500": { $ref: "#/components/responses/Bug" },
    },
    security: securityOf(access, schemes),
  };
};
