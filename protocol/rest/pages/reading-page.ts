import type { JsonSchema } from "../../seam/json-schema.ts";
import { declaredResponse, type OpenApiDocument, type OpenApiOperation } from "../../openapi/document.ts";
import { escapeHtml } from "../../neutral/escape-html.ts";

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8884; border-radius: 4px; }
article { border-top: 1px solid #8884; padding: 1rem 0; break-inside: avoid; }
h3 code { font-size: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #8882; }
nav ul { columns: 2; }
@media (max-width: 40rem) { body { overflow-wrap: anywhere; } nav ul { columns: 1; } }
`;

const text = (value: unknown): string =>
  escapeHtml(typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value));

const prose = (value: unknown): string => text(value).replace(/`([^`]+)`/g, "<code>$1</code>");

const inWords = (schema: JsonSchema): string => {
  const reference = schema["$ref"];
  if (typeof reference === "string") return String(reference.split("/").at(-1));
  const whole = (schema["allOf"] as readonly JsonSchema[] | undefined)?.[0];
  if (whole !== undefined) return inWords(whole);
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as readonly JsonSchema[] | undefined;
  if (choices !== undefined) return choices.map(inWords).join(" or ");
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(", ");
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (schema["type"] === "array") return `list of ${inWords((schema["items"] ?? {}) as JsonSchema)}`;
  const type = (schema["format"] ?? schema["type"] ?? "anything") as string | readonly string[];
  return typeof type === "string" ? type : type.join(" or ");
};

const link = (schema: JsonSchema): string =>
  inWords(schema)
    .split(" or ")
    .map((name) => (/^[A-Z]/.test(name) ? `<a href="#schema-${text(name)}">${text(name)}</a>` : text(name)))
    .join(" or ");

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return "";
  const head = heads.map((name) => `<th scope="col">${text(name)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n");
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`;
};

const parameterRows = (operation: OpenApiOperation): readonly (readonly string[])[] =>
  operation.parameters
    .filter((parameter) => parameter["$ref"] === undefined)
    .map((parameter) => [
      `<code>${text(parameter["name"])}</code>`,
      text(parameter["in"]),
      text(inWords((parameter["schema"] ?? {}) as JsonSchema)),
      parameter["required"] === true ? "required" : "",
      prose((parameter["schema"] as JsonSchema | undefined)?.["description"]),
    ]);

const memberRows = (schema: JsonSchema): readonly (readonly string[])[] => {
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, member]) => [
    `<code>${text(name)}</code>`,
    text(inWords(member)),
    required.includes(name) ? "required" : "",
    prose(member["description"]),
  ]);
};

const contentSchema = (part: JsonSchema | undefined): JsonSchema => {
  const content = part?.["content"] as Readonly<Record<string, { readonly schema?: JsonSchema }>> | undefined;
  return content?.["application/json"]?.schema ?? {};
};

const article = (document: OpenApiDocument, method: string, path: string, operation: OpenApiOperation): string => {
  const body = contentSchema(operation.requestBody);
  const answers = Object.entries(operation.responses).map(([status, declared]) => {
    const response = declaredResponse(document, declared);
    return [text(status), prose(response["description"]), link(contentSchema(response))];
  });
  const members = memberRows(body);
  const sent = members.length === 0 ? `<p>${link(body)}</p>` : table(["Member", "Type", "", "Meaning"], members);
  const parameters = parameterRows(operation);
  return `<article id="${text(operation.operationId)}">
<h3><code>${text(method.toUpperCase())} ${text(path)}</code></h3>
${operation.description
  .split("\n\n")
  .map((part) => `<p>${prose(part)}</p>`)
  .join("\n")}
${parameters.length === 0 ? "" : `<h4>Parameters</h4>\n${table(["Name", "In", "Type", "", "Meaning"], parameters)}`}
${operation.requestBody === undefined ? "" : `<h4>Body</h4>\n${sent}`}
<h4>Answers</h4>
${table(["Status", "Meaning", "Body"], answers)}
</article>`;
};

const schemaSection = (name: string, schema: JsonSchema): string => `<article id="schema-${text(name)}">
<h3>${text(name)}</h3>
${table(["Member", "Type", "", "Meaning"], memberRows(schema)) || `<pre>${text(JSON.stringify(schema, null, 2))}</pre>`}
</article>`;

/** No script: to read and print. */
export const readingPage = (document: OpenApiDocument): string => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const entries = operations.map(
    ({ operation }) => `<li><a href="#${text(operation.operationId)}">${text(operation.operationId)}</a></li>`,
  );
  const { info } = document;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${text(info.title)} <small>${text(info.version)}</small></h1>
<p>${text(info.description)}</p>
<nav aria-label="Operations"><ul>
${entries.join("\n")}
</ul></nav>
<h2>Operations</h2>
${operations.map(({ method, path, operation }) => article(document, method, path, operation)).join("\n")}
<h2>Schemas</h2>
${Object.entries(document.components.schemas)
  .map(([name, schema]) => schemaSection(name, schema))
  .join("\n")}
</main>
</body>
</html>
`;
};
