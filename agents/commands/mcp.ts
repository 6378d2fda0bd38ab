import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import type { BodyLimits } from "../../protocol/neutral/json-input.ts";
import type { Runner } from "../../protocol/seam/run.ts";
import { serveStdio } from "../../tools/stdio.ts";
import type { AgentHost } from "../host/host.ts";
import { serverSettings } from "../server/server-settings.ts";
import { readSettings } from "../settings.ts";
import { version } from "../version.ts";
import { type AgentFlags, onHost, ownCatalogMeaning } from "./agents.ts";
import type { CommandContext } from "./context.ts";

/** The host as the runner of the stdio door; the caller is the host's operator or the holder of PARLEY_KEY. */
const runnerOver = (host: AgentHost, key: string | null): Pick<Runner, "run" | "contracts"> => ({
  contracts: host.contracts,
  run: async (call) =>
    host.run({
      operation: call.operation,
      input: await call.input(),
      requestId: randomUUID(),
      key,
      idempotencyKey: call.idempotencyKey ?? null,
      dryRun: call.dryRun === true,
    }),
});

/** The limits that the agent's HTTP doors have for a body. */
const limitsOf = (context: CommandContext): BodyLimits => {
  const { bodyLimitBytes, bodyDepth } = serverSettings;
  const { bytes, depth } = readSettings({ bytes: bodyLimitBytes, depth: bodyDepth }, context.environment);
  return { bytes, depth };
};

/** `parley mcp`: MCP over stdio, for assistants that start their servers themselves. */
export const addMcpCommand = (program: Command, context: CommandContext): void => {
  program
    .command("mcp")
    .description("serve MCP over stdio")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--data <dir>", "data folder of the agent")
    .option("--catalog <file>", ownCatalogMeaning)
    .action((flags: AgentFlags) =>
      onHost(context, flags, { sells: true, writes: true }, (host) =>
        serveStdio({
          runner: runnerOver(host, context.environment["PARLEY_KEY"] ?? null),
          info: { name: `parley-${flags.agent}`, title: `Parley ${flags.agent}`, version },
          instructions: "Tools of one agent. Prices are per thousand impressions.",
          limits: limitsOf(context),
          input: process.stdin,
          output: process.stdout,
        }),
      ),
    );
};
