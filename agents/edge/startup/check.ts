import { edgeConfigSchema, type EdgeConfig } from "../config.ts";
import type { AdapterLetter, EdgeTraits } from "../platform.ts";
import { crossChecks, startupWarnings } from "./checks.ts";
import { parseConfig } from "./load.ts";
import type { StartupProblem } from "./problems.ts";
import { parseSecrets, resolveSecrets } from "./secrets.ts";

/** One setting that differs: `before` or `after` is absent where the setting is. Secret entries show by name. */
export interface SettingChange {
  readonly key: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface ConfigReport {
  readonly problems: readonly StartupProblem[];
  readonly warnings: readonly StartupProblem[];
  readonly changes: readonly SettingChange[];
}

export interface CheckInput {
  readonly configText: string | null;
  readonly againstText?: string | null;
  readonly secretsText?: string | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly traits: Pick<EdgeTraits, "fanout" | "place"> & { readonly adapter: AdapterLetter };
}

/** Every leaf by its key as the file would spell it; empty tables and lists count as leaves. */
const leavesOf = (value: unknown, key: string, into: Map<string, unknown>): Map<string, unknown> => {
  if (typeof value !== "object" || value === null || value instanceof Date || Object.keys(value).length === 0) {
    if (value !== undefined) into.set(key, value);
    return into;
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = Array.isArray(value) ? `${key}[${name}]` : key === "" ? name : `${key}.${name}`;
    leavesOf(member, inner, into);
  }
  return into;
};

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

export const diffSettings = (before: unknown, after: unknown): SettingChange[] => {
  const [old, fresh] = [leavesOf(before, "", new Map()), leavesOf(after, "", new Map())];
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].toSorted();
  return keys.flatMap((key): SettingChange[] => {
    const [was, is] = [old.get(key), fresh.get(key)];
    if (was === is || ((was === undefined || isEmpty(was)) && (is === undefined || isEmpty(is)))) return [];
    return [{ key, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
  });
};

const defaults = (): unknown => {
  const parsed = edgeConfigSchema.safeParse({
    publisher: { domain: "d.example", origin_url: "https://d.example", proxy_secret: "-" },
    ec: { passphrase: "-" },
  });
  if (!parsed.success) return {};
  const { max_buffered_body_bytes: most } = parsed.data.publisher;
  const { passphrase: _, ...ec } = parsed.data.ec;
  return { ...parsed.data, publisher: { max_buffered_body_bytes: most }, ec };
};

const baseOf = (input: CheckInput): { base: unknown; problems: readonly StartupProblem[] } => {
  if (input.againstText === undefined) return { base: defaults(), problems: [] };
  const parsed = parseConfig(input.againstText, {});
  if (parsed.ok) return { base: parsed.config, problems: [] };
  const problems = parsed.problems.map(({ key, message }) => ({ key: `--against ${key}`, message }));
  return { base: null, problems };
};

const secretProblems = (config: EdgeConfig, text: string | null): readonly StartupProblem[] => {
  const secrets = parseSecrets(text);
  return secrets.problems.length > 0 ? secrets.problems : resolveSecrets(structuredClone(config), secrets.entries);
};

/** Everything that a start with this configuration would say, without starting: problems, warnings, and a diff. */
export const checkConfig = (input: CheckInput): ConfigReport => {
  const parsed = parseConfig(input.configText, input.environment);
  if (!parsed.ok) return { problems: parsed.problems, warnings: [], changes: [] };
  const { config, ignored } = parsed;
  const { base, problems } = baseOf(input);
  const traits = input.traits;
  const all = [
    ...crossChecks(config, traits, input.environment),
    ...(input.secretsText === undefined ? [] : secretProblems(config, input.secretsText)),
    ...problems,
  ];
  const warnings = [...ignored, ...startupWarnings(config)];
  return { problems: all, warnings, changes: base === null ? [] : diffSettings(base, config) };
};
