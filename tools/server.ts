import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { Call, Outcome } from "../protocol/operation.ts";
import type { Runner } from "../protocol/run.ts";
import { toolAnswer, toolCall } from "./call.ts";
import type { ToolCatalog } from "./catalog.ts";

/** Who stands behind one MCP request, and a look at its outcome for the transport's own headers. */
export interface ToolCaller extends Pick<Call, "caller" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch"> {
  readonly seen?: (outcome: Outcome) => void;
}

export interface McpParts {
  readonly runner: Pick<Runner, "run" | "contracts">;
  readonly catalog: ToolCatalog;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  /** Finds the caller of a request in what the transport attached to it. */
  readonly callerOf: (extra: unknown) => ToolCaller;
}

/** The server only answers; it never asks a client to fill a form, so no schema is ever compiled for that. */
const noElicitation: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "elicitation is not used" }),
};

/**
 * An MCP server over the operation list. Arguments reach `run` unread, so that a bad argument is refused with the same
 * body as through every other door; only an unknown tool is a protocol error.
 */
export const createMcpServer = (parts: McpParts): Server => {
  const server = new Server(parts.info, {
    capabilities: { tools: {} },
    instructions: parts.instructions,
    jsonSchemaValidator: noElicitation,
  });
  const listed = { tools: parts.catalog.entries.map((entry) => ({ ...entry })) };
  server.setRequestHandler(ListToolsRequestSchema, () => listed);
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const contract = parts.catalog.byName.get(request.params.name);
    if (contract === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `Unknown tool. Call tools/list for the names.`);
    }
    const caller = parts.callerOf(extra);
    const outcome = await parts.runner.run(toolCall(contract, request.params.arguments, caller));
    caller.seen?.(outcome);
    return toolAnswer(outcome);
  });
  return server;
};
