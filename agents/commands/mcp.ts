import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { type Caller, hostCaller, type Role } from "../../protocol/seam/caller.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { toolSelection } from "../../tools/listing.ts";
import { buyerPrompts } from "../buyer/prompts.ts";
import { sellerPrompts } from "../seller/prompts.ts";
import { serveStdio } from "../../tools/stdio.ts";
import { connectEntries } from "./connect/entries.ts";
import type { AgentHost } from "../host/host.ts";
import type { AgentName } from "../host/store-location.ts";
import { serverSettings } from "../server/server-settings.ts";
import { buyerInstructions, buyerTools } from "../buyer/tool-lists.ts";
import { sellerInstructions, sellerTools } from "../seller/tool-lists.ts";
import { version } from "../version.ts";
import { answerFor, hostCall } from "./host/answers.ts";
import { onHost } from "./agents.ts";
import { type AgentFlags, ownCatalogMeaning } from "./host/flags.ts";
import { agentNamed, type CommandContext, UsageFailure } from "./context.ts";
import { effectiveSettings } from "./settings/sources.ts";

/** The caller is the host's operator or the holder of PARLEY_KEY. */
const runnerOver = (host: AgentHost, key: string | null): Pick<Runner, "run" | "contracts"> => ({
  contracts: host.contracts,
  run: async (call) => {
    const { input, dryRun } = await call.input();
    return host.run({
      operation: call.operation,
      input,
      requestId: randomUUID(),
      key,
      idempotencyKey: call.idempotencyKey ?? null,
      dryRun: dryRun === true,
    });
  },
});

interface ConfigFlags {
  readonly agent: string;
  readonly url?: string;
  readonly for?: string;
  readonly keyVariable: string;
}

const ports: Readonly<Record<AgentName, number>> = { seller: 8000, buyer: 8001 };

const printEntries = ({ print }: CommandContext, flags: ConfigFlags): void => {
  const agent = agentNamed(flags.agent);
  const url = flags.url ?? `http://127.0.0.1:${ports[agent]}/mcp`;
  if (!URL.canParse(url)) throw new UsageFailure(`--url: ${JSON.stringify(url)} is no address.`);
  const known = connectEntries.map(({ assistant }) => assistant);
  if (flags.for !== undefined && !known.includes(flags.for)) {
    throw new UsageFailure(`--for: ${JSON.stringify(flags.for)} is none of ${known.join(", ")}.`);
  }
  const wanted = connectEntries.filter(({ assistant }) => flags.for === undefined || flags.for === assistant);
  const connection = { name: `parley-${agent}`, agent, url, keyVariable: flags.keyVariable, version };
  for (const { assistant, where, text } of wanted) {
    if (flags.for === undefined) print(`# ${assistant}: ${where}`);
    print(text(connection));
    if (flags.for === undefined) print("");
  }
};

const addConfigCommand = (mcp: Command, context: CommandContext): void => {
  mcp
    .command("config")
    .description("print what an assistant's configuration needs to reach the agent")
    .option("--agent <name>", "seller or buyer", "seller")
    .option("--url <url>", "address of its /mcp; this machine's when left out")
    .option(
      "--for <assistant>",
      `one of ${connectEntries.map(({ assistant }) => assistant).join(", ")}; all when left out`,
    )
    .option("--key-variable <name>", "environment variable that holds the key", "PARLEY_KEY")
    .action((flags: ConfigFlags) => printEntries(context, flags));
};

interface McpFlags extends Omit<AgentFlags, "agent"> {
  readonly agent?: string;
  readonly toolset?: string;
  readonly readOnly?: boolean;
}

const callerBehind = async (host: AgentHost, key: string | null): Promise<Caller> => {
  if (key === null || !host.contracts.some(({ name }) => name === "get_caller")) return hostCaller;
  const { role } = (await answerFor(host, hostCall("get_caller", {}, { key }))) as { readonly role: Role };
  return { ...hostCaller, kind: "key", roles: [role] };
};

/** As on the agent's HTTP doors. */
const settingsOf = ({ environment }: CommandContext, agent: AgentName) => {
  const { bodyLimitBytes: bytes, bodyDepth: depth, mcpConfirmAbove: confirmAbove } = serverSettings;
  const { config } = effectiveSettings(agent, { bytes, depth, confirmAbove }, { environment }, true);
  return { limits: { bytes: config.bytes, depth: config.depth }, confirmAbove: config.confirmAbove };
};

/** `parley mcp`: MCP over stdio, for assistants that start their servers themselves. */
export const addMcpCommand = (program: Command, context: CommandContext): void => {
  const mcp = program
    .command("mcp")
    .description("serve MCP over stdio")
    .option("--agent <name>", "seller or buyer")
    .option("--data <dir>", "data folder of the agent")
    .option("--catalog <file>", ownCatalogMeaning)
    .option("--toolset <names>", "tool sets to list, separated by commas, or all")
    .option("--read-only", "serve the tools that change nothing, and no other")
    .enablePositionalOptions()
    .action((flags: McpFlags) => {
      const { agent } = flags;
      if (agent === undefined) throw new UsageFailure("--agent is missing: seller or buyer.");
      return onHost(context, { ...flags, agent }, { sells: true, writes: true }, async (host, name) => {
        const key = context.environment["PARLEY_KEY"] ?? null;
        await serveStdio({
          runner: runnerOver(host, key),
          caller: await callerBehind(host, key),
          prompts: agent === "seller" ? sellerPrompts : buyerPrompts,
          lists: agent === "seller" ? sellerTools : buyerTools,
          selection: toolSelection(flags.toolset ?? null, flags.readOnly === true),
          info: { name: `parley-${agent}`, title: `Parley ${agent}`, version },
          instructions: agent === "seller" ? sellerInstructions : buyerInstructions,
          ...settingsOf(context, name),
          input: process.stdin,
          output: process.stdout,
        });
      });
    });
  addConfigCommand(mcp, context);
};
