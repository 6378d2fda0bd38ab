#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { addAllCommand } from "./commands/all.ts";
import { addBookCommand } from "./commands/book.ts";
import { type CommandContext, ExitWith } from "./commands/context.ts";
import { addEdgeCommand } from "./commands/edge.ts";
import { addAuditCommand, addCallCommand, addKeyCommand } from "./commands/host-commands.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addServeCommands } from "./commands/serve-agent.ts";
import { StartFailure } from "./settings.ts";

const context: CommandContext = {
  environment: process.env,
  print: (line) => void process.stdout.write(`${line}\n`),
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
  process.exit(1);
};

const program = new Command("parley")
  .description("Agents that sell and buy advertising directly: a seller, a buyer and an edge server.")
  .showHelpAfterError("Run the command with --help for what it takes.")
  .enablePositionalOptions()
  .exitOverride();

for (const add of [
  addAllCommand,
  addServeCommands,
  addEdgeCommand,
  addCallCommand,
  addBookCommand,
  addKeyCommand,
  addAuditCommand,
  addMcpCommand,
]) {
  add(program, context);
}

program.parseAsync().catch(fail);
