import type { Contract } from "../../protocol/seam/operation.ts";
import type { AgentHost } from "../host/host.ts";
import type { AgentName } from "../host/store-location.ts";
import { agentNamed, type CommandContext } from "./context.ts";
import type { AgentFlags, OpenAgent, Use } from "./host/flags.ts";

/** Loaded once it is named: wrong usage is said in a fraction of the time. */
const agentOf = (agent: AgentName): Promise<{ readonly contracts: readonly Contract[]; readonly open: OpenAgent }> =>
  agent === "seller" ? import("./host/seller-host.ts") : import("./host/buyer-host.ts");

export const contractsOf = async (agent: AgentName): Promise<readonly Contract[]> => (await agentOf(agent)).contracts;

export const onHost = async <T>(
  context: CommandContext,
  { agent: name, ...flags }: AgentFlags,
  use: Use,
  work: (host: AgentHost, agent: AgentName) => Promise<T>,
): Promise<T> => {
  const agent = agentNamed(name);
  const host = await (await agentOf(agent)).open(context, flags, use);
  try {
    return await work(host, agent);
  } finally {
    await host.close();
  }
};
