import type { Catalog } from "../../skills/seller/ports.ts";
import { createBuyer } from "../buyer/app.ts";
import { buyerSettingsOf, buyerSettingTable } from "../buyer/config.ts";
import { buyerOperations } from "../buyer/operations.ts";
import type { AgentHost } from "../host.ts";
import { openHost } from "../hosts.ts";
import { systemClock } from "../launch.ts";
import type { AgentName } from "../place.ts";
import { createSeller } from "../seller/app.ts";
import { loadCatalog } from "../seller/catalog/load.ts";
import { sellerSettingsOf, sellerSettingTable } from "../seller/config.ts";
import { sellerOperations } from "../seller/operations.ts";
import { agentNamed, type CommandContext } from "./context.ts";
import { opened } from "./opened.ts";

/** The currency of catalog rows that name none (wire contract 5.1). */
const defaultCurrency = "USD";

/** The catalog of a file, or the default one. Bad rows stop the start, all of them named with their lines. */
export const catalogOf = (file: string | undefined): Promise<Catalog> => loadCatalog(file ?? null, defaultCurrency);

const sellerHost = async (context: CommandContext, data: string | undefined): Promise<AgentHost> => {
  const { config, log, place } = opened(context, "seller", sellerSettingTable, data);
  const catalog = await catalogOf(undefined);
  const settings = sellerSettingsOf(config, `http://127.0.0.1:${config.port}`);
  return openHost({
    place,
    log,
    contracts: sellerOperations.map((operation) => operation.contract),
    compose: (store) => createSeller({ store, settings, catalog, clock: systemClock, log }),
  });
};

const buyerHost = (context: CommandContext, data: string | undefined): Promise<AgentHost> => {
  const { config, log, place } = opened(context, "buyer", buyerSettingTable, data);
  return openHost({
    place,
    log,
    contracts: buyerOperations.map((operation) => operation.contract),
    compose: (store) => createBuyer({ store, settings: buyerSettingsOf(config), clock: systemClock, log }),
  });
};

/** Reaches the named agent for a command. */
const hostOf = (context: CommandContext, agent: AgentName, data: string | undefined): Promise<AgentHost> =>
  agent === "seller" ? sellerHost(context, data) : buyerHost(context, data);

/** Runs a piece of work with an agent's host and closes it whatever happens. */
export const withHost = async <T>(
  context: CommandContext,
  of: { readonly agent: AgentName; readonly data: string | undefined },
  work: (host: AgentHost) => Promise<T>,
): Promise<T> => {
  const host = await hostOf(context, of.agent, of.data);
  try {
    return await work(host);
  } finally {
    await host.close();
  }
};

/** The flags by which a command names an agent. */
export interface AgentFlags {
  readonly agent: string;
  readonly data?: string;
}

/** Runs a piece of work with the host of the agent that the flags name. */
export const onHost = async <T>(
  context: CommandContext,
  { agent: name, data }: AgentFlags,
  work: (host: AgentHost, agent: AgentName) => Promise<T>,
): Promise<T> => {
  const agent = agentNamed(name);
  return withHost(context, { agent, data }, (host) => work(host, agent));
};
