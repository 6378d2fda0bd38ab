import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { createClient, say } from "../../protocol/client/client.ts";
import { createOutbound } from "../../protocol/client/outbound.ts";
import { allowedTarget } from "../../protocol/neutral/address-guard.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members } from "../../protocol/neutral/members.ts";
import { replyBlocks } from "../../protocol/neutral/reply-blocks.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { jsonOfText } from "../host/json-text.ts";
import { printable, textTable } from "../host/text-table.ts";
import { onHost } from "./agents.ts";
import { type CommandContext, namedBy, UnreachableFailure, UsageFailure } from "./context.ts";
import { answerFor, hostCall } from "./host/answers.ts";
import { type AgentFlags, ownCatalogMeaning } from "./host/flags.ts";
import { checkedUrl } from "./terminal/reach.ts";

interface Message {
  readonly text: string;
  readonly data: Members | null;
}

interface Reply {
  readonly contextId: string;
  readonly text: string;
  readonly answers: readonly Members[];
}

/** The other side of a conversation. Throws `StartFailure` with its refusal. */
interface Partner {
  readonly name: string;
  readonly say: (message: Message, contextId: string) => Promise<Reply>;
}

interface Option {
  readonly n: number;
  readonly label: string;
  readonly option: string;
  readonly digest: string;
}

const isOption = (value: unknown): value is Option & Members =>
  isMembers(value) &&
  typeof value["n"] === "number" &&
  ["label", "option", "digest"].every((name) => typeof value[name] === "string");

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

const optionsIn = ({ answers }: Reply): readonly (Option & Members)[] =>
  answers.flatMap(({ options }) => listIn(options)).filter(isOption);

/** The text lists something else under that number, which a number then means. */
const isOtherNumber = (text: string, { n, label }: Option): boolean =>
  text.split("\n").some((line) => new RegExp(`^\\s*${n}[.)]\\s`).test(line) && !line.includes(label));

/** By number; what two options or the text itself claim is for the agent to read. */
const picked = (line: string, reply: Reply | null): Option | null => {
  if (reply === null || !/^\d{1,3}$/.test(line)) return null;
  const [option, ...others] = optionsIn(reply).filter(({ n }) => n === Number(line));
  return option === undefined || others.length > 0 || isOtherNumber(reply.text, option) ? null : option;
};

const messageOf = (line: string, reply: Reply | null, isJson: boolean): Message => {
  const option = picked(line, reply);
  if (option !== null) return { text: "", data: { option: option.option, digest: option.digest } };
  if (!isJson || !line.startsWith("{")) return { text: line, data: null };
  const read = jsonOfText(line);
  if ("wrong" in read || !isMembers(read.value)) {
    throw new UsageFailure(
      `A line that begins with { is a data part, and this one ${"wrong" in read ? read.wrong : "is no object"}.`,
    );
  }
  return { text: "", data: read.value };
};

const linesOf = (reply: Reply): readonly string[] => {
  const armed = new Set(reply.answers.map((answer) => answer["armed"]));
  const said = reply.text.split("\n");
  const offered = optionsIn(reply).filter(({ n, label }) => !said.includes(`${n}. ${label}`));
  const options = offered.map((one) => {
    const mark = isOtherNumber(reply.text, one) ? "-" : `${one.n}.`;
    return `${mark} ${one.label}${armed.has(one.option) ? " (or: yes)" : ""}`;
  });
  const shown = replyBlocks(reply.text).flatMap((block) =>
    "lines" in block ? block.lines : textTable([block.head, ...block.rows], block.isFigures).lines,
  );
  return [...shown, ...options].map(printable);
};

const ownCommands = ["/options", "/json", "/quit", "/help"] as const;

const help = "A number takes an option. /options lists them again, /json shows the last answer whole, /quit ends.";

/** What a person asks the terminal itself. A seller never sees it; null: it is a message. */
const ownAnswer = (line: string, reply: Reply | null): readonly string[] | null => {
  if (!line.startsWith("/") || /\s/.test(line)) return null;
  if (line === "/help") return [help];
  if (line === "/json") return [printable(JSON.stringify(reply?.answers ?? []))];
  if (line !== "/options") return [`${printable(line)} is no command of the terminal. ${help}`];
  const options = reply === null ? [] : optionsIn(reply).map(({ n, label }) => printable(`${n}. ${label}`));
  return options.length === 0 ? ["Nothing is offered."] : options;
};

const completed = (line: string): [string[], string] => [
  ownCommands.filter((command) => line.startsWith("/") && command.startsWith(line)),
  line,
];

const promptFor = (name: string, width: number): string => `${name.padEnd(width)} > `;

interface TalkFlags extends Omit<AgentFlags, "agent"> {
  readonly agent?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** A line is a message. On a terminal a refusal is told and the talk goes on; a program's ends with it. */
const converse = async ({ print }: CommandContext, partner: Partner, isJson: boolean): Promise<void> => {
  const isPrompted = process.stdin.isTTY && process.stdout.isTTY && !isJson;
  const width = Math.max(3, partner.name.length);
  const [you, they] = [promptFor("you", width), promptFor(partner.name, width)];
  const output = isPrompted ? { output: process.stdout, prompt: you, completer: completed } : {};
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, ...output });
  let reply: Reply | null = null;
  if (isPrompted) lines.prompt();
  for await (const line of lines) {
    const said = line.trim();
    if (isPrompted && said === "/quit") break;
    const own = isPrompted ? ownAnswer(said, reply) : null;
    try {
      if (own !== null) print(own.join("\n"));
      else if (said !== "") {
        reply = await partner.say(messageOf(said, reply, isJson), reply?.contextId ?? "");
        if (isJson) print(JSON.stringify({ context_id: reply.contextId, text: reply.text, answers: reply.answers }));
        else {
          const shown = linesOf(reply);
          print(
            (isPrompted ? shown.map((one, at) => (at === 0 ? they : " ".repeat(they.length)) + one) : shown).join("\n"),
          );
        }
      }
    } catch (error) {
      if (!isPrompted || !(error instanceof StartFailure)) throw error;
      process.stderr.write(`parley: ${printable(error.message)}\n`);
    }
    if (isPrompted) lines.prompt();
  }
  if (isPrompted) print("");
};

/** Through the running server or the data folder, as the host's operator or as the holder of the key. */
const talkHere = (context: CommandContext, flags: TalkFlags & AgentFlags, key: string | null): Promise<void> =>
  onHost(context, flags, { sells: true, writes: true }, (host, name) => {
    const ownContext = randomUUID();
    const say: Partner["say"] = async ({ text, data }, given) => {
      const contextId = given === "" ? ownContext : given;
      const input = { text, context_id: contextId, slots: data ?? {} };
      const output = await answerFor(host, hostCall("converse", input, { key, idempotencyKey: randomUUID() }));
      return { ...(output as Omit<Reply, "contextId">), contextId };
    };
    return converse(context, { name, say }, flags.json === true);
  });

const timeoutMs = 30_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** By the status of the failure; 0: no answer. */
const talkCures: Readonly<Record<number, string>> = {
  0: " Check the address, and that an agent runs there.",
  401: " Set PARLEY_KEY or --key to a key that this agent's operator gave you.",
};

/** Over A2A. Whoever types an address means it, also one of a private network. */
const talkThere = async (context: CommandContext, url: string, flags: TalkFlags, key: string | null): Promise<void> => {
  checkedUrl(url);
  const outbound = createOutbound({ allow: [allowedTarget(url)], timeoutMs });
  const client = createClient({ target: { baseUrl: url, apiKey: key }, outbound, log: silent, timeoutMs });
  try {
    const partner: Partner = {
      name: new URL(url).host,
      say: async (message, contextId) => {
        const answer = await say(client, { ...message, contextId });
        if (answer.ok) return answer.output;
        const text = `${answer.code}: ${answer.detail}${talkCures[answer.status] ?? ""}`;
        throw answer.status === 0 || answer.status >= 500 ? new UnreachableFailure(text) : new StartFailure(text);
      },
    };
    await converse(context, partner, flags.json === true);
  } finally {
    await outbound.close();
  }
};

const talk = (context: CommandContext, url: string | undefined, flags: TalkFlags): Promise<void> => {
  const key = namedBy("--key", flags.key) ?? (context.environment["PARLEY_KEY"] || null);
  if (url === undefined) return talkHere(context, { ...flags, agent: flags.agent ?? "seller" }, key);
  const own = (["agent", "data", "catalog"] as const).find((name) => flags[name] !== undefined);
  if (own !== undefined)
    throw new UsageFailure(`--${own} is for the agent of this machine. Leave it or the address out.`);
  return talkThere(context, url, flags, key);
};

/** `parley talk`: a conversation in words, with numbers for what may be taken. */
export const addTalkCommand = (program: Command, context: CommandContext): void => {
  program
    .command("talk [url]")
    .description("talk with an agent: this machine's, or over A2A the one at the address; a number takes an option")
    .option("--agent <name>", "seller or buyer of this machine (default seller)")
    .option("--data <dir>", "data folder of the agent")
    .option("--catalog <file>", ownCatalogMeaning)
    .option(
      "--key <key>",
      "talk as the holder of this key (default PARLEY_KEY, which other users of the machine cannot see)",
    )
    .option("--json", "answer each line with one line of JSON; a line that begins with { is a data part")
    .action((url: string | undefined, flags: TalkFlags) => talk(context, url, flags));
};
