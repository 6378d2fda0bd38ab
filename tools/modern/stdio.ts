import { randomBytes } from "node:crypto";
import type { Server, Transport } from "@modelcontextprotocol/server";
import { serveStdio, type StdioServerHandle } from "@modelcontextprotocol/server/stdio";
import { createMcpServer, type McpParts } from "../server.ts";
import type { StdioTransport } from "../wire/stdio-transport.ts";
import { createModernServer, type ModernParts, requestStates } from "./server.ts";

/** One process asks and takes the answers, for one caller. */
const states = requestStates(randomBytes(32), () => "stdio");

type Parts = McpParts & Omit<ModernParts, "states" | "subscribes">;

/**
 * The first message that is no `server/discover` selects the revision of the connection: who asked with that may still
 * initialize an older one. The server of those is of the SDK's first line, and connects to any transport.
 */
export const serveRevisions = (parts: Parts, transport: StdioTransport): StdioServerHandle =>
  serveStdio(
    ({ era }) =>
      era === "modern"
        ? createModernServer({ ...parts, states, subscribes: false })
        : (createMcpServer(parts) as unknown as Server),
    { transport: transport as unknown as Transport },
  );
