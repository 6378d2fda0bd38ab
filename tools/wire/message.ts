import {
  classifyInboundRequest,
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import type { DoorRequest } from "../../protocol/door/door.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members } from "../../protocol/neutral/members.ts";
import type { RpcError } from "../../protocol/jsonrpc/message.ts";

/** A failed read carries the JSON-RPC error and the id to return. */
export type ReadMessage =
  | { readonly message: JSONRPCMessage; readonly isModern: boolean }
  | { readonly malformed: RpcError; readonly id: RequestId | null };

type Head = Pick<DoorRequest, "method" | "headers">;

/** A line over stdio is a POST without headers. */
const noHead: Head = { method: "POST", headers: {} };

/** Revision 2026-07-28 is claimed in each message; a claim that is refused is that revision's to refuse. */
const isModernMessage = (body: unknown, { method, headers }: Head): boolean => {
  const named = (header: string, name: string) => {
    const value = headers[header];
    return value === undefined ? {} : { [name]: value };
  };
  const inbound = {
    httpMethod: method,
    ...named("mcp-protocol-version", "protocolVersionHeader"),
    ...named("mcp-method", "mcpMethodHeader"),
    ...named("mcp-name", "mcpNameHeader"),
    body,
  };
  return classifyInboundRequest(inbound).kind !== "legacy";
};

const batch = "Batches are not accepted here. Send one request.";
const otherForm =
  'Send one JSON-RPC 2.0 message: jsonrpc "2.0", method, params as an object, id as a text or an integer, no more.';

/** Null for an invalid id (JSON-RPC 2.0, section 5). */
const idOf = (value: unknown): RequestId | null => {
  const id = isMembers(value) ? value["id"] : undefined;
  return isSpecType.RequestId(id) ? id : null;
};

/** The SDK parses these itself and reports a bad one as a server bug. */
const parsedBySdk = new Map<string, keyof typeof specTypeSchemas>([
  ["initialize", "InitializeRequest"],
  ["tools/list", "ListToolsRequest"],
  ["resources/list", "ListResourcesRequest"],
  ["resources/templates/list", "ListResourceTemplatesRequest"],
  ["resources/read", "ReadResourceRequest"],
  ["resources/subscribe", "SubscribeRequest"],
  ["resources/unsubscribe", "UnsubscribeRequest"],
  ["prompts/list", "ListPromptsRequest"],
  ["prompts/get", "GetPromptRequest"],
  ["completion/complete", "CompleteRequest"],
  ["logging/setLevel", "SetLevelRequest"],
]);

/** Revision 2026-07-28 does not have them: its own wire says so. */
const removed = ["initialize", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"];

/** JSON-RPC allows params by position, MCP does not. */
const hasPlacedParams = (value: unknown): boolean =>
  isMembers(value) && Array.isArray(value["params"]) && isSpecType.JSONRPCMessage({ ...value, params: {} });

const placeOf = (step: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof step === "object" ? step.key : step);

const wrongParams = (request: JSONRPCRequest, isModern: boolean): RpcError | null => {
  const name = isModern && removed.includes(request.method) ? undefined : parsedBySdk.get(request.method);
  if (name === undefined) return null;
  const read = specTypeSchemas[name]["~standard"].validate(request);
  const issue = "issues" in read ? read.issues?.[0] : undefined;
  if (issue === undefined) return null;
  const place = (issue.path ?? []).map(placeOf).join(".");
  return { code: -32602, message: `The params of ${request.method} have another form: look at ${place}.` };
};

/**
 * MCP has no batches since 2025-06-18; the SDK still reads them, and one would take a single request from the limit.
 */
export const messageOf = (value: unknown, head = noHead): ReadMessage => {
  const isModern = isModernMessage(value, head);
  if (isJSONRPCRequest(value)) {
    const malformed = wrongParams(value, isModern);
    return malformed === null ? { message: value, isModern } : { malformed, id: value.id };
  }
  if (isSpecType.JSONRPCMessage(value)) return { message: value, isModern };
  if (hasPlacedParams(value))
    return { malformed: { code: -32602, message: "params must be an object." }, id: idOf(value) };
  return { malformed: { code: -32600, message: Array.isArray(value) ? batch : otherForm }, id: idOf(value) };
};

/** Only requests have both a method and an id. */
export const isRequest = (message: JSONRPCMessage | undefined): message is JSONRPCRequest =>
  message !== undefined && "method" in message && "id" in message;

/** The name of the one argument under which a call travels as it was sent. */
const sentCall = "sent";

/**
 * The SDK parses a call before its handler sees it, and words a bad one differently from every other door. The one it
 * parses is well-formed, and carries the one that was sent.
 */
export const carried = <M extends JSONRPCMessage | undefined>(message: M): M => {
  if (!isRequest(message) || message.method !== "tools/call") return message;
  const { name, arguments: args, task: _task, ...rest } = message.params ?? {};
  const params = { ...rest, name: typeof name === "string" ? name : "", arguments: { [sentCall]: { name, args } } };
  return { ...message, params };
};

export const carriedIn = (args: Members | undefined): { readonly name: unknown; readonly args: unknown } =>
  args?.[sentCall] as { readonly name: unknown; readonly args: unknown };
