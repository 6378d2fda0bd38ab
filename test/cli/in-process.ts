import { Command, CommanderError } from "commander";
import { vi } from "vitest";
import { type CommandContext, exitCodeOf, ExitWith } from "../../agents/commands/context.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import { watch } from "../secrecy/watch.ts";
import type { Said } from "./program.ts";

type Add = (program: Command, context: CommandContext) => void;
type Environment = Readonly<Record<string, string>>;

const hostOperator = { owner: "host", isOperator: true, ids: [] };

export interface Started {
  readonly ended: Promise<Said>;
  out(): string;
  /** As SIGTERM does. */
  stop(): Promise<void>;
}

/** A command in the test's own process: a process of its own takes a second of a busy core. */
export const startCommand = (add: Add, args: readonly string[], environment: Environment = {}): Started => {
  let out = "";
  let err = "";
  let stop: () => Promise<void> = () => Promise.resolve();
  const context: CommandContext = {
    environment,
    print: (line) => void (out += `${line}\n`),
    unheard: new AbortController().signal,
    onStop: (work) => void (stop = work),
    onUsr2: () => undefined,
  };
  const program = new Command("parley").exitOverride().enablePositionalOptions();
  program.configureOutput({ writeErr: (text) => void (err += text), writeOut: (text) => void (out += text) });
  add(program, context);
  const codeOf = (error: unknown): number => {
    if (error instanceof ExitWith) return error.code;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof StartFailure)) throw error;
    err += `parley: ${error.message}\n`;
    return exitCodeOf(error);
  };
  const written = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += String(text);
    return true;
  });
  const done = program.parseAsync(["node", "parley", ...args]).then(() => 0, codeOf);
  const ended = done.then((code) => {
    written.mockRestore();
    const what = `parley ${args.join(" ")}`;
    watch.scan.sent({ to: hostOperator, what, text: out, document: false });
    watch.scan.kept(`${what}, stderr`, err);
    return { code, out, err };
  });
  return { ended, out: () => out, stop: () => stop() };
};

export const runCommand = (add: Add, args: readonly string[], environment: Environment = {}): Promise<Said> =>
  startCommand(add, args, environment).ended;
