// Pages of the guide that are made of docs/surface: operations by group, refusals by code.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const agents = ["seller", "buyer"];

const cell = (text) =>
  String(text ?? "")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");

const table = (heads, rows) =>
  rows.length === 0
    ? ""
    : [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

const readJson = (root, ...path) => JSON.parse(readFileSync(join(root, "docs", "surface", ...path), "utf8"));

const surfaceOf = (root, agent) => {
  const tools = new Map(readJson(root, agent, "tools.json").map((tool) => [tool.name, tool]));
  return readJson(root, agent, "operations.json").map((operation) => ({
    ...operation,
    tool: tools.get(operation.name),
  }));
};

const access = {
  public: "anybody",
  key: "a key",
  operator: "an operator's key",
  senior: "a senior operator's key",
};

const typeOf = (schema) => {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  const type = schema.format ?? schema.type ?? "any value";
  return Array.isArray(type) ? type.join(" or ") : type;
};

const inputTable = ({ inputSchema: { properties = {}, required = [] } }) =>
  table(
    ["Input", "Type", "Meaning"],
    Object.entries(properties)
      .filter(([name]) => name !== "fields")
      .map(([name, schema]) => [
        `\`${name}\`${required.includes(name) ? " (required)" : ""}`,
        typeOf(schema),
        schema.description,
      ]),
  );

const refusalLinks = (refusals) =>
  Object.keys(refusals)
    .map((code) => `[\`${code}\`](/guide/refusals/${code})`)
    .join(", ");

const restOf = ({ rest }) => (rest === undefined ? null : `${rest.method} ${rest.path}`);

const shortened = (value, most) => {
  const text = JSON.stringify(value, null, 2);
  const lines = text.split("\n");
  return lines.length <= most ? text : [...lines.slice(0, most), "  …"].join("\n");
};

const exampleOf = (example) => {
  if (example?.request === undefined) return "";
  const input = `\`\`\`json\n${shortened(example.request, 30)}\n\`\`\``;
  const output =
    example.response === undefined
      ? ""
      : `\n\nAnswer:\n\n\`\`\`json output\n${shortened(example.response, 40)}\n\`\`\``;
  return `Example input:\n\n${input}${output}`;
};

const operationText = (operation, example) => {
  const { name, tool, effect } = operation;
  const rest = restOf(operation);
  return [
    `## ${name}`,
    tool?.description ?? "",
    [
      `For ${access[operation.access]}. ${effect === "read" ? "Reads only." : "Changes something: takes an idempotency key and a dry run."}`,
      rest === null ? "Not on REST." : `REST: \`${rest}\`.`,
      tool === undefined ? "No MCP tool." : `MCP tool: \`${name}\`.`,
    ].join(" "),
    tool === undefined ? "" : inputTable(tool),
    Object.keys(operation.refusals).length === 0 ? "" : `Refusals of its own: ${refusalLinks(operation.refusals)}.`,
    exampleOf(example),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
};

const groupPage = (agent, group, operations, examples) =>
  [
    `# ${agent === "seller" ? "Seller" : "Buyer"}: ${group}`,
    `Made from the contracts of the ${agent}. Gates that every operation has in common (key, rate, form, idempotency) are in [refusals](/guide/refusals).`,
    ...operations.map((operation) => operationText(operation, examples[operation.name])),
  ].join("\n\n");

const operationPages = (root) => {
  const pages = new Map();
  const lists = agents.map((agent) => {
    const operations = surfaceOf(root, agent);
    const examples = agent === "seller" ? readJson(root, agent, "examples.json") : {};
    const rows = operations.map((operation) => [
      `[\`${operation.name}\`](/guide/reference/${agent}/${operation.group}#${operation.name})`,
      operation.group,
      access[operation.access],
      restOf(operation) === null ? "" : `\`${restOf(operation)}\``,
    ]);
    for (const [group, members] of groupsOf(operations)) {
      pages.set(`reference/${agent}/${group}`, groupPage(agent, group, members, examples));
    }
    return `## ${agent === "seller" ? "Seller" : "Buyer"}\n\n${table(["Operation", "Group", "For", "REST"], rows)}`;
  });
  const head =
    "# Operations\n\nEach is a REST route, an MCP tool, a method of `/rpc`, an A2A data part and a command (`parley call`), " +
    "with one name, one input and one output. The whole schemas are in `/openapi.json`, to try at [/docs](/docs) and to read at [/redoc](/redoc).";
  return pages.set("reference/operations", [head, ...lists].join("\n\n"));
};

const groupsOf = (operations) => {
  const groups = new Map();
  for (const operation of operations) groups.set(operation.group, [...(groups.get(operation.group) ?? []), operation]);
  return groups;
};

const internal = {
  status: 500,
  rpc: -32603,
  message: "Internal error. Report the request id to the operator.",
};

/** Sections of docs/guide/refusals.md by their code. */
export const writtenRefusals = (root) => {
  const text = readFileSync(join(root, "docs", "guide", "refusals.md"), "utf8");
  const [intro, ...sections] = text.split(/^## /m);
  return {
    intro,
    sections: new Map(
      sections.map((section) => section.split(/\n([\s\S]*)/)).map(([code, body]) => [code.trim(), (body ?? "").trim()]),
    ),
  };
};

const bodyOf = (code, message) =>
  JSON.stringify({ detail: { error: code, message }, error: code, message, help: `/guide/refusals/${code}` }, null, 2);

/** Operations may answer a code with another status than its usual one. */
const statusesOf = (code, status, users) => {
  const found = [...new Set(users.map(({ refusals }) => refusals[code]))].sort((left, right) => left - right);
  return found.length === 0 ? status : found.join(" or ");
};

const refusalPage = (code, { status, rpc, message }, written, users) =>
  [
    `# ${code}`,
    `> ${message}`,
    `HTTP ${statusesOf(code, status, users)}. JSON-RPC error ${rpc}. Over MCP an \`isError\` result, over A2A a failed task with the same members.`,
    written,
    users.length === 0
      ? ""
      : `## Who answers it\n\n${users.map(({ agent, name, group }) => `- ${agent}: [\`${name}\`](/guide/reference/${agent}/${group}#${name})`).join("\n")}`,
    `## How it looks\n\nThe seller over REST; further members say more where there is more to say. The buyer puts the sentence into \`detail\`.\n\n\`\`\`json output\n${bodyOf(code, message)}\n\`\`\``,
    "All codes: [refusals](/guide/refusals).",
  ]
    .filter((part) => part !== "")
    .join("\n\n");

const refusalPages = (root) => {
  const all = { ...readJson(root, "refusals.json"), internal_error: internal };
  const { intro, sections } = writtenRefusals(root);
  const operations = agents.flatMap((agent) =>
    readJson(root, agent, "operations.json").map((one) => ({ agent, ...one })),
  );
  const pages = new Map();
  for (const [code, facts] of Object.entries(all)) {
    const users = operations.filter(({ refusals }) => refusals[code] !== undefined);
    pages.set(`refusals/${code}`, refusalPage(code, facts, sections.get(code) ?? "", users));
  }
  const rows = Object.entries(all).map(([code, { status, message }]) => [
    `[\`${code}\`](/guide/refusals/${code})`,
    status,
    message,
  ]);
  return pages.set("refusals", `${intro.trim()}\n\n${table(["Code", "Status", "Says"], rows)}`);
};

const machineText = ({ kind, initial, states, moves }) =>
  [
    `## ${kind}`,
    `Begins as \`${initial}\`.`,
    table(
      ["State", "Means", ""],
      states.map(({ name, meaning, final }) => [`\`${name}\``, meaning, final ? "final" : ""]),
    ),
    table(
      ["From", "To", "By", "Who"],
      moves.map(({ from, to, event, who }) => [`\`${from}\``, `\`${to}\``, event, who]),
    ),
  ].join("\n\n");

const statesPage = (root) =>
  [
    "# States",
    "Read from the machines that run the records; `GET /api/v1/machines/KIND` answers the same.",
    ...readJson(root, "machines.json").map(machineText),
  ].join("\n\n");

export const referencePages = (root) =>
  new Map([...operationPages(root), ...refusalPages(root), ["reference/states", statesPage(root)]]);
