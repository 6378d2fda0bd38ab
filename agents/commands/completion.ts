import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/**
 * `parley completion SHELL` prints the script for bash, zsh, fish or PowerShell; the script asks `parley complete --
 * WORDS`. Declared after all others: it reads their tree.
 */
export const addCompletionCommand = (program: Command): void =>
  void tab(program, { completionCommandName: "completion" });
