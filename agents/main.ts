#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { type CommandContext, exitCodeOf, ExitWith } from "./commands/context.ts";
import { StartFailure } from "../protocol/neutral/settings.ts";
import { nearestOf } from "../tools/calls/nearest.ts";
import { subjectNames } from "./commands/terminal/subjects.ts";
import { version } from "./version.ts";

/** Aborted once stdout takes nothing any more. */
const unheard = new AbortController();

/** A reader that has gone, as `head` does, is no fault: a server lives on, and a command ends as if it was read. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!unheard.signal.aborted && error.code !== "EPIPE") {
    process.stderr.write(`parley: stdout cannot be written (${error.message})\n`);
    process.exitCode = 1;
  }
  unheard.abort();
});
process.stderr.on("error", () => undefined);

const context: CommandContext = {
  environment: process.env,
  print: (line) => {
    if (!unheard.signal.aborted) process.stdout.write(`${line}\n`);
  },
  unheard: unheard.signal,
  onUsr2: (act) => void process.on("SIGUSR2", act),
  onStop: (stop) => {
    let stopping = false;
    const end = (): void => {
      if (stopping) return;
      stopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
  },
};

/** Store and start failures tell their cure in one line; anything else is a bug and shows where it happened. */
const fail = (error: unknown): never => {
  if (error instanceof ExitWith) process.exit(error.code);
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
  const isKnown = error instanceof StartFailure || typeof (error as { code?: unknown } | null)?.code === "string";
  const text = isKnown ? (error as Error).message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`parley: ${text}\n`);
  process.exit(exitCodeOf(error));
};

const program = new Command("parley")
  .version(version)
  .description("Agents that sell and buy advertising directly: a seller, a buyer and an edge server.")
  .showHelpAfterError("Run the command with --help for what it takes.")
  .enablePositionalOptions()
  .exitOverride();

type Add = (program: Command, context: CommandContext) => void;

const subject = (name: string) => async (): Promise<Add> =>
  (await import("./commands/terminal/subject-commands.ts")).loadSubject(name)();

const serve = async (): Promise<Add> => (await import("./commands/serve-agent.ts")).addServeCommands;

/** Where each command is declared: a start loads what it runs and nothing else, so that an edge carries no agent. */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  all: async () => (await import("./commands/all.ts")).addAllCommand,
  seller: serve,
  buyer: serve,
  edge: async () => (await import("./commands/edge.ts")).addEdgeCommand,
  call: async () => (await import("./commands/host/host-commands.ts")).addCallCommand,
  book: async () => (await import("./commands/book.ts")).addBookCommand,
  key: async () => (await import("./commands/host/keys.ts")).addKeyCommand,
  console: async () => (await import("./commands/console-link.ts")).addConsoleCommand,
  store: async () => (await import("./commands/store.ts")).addStoreCommand,
  migrate: async () => (await import("./commands/migrate.ts")).addMigrateCommand,
  data: async () => (await import("./commands/forget.ts")).addDataCommand,
  audit: async () => (await import("./commands/host/host-commands.ts")).addAuditCommand,
  config: async () => (await import("./commands/settings/check.ts")).addConfigCommand,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctorCommand,
  mcp: async () => (await import("./commands/mcp.ts")).addMcpCommand,
  talk: async () => (await import("./commands/talk.ts")).addTalkCommand,
  ...Object.fromEntries(subjectNames.map((name) => [name, subject(name)])),
  // Last: it reads the tree of the others.
  completion: async () => (await import("./commands/completion.ts")).addCompletionCommand,
};

const declare = async (names: readonly string[]): Promise<void> => {
  const loads = names.flatMap((name) => (Object.hasOwn(commands, name) ? [commands[name]] : []));
  for (const load of new Set(loads)) (await load?.())?.(program, context);
};

/** A press of Tab loads the command that stands on the line; before there is one, names are enough. */
const declareForCompletion = async (words: readonly string[]): Promise<void> => {
  const [name = ""] = words;
  if (words.length > 1) await declare([name]);
  else for (const known of Object.keys(commands)) if (known !== "completion") program.command(known);
  await declare(["completion"]);
};

/** Declares the command that the command line names; all of them where it names none, as for the list of commands. */
const declareCommands = async ([name = "", ...words]: readonly string[]): Promise<void> => {
  if (name === "complete") return declareForCompletion(words.slice(words.indexOf("--") + 1));
  if (Object.hasOwn(commands, name)) return declare([name]);
  // Asked for the help of a command that does not exist, commander would show its own and end well.
  if (name !== "" && name !== "help" && !name.startsWith("-")) {
    const near = nearestOf(name, Object.keys(commands));
    program.error(`error: unknown command ${JSON.stringify(name)}${near === null ? "" : ` (Did you mean ${near}?)`}`);
  }
  return declare(Object.keys(commands));
};

declareCommands(process.argv.slice(2))
  .then(() => program.parseAsync())
  .catch(fail);
