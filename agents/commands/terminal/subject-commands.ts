import type { Command } from "commander";
import type { Members } from "../../../protocol/neutral/members.ts";
import { jsonSchemaOf } from "../../../protocol/seam/json-schema.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import type { AgentName } from "../../host/store-location.ts";
import { contractsOf } from "../agents.ts";
import { agentNamed, type CommandContext, UsageFailure } from "../context.ts";
import { briefLines, type DecisionFlags, decide, decisionOf } from "./decision.ts";
import { follow } from "./follow.ts";
import { addInputFlags, inputOfFlags } from "./input-flags.ts";
import { reach, type Reached, type ReachFlags, withReach } from "./reach.ts";
import { footLines, memberAt, nextPage, recordLines, tableLines } from "./shown.ts";
import { type ListReader, type ListCommand, listCommands } from "./subjects.ts";

interface SubjectFlags extends ReachFlags, DecisionFlags {
  readonly all?: boolean;
  readonly follow?: boolean;
}

type Lists = Readonly<Partial<Record<AgentName, Contract>>>;

/** One command with the contracts that it reads. */
interface Reading {
  readonly name: string;
  readonly subject: ListCommand;
  readonly lists: Lists;
}

const agents: readonly AgentName[] = ["seller", "buyer"];

const listsOf = async ({ of }: ListCommand): Promise<Lists> => {
  const found: Partial<Record<AgentName, Contract>> = {};
  for (const agent of agents) {
    const reader = of[agent];
    if (reader === undefined) continue;
    const list = (await contractsOf(agent)).find(({ name }) => name === reader.list);
    if (list !== undefined) found[agent] = list;
  }
  return found;
};

const agentOf = ({ name, subject }: Reading, flag: string | undefined): { agent: AgentName; reader: ListReader } => {
  const agent = flag === undefined ? agents.find((one) => subject.of[one] !== undefined) : agentNamed(flag);
  const reader = agent === undefined ? undefined : subject.of[agent];
  if (agent !== undefined && reader !== undefined) return { agent, reader };
  throw new UsageFailure(`--agent: a ${agent ?? "nobody"} has no ${name}.`);
};

const answerRows = (answer: Members): readonly Members[] =>
  (Object.values(answer).find((member) => Array.isArray(member)) ?? []) as readonly Members[];

const pageLimit = 10_000;

/** The pages from the one that is asked for on. */
async function* pagesOf({ call }: Reached, list: string, input: Members, all: boolean): AsyncGenerator<Members> {
  let place: Members = {};
  for (let page = 0; page < pageLimit; page += 1) {
    const answer = await call(list, { ...input, ...place });
    yield answer;
    const next = nextPage(answer, answerRows(answer).length);
    if (!all || next === null) return;
    place = next.input;
  }
}

const printList = async (
  context: CommandContext,
  { name }: Reading,
  reader: ListReader,
  reached: Reached,
  input: Members,
  flags: SubjectFlags,
): Promise<void> => {
  const rows: Members[] = [];
  let last: Members | null = null;
  for await (const answer of pagesOf(reached, reader.list, input, flags.all === true)) {
    if (context.unheard.aborted) return;
    if (last === null && answerRows(answer).length === 0) reached.foundNothing();
    last = answer;
    if (flags.jsonl === true) for (const row of answerRows(answer)) context.print(JSON.stringify(row));
    else if (flags.json === true) context.print(JSON.stringify(answer, null, 2));
    else rows.push(...answerRows(answer));
  }
  if (flags.json === true || flags.jsonl === true) return;
  if (rows.length > 0) for (const line of tableLines(reader.columns, rows, Date.now())) context.print(line);
  for (const line of footLines(name, last ?? {}, rows)) context.print(line);
};

const listedNumber = /^\d{1,3}$/;

/** A number is that of the list's row, an id is itself. */
const rowId = async (reader: ListReader, reached: Reached, input: Members, given: string): Promise<string> => {
  if (!listedNumber.test(given)) return given;
  const rows = answerRows(await reached.call(reader.list, input));
  if (rows.length === 0) reached.foundNothing();
  const id = memberAt(rows[Number(given) - 1], reader.id);
  if (typeof id === "string") return id;
  throw new UsageFailure(`There is no row ${given}: the list has ${rows.length}.`);
};

const idMember = ({ contracts }: Reached, operation: string): string => {
  const contract = contracts.find(({ name }) => name === operation);
  const { required = [] } =
    contract === undefined ? {} : (jsonSchemaOf(contract.input, "input") as { required?: string[] });
  return required[0] ?? "id";
};

const printRecord = (context: CommandContext, name: string, record: Members, flags: SubjectFlags): void => {
  if (flags.jsonl === true) return context.print(JSON.stringify(record));
  if (flags.json === true) return context.print(JSON.stringify(record, null, 2));
  for (const line of name === "approvals" ? briefLines(record) : recordLines(record)) context.print(line);
};

const printDecided = (context: CommandContext, decided: Members | null, flags: SubjectFlags): void => {
  if (decided === null) return;
  if (flags.json === true || flags.jsonl === true) return printRecord(context, "decision", decided, flags);
  context.print(`Decided: ${String(decided["decision"])}, by ${String(decided["decided_by"])}.`);
};

const runSubject = async (
  context: CommandContext,
  reading: Reading,
  [given, word, price]: readonly (string | undefined)[],
  flags: SubjectFlags,
): Promise<void> => {
  const { agent, reader } = agentOf(reading, flags.agent);
  const contract = reading.lists[agent] as Contract;
  const asked = inputOfFlags(contract, Object.values(reading.lists), flags as unknown as Members);
  const decision = word === undefined ? null : decisionOf(word, price);
  if (decision !== null && flags.yes === true && listedNumber.test(given ?? "")) {
    throw new UsageFailure("A number may be another row by now: with --yes, name the approval by its id.");
  }
  await reach(context, agent, { ...flags, isPublic: reader.isPublic === true }, async (reached) => {
    if (flags.follow === true) return follow(context, reached, asked, flags.json === true || flags.jsonl === true);
    const input = { ...reader.unasked, ...asked };
    if (given === undefined) return printList(context, reading, reader, reached, input, flags);
    const id = await rowId(reader, reached, input, given);
    const record = await reached.call(reader.get, { [idMember(reached, reader.get)]: id });
    if (decision === null) return printRecord(context, reading.name, record, flags);
    printDecided(context, await decide(context, reached, record, decision, flags), flags);
  });
};

const addSubject = (program: Command, context: CommandContext, reading: Reading): void => {
  const { name, subject, lists } = reading;
  const isDecided = name === "approvals";
  const command = withReach(program.command(name).description(subject.about))
    .argument("[which]", "number in the list, or id: one record with all that is in it")
    .option("--all", "every page, not the first alone");
  if (agents.every((agent) => subject.of[agent] !== undefined)) {
    command.option("--agent <name>", "seller or buyer (default seller)");
  }
  if (isDecided) {
    command
      .argument("[decision]", "approve, reject or counter")
      .argument("[price]", "of a counter, in units per thousand")
      .option("--reason <text>", "why, in words that the buyer may read")
      .option("--impressions <number>", "volume of a counter")
      .option("--yes", "decide without a question");
  }
  if (name === "events") command.option("--follow", "print events as they come, until Ctrl-C");
  addInputFlags(command, Object.values(lists));
  // commander passes the arguments, then the flags, then the command.
  command.action((...given: unknown[]) => {
    const words = given.slice(0, isDecided ? 3 : 1) as readonly (string | undefined)[];
    return runSubject(context, reading, words, given[words.length] as SubjectFlags);
  });
};

/** `parley deals`, `parley approvals`, …: readers of the operations that the subject names. */
export const loadSubject = (name: string) => async (): Promise<(program: Command, context: CommandContext) => void> => {
  const subject = listCommands[name] as ListCommand;
  const lists = await listsOf(subject);
  return (program, context) => addSubject(program, context, { name, subject, lists });
};
