import type { Command } from "commander";
import { upgradeRows } from "../../storage/upgrade.ts";
import { buyerRowFormats } from "../buyer/row-formats.ts";
import { expectStore, openStore, postgresDriver, shownPlace, type StoreLocation } from "../host/store-location.ts";
import { sellerRowFormats } from "../seller/row-formats.ts";
import { serverSettings } from "../server/server-settings.ts";
import { agentNamed, type CommandContext } from "./context.ts";
import { opened } from "./host/opened.ts";

interface MigrateFlags {
  readonly agent: string;
  readonly data?: string;
}

const { databaseUrl, storeTimeoutSeconds } = serverSettings;
const formats = { seller: sellerRowFormats, buyer: buyerRowFormats };

/** Null for a folder: it has no schema. */
const versionOf = async (place: StoreLocation): Promise<number | null> =>
  place.driver === "postgres" ? (await postgresDriver()).postgresVersion(place) : null;

const migrate = async (context: CommandContext, flags: MigrateFlags): Promise<void> => {
  const agent = agentNamed(flags.agent);
  const { log, place } = opened(context, agent, { databaseUrl, storeTimeoutSeconds }, flags, true);
  if (place.driver === "lowdb") await expectStore(place);
  const before = await versionOf(place);
  const store = await openStore(place, log);
  try {
    const { from, to, rows } = await upgradeRows(store, formats[agent], log);
    if (before !== null) context.print(`schema: version ${await versionOf(place)}, was ${before}`);
    context.print(`rows: format ${to}, was ${from}; ${rows} written anew`);
    context.print(`${shownPlace(place)} is as this version of Parley wants it`);
  } finally {
    await store.close();
  }
};

/** `parley migrate`: what a start does to an older store, by itself, as a user who may do it. */
export const addMigrateCommand = (program: Command, context: CommandContext): void => {
  program
    .command("migrate")
    .description("bring an agent's store to this version: schema of a database, format of the rows")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--data <dir>", "data folder of the agent; else DATABASE_URL")
    .action((flags: MigrateFlags) => migrate(context, flags));
};
