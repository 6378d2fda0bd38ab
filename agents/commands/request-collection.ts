import type { Contract } from "../../protocol/seam/operation.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members } from "../../protocol/neutral/members.ts";
import { type JsonSchema, jsonSchemaOf } from "../../protocol/seam/json-schema.ts";

const memberOf = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((found, name) => (isMembers(found) ? found[name] : undefined), value);

/** The first example of the body in the OpenAPI document. */
const exampleOf = (document: unknown, { rest }: Contract): Members => {
  const path = rest?.path.replace(/:(\w+)/g, "{$1}") ?? "";
  const operation = memberOf(document, "paths", path, (rest?.method ?? "").toLowerCase());
  const examples = memberOf(operation, "requestBody", "content", "application/json", "examples");
  const [first] = isMembers(examples) ? Object.values(examples) : [];
  const value = memberOf(first, "value");
  return isMembers(value) ? value : {};
};

const propertiesOf = ({ input }: Contract): Readonly<Record<string, JsonSchema>> =>
  (jsonSchemaOf(input, "input")["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;

const collectionRequest = (document: unknown, contract: Contract): object => {
  const { method = "GET", path = "/" } = contract.rest ?? {};
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const isBodyless = method === "GET" || method === "DELETE";
  const query = Object.entries(propertiesOf(contract))
    .filter(([name]) => isBodyless && !named.includes(name))
    .map(([key, { description = "" }]) => ({ key, value: "", description, disabled: true }));
  const header = contract.effect === "read" ? [] : [{ key: "Idempotency-Key", value: "{{$guid}}" }];
  const json = {
    mode: "raw",
    raw: JSON.stringify(exampleOf(document, contract), null, 2),
    options: { raw: { language: "json" } },
  };
  return {
    method,
    description: contract.summary,
    header: isBodyless ? header : [...header, { key: "Content-Type", value: "application/json" }],
    url: {
      raw: `{{url}}${path}`,
      host: ["{{url}}"],
      path: path.split("/").slice(1),
      variable: named.map((key) => ({ key, value: "" })),
      query,
    },
    ...(isBodyless ? {} : { body: json }),
  };
};

/** Postman Collection 2.1 (schema.getpostman.com), which Bruno and Insomnia import too: a folder for each group. */
export const requestCollection = (
  agent: "seller" | "buyer",
  url: string,
  contracts: readonly Contract[],
  document: unknown,
): object => {
  const open = contracts.filter(({ rest }) => rest !== undefined);
  const groups = [...new Set(open.map(({ group }) => group))];
  const apikey = [
    { key: "key", value: "X-API-Key", type: "string" },
    { key: "value", value: "{{key}}", type: "string" },
    { key: "in", value: "header", type: "string" },
  ];
  return {
    info: {
      name: `Parley ${agent}`,
      description: "Made by npm run gen. Set url to the agent and key to one of its keys.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "apikey", apikey },
    variable: [
      { key: "url", value: url },
      { key: "key", value: "" },
    ],
    item: groups.map((group) => ({
      name: group,
      item: open
        .filter((contract) => contract.group === group)
        .map((contract) => ({ name: contract.name, request: collectionRequest(document, contract), response: [] })),
    })),
  };
};
