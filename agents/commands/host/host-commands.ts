import type { Command } from "commander";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Members } from "../../../protocol/neutral/members.ts";
import { jsonSchemaOf } from "../../../protocol/seam/json-schema.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import { membersTaken, readEverywhere } from "../../../tools/calls/arguments.ts";
import { longestCompared, nearestOf } from "../../../tools/calls/nearest.ts";
import { printable } from "../../host/text-table.ts";
import { jsonOfText } from "../../host/json-text.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { contractsOf, onHost } from "../agents.ts";
import { type AgentFlags, ownCatalogMeaning } from "./flags.ts";
import { hostCall, outputOf } from "./answers.ts";
import { agentNamed, type CommandContext, ExitWith, UsageFailure } from "../context.ts";

const inputOf = (text: string | undefined): unknown => {
  if (text === undefined) return {};
  const read = jsonOfText(text);
  if ("value" in read) return read.value;
  throw new UsageFailure(`The input ${read.wrong}. Quote it for the shell, for example '{"limit": 5}'.`);
};

/** A server ignores a member that it does not know; a person who misspelled one has to learn it before it counts. */
const expectKnownMembers = (contract: Contract, input: unknown): void => {
  const taken = isMembers(input) ? membersTaken(jsonSchemaOf(contract.input, "input")) : null;
  if (taken === null) return;
  const known = [...taken, ...readEverywhere];
  const name = Object.keys(input as Members).find((one) => !known.includes(one));
  if (name === undefined) return;
  const near = contract.tool?.argumentAliases?.[name] ?? nearestOf(name, taken);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  const list = taken.length === 0 ? "nothing" : taken.join(", ");
  const shown = printable(JSON.stringify(name.slice(0, longestCompared)));
  throw new UsageFailure(`${contract.name} takes no ${shown}.${guess} Nothing was done. It takes: ${list}.`);
};

const noOperation = (name: string, contracts: readonly Contract[], agent: string): string => {
  const names = contracts.map((contract) => contract.name);
  const near = nearestOf(name, names);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  const shown = printable(name.slice(0, longestCompared));
  return `There is no operation ${shown}.${guess} parley call --agent ${agent} --list shows all.`;
};

interface CallFlags extends AgentFlags {
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

const listOperations = async (context: CommandContext, { agent }: AgentFlags): Promise<void> => {
  const open = (await contractsOf(agentNamed(agent))).filter((contract) => contract.closedDoors?.host === undefined);
  const widest = Math.max(...open.map((contract) => contract.name.length));
  for (const { name, summary } of open) context.print(`${name.padEnd(widest)}  ${summary}`);
};

const callOperation = async (
  context: CommandContext,
  flags: CallFlags,
  name: string | undefined,
  input: string | undefined,
): Promise<void> => {
  if (flags.list === true || name === undefined) return listOperations(context, flags);
  const given = inputOf(input);
  const isForProgram = flags.json === true;
  const contracts = await contractsOf(agentNamed(flags.agent));
  const called = contracts.find((contract) => contract.name === name);
  if (called !== undefined) expectKnownMembers(called, given);
  // An operation that is not there writes nothing: it must not make a store.
  const writes = flags.dryRun !== true && called !== undefined && called.effect !== "read";
  const output = await onHost(context, flags, { sells: true, writes }, (host) => {
    if (called === undefined && !isForProgram) throw new StartFailure(noOperation(name, contracts, flags.agent));
    const more = {
      key: context.environment["PARLEY_KEY"] ?? null,
      idempotencyKey: flags.idempotencyKey ?? null,
      dryRun: flags.dryRun === true,
    };
    return outputOf(host, hostCall(name, given, more), isForProgram);
  });
  context.print(JSON.stringify(output, null, 2));
};

/** `parley call`: any operation, as the host's operator or as the holder of PARLEY_KEY. */
export const addCallCommand = (program: Command, context: CommandContext): void => {
  program
    .command("call [name] [json]")
    .description("call an operation of an agent; without a name, list them")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--data <dir>", "data folder of the agent")
    .option("--catalog <file>", ownCatalogMeaning)
    .option("--dry-run", "check everything and show the answer, change nothing")
    .option("--idempotency-key <key>", "give the first answer again when the call is repeated")
    .option("--list", "list the operations")
    .option("--json", "print a refusal as its JSON body, for programs; the answer is JSON anyway")
    .action((name: string | undefined, json: string | undefined, flags: CallFlags) =>
      callOperation(context, flags, name, json),
    );
};

interface VerifyFlags extends AgentFlags {
  readonly expect?: string;
}

const verifyAudit = async (context: CommandContext, { expect, ...flags }: VerifyFlags): Promise<void> => {
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect)) {
    throw new UsageFailure("--expect: the hash of a record, 64 hexadecimal digits in small letters.");
  }
  const use = { sells: false, writes: false };
  const { verdict, heads } = await onHost(context, flags, use, (host) => host.verifyAudit(expect));
  if (verdict.ok && verdict.records === 0) {
    throw new StartFailure("There is no audit record here, so nothing is proven. Check --data and DATABASE_URL.");
  }
  if (verdict.ok) {
    context.print(`audit trail whole: ${verdict.records} records in ${verdict.chains} chain(s)`);
    for (const { chain, seq, hash } of heads) context.print(`${chain} ends with record ${seq}, hash ${hash}`);
    return;
  }
  context.print(`audit trail broken: chain ${verdict.chain}, record ${verdict.seq}: ${verdict.reason}`);
  throw new ExitWith(1);
};

/** `parley audit verify`: proves that no record of the audit trail was changed or removed. */
export const addAuditCommand = (program: Command, context: CommandContext): void => {
  program
    .command("audit")
    .description("the audit trail of an agent")
    .command("verify")
    .description("prove that nothing in the trail was changed or removed")
    .requiredOption("--agent <name>", "seller or buyer")
    .option("--data <dir>", "data folder of the agent")
    .option("--expect <hash>", "fail unless a record has this hash, that of an earlier end kept elsewhere")
    .action((flags: VerifyFlags) => verifyAudit(context, flags));
};
