import { parse, TomlError } from "smol-toml";
import { edgeConfigSchema, type EdgeConfig } from "../config.ts";
import type { EdgeTraits } from "../platform.ts";
import { crossChecks } from "./checks.ts";
import { applyOverrides } from "./overrides.ts";
import { problemsOf, type StartupProblem } from "./problems.ts";
import { parseSecrets, resolveSecrets } from "./secrets.ts";

/** Texts that a leaf found; `null` where a file could not be read. */
export type EdgeSources = {
  readonly configText: string | null;
  readonly secretsText: string | null;
  /** Environment variables; only overrides are read from here. */
  readonly environment: Readonly<Record<string, string>>;
};

export type LoadResult =
  | { readonly ok: true; readonly config: EdgeConfig; readonly secrets: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problems: readonly StartupProblem[] };

const failed = (...problems: StartupProblem[]): LoadResult => ({ ok: false, problems });

/**
 * Integers come from the parser as bigint, so that an override can tell `1` from `1.0`. One beyond 2^53 becomes a
 * double that the schema's integer rules refuse.
 */
const plainNumbers = (value: unknown): unknown => {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainNumbers(member)]));
};

const parseToml = (text: string): { table: Record<string, unknown> } | { problem: StartupProblem } => {
  try {
    return { table: parse(text, { integersAsBigInt: true }) as Record<string, unknown> };
  } catch (error) {
    const place = error instanceof TomlError ? ` in line ${error.line}, column ${error.column}` : "";
    const message = `settings load failure: parse error${place}; quote strings and bracket arrays and sections`;
    return { problem: { key: "--config", message } };
  }
};

/** Reads the file without its secrets: syntax, overrides, keys and values. Also what `parley edge check` shows. */
export const parseConfig = (
  text: string | null,
  environment: Readonly<Record<string, string>>,
): { ok: true; config: EdgeConfig } | { ok: false; problems: readonly StartupProblem[] } => {
  if (text === null) {
    const message = "config store not found; create the configuration file and name it with --config";
    return { ok: false, problems: [{ key: "--config", message }] };
  }
  const parsed = parseToml(text);
  if ("problem" in parsed) return { ok: false, problems: [parsed.problem] };
  const overridden = applyOverrides(parsed.table, environment);
  if (overridden.length > 0) return { ok: false, problems: overridden };
  const checked = edgeConfigSchema.safeParse(plainNumbers(parsed.table));
  return checked.success ? { ok: true, config: checked.data } : { ok: false, problems: problemsOf(checked.error) };
};

/** Configuration with its secrets in place, or every reason why the edge starts in startup-error mode. */
export const loadConfig = (sources: EdgeSources, traits: EdgeTraits, allow: readonly string[]): LoadResult => {
  const parsed = parseConfig(sources.configText, sources.environment);
  if (!parsed.ok) return failed(...parsed.problems);
  const secrets = parseSecrets(sources.secretsText);
  if (secrets.problems.length > 0) return failed(...secrets.problems);
  const problems = [...crossChecks(parsed.config, traits, allow), ...resolveSecrets(parsed.config, secrets.entries)];
  return problems.length > 0 ? failed(...problems) : { ok: true, config: parsed.config, secrets: secrets.entries };
};
