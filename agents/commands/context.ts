import type { Command } from "commander";
import type { AgentName } from "../host/store-location.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";

/** What a command reads of its surroundings; tests pass their own. */
export interface CommandContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  /** Aborted once nobody reads stdout any more, as after `head`: what never ends by itself ends then. */
  readonly unheard: AbortSignal;
  /** Registers what must happen at SIGINT or SIGTERM before the process exits with 0. */
  readonly onStop: (stop: () => Promise<void>) => void;
  /** Registers what SIGUSR2 does. */
  readonly onUsr2: (act: () => void) => void;
}

/** An exit code for an answer that is no success and is already printed. */
export class ExitWith extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.name = "ExitWith";
    this.code = code;
  }
}

/** Wrong usage: exits with 2, as for an unknown option. */
export class UsageFailure extends StartFailure {}

/** The agent at an address does not answer, or answers that it cannot: exits with 3. */
export class UnreachableFailure extends StartFailure {}

export const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageFailure) return 2;
  return error instanceof UnreachableFailure ? 3 : 1;
};

export const agentNamed = (name: string): AgentName => {
  if (name === "seller" || name === "buyer") return name;
  throw new UsageFailure(`--agent: ${JSON.stringify(name)} is neither seller nor buyer.`);
};

export const portOf = (flag: string | undefined, fallback: number, name = "--port"): number => {
  if (flag === undefined) return fallback;
  const port = Number(flag);
  if (/^\d{1,5}$/.test(flag) && port <= 65_535) return port;
  throw new UsageFailure(`${name}: ${JSON.stringify(flag)} is not a port from 0 to 65535.`);
};

/** Empty text, which a shell makes of an unset variable, names nothing. */
export const namedBy = (flag: string, text: string | undefined): string | undefined => {
  if (text === undefined || text.trim() !== "") return text;
  throw new UsageFailure(`${flag}: the text is empty. Check the variable it comes from, or leave the flag out.`);
};

export const configMeaning = "TOML file of settings (default PARLEY_CONFIG); the environment goes before it";

export const withSettings = (command: Command, lines: readonly string[]): Command =>
  command.addHelpText("after", `\nEnvironment:\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
