import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerNotification,
  ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { ToolCaller } from "../calls/call.ts";
import type { ToolEntry } from "../catalog.ts";

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** One request: who asks, and the way back to the client. */
export interface Request {
  readonly from: ToolCaller;
  readonly extra: Extra;
  readonly server: Server;
}

export interface Reference {
  /** A prompt's name, or a resource's URI template. */
  readonly name: string;
  readonly kind: "prompt" | "resource";
}

export type Members = Readonly<Record<string, unknown>>;

/** What a server offers. Null: it has no such thing, and the next surface is asked. */
export interface McpSurface {
  listTools(request: Request): Promise<readonly ToolEntry[]>;
  callTool(name: unknown, args: unknown, request: Request): Promise<CallToolResult | null>;
  listResources(request: Request): Promise<readonly Resource[]>;
  listTemplates(request: Request): Promise<readonly ResourceTemplate[]>;
  readResource(uri: string, request: Request): Promise<ReadResourceResult | null>;
  listPrompts(request: Request): Promise<readonly Prompt[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, request: Request): Promise<GetPromptResult | null>;
  complete(of: Reference, argument: string, value: string, request: Request): Promise<readonly string[] | null>;
  /** The call may send messages before its answer. */
  speaks(tool: unknown): boolean;
}

/** A JSON-RPC error of our own words. */
export const protocolError = (code: number, message: string, data?: unknown): Error =>
  Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
