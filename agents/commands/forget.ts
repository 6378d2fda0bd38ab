import type { Command } from "commander";
import { buyerForgetRules } from "../buyer/forgetting.ts";
import { forgetBuyer, type Forgotten } from "../host/forgetting.ts";
import { expectStore } from "../host/store-location.ts";
import { openMovable } from "../host/store-tools.ts";
import { printable, textTable } from "../host/text-table.ts";
import { sellerForgetRules } from "../seller/forgetting/rules.ts";
import { serverSettings } from "../server/server-settings.ts";
import { agentNamed, type CommandContext, ExitWith, namedBy } from "./context.ts";
import { opened } from "./host/opened.ts";

interface ForgetFlags {
  readonly buyer: string;
  readonly agent: string;
  readonly data?: string;
  readonly yes?: boolean;
}

const { databaseUrl, storeTimeoutSeconds } = serverSettings;
const rulesOf = { seller: sellerForgetRules, buyer: buyerForgetRules };
const mostStanding = 10;

const printCounts = ({ print }: CommandContext, { kinds, records }: Forgotten): void => {
  const rows = kinds.map(({ kind, removed, replaced }) => [kind, String(removed), String(replaced)]);
  const table = [["Rows", "Removed", "Kept without words"], ...rows];
  for (const line of textTable(table, (place) => place > 0).lines) print(line);
  print(`records of the audit trail that lose words: ${records}`);
};

const printStanding = ({ print }: CommandContext, standing: readonly string[]): void => {
  for (const sentence of standing.slice(0, mostStanding)) print(sentence);
  if (standing.length > mostStanding) print(`and ${standing.length - mostStanding} more`);
};

const forget = async (context: CommandContext, flags: ForgetFlags): Promise<void> => {
  const agent = agentNamed(flags.agent);
  const buyer = namedBy("--buyer", flags.buyer) ?? flags.buyer;
  const isMeant = flags.yes === true;
  const { place, log } = opened(context, agent, { databaseUrl, storeTimeoutSeconds }, flags, true);
  await expectStore(place);
  const movable = await openMovable(place, log);
  let forgotten: Forgotten;
  try {
    forgotten = await forgetBuyer({ movable, rules: rulesOf[agent], buyer, isMeant, nowMs: Date.now() });
  } finally {
    await movable.store.close();
  }
  const { shown, pseudonym, kinds, records, standing } = forgotten;
  const name = printable(shown);
  if (kinds.length === 0 && records === 0) return context.print(`nothing is stored about ${name}`);
  printCounts(context, forgotten);
  if (standing.length > 0) {
    printStanding(context, standing);
    context.print(`${name} cannot be forgotten before that is over. Nothing was changed`);
    throw new ExitWith(1);
  }
  context.print(
    isMeant
      ? `${name} is forgotten; what stays names it ${pseudonym}. Backups made before still hold it: remove them`
      : "nothing was changed: repeat the command with --yes",
  );
};

/** `parley data`: what a person or company may ask for about what is stored of it. */
export const addDataCommand = (program: Command, context: CommandContext): void => {
  const group = program.command("data").description("what a buyer may ask for about what is stored of it");
  group
    .command("forget")
    .description("remove a buyer's rows from a stopped agent's store, and names and words from what law asks to keep")
    .requiredOption("--buyer <id>", "key:ID, seat:ID, agency:ID, advertiser:ID, agent:URL; without a role what it is")
    .option("--agent <name>", "seller or buyer", "seller")
    .option("--data <dir>", "data folder of the agent; else DATABASE_URL")
    .option("--yes", "do it; without, only count")
    .action((flags: ForgetFlags) => forget(context, flags));
};
