import { readFile } from "node:fs/promises";
import type { AdapterLetter } from "../platform.ts";
import { checkConfig, type ConfigReport, type SettingChange } from "../startup/check.ts";
import { openSecrets, readSources } from "./sources.ts";

export interface EdgeCheckOptions {
  readonly config: string;
  readonly secrets?: string;
  readonly against?: string;
  readonly runtime?: AdapterLetter;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const readOrNull = (file: string): Promise<string | null> => readFile(file, "utf8").catch(() => null);

const shown = (value: unknown): string => JSON.stringify(value) ?? "absent";

const changeLine = ({ key, before, after }: SettingChange): string => {
  if (before === undefined) return `+ ${key} = ${shown(after)}`;
  if (after === undefined) return `- ${key} = ${shown(before)}`;
  return `~ ${key} = ${shown(before)} -> ${shown(after)}`;
};

/** The report as a person reads it: problems and warnings first, then the settings that differ. */
export const reportLines = (report: ConfigReport, against: string): string[] => [
  ...report.problems.map(({ key, message }) => `error: ${key}: ${message}`),
  ...report.warnings.map(({ key, message }) => `warning: ${key}: ${message}`),
  ...(report.changes.length === 0 ? [] : [`settings that differ from ${against}:`, ...report.changes.map(changeLine)]),
  report.problems.length === 0 ? "the configuration can be used" : "the configuration cannot be used",
];

/**
 * `parley edge check FILE`: says what a start would say, and what the file changes, without starting anything. Prints
 * to standard output; resolves with whether the configuration can be used.
 */
export const checkEdge = async (options: EdgeCheckOptions): Promise<boolean> => {
  const { runtime = "A", against } = options;
  const sources = await readSources(options.config, options.secrets ?? "", options.environment ?? process.env);
  const report = checkConfig({
    configText: sources.configText,
    ...(options.secrets === undefined ? {} : { secretsText: sources.secretsText }),
    ...(against === undefined ? {} : { againstText: await readOrNull(against) }),
    environment: sources.environment,
    traits: { adapter: runtime, fanout: runtime === "A" || runtime === "B" ? "multiple" : "single", place: runtime },
  });
  const open = options.secrets === undefined ? null : await openSecrets(options.secrets);
  if (open !== null) process.stdout.write(`warning: --secrets: ${open}\n`);
  process.stdout.write(`${reportLines(report, against ?? "the defaults").join("\n")}\n`);
  return report.problems.length === 0;
};
