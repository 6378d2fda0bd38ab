import type { StartupProblem } from "./problems.ts";

const variablePrefix = "TRUSTED_SERVER__";

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

const booleans: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

const coerce = (leaf: unknown, text: string): unknown => {
  if (typeof leaf === "string") return text;
  if (typeof leaf === "boolean") return Object.hasOwn(booleans, text) ? booleans[text] : undefined;
  if (typeof leaf === "bigint") return /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace(/^\+/, "")) : undefined;
  if (typeof leaf === "number") {
    const number = Number(text);
    return /^[+-]?[\d.]+(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(number) ? number : undefined;
  }
  return undefined;
};

const kindOf = (leaf: unknown): string => (typeof leaf === "bigint" ? "integer" : typeof leaf);

/** The value of a variable may be a secret slip, so that a misfit names the variable and the type alone. */
const misfit = (path: string, name: string, leaf: unknown): StartupProblem => ({
  key: path,
  message:
    isTable(leaf) || Array.isArray(leaf)
      ? `environment override ${name}: cannot override array / table values; edit the configuration file`
      : `environment override ${name} does not fit the type ${kindOf(leaf)}; correct or remove the variable`,
});

const segmentProblems = (
  table: Table,
  path: string,
  environment: Readonly<Record<string, string>>,
): StartupProblem[] => {
  if (!Object.keys(environment).some((name) => name.startsWith(variablePrefix))) return [];
  const seen = new Map<string, string>();
  const problems: StartupProblem[] = [];
  for (const key of Object.keys(table)) {
    const segment = key.toUpperCase();
    const other = seen.get(segment);
    if (other !== undefined) {
      problems.push({ key: `${path}${key}`, message: `has the same override name as ${path}${other}; rename one` });
    }
    if (key.includes("__")) problems.push({ key: `${path}${key}`, message: "a key must not hold __; rename it" });
    seen.set(segment, key);
  }
  return problems;
};

/**
 * Replaces existing scalar leaves of `table` by the variables that name them; a variable for a leaf that the file does
 * not have is ignored. Answers what did not fit.
 */
export const applyOverrides = (table: Table, environment: Readonly<Record<string, string>>): StartupProblem[] => {
  const problems: StartupProblem[] = [];
  const walk = (at: Table, path: string, prefix: string): void => {
    problems.push(...segmentProblems(at, path, environment));
    for (const [key, leaf] of Object.entries(at)) {
      const name = `${prefix}${key.toUpperCase()}`;
      const text = environment[name];
      if (text !== undefined) {
        const value = coerce(leaf, text);
        if (value === undefined) problems.push(misfit(`${path}${key}`, name, leaf));
        else at[key] = value;
      }
      if (isTable(leaf)) walk(leaf, `${path}${key}.`, `${name}__`);
    }
  };
  walk(table, "", variablePrefix);
  return problems;
};
