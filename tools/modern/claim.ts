import { classifyInboundRequest } from "@modelcontextprotocol/server";
import type { DoorRequest } from "../../protocol/door/door.ts";

type Head = Pick<DoorRequest, "method" | "headers">;

/** A line over stdio is a POST without headers. */
const noHead: Head = { method: "POST", headers: {} };

/** Revision 2026-07-28 is claimed in each message; a claim that is refused is that revision's to refuse. */
export const isModernMessage = (body: unknown, { method, headers }: Head = noHead): boolean => {
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
