import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import type { BodyLimits } from "../../protocol/neutral/json-input.ts";
import { type Caller, hostCaller, type Role } from "../../protocol/seam/caller.ts";
import type { Runner } from "../../protocol/seam/run.ts";
import { toolSelection } from "../../tools/listing.ts";
import { buyerPrompts, sellerPrompts } from "../../tools/surface/workflows.ts";
import { serveStdio } from "../../tools/stdio.ts";
import type { AgentHost } from "../host/host.ts";
import { serverSettings } from "../server/server-settings.ts";
import { readSettings } from "../settings.ts";
import { buyerInstructions, buyerTools } from "../buyer/tool-lists.ts";
import { sellerInstructions, sellerTools } from "../seller/tool-lists.ts";
import { version } from "../version.ts";
import { answerFor, hostCall } from "./host/answers.ts";
import { type AgentFlags, onHost, ownCatalogMeaning } from "./agents.ts";
import type { CommandContext } from "./context.ts";

/** The caller is the host's operator or the holder of PARLEY_KEY. */
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

interface McpFlags extends AgentFlags {
  readonly toolset?: string;
  readonly readOnly?: boolean;
}

const callerBehind = async (host: AgentHost, key: string | null): Promise<Caller> => {
  if (key === null || !host.contracts.some(({ name }) => name === "get_caller")) return hostCaller;
  const { role } = (await answerFor(host, hostCall("get_caller", {}, { key }))) as { readonly role: Role };
  return { ...hostCaller, kind: "key", roles: [role] };
};

/** As on the agent's HTTP doors. */
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
    .option("--toolset <names>", "tool sets to list, separated by commas, or all")
    .option("--read-only", "serve the tools that change nothing, and no other")
    .action((flags: McpFlags) =>
      onHost(context, flags, { sells: true, writes: true }, async (host) => {
        const key = context.environment["PARLEY_KEY"] ?? null;
        await serveStdio({
          runner: runnerOver(host, key),
          caller: await callerBehind(host, key),
          prompts: flags.agent === "seller" ? sellerPrompts : buyerPrompts,
          lists: flags.agent === "seller" ? sellerTools : buyerTools,
          selection: toolSelection(flags.toolset ?? null, flags.readOnly === true),
          info: { name: `parley-${flags.agent}`, title: `Parley ${flags.agent}`, version },
          instructions: flags.agent === "seller" ? sellerInstructions : buyerInstructions,
          limits: limitsOf(context),
          input: process.stdin,
          output: process.stdout,
        });
      }),
    );
};
