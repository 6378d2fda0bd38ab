import type { Command } from "commander";
import type { AgentHost } from "../host/host.ts";
import type { AgentName } from "../host/store-location.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { onHost } from "./agents.ts";
import type { AgentFlags } from "./host/flags.ts";
import { type CommandContext, namedBy, portOf } from "./context.ts";
import { keysOf } from "./host/keys.ts";

export const isLoopback = (url: string): boolean => ["127.0.0.1", "[::1]", "localhost"].includes(new URL(url).hostname);

/** A senior's key before an operator's; null: the agent has neither. */
const keyFor = async (host: AgentHost, agent: AgentName): Promise<string | null> => {
  let operator: string | null = null;
  for await (const key of keysOf(host, agent)) {
    if (!key.is_active) continue;
    if (key.role === "senior") return key.key_id;
    if (key.role === "operator") operator ??= key.key_id;
  }
  return operator;
};

/** The code is in the fragment, which a browser never sends. */
export const consoleLink = async (host: AgentHost, agent: AgentName, url: string): Promise<string | null> => {
  const keyId = await keyFor(host, agent);
  return keyId === null ? null : `${url}/console/#code=${await host.consoleCode(keyId)}`;
};

interface ConsoleFlags extends AgentFlags {
  readonly port?: string;
}

const defaultPorts = { seller: 8000, buyer: 8001 } as const;

/** A server that listens on every address answers on this machine's own. */
const reachable = (url: string): string => url.replace(/^http:\/\/(0\.0\.0\.0|\[::\]):/, "http://127.0.0.1:");

const printLink = (context: CommandContext, flags: ConsoleFlags): Promise<void> =>
  // It reads: a mistyped folder must not become a store.
  onHost(context, flags, { sells: false, writes: false }, async (host, agent) => {
    const port = portOf(namedBy("--port", flags.port), defaultPorts[agent]);
    const served = flags.port === undefined ? await host.address() : null;
    const link = await consoleLink(host, agent, served === null ? `http://127.0.0.1:${port}` : reachable(served));
    if (link === null) {
      throw new StartFailure(`The ${agent} has no operator's key. Make one first: parley key create --agent ${agent}.`);
    }
    context.print(link);
  });

/** `parley console`: a link that signs in to the console once, within ten minutes. */
export const addConsoleCommand = (program: Command, context: CommandContext): void => {
  program
    .command("console")
    .description("print a link that signs in to the console once, within ten minutes")
    .option("--agent <agent>", "seller or buyer", "seller")
    .option("--data <dir>", "data folder of the agent, or the one that parley all was given")
    .option(
      "--port <port>",
      "port that the agent listens on (default: where it is served, else 8000, the buyer's 8001)",
    )
    .action((flags: ConsoleFlags) => printLink(context, flags));
};
