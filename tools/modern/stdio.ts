import { randomBytes } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio, type StdioServerHandle } from "@modelcontextprotocol/server/stdio";
import type { StdioTransport } from "../wire/stdio-transport.ts";
import { createModernServer, type ModernParts, requestStates } from "./server.ts";

/** One process asks and takes the answers, for one caller. */
const states = requestStates(randomBytes(32), () => "stdio");

/** For a connection whose first message is of revision 2026-07-28. */
export const serveModernStdio = (
  parts: Omit<ModernParts, "states" | "subscribes">,
  transport: StdioTransport,
): StdioServerHandle =>
  serveStdio(() => createModernServer({ ...parts, states, subscribes: false }), {
    transport: transport as unknown as Transport,
    legacy: "reject",
  });
