/**
 * One setting: an environment variable with its type, default and meaning. The parser answers the value, or the
 * sentence that tells what is wrong and what would be right. `secret` values are never printed.
 */
export interface Setting<T> {
  readonly variable: string;
  readonly form: string;
  readonly shownDefault: string;
  readonly meaning: string;
  readonly secret?: boolean;
  readonly parse: (text: string | undefined) => { readonly value: T } | { readonly wrong: string };
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The settings that a table of them reads, by the table's own member names. */
export type ReadSettings<T extends SettingTable> = {
  readonly [Name in keyof T]: T[Name] extends Setting<infer Value> ? Value : never;
};

/** A start that must not go on: the message names what is wrong and the cure, and is all that is printed. */
export class StartFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartFailure";
  }
}

/** Reads every setting, and fails with all wrong variables at once. */
export const readSettings = <T extends SettingTable>(
  table: T,
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings<T> => {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const raw = environment[setting.variable];
    const result = setting.parse(raw === undefined || raw.trim() === "" ? undefined : raw.trim());
    if ("value" in result) values[name] = result.value;
    else wrong.push(`${setting.variable}: ${result.wrong}`);
  }
  if (wrong.length > 0) throw new StartFailure(wrong.join("\n"));
  return values as ReadSettings<T>;
};

const orDefault =
  <T>(fallback: T, read: (text: string) => { value: T } | { wrong: string }): Setting<T>["parse"] =>
  (text) =>
    text === undefined ? { value: fallback } : read(text);

type Described = Pick<Setting<unknown>, "variable" | "meaning"> & { readonly secret?: boolean };

/** Text; `check` says what is wrong with one. */
export const textSetting = (
  about: Described,
  fallback: string,
  check: (text: string) => string | null = () => null,
): Setting<string> => ({
  ...about,
  form: "text",
  shownDefault: fallback === "" ? "empty" : fallback,
  parse: orDefault(fallback, (text) => {
    const wrong = check(text);
    return wrong === null ? { value: text } : { wrong };
  }),
});

/** Text that may be absent; `check` says what is wrong with one. */
export const optionalText = (
  about: Described,
  check: (text: string) => string | null = () => null,
): Setting<string | null> => ({
  ...about,
  form: "text",
  shownDefault: "none",
  parse: orDefault<string | null>(null, (text) => {
    const wrong = check(text);
    return wrong === null ? { value: text } : { wrong };
  }),
});

/** A number within bounds, both included; `whole` refuses fractions. */
export const numberSetting = (
  about: Described,
  fallback: number,
  bounds: { readonly min: number; readonly max: number; readonly whole?: boolean },
): Setting<number> => ({
  ...about,
  form: bounds.whole === true ? "whole number" : "number",
  shownDefault: String(fallback),
  parse: orDefault(fallback, (text) => {
    const value = Number(text);
    const fits = Number.isFinite(value) && value >= bounds.min && value <= bounds.max;
    if (fits && (bounds.whole !== true || Number.isInteger(value))) return { value };
    const kind = bounds.whole === true ? "a whole number" : "a number";
    return { wrong: `${JSON.stringify(text)} is not ${kind} from ${bounds.min} to ${bounds.max}.` };
  }),
});

/** A number within bounds that may be absent. */
export const optionalNumber = (
  about: Described,
  bounds: { readonly min: number; readonly max: number },
): Setting<number | null> => {
  const inner = numberSetting(about, 0, { ...bounds, whole: true });
  return {
    ...inner,
    shownDefault: "none",
    parse: (text): { value: number | null } | { wrong: string } =>
      text === undefined ? { value: null } : inner.parse(text),
  };
};

/** true or false, in the spellings that people use. */
export const flagSetting = (about: Described, fallback: boolean): Setting<boolean> => ({
  ...about,
  form: "true or false",
  shownDefault: String(fallback),
  parse: orDefault(fallback, (text) => {
    const word = text.toLowerCase();
    if (["true", "1", "yes", "on"].includes(word)) return { value: true };
    if (["false", "0", "no", "off"].includes(word)) return { value: false };
    return { wrong: `${JSON.stringify(text)} is neither true nor false.` };
  }),
});

/** One of a closed list of words. */
export const choiceSetting = <T extends string>(about: Described, fallback: T, words: readonly T[]): Setting<T> => ({
  ...about,
  form: words.join(" or "),
  shownDefault: fallback,
  parse: orDefault(fallback, (text) => {
    const found = words.find((word) => word === text.toLowerCase());
    return found === undefined
      ? { wrong: `${JSON.stringify(text)} is none of ${words.join(", ")}.` }
      : { value: found };
  }),
});

/** A comma list; blanks around the entries are trimmed, empty entries dropped. `check` says what is wrong with one. */
export const listSetting = (
  about: Described,
  fallback: readonly string[],
  check: (entry: string) => string | null = () => null,
): Setting<readonly string[]> => ({
  ...about,
  form: "comma list",
  shownDefault: fallback.length === 0 ? "empty" : fallback.join(","),
  parse: orDefault<readonly string[]>(fallback, (text) => {
    const entries = text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
    const wrong = entries.map(check).find((message) => message !== null);
    return wrong === undefined || wrong === null ? { value: entries } : { wrong };
  }),
});

/** What is wrong with an http(s) address, or null. */
export const httpAddressDefect = (entry: string): string | null =>
  URL.canParse(entry) && /^https?:$/.test(new URL(entry).protocol)
    ? null
    : `${JSON.stringify(entry)} is not an http or https address.`;

/** What is wrong with a token that is sent in a header (RFC 9110, 5.5), or null; the token itself is not repeated. */
export const tokenDefect = (text: string): string | null =>
  /^[\x21-\x7e]+$/.test(text) ? null : "a token has printable ASCII characters only, and no blanks.";

/** The rows of a settings table for `--help` and the generated configuration document. */
export const describeSettings = (table: SettingTable): readonly string[] =>
  Object.values(table).map((row) => `${row.variable} (${row.form}; default ${row.shownDefault}): ${row.meaning}`);
