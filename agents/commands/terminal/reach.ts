import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { callContract, type Client, createClient } from "../../../protocol/client/client.ts";
import type { ClientFailure } from "../../../protocol/client/client-result.ts";
import { createOutbound } from "../../../protocol/client/outbound.ts";
import { allowedTarget } from "../../../protocol/neutral/address-guard.ts";
import type { Members } from "../../../protocol/neutral/members.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import type { AgentHost } from "../../host/host.ts";
import type { AgentName } from "../../host/store-location.ts";
import { version } from "../../version.ts";
import { contractsOf, onHost } from "../agents.ts";
import { type CommandContext, exitCodeOf, ExitWith, namedBy, UnreachableFailure, UsageFailure } from "../context.ts";
import { bodyOf, hostCall, keyCure, refusalSentence } from "../host/answers.ts";
import { ownCatalogMeaning } from "../host/flags.ts";

export interface ReachFlags {
  readonly agent?: string;
  readonly url?: string;
  readonly data?: string;
  readonly catalog?: string;
  readonly sandbox?: boolean;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

/** `isPublic`: nobody owns what is asked for. Else an agent shows nothing of it to whoever has no key. */
interface Asking extends ReachFlags {
  readonly isPublic: boolean;
}

/** An agent of this machine, or the one at an address. */
export interface Reached {
  readonly agent: AgentName;
  readonly contracts: readonly Contract[];
  /** Null: an agent of this machine. */
  readonly client: Client | null;
  /** Nobody else can change it meanwhile: no server runs on its folder. */
  readonly isAlone: boolean;
  /** Without a key, on this machine: the person who is signed in there decides. */
  readonly isHostOperator: boolean;
  /** Throws where nothing was found because a key was wanted. */
  foundNothing(): void;
  /** The output. A refusal is told on stderr, as its body where a program reads, and ends the command. */
  call(operation: string, input: Members): Promise<Members>;
}

export const withReach = (command: Command): Command =>
  command
    .option("--url <url>", "address of an agent elsewhere; the key is PARLEY_KEY")
    .option("--sandbox", "ask the sandbox of the agent at --url, and never its business")
    .option("--data <dir>", "data folder of the agent of this machine, or the one that parley all was given")
    .option("--catalog <file>", ownCatalogMeaning)
    .option("--json", "print the answer as JSON")
    .option("--jsonl", "print each row as a line of JSON");

const isForProgram = ({ json, jsonl }: ReachFlags): boolean => json === true || jsonl === true;

/** Ends the command with the refusal: its body for a program, a sentence for a person. */
const refused = (flags: ReachFlags, body: object, failure: StartFailure): Error => {
  if (!isForProgram(flags)) return failure;
  process.stderr.write(`${JSON.stringify(body)}\n`);
  return new ExitWith(exitCodeOf(failure));
};

const ownerCure = "What belongs to a buyer is shown to its key and to operators: set PARLEY_KEY to one.";

/** What the REST door says where no route is; a record that is not there is named with its kind. */
const noRoute = /^There is nothing at this path|^Not Found$/;

export const sentence = (failure: ClientFailure, operation: string, agent: AgentName, hasKey: boolean): string => {
  const { sellerUrl: url, code, detail, status } = failure;
  if (status === 0) return `${detail} Check the address, and that an agent runs there.`;
  if (status === 401 && !hasKey) return `${url} wants a key: set PARLEY_KEY to one of its keys. (${code}: ${detail})`;
  if (status === 401) return `${url} refuses the key in PARLEY_KEY. ${detail} (${code}) ${keyCure}`;
  if (status === 404 && noRoute.test(detail)) {
    return `${url} does not offer ${operation}: it is no ${agent}, or older than this parley, ${version}.`;
  }
  if (code === "invalid_response") {
    return `${detail} ${url} is no ${agent}, or of another version than this parley, ${version}.`;
  }
  return `${detail} (${code})`;
};

const failureOf = (failure: ClientFailure, text: string): StartFailure =>
  failure.status === 0 || failure.status >= 500 ? new UnreachableFailure(text) : new StartFailure(text);

const timeoutMs = 30_000;
const mostBytes = 33_554_432;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const checkedUrl = (url: string): string => {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new UsageFailure(`${JSON.stringify(url)} is no http or https address. Write it as http://127.0.0.1:8000.`);
};

const contractNamed = (contracts: readonly Contract[], name: string): Contract => {
  const found = contracts.find((contract) => contract.name === name);
  if (found === undefined) throw new Error(`No operation ${name}.`);
  return found;
};

/** Whoever types an address means it, also one of a private network. */
const reachThere = async <T>(
  context: CommandContext,
  agent: AgentName,
  flags: Asking & { readonly url: string },
  work: (reached: Reached) => Promise<T>,
): Promise<T> => {
  const own = (["data", "catalog"] as const).find((name) => flags[name] !== undefined);
  if (own !== undefined) {
    throw new UsageFailure(`--${own} is for the agent of this machine. Leave it or the address out.`);
  }
  const url = checkedUrl(flags.url);
  const apiKey = context.environment["PARLEY_KEY"] || null;
  const contracts = await contractsOf(agent);
  const outbound = createOutbound({ allow: [allowedTarget(url)], timeoutMs });
  const client = createClient({
    target: { baseUrl: url, apiKey, isSandbox: flags.sandbox === true },
    outbound,
    log: silent,
    timeoutMs,
    mostBytes,
  });
  const isStranger = apiKey === null && !flags.isPublic;
  const foundNothing = (): void => {
    if (!isStranger) return;
    const message = `${url} shows nothing of this kind without a key. ${ownerCure}`;
    throw refused(flags, { error: "authentication_required", message, status: 401 }, new StartFailure(message));
  };
  const call: Reached["call"] = async (operation, input) => {
    const answer = await callContract(client, contractNamed(contracts, operation), input);
    if (answer.ok) return answer.output as Members;
    const { code, status, detail } = answer;
    if (status === 404 && !noRoute.test(detail)) foundNothing();
    const failure = failureOf(answer, sentence(answer, operation, agent, apiKey !== null));
    throw refused(flags, { error: code, message: failure.message, status }, failure);
  };
  try {
    return await work({ agent, contracts, client, isAlone: false, isHostOperator: false, foundNothing, call });
  } finally {
    await outbound.close();
  }
};

const callOn =
  (host: AgentHost, key: string | null, flags: ReachFlags): Reached["call"] =>
  async (operation, input) => {
    const outcome = await host.run(hostCall(operation, input, { key, idempotencyKey: randomUUID() }));
    if (outcome.kind === "done") return outcome.output as Members;
    throw refused(flags, bodyOf(outcome), new StartFailure(refusalSentence(outcome)));
  };

export const reach = <T>(
  context: CommandContext,
  agent: AgentName,
  flags: Asking,
  work: (reached: Reached) => Promise<T>,
): Promise<T> => {
  const url = namedBy("--url", flags.url);
  if (url !== undefined) return reachThere(context, agent, { ...flags, url }, work);
  if (flags.sandbox === true) throw new UsageFailure("--sandbox is for an agent that runs: name it with --url.");
  const key = context.environment["PARLEY_KEY"] || null;
  return onHost(context, { ...flags, agent }, { sells: true, writes: false }, (host) =>
    work({
      agent,
      contracts: host.contracts,
      client: null,
      isAlone: host.isAlone,
      isHostOperator: key === null,
      foundNothing: () => undefined,
      call: callOn(host, key, flags),
    }),
  );
};
