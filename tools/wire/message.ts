import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type RequestId,
  RequestIdSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { RpcError } from "../../protocol/jsonrpc/dispatcher.ts";

/** A failed read carries the JSON-RPC error and the id to return. */
export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly malformed: RpcError; readonly id: RequestId | null };

const batch = "Batches are not accepted here. Send one request.";
const otherForm =
  'Send one JSON-RPC 2.0 message: jsonrpc "2.0", method, params as an object, id as a text or an integer, no more.';

/** Null for an invalid id (JSON-RPC 2.0, section 5). */
const idOf = (value: unknown): RequestId | null => {
  const read = RequestIdSchema.safeParse(isMembers(value) ? value["id"] : undefined);
  return read.success ? read.data : null;
};

/** The SDK parses these itself and reports a bad one as a server bug. */
const parsedBySdk = new Map<string, z.ZodType>([
  ["initialize", InitializeRequestSchema],
  ["tools/list", ListToolsRequestSchema],
  ["resources/list", ListResourcesRequestSchema],
  ["resources/templates/list", ListResourceTemplatesRequestSchema],
  ["resources/read", ReadResourceRequestSchema],
  ["resources/subscribe", SubscribeRequestSchema],
  ["resources/unsubscribe", UnsubscribeRequestSchema],
  ["prompts/list", ListPromptsRequestSchema],
  ["prompts/get", GetPromptRequestSchema],
  ["completion/complete", CompleteRequestSchema],
  ["logging/setLevel", SetLevelRequestSchema],
]);

/** Revision 2026-07-28 does not have them: its own wire says so. */
const removed = ["initialize", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"];

/** JSON-RPC allows params by position, MCP does not. */
const hasPlacedParams = (value: unknown): boolean =>
  isMembers(value) &&
  Array.isArray(value["params"]) &&
  JSONRPCMessageSchema.safeParse({ ...value, params: {} }).success;

const wrongParams = (request: JSONRPCRequest, isModern: boolean): RpcError | null => {
  if (isModern && removed.includes(request.method)) return null;
  const issue = parsedBySdk.get(request.method)?.safeParse(request).error?.issues[0];
  if (issue === undefined) return null;
  return {
    code: -32602,
    message: `The params of ${request.method} have another form: look at ${issue.path.join(".")}.`,
  };
};

/**
 * MCP has no batches since 2025-06-18; the SDK still reads them, and one would take a single request from the limit.
 */
export const messageOf = (value: unknown, isModern = false): ReadMessage => {
  if (isJSONRPCRequest(value)) {
    const malformed = wrongParams(value, isModern);
    return malformed === null ? { message: value } : { malformed, id: value.id };
  }
  if (JSONRPCMessageSchema.safeParse(value).success) return { message: value as JSONRPCMessage };
  if (hasPlacedParams(value))
    return { malformed: { code: -32602, message: "params must be an object." }, id: idOf(value) };
  return { malformed: { code: -32600, message: Array.isArray(value) ? batch : otherForm }, id: idOf(value) };
};

/** Only requests have both a method and an id. */
export const isRequest = (message: JSONRPCMessage | undefined): message is JSONRPCRequest =>
  message !== undefined && "method" in message && "id" in message;
