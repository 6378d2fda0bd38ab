import { z } from "zod";

/**
 * One setting: an environment variable, the schema that reads its text, and the value where nothing is set. The issues
 * of the schema say what is wrong and what would be right. `secret` values are never printed, and may stand in a file
 * that `<variable>_FILE` names.
 */
export interface Setting<T> {
  readonly variable: string;
  readonly form: string;
  readonly shownDefault: string;
  readonly meaning: string;
  readonly secret?: boolean;
  /** Entries with commas between them. */
  readonly isList?: boolean;
  readonly schema: z.ZodType<T, string>;
  readonly fallback: T;
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

/**
 * Reads every setting; throws `StartFailure` with all wrong ones at once. `named` is what a message calls the setting.
 */
export const readSettings = <T extends SettingTable>(
  table: T,
  environment: Readonly<Record<string, string | undefined>>,
  named: (variable: string) => string = (variable) => variable,
): ReadSettings<T> => {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, { variable, schema, fallback }] of Object.entries(table)) {
    const text = environment[variable]?.trim() ?? "";
    const read = text === "" ? { success: true as const, data: fallback } : schema.safeParse(text);
    if (read.success) values[name] = read.data;
    else wrong.push(`${named(variable)}: ${read.error.issues[0]?.message}`);
  }
  if (wrong.length > 0) throw new StartFailure(wrong.join("\n"));
  return values as ReadSettings<T>;
};

/** The settings of a table, out of those of a larger one. */
export const readOf = <T extends SettingTable>(table: T, values: ReadSettings<T>): ReadSettings<T> =>
  Object.fromEntries(Object.keys(table).map((name) => [name, values[name]])) as ReadSettings<T>;

type Described = Pick<Setting<unknown>, "variable" | "meaning"> & { readonly secret?: boolean };

/** What is wrong with a text, or null. */
type Defect = (text: string) => string | null;

const none: Defect = () => null;

const jsonOf = (input: unknown): string => JSON.stringify(input);

const checkedText = (defectOf: Defect): z.ZodType<string, string> =>
  z.string().superRefine((text, context) => {
    const message = defectOf(text);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

/** A schema from a function that answers the value, or null where the text is not of the form `wanted` says. */
export const readBy = <T>(read: (text: string) => T | null, wanted: (text: string) => string): z.ZodType<T, string> =>
  z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== null) return value;
    context.addIssue({ code: "custom", message: wanted(text) });
    return z.NEVER;
  });

/** Text; `defectOf` says what is wrong with one. */
export const textSetting = (about: Described, fallback: string, defectOf: Defect = none): Setting<string> => ({
  ...about,
  form: "text",
  shownDefault: fallback === "" ? "empty" : fallback,
  schema: checkedText(defectOf),
  fallback,
});

/** Text that may be absent; `defectOf` says what is wrong with one. */
export const optionalText = (about: Described, defectOf: Defect = none): Setting<string | null> => ({
  ...about,
  form: "text",
  shownDefault: "none",
  schema: checkedText(defectOf),
  fallback: null,
});

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}

const numberSchema = ({ min, max, whole = false }: Bounds): z.ZodType<number, string> =>
  readBy(
    (text) => {
      const value = Number(text);
      const fits = value >= min && value <= max && (!whole || Number.isInteger(value));
      return fits ? value : null;
    },
    (text) => `${jsonOf(text)} is not ${whole ? "a whole number" : "a number"} from ${min} to ${max}.`,
  );

/** A number within bounds, both included; `whole` refuses fractions. */
export const numberSetting = (about: Described, fallback: number, bounds: Bounds): Setting<number> => ({
  ...about,
  form: bounds.whole === true ? "whole number" : "number",
  shownDefault: String(fallback),
  schema: numberSchema(bounds),
  fallback,
});

/** A whole number within bounds that may be absent. */
export const optionalNumber = (about: Described, bounds: Bounds): Setting<number | null> => ({
  ...about,
  form: "whole number",
  shownDefault: "none",
  schema: numberSchema({ ...bounds, whole: true }),
  fallback: null,
});

/** true or false, in the spellings that people use. */
export const flagSetting = (about: Described, fallback: boolean): Setting<boolean> => ({
  ...about,
  form: "true or false",
  shownDefault: String(fallback),
  schema: z.stringbool({
    truthy: ["true", "1", "yes", "on"],
    falsy: ["false", "0", "no", "off"],
    error: ({ input }) => `${jsonOf(input)} is neither true nor false.`,
  }),
  fallback,
});

/** One of a closed list of words. */
export const choiceSetting = <T extends string>(about: Described, fallback: T, words: readonly T[]): Setting<T> => ({
  ...about,
  form: words.join(" or "),
  shownDefault: fallback,
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, { error: ({ input }) => `${jsonOf(input)} is none of ${words.join(", ")}.` })),
  fallback,
});

/** The entries of a comma list, trimmed, empty ones left out. */
export const entriesOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/** A comma list; `defectOf` says what is wrong with an entry. */
export const listSetting = (
  about: Described,
  fallback: readonly string[],
  defectOf: Defect = none,
): Setting<readonly string[]> => ({
  ...about,
  form: "comma list",
  isList: true,
  shownDefault: fallback.length === 0 ? "empty" : fallback.join(","),
  schema: z
    .string()
    .transform(entriesOf)
    .pipe(z.array(checkedText(defectOf))),
  fallback,
});

/** What is wrong with an http(s) address, or null. */
export const httpAddressDefect = (entry: string): string | null =>
  URL.canParse(entry) && /^https?:$/.test(new URL(entry).protocol)
    ? null
    : `${JSON.stringify(entry)} is not an http or https address.`;

/** What is wrong with a token that is sent in a header (RFC 9110, 5.5), or null; the token itself is not repeated. */
export const tokenDefect = (text: string): string | null =>
  /^[\x21-\x7e]+$/.test(text) ? null : "a token has printable ASCII characters only, and no blanks.";

/** Names the file that holds the value of a secret setting. */
export const fileVariable = (variable: string): string => `${variable}_FILE`;

/** The rows of a settings table for `--help`. */
export const describeSettings = (table: SettingTable): readonly string[] =>
  Object.values(table).map(({ variable, form, shownDefault, meaning, secret }) => {
    const names = secret === true ? `${variable} or ${fileVariable(variable)}` : variable;
    return `${names} (${form}; default ${shownDefault}): ${meaning}`;
  });
