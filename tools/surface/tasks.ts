import { ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Adcp } from "../../protocol/adcp/door.ts";
import type { Task } from "../../protocol/adcp/task.ts";
import { jsonSchemaOf } from "../../protocol/seam/json-schema.ts";
import type { ToolEntry } from "../catalog.ts";
import { type McpSurface, protocolError } from "./surface.ts";

const schemaOf = (task: Task): ToolEntry["inputSchema"] => {
  const { $schema: _dialect, ...json } = jsonSchemaOf(task.request as z.ZodType, "input");
  return { ...json, type: "object" };
};

const entryOf = (task: Task): ToolEntry => ({
  name: task.name,
  title: task.title,
  description: task.summary,
  inputSchema: schemaOf(task),
  annotations: {
    title: task.title,
    readOnlyHint: !task.writes,
    destructiveHint: task.writes,
    idempotentHint: true,
    openWorldHint: false,
  },
});

const none = async (): Promise<readonly never[]> => [];

/** The tasks of AdCP as tools. A refusal carries its structure too: clients read the code there. */
export const tasksSurface = (adcp: Adcp): McpSurface => {
  const entries = adcp.tasks.map(entryOf);
  return {
    listTools: async () => entries,
    callTool: async (name, args, { from }) => {
      if (adcp.find(name) === null) return null;
      const { body, isFailed } = await adcp.answer({ name: String(name), args, door: "mcp", from });
      return {
        content: [{ type: "text", text: JSON.stringify(body) }],
        structuredContent: { ...body },
        ...(isFailed ? { isError: true } : {}),
      };
    },
    nearestTool: () => null,
    listResources: none,
    listTemplates: none,
    readResource: async () => null,
    listPrompts: none,
    getPrompt: async () => null,
    complete: async () => {
      throw protocolError(ProtocolErrorCode.InvalidParams, "There is nothing to complete here.");
    },
    speaks: () => false,
  };
};
