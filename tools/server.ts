import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import { ErrorCode, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { isRefusal, refusalTable } from "../protocol/neutral/refusals.ts";
import type { Runner } from "../protocol/seam/run.ts";
import { callTool, type ToolCaller } from "./calls/call.ts";
import type { ToolCatalog } from "./catalog.ts";
import { listedTools, type ToolLists, toolSelection, toolsetsOf, unknownToolsets } from "./listing.ts";

export interface McpParts {
  readonly runner: Pick<Runner, "run" | "contracts">;
  readonly catalog: ToolCatalog;
  readonly lists: ToolLists | null;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly callerOf: (extra: { readonly authInfo?: AuthInfo }) => ToolCaller;
}

/** The server never elicits, so no schema is compiled for that. */
const noElicitation: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "elicitation is not used" }),
};

/** Without tasks, a server ignores their metadata (MCP 2025-11-25, Tasks); the SDK reports it as a server bug. */
class TasklessServer extends Server {
  protected override assertTaskHandlerCapability(): void {
    return undefined;
  }
}

const wholeDefault = toolSelection(null, false);

const protocolError = (code: number, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Arguments reach `run` unparsed, so that every door refuses them in the same body; only an unknown tool is a protocol
 * error.
 */
export const createMcpServer = (parts: McpParts): Server => {
  const server = new TasklessServer(parts.info, {
    capabilities: { tools: {} },
    instructions: parts.instructions,
    jsonSchemaValidator: noElicitation,
  });
  server.setRequestHandler(ListToolsRequestSchema, async (_request, extra) => {
    const { admission, selection = wholeDefault } = parts.callerOf(extra);
    const caller = await admission.who();
    // The gates refused a bad credential before the message was read.
    if (isRefusal(caller)) throw protocolError(refusalTable[caller.code].rpc, caller.message);
    const unknown = unknownToolsets(parts.catalog, selection);
    if (unknown.length > 0) {
      const known = toolsetsOf(parts.catalog).join(", ");
      throw protocolError(ErrorCode.InvalidParams, `No tool set ${unknown.join(", ")}. Use all, or any of ${known}.`);
    }
    return { tools: listedTools(parts.catalog, parts.lists, caller, selection).map((entry) => ({ ...entry })) };
  });
  // The SDK's own handler parses call and answer again, and words a bad call differently.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== "tools/call") throw protocolError(ErrorCode.MethodNotFound, "Method not found");
    const answer = await callTool(parts, params?.["name"], params?.["arguments"], parts.callerOf(extra));
    if (answer === null) throw protocolError(ErrorCode.InvalidParams, "Unknown tool. Call tools/list for the names.");
    return answer;
  };
  return server;
};
