import { parse, TomlError } from "smol-toml";
import { edgeConfigSchema, type EdgeConfig } from "../config.ts";
import type { EdgeTraits } from "../platform.ts";
import { crossChecks } from "./checks.ts";
import { applyOverrides } from "./overrides.ts";
import { problemsOf, type StartupProblem } from "./problems.ts";
import { parseSecrets, resolveSecrets } from "./secrets.ts";
import { takeUnbuilt } from "./unbuilt.ts";

export interface EdgeSources {
  readonly configText: string | null;
  readonly secretsText: string | null;
  readonly environment: Readonly<Record<string, string>>;
}

interface Parsed {
  readonly ok: true;
  readonly config: EdgeConfig;
  readonly ignored: readonly StartupProblem[];
}

interface Failed {
  readonly ok: false;
  readonly problems: readonly StartupProblem[];
}

export type LoadResult = (Parsed & { readonly secrets: ReadonlyMap<string, string> }) | Failed;

const notLoaded = (...problems: StartupProblem[]): Failed => ({ ok: false, problems });

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
export const parseConfig = (text: string | null, environment: Readonly<Record<string, string>>): Parsed | Failed => {
  if (text === null) {
    const message = "config store not found; create the configuration file and name it with --config";
    return notLoaded({ key: "--config", message });
  }
  const parsed = parseToml(text);
  if ("problem" in parsed) return notLoaded(parsed.problem);
  const overridden = applyOverrides(parsed.table, environment);
  if (overridden.length > 0) return notLoaded(...overridden);
  const { problems, ignored } = takeUnbuilt(parsed.table);
  // A missing section is an empty one: the problems name the fields that it must have.
  const checked = edgeConfigSchema.safeParse(plainNumbers({ publisher: {}, ec: {}, ...parsed.table }));
  if (!checked.success) return notLoaded(...problems, ...problemsOf(checked.error));
  return problems.length > 0 ? notLoaded(...problems) : { ok: true, config: checked.data, ignored };
};

export const loadConfig = (sources: EdgeSources, traits: EdgeTraits): LoadResult => {
  const parsed = parseConfig(sources.configText, sources.environment);
  if (!parsed.ok) return notLoaded(...parsed.problems);
  const secrets = parseSecrets(sources.secretsText);
  if (secrets.problems.length > 0) return notLoaded(...secrets.problems);
  const problems = [
    ...crossChecks(parsed.config, traits, sources.environment),
    ...resolveSecrets(parsed.config, secrets.entries),
  ];
  return problems.length > 0 ? notLoaded(...problems) : { ...parsed, secrets: secrets.entries };
};
