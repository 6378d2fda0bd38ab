import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { BodyLimits } from "../protocol/json-input.ts";
import type { Runner } from "../protocol/run.ts";
import { toolCatalog } from "./catalog.ts";
import { createMcpServer } from "./server.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface McpStdioOptions {
  readonly runner: Pick<Runner, "run" | "contracts">;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  /** Bounds of one message, which is a line. */
  readonly limits: BodyLimits;
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves MCP over stdio until the input ends, or nobody reads the output any more. The output stream carries protocol
 * messages and nothing else. The one who started the process is trusted as the host; a runner may put a key's holder in
 * its place (decision 67).
 */
export const serveStdio = async (options: McpStdioOptions): Promise<void> => {
  const server = createMcpServer({
    runner: options.runner,
    catalog: toolCatalog(options.runner.contracts),
    info: options.info,
    instructions: options.instructions,
    callerOf: () => ({ caller: { kind: "host" }, requestId: randomUUID() }),
  });
  const ended = new Promise<void>((resolve) => {
    options.input.once("end", resolve);
    options.input.once("close", resolve);
    options.output.once("error", () => resolve());
  });
  const transport = new StdioTransport(options.input, options.output, options.limits);
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await ended;
  await server.close();
};
