import { resolve } from "node:path";
import type { Command } from "commander";
import { copyBetween } from "../host/store-tools.ts";
import type { AgentName, StoreLocation } from "../host/store-location.ts";
import { createLog } from "../log.ts";
import { agentNamed, type CommandContext, UsageFailure } from "./context.ts";

const placeNamed = (flag: string, text: string): ((agent: AgentName) => StoreLocation) => {
  if (/^lowdb:./.test(text)) return () => ({ driver: "lowdb", dir: resolve(text.slice("lowdb:".length)) });
  if (/^postgres(ql)?:\/\//.test(text)) {
    return (agent) => ({ driver: "postgres", url: text, schema: `parley_${agent}` });
  }
  throw new UsageFailure(`${flag}: use lowdb:DIR for a data folder, or postgres://user@host:port/database.`);
};

interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly agent?: string;
}

const copy = async (context: CommandContext, flags: CopyFlags): Promise<void> => {
  const agent = flags.agent === undefined ? null : agentNamed(flags.agent);
  const [from, to] = [placeNamed("--from", flags.from), placeNamed("--to", flags.to)];
  if (flags.from.startsWith("postgres") && agent === null) {
    throw new UsageFailure("--agent: a database may hold both agents. Name the one to copy: seller or buyer.");
  }
  const log = createLog(agent ?? "store", "warn");
  const progress = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  const copied = await copyBetween({ from: from(agent ?? "seller"), to, agent, log, progress });
  const { rows, ledgers, sums, digest, records, chains, resumed } = copied;
  context.print(`${resumed ? "went on and copied" : "copied"} ${rows} rows, ${ledgers} ledgers and ${sums} sums`);
  for (const [kind, count] of Object.entries(copied.kinds)) context.print(`  ${kind.padEnd(24)} ${count}`);
  context.print(`equal row by row, digest ${digest}`);
  context.print(`audit trail whole: ${records} records in ${chains.length} chain(s)`);
  for (const { chain, seq, hash } of chains) context.print(`${chain} ends with record ${seq}, hash ${hash}`);
};

/** `parley store`: move, keep and check what an agent has stored. */
export const addStoreCommand = (program: Command, context: CommandContext): void => {
  const store = program.command("store").description("move, keep and check what an agent has stored");
  store
    .command("copy")
    .description("copy a stopped agent's store to another place, compare it row by row and prove its audit trail")
    .requiredOption("--from <place>", "lowdb:DIR or postgres://…; the password may stand in PGPASSWORD")
    .requiredOption("--to <place>", "an empty place of either form; repeated after an interruption, the copy goes on")
    .option("--agent <name>", "seller or buyer; a folder tells it by itself")
    .action((flags: CopyFlags) => copy(context, flags));
};
