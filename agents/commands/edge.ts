import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { runEdge, runWorker } from "../edge/command.ts";
import { reservePort } from "../server/port.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { nearestOf } from "../../tools/calls/nearest.ts";
import { printable } from "../host/text-table.ts";
import { type CommandContext, ExitWith, namedBy, portOf, UsageFailure } from "./context.ts";
import { readSmallFile } from "./settings/small-file.ts";

const defaultPort = 8787;
const letters = ["A", "B", "C", "D"] as const;

type Letter = (typeof letters)[number];

const letterOf = (flag: string): Letter => {
  const found = letters.find((letter) => letter === flag.toUpperCase());
  if (found === undefined) throw new UsageFailure(`--runtime: ${JSON.stringify(flag)} is none of A, B, C and D.`);
  return found;
};

/** Loopback by default: without an address Node would listen on all. */
const hostOf = (context: CommandContext): string => context.environment["HOST"]?.trim() || "127.0.0.1";

interface EdgeFlags {
  readonly port?: string;
  readonly config: string;
  readonly secrets: string;
  readonly runtime: string;
  readonly data: string;
  readonly workers?: string;
}

const mostWorkers = 256;

const workersOf = (flag: string | undefined): number => {
  if (flag === undefined) return availableParallelism();
  const count = /^\d{1,3}$/.test(flag) ? Number(flag) : 0;
  if (count < 1 || count > mostWorkers) {
    throw new UsageFailure(`--workers: ${JSON.stringify(flag)} is no number from 1 to ${mostWorkers}.`);
  }
  return count;
};

const notTaken = (edge: Command, word: string): UsageFailure => {
  const names = edge.commands.map((command) => command.name());
  const near = nearestOf(word, names);
  const guess = near === null ? `It has ${names.join(", ")}.` : `Did you mean ${near}?`;
  return new UsageFailure(`edge has no command ${printable(JSON.stringify(word))}. ${guess}`);
};

const largestEdgeFile = 67_108_864;

/** A start without its files would serve nothing but an error. */
const expectFiles = (files: Readonly<Record<string, string>>): void => {
  const wrong = Object.entries(files).flatMap(([flag, given]) => {
    const path = resolve(namedBy(flag, given) ?? "");
    const read = readSmallFile(path, largestEdgeFile);
    return "wrong" in read ? [`${flag}: ${path} ${read.wrong}`] : [];
  });
  if (wrong.length > 0)
    throw new StartFailure(`${wrong.join("\n")}\ndocs/edge.md shows a configuration and its secrets.`);
};

const serve = async (context: CommandContext, flags: EdgeFlags): Promise<void> => {
  if (cluster.isWorker) return runWorker();
  const workers = workersOf(flags.workers);
  const host = hostOf(context);
  const { config, secrets } = flags;
  const data = resolve(namedBy("--data", flags.data) ?? "");
  const runtime = letterOf(flags.runtime);
  const asked = portOf(flags.port, defaultPort);
  expectFiles({ "--config": config, "--secrets": secrets });
  const port = await reservePort(host, asked);
  await runEdge({ port, host, config, secrets, runtime, data, workers });
};

interface CheckFlags {
  readonly secrets?: string;
  readonly against?: string;
  readonly runtime: string;
}

const check = async (config: string, flags: CheckFlags): Promise<void> => {
  const { checkEdge } = await import("../edge/runtimes/check.ts");
  const { secrets, against } = flags;
  const usable = await checkEdge({
    config,
    runtime: letterOf(flags.runtime),
    ...(secrets === undefined ? {} : { secrets }),
    ...(against === undefined ? {} : { against }),
  });
  if (!usable) throw new ExitWith(1);
};

export const addEdgeCommand = (program: Command, context: CommandContext): void => {
  const edge = program
    .command("edge")
    .description("serve the edge in front of a publisher's origin")
    .enablePositionalOptions()
    // Without it commander says of a misspelled subcommand that there are too many arguments.
    .allowExcessArguments(true)
    .option("--port <port>", `port to listen on (default ${defaultPort})`)
    .option("--config <file>", "TOML file of the configuration", "trusted-server.toml")
    .option("--secrets <file>", "JSON file of secrets, entry name to value", "secrets.json")
    .option("--runtime <letter>", "A Node (production), B Bun, C workerd, D Deno", "A")
    .option("--data <dir>", "folder of everything that is written at run time", ".parley/edge")
    .option("--workers <count>", "processes that serve, on A (default: one for each core)")
    .action((flags: EdgeFlags, { args }: Command) => {
      if (args.length > 0) throw notTaken(edge, args[0] ?? "");
      return serve(context, flags);
    });
  edge
    .command("check <file>")
    .description("say what a start with this configuration would say, and what it changes")
    .option("--secrets <file>", "JSON file of secrets")
    .option("--against <file>", "configuration to compare with; the defaults where it is left out")
    .option("--runtime <letter>", "A, B, C or D", "A")
    .action((file: string, flags: CheckFlags) => check(file, flags));
  edge
    .command("new <name>")
    .description("write a small application for the native adapter")
    .requiredOption("--dir <dir>", "its own folder")
    .action(async (name: string, flags: { dir: string }) => {
      const { newEdgeApp } = await import("../edge/runtimes/example/commands.ts");
      await newEdgeApp({ name, dir: flags.dir });
    });
  edge
    .command("dev")
    .description("run an application on the native adapter")
    .requiredOption("--dir <dir>", "its folder")
    .option("--port <port>", `port to listen on (default ${defaultPort})`)
    .action(async (flags: { dir: string; port?: string }) => {
      const { devEdgeApp } = await import("../edge/runtimes/example/commands.ts");
      const host = hostOf(context);
      const port = await reservePort(host, portOf(flags.port, defaultPort));
      await devEdgeApp({ dir: flags.dir, port, host });
    });
};
