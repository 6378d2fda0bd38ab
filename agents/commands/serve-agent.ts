import type { Command } from "commander";
import { buyerSettingTable } from "../buyer/config.ts";
import type { Launched } from "../server/launch.ts";
import { sellerSettingTable } from "../seller/config.ts";
import { type AgentLog, toggleDebug } from "../log.ts";
import { describeSettings } from "../../protocol/neutral/settings.ts";
import { catalogMeaning, catalogOf } from "./host/flags.ts";
import { type CommandContext, configMeaning, namedBy, portOf, withSettings } from "./context.ts";
import { opened } from "./host/opened.ts";

interface ServeFlags {
  readonly port?: string;
  readonly data?: string;
  readonly host?: string;
  readonly config?: string;
  readonly catalog?: string;
}

interface Served {
  readonly drainSeconds: number;
  readonly log: AgentLog;
}

const announce = (context: CommandContext, launched: Launched, { drainSeconds, log }: Served): void => {
  context.onUsr2(() => toggleDebug(log));
  context.onStop(() => launched.close(drainSeconds * 1000));
  context.print(`listening on ${launched.url}`);
};

const serveSeller = async (context: CommandContext, flags: ServeFlags): Promise<void> => {
  const { config, log, place } = opened(context, "seller", sellerSettingTable, flags);
  const catalog = await catalogOf(flags.catalog, config);
  const port = portOf(flags.port, config.port);
  const host = namedBy("--host", flags.host) ?? config.host;
  const { launchNamedSeller } = await import("../seller/launch.ts");
  announce(context, await launchNamedSeller({ config, host, port, place, log, ...catalog }), { ...config, log });
};

const serveBuyer = async (context: CommandContext, flags: ServeFlags): Promise<void> => {
  const { config, log, place } = opened(context, "buyer", buyerSettingTable, flags);
  const port = portOf(flags.port, config.port);
  const host = namedBy("--host", flags.host) ?? config.host;
  const { launchBuyer } = await import("../buyer/launch.ts");
  announce(context, await launchBuyer({ config, host, port, place, log }), { ...config, log });
};

/** `parley seller` and `parley buyer`: one agent, with a ready line on stdout once it answers. */
export const addServeCommands = (program: Command, context: CommandContext): void => {
  const seller = program
    .command("seller")
    .description("serve the seller agent")
    .option("--port <port>", "port to listen on; 0 takes any free one")
    .option("--host <host>", "address to listen on")
    .option("--data <dir>", "data folder of the embedded store")
    .option("--config <file>", configMeaning)
    .option("--catalog <file>", catalogMeaning)
    .action((flags: ServeFlags) => serveSeller(context, flags));
  withSettings(seller, describeSettings(sellerSettingTable));
  const buyer = program
    .command("buyer")
    .description("serve the buyer agent")
    .option("--port <port>", "port to listen on; 0 takes any free one")
    .option("--host <host>", "address to listen on")
    .option("--data <dir>", "data folder of the embedded store")
    .option("--config <file>", configMeaning)
    .action((flags: ServeFlags) => serveBuyer(context, flags));
  withSettings(buyer, describeSettings(buyerSettingTable));
};
