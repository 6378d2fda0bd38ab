import { resolve } from "node:path";
import type { Command } from "commander";
import type { Inventory } from "../../storage/transfer/compare.ts";
import { backUp, checkPlace, copyBetween, leftBehind, restore } from "../host/store-tools.ts";
import type { AgentName, StoreLocation } from "../host/store-location.ts";
import { createLog } from "../log.ts";
import { serverSettings } from "../server/server-settings.ts";
import { agentNamed, type CommandContext, ExitWith, namedBy, UsageFailure } from "./context.ts";
import { opened } from "./host/opened.ts";

const placeNamed = (flag: string, text: string): ((agent: AgentName) => StoreLocation) => {
  if (/^lowdb:./.test(text)) return () => ({ driver: "lowdb", dir: resolve(text.slice("lowdb:".length)) });
  if (/^postgres(ql)?:\/\//.test(text)) {
    return (agent) => ({ driver: "postgres", url: text, schema: `parley_${agent}` });
  }
  throw new UsageFailure(`${flag}: use lowdb:DIR for a data folder, or postgres://user@host:port/database.`);
};

const log = createLog("store", "warn");

interface Proven extends Inventory {
  readonly records: number;
  readonly chains: readonly { readonly chain: string; readonly seq: number; readonly hash: string }[];
}

const printProof = ({ print }: CommandContext, { kinds, digest, records, chains, ...counts }: Proven): void => {
  for (const [kind, count] of Object.entries(kinds)) print(`  ${kind.padEnd(24)} ${count}`);
  print(`${counts.rows} rows, ${counts.ledgers} ledgers, ${counts.sums} sums; digest ${digest}`);
  print(`audit trail whole: ${records} records in ${chains.length} chain(s)`);
  for (const { chain, seq, hash } of chains) print(`${chain} ends with record ${seq}, hash ${hash}`);
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
  const source = from(agent ?? "seller");
  const progress = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  const copied = await copyBetween({ from: source, to, agent, log, progress });
  context.print(`${copied.resumed ? "the copy went on and is" : "the copy is"} equal row by row`);
  printProof(context, copied);
  for (const path of await leftBehind(source)) {
    context.print(
      `not copied: ${path}, a secret of the agent. Keep it, or set what takes its place (docs/operating.md)`,
    );
  }
};

interface PlaceFlags {
  readonly agent: string;
  readonly data?: string;
}

const { databaseUrl, storeTimeoutSeconds } = serverSettings;

const placeOf = (context: CommandContext, { agent: name, data }: PlaceFlags) => {
  const agent = agentNamed(name);
  return { agent, place: opened(context, agent, { databaseUrl, storeTimeoutSeconds }, { data }, true).place };
};

const backup = async (context: CommandContext, name: string, flags: PlaceFlags): Promise<void> => {
  const { agent, place } = placeOf(context, flags);
  const file = resolve(namedBy("file", name) ?? name);
  const bytes = await backUp(place, agent, file, log);
  context.print(`${file} holds the store of the ${agent}: ${bytes} bytes, readable by its owner alone`);
};

const restoreFile = async (context: CommandContext, name: string, to: string): Promise<void> => {
  const restored = await restore({ file: resolve(name), to: placeNamed("--to", to), log });
  context.print("restored");
  printProof(context, restored);
};

const check = async (context: CommandContext, flags: PlaceFlags): Promise<void> => {
  const { agent, place } = placeOf(context, flags);
  const { faults, ...checked } = await checkPlace(place, agent, log);
  if (faults.length === 0) return printProof(context, checked);
  for (const fault of faults) context.print(fault);
  context.print("the store is not whole: stop the agent and restore a backup");
  throw new ExitWith(1);
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
  const data = "data folder of the agent; else DATABASE_URL";
  store
    .command("backup <file>")
    .description("write what the agent has stored into a new file, while it runs or not; it holds secrets")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--data <dir>", data)
    .action((file: string, flags: PlaceFlags) => backup(context, file, flags));
  store
    .command("restore <file>")
    .description("unpack a backup, check it, and put it in an empty place")
    .requiredOption("--to <place>", "lowdb:DIR or postgres://…")
    .action((file: string, { to }: { readonly to: string }) => restoreFile(context, file, to));
  store
    .command("check")
    .description("read every row and every audit record, while the agent runs or not, and print the digest")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--data <dir>", data)
    .action((flags: PlaceFlags) => check(context, flags));
};
