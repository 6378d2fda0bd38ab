import {
  type Prompt,
  ProtocolErrorCode,
  type Resource,
  type ResourceTemplateType as ResourceTemplate,
} from "@modelcontextprotocol/server";
import { refusalTable, type RefusalCode, isRefusal } from "../../protocol/neutral/refusals.ts";
import { type Caller, isOperator } from "../../protocol/seam/caller.ts";
import { accessRefusal } from "../../protocol/seam/run/gates.ts";
import type { Contract, Outcome } from "../../protocol/seam/operation.ts";
import { type CallParts, callTool, runTool, type ToolCaller, type ToolParts } from "../calls/call.ts";
import { unlistedTools } from "../calls/unlisted.ts";
import { nearestOf } from "../calls/nearest.ts";
import { shortRows } from "../calls/fields.ts";
import { withoutNulls } from "../calls/shown.ts";
import { listedTools, toolSelection, toolsetsOf, toolView, unknownToolsets } from "../listing.ts";
import { asked, type Asking } from "./asking.ts";
import { type PromptKind, promptText } from "./prompts.ts";
import { type ResourceKind, resourceKinds, resourceOf } from "./resources.ts";
import { type McpSurface, type Members, protocolError, type Reference, type Request } from "./surface.ts";

export interface OperationsParts extends CallParts {
  readonly prompts: readonly PromptKind[];
  readonly asking: Asking;
}

const wholeDefault = toolSelection(null, false);

const callerIn = async ({ from }: Pick<Request, "from">): Promise<Caller> => {
  const caller = await from.admission.who();
  // The gates refused a bad credential before the message was read.
  if (isRefusal(caller)) throw protocolError(refusalTable[caller.code].rpc, caller.message);
  return caller;
};

const listTools = async (parts: OperationsParts, request: Request) => {
  const { selection = wholeDefault } = request.from;
  const caller = await callerIn(request);
  const unknown = unknownToolsets(parts.catalog, selection);
  if (unknown.length > 0) {
    const known = toolsetsOf(parts.catalog).join(", ");
    throw protocolError(
      ProtocolErrorCode.InvalidParams,
      `No tool set ${unknown.join(", ")}. Use all, default, or any of ${known}.`,
    );
  }
  return listedTools(parts.catalog, toolView(parts.lists, caller, selection));
};

const contractOf = ({ catalog }: ToolParts, name: string): Contract | undefined => catalog.byName.get(name);

const kindsFor = async (parts: OperationsParts, request: Request): Promise<readonly ResourceKind[]> => {
  const caller = await callerIn(request);
  return resourceKinds.filter(({ operation }) => {
    const contract = contractOf(parts, operation);
    return contract !== undefined && accessRefusal(contract, caller) === null;
  });
};

const described = ({ name, title, description }: ResourceKind) => ({
  name,
  title,
  description,
  mimeType: "application/json",
});

const outputOf = (uri: string, outcome: Outcome): unknown => {
  if (outcome.kind === "done") return outcome.output;
  if (outcome.kind === "bug") throw protocolError(ProtocolErrorCode.InternalError, "Internal error.", { uri });
  const { code, message } = outcome.refusal;
  const rpc = outcome.status === 404 ? ProtocolErrorCode.InvalidParams : refusalTable[code].rpc;
  throw protocolError(rpc, message, { uri, error: code satisfies RefusalCode });
};

const readOf = async (parts: OperationsParts, uri: string, from: ToolCaller): Promise<unknown> => {
  const named = resourceOf(uri);
  if (named === null || contractOf(parts, named.kind.operation) === undefined) return undefined;
  const { kind, id } = named;
  const input = kind.argument === undefined ? {} : { [kind.argument]: id };
  const output = outputOf(uri, await runTool(parts, kind.operation, input, from));
  return kind.argument === undefined ? shortRows(output, contractOf(parts, kind.operation)?.tool?.rows) : output;
};

const mostCompleted = 100;

const idsOf = async (parts: OperationsParts, kind: ResourceKind, value: string, from: ToolCaller) => {
  if (kind.list === undefined || contractOf(parts, kind.list.operation) === undefined) return [];
  const { operation, items, id } = kind.list;
  const outcome = await runTool(parts, operation, { limit: mostCompleted }, from);
  if (outcome.kind !== "done") return [];
  const found = (outcome.output as Members)[items];
  const ids = (Array.isArray(found) ? (found as Members[]) : []).map((item) => item[id]);
  return ids.filter((one): one is string => typeof one === "string" && one.startsWith(value));
};

const completed = async (
  parts: OperationsParts,
  { kind, name }: Reference,
  argument: string,
  value: string,
  from: ToolCaller,
): Promise<readonly string[] | null> => {
  if (kind === "resource") {
    const found = resourceKinds.find(({ uri }) => uri === name);
    return found?.argument === argument ? idsOf(parts, found, value, from) : null;
  }
  const prompt = parts.prompts.find((one) => one.name === name);
  if (prompt === undefined) return null;
  const resource = prompt.arguments.find((one) => one.name === argument)?.resource;
  const found = resourceKinds.find((one) => one.name === resource);
  return found === undefined ? [] : idsOf(parts, found, value, from);
};

const promptsFor = async (parts: OperationsParts, request: Request): Promise<readonly PromptKind[]> => {
  const isOf = isOperator(await callerIn(request));
  return parts.prompts.filter(({ operatorsOnly }) => !operatorsOnly || isOf);
};

const promptEntry = ({ name, title, description, arguments: args }: PromptKind): Prompt => ({
  name,
  title,
  description,
  arguments: args.map((one) => ({ name: one.name, description: one.description, required: one.required })),
});

const prompted = async (parts: OperationsParts, name: string, args: Members, request: Request) => {
  const caller = await callerIn(request);
  const prompt = (await promptsFor(parts, request)).find((one) => one.name === name);
  if (prompt === undefined) return null;
  const missing = prompt.arguments.filter((one) => one.required && (args[one.name] ?? "") === "");
  if (missing.length > 0) {
    const names = missing.map((one) => `${one.name} (${one.description})`).join(", ");
    throw protocolError(ProtocolErrorCode.InvalidParams, `The prompt ${name} needs ${names}`);
  }
  const { unlisted_tools: ways = [] } = unlistedTools(
    parts.catalog,
    toolView(parts.lists, caller, request.from.selection),
    { next: prompt.lines.join(" ") },
  );
  const unlisted = ways.length === 0 ? [] : [`Tools that your list may lack: ${ways.join("; ")}.`];
  const text = [promptText(prompt, args as Readonly<Record<string, string>>), ...unlisted].join("\n");
  return {
    description: prompt.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
};

/** Tools, resources and prompts over the operations of an agent. */
export const operationsSurface = (parts: OperationsParts): McpSurface => ({
  listTools: (request) => listTools(parts, request),
  callTool: async (name, args, request) => {
    const given = await asked(parts, name, args, request);
    return "refused" in given ? given.refused : ((await callTool(parts, name, given.args, request.from)) as never);
  },
  nearestTool: (name) => (typeof name === "string" ? nearestOf(name, parts.catalog.byName.keys()) : null),
  listResources: async (request) =>
    (await kindsFor(parts, request))
      .filter(({ argument }) => argument === undefined)
      .map((kind): Resource => ({ ...described(kind), uri: kind.uri })),
  listTemplates: async (request) =>
    (await kindsFor(parts, request))
      .filter(({ argument }) => argument !== undefined)
      .map((kind): ResourceTemplate => ({ ...described(kind), uriTemplate: kind.uri })),
  readResource: async (uri, { from }) => {
    const output = await readOf(parts, uri, from);
    if (output === undefined) return null;
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(withoutNulls(output)) }] };
  },
  listPrompts: async (request) => (await promptsFor(parts, request)).map(promptEntry),
  getPrompt: (name, args, request) => prompted(parts, name, args, request),
  complete: (of, argument, value, { from }) => completed(parts, of, argument, value, from),
  speaks: () => false,
});
